//! The promises, against what really happened on the portal.

use std::time::Duration;

use retry_runtime::report::{Ending, MayBeApplied};
use retry_runtime::{CallError, Effect, Id, Report};

use crate::portal::is_read;
use crate::run::{Cut, DEADLINE, Story};
use crate::support::{Received, Told, millis, secs};

/// An attempt may go on for so long after the deadline: nothing cuts a write that has left.
const ON_ITS_WAY: Duration = secs(65);

/// Answers take so long.
const ANSWERED: Duration = millis(100);

/// Timers are exact to the millisecond.
const TICK: Duration = millis(2);

type Verdict = Result<(), String>;

fn holds(holds: bool, why: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(why()) }
}

/// All promises that hold as long as no effect comes later than the settle time.
pub(crate) fn judge(story: &Story) -> Verdict {
    p1(story)
        .and_then(|()| p2_p6(story))
        .and_then(|()| p3(story))
        .and_then(|()| p3_trust(story))
        .and_then(|()| p5(story))
}

/// How many effects there are beyond the first.
pub(crate) fn duplicates(story: &Story) -> usize {
    story.records.len().saturating_sub(1)
}

fn sends(story: &Story) -> impl Iterator<Item = (usize, &Received)> {
    story.received.iter().enumerate().filter(|(_, received)| !is_read(received.method))
}

fn p1(story: &Story) -> Verdict {
    holds(duplicates(story) == 0, || format!("P1: {} effects", story.records.len()))
}

fn p2_p6(story: &Story) -> Verdict {
    let kinds: Vec<Told> = story.told.iter().map(|(told, _)| *told).collect();
    let right = match &story.result {
        Some(_) => kinds == [Told::Finished],
        // A caller that goes away while its verifier is put to the proof leaves a call that is done.
        None if kinds == [Told::Finished] => story.told[0].1.ending() == Ending::Done,
        None => kinds == [Told::Dropped] || kinds == [Told::Dropped, Told::AnsweredLate],
    };
    holds(right, || format!("P2: the observer was told {kinds:?}"))?;
    if let Some(result) = &story.result {
        holds(is_true(story, result), || "P6: what is said of the effect is not so".to_owned())?;
    }
    story.told.iter().try_for_each(|(told, report)| until_when(story, *told, report))
}

fn is_true(story: &Story, result: &Result<Id, CallError>) -> bool {
    match result {
        Ok(id) => story.records.iter().any(|record| record.id == id.0),
        // What matches may all be of others.
        Err(CallError::Duplicated(_)) => true,
        Err(error) => match error.effect() {
            Effect::Absent => story.records.is_empty(),
            Effect::Present => story.records.len() == 1,
            Effect::Unknown => true,
        },
    }
}

/// No effect comes after the time until which it "may still be applied".
fn until_when(story: &Story, told: Told, report: &Report) -> Verdict {
    if matches!(report.ending(), Ending::Done | Ending::Found) {
        return Ok(());
    }
    let last = match (report.may_be_applied(), told) {
        (MayBeApplied::Unbounded, _) => return Ok(()),
        (MayBeApplied::Until(until), _) => story.since_start(until),
        (MayBeApplied::No, Told::Finished | Told::Dropped | Told::Distrusted) => {
            story.since_start(report.started()) + report.elapsed()
        }
        (MayBeApplied::No, Told::AnsweredLate) => {
            let answered = report.attempts().last().and_then(|attempt| Some(attempt.sent_at? + attempt.took));
            story.since_start(answered.unwrap_or(report.started()))
        }
    };
    let late = story.records.iter().find(|record| record.visible > last + TICK);
    holds(late.is_none(), || format!("P2: {told:?} with {:?}, and then {late:?}", report.may_be_applied()))
}

/// An earlier send is over, or its effect is there and a key keeps it from being made again.
fn p3(story: &Story) -> Verdict {
    let sends: Vec<_> = sends(story).collect();
    for pair in sends.windows(2) {
        let [(number, earlier), (_, later)] = pair else { continue };
        let over = earlier.settled.is_some_and(|settled| settled <= later.at + TICK);
        let stored = later.idempotency_key.is_some()
            && story.records.iter().any(|record| record.request == Some(*number) && record.visible <= later.at);
        holds(over || stored, || format!("P3: sent at {:?}, and again at {:?}", earlier.at, later.at))?;
    }
    Ok(())
}

/// What a verifier says that lacks its proof allows no send after one whose outcome was not known.
fn p3_trust(story: &Story) -> Verdict {
    if story.trust.absence_counts() {
        return Ok(());
    }
    let sends: Vec<&Received> = sends(story).map(|(_, send)| send).collect();
    for pair in sends.windows(2) {
        let [earlier, later] = pair else { continue };
        let was_clear = earlier.settled.is_some_and(|settled| settled <= earlier.at + ANSWERED + TICK);
        holds(was_clear || later.idempotency_key.is_some(), || {
            format!("P3: sent at {:?} by the word of a verifier that lacks its proof", later.at)
        })?;
    }
    Ok(())
}

fn p5(story: &Story) -> Verdict {
    let attempts = usize::try_from(story.attempts).map_err(|error| error.to_string())?;
    let count = sends(story).count();
    holds(count <= attempts, || format!("P5: {count} sends"))?;
    let deadline = if let Cut::Deadline(deadline) = story.cut { deadline } else { DEADLINE };
    holds(story.ended <= deadline + ON_ITS_WAY + TICK, || format!("P5: it ended at {:?}", story.ended))?;
    let late = sends(story).find(|(_, send)| send.at > deadline + TICK);
    holds(late.is_none(), || format!("P5: sent at {late:?}"))?;
    for (_, report) in &story.told {
        let most = report.checks().iter().map(|check| check.reads.len()).max().unwrap_or_default();
        holds(most <= attempts.max(1), || format!("P5: {most} reads in a check"))?;
    }
    Ok(())
}
