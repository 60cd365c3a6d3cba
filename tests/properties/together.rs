//! What is stated of several calls that write the same key: `docs/model.md`.

use retry_runtime::report::Ending;
use retry_runtime::{CallError, Effect, Id};

use crate::judge::{Verdict, holds};
use crate::play::{Call, Played, SHARED, mark};
use crate::story::{Story, Stub, Who};
use crate::support::{Record, Told, ending};

pub(crate) fn judge(story: &Story, played: &Played) -> Verdict {
    one_by_ensure(story, played)
        .and_then(|()| one_by_idempotency_key(story, played))
        .and_then(|()| tasks_are_told(played))
        .and_then(|()| whoever_looks_is_told(played))
}

/// The clients that these calls go through.
fn clients<'a>(callers: impl Iterator<Item = &'a crate::story::Caller>) -> usize {
    let (mut a, mut b) = (0, 0);
    for caller in callers {
        match caller.who {
            Who::A => a = 1,
            Who::B => b = 1,
        }
    }
    a + b
}

/// Calls through one client with `ensure` make one record of all together, also if some are dropped or end in doubt.
fn one_by_ensure(story: &Story, played: &Played) -> Verdict {
    let ensured = story.sharing(false).all(|caller| caller.stub == Stub::Ensured);
    if !ensured || clients(story.sharing(false)) != 1 {
        return Ok(());
    }
    let made = played.records.iter().filter(|record| record.origin() == SHARED).count();
    holds(made <= 1, || format!("P1: calls with ensure through one client made {made} records together"))
}

fn tasks(played: &Played) -> Vec<&Record> {
    let shared = |record: &&Record| record.method == "tasks.task.add" && mark(&record.arguments) == SHARED;
    played.records.iter().filter(shared).collect()
}

/// Calls with one idempotency key make one record for each client at the most, while the portal knows the key.
fn one_by_idempotency_key(story: &Story, played: &Played) -> Verdict {
    let (made, clients) = (tasks(played).len(), clients(story.sharing(true)));
    holds(made <= clients || story.is_suspended(), || {
        format!("P1: calls with one idempotency key made {made} records through {clients} clients")
    })
}

/// Calls that share an idempotency key send the same bytes, so that what is told of them is judged together.
fn tasks_are_told(played: &Played) -> Verdict {
    let calls: Vec<&Call> =
        played.calls.iter().filter(|call| call.caller.stub.is_task() && call.caller.shared).collect();
    let told = |kind: Told| {
        let of_the_key = |(told, report): &&(Told, retry_runtime::Report)| {
            *told == kind
                && report.method() == "tasks.task.add"
                && serde_json::from_slice(report.request()).is_ok_and(|request| mark(&request) == SHARED)
        };
        played.told.iter().filter(of_the_key).collect::<Vec<_>>()
    };
    let (finished, dropped) = (told(Told::Finished), told(Told::Dropped).len());
    holds(finished.len() + dropped == calls.len(), || {
        format!("P2: {} calls with one idempotency key, {} finished and {dropped} dropped", calls.len(), finished.len())
    })?;
    let ended = calls.iter().filter(|call| call.result.is_some()).count();
    let done = finished.iter().filter(|(_, report)| report.ending() == Ending::Done).count();
    holds(finished.len() == ended || (finished.len() > ended && done >= finished.len() - ended), || {
        format!("P2: {ended} calls with one idempotency key ended, and {} were told as such", finished.len())
    })?;
    let made = tasks(played);
    for call in calls {
        let Some(result) = &call.result else { continue };
        holds(may_be_true(result, &made), || format!("P6: {:?} with {} records", result, made.len()))?;
    }
    Ok(())
}

/// Of calls that share a key another one may have made the record.
fn may_be_true(result: &Result<Id, CallError>, made: &[&Record]) -> bool {
    match result {
        Ok(id) => made.iter().any(|record| record.id == id.0),
        Err(error) => match error.effect() {
            Effect::Present => !made.is_empty(),
            Effect::Absent | Effect::Unknown => true,
        },
    }
}

/// Two records of one order are possible; whoever looks for it when both show is told, and makes no third.
fn whoever_looks_is_told(played: &Played) -> Verdict {
    let Some(audit) = &played.audit else { return Ok(()) };
    let records: Vec<&Record> = played.records.iter().filter(|record| record.origin() == SHARED).collect();
    let right = match (audit, records.as_slice()) {
        (Ok(id), [only]) => id.0 == only.id,
        (Err(error), [_, _, ..]) => ending(audit) == Ending::Duplicated && error.effect() == Effect::Present,
        (Ok(_) | Err(_), _) => false,
    };
    holds(right, || format!("P2: {} records of the shared order, and who looks is told {audit:?}", records.len()))
}
