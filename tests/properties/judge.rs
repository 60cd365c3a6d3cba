//! The promises of each call, against the truth.

use std::time::{Duration, SystemTime};

use retry_runtime::report::{Ending, MayBeApplied};
use retry_runtime::{CallError, Effect, Id, Report};

use crate::meets::{ON_ITS_WAY, TURN};
use crate::play::{Call, Played, mark};
use crate::story::{Story, Stub};
use crate::support::{Received, Record, START, Told, ending, millis};

/// Timers are exact to the millisecond.
pub(crate) const TICK: Duration = millis(2);

pub(crate) type Verdict = Result<(), String>;

pub(crate) fn holds(holds: bool, why: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(why()) }
}

/// What is known of one call.
struct Facts<'a> {
    sends: Vec<&'a Received>,
    effects: Vec<&'a Record>,
    told: Vec<&'a (Told, Report)>,
}

impl<'a> Facts<'a> {
    fn of(played: &'a Played, call: &Call) -> Self {
        let is_its_own = |arguments: &serde_json::Value| {
            let is_read = call.caller.stub == Stub::Read;
            if is_read { arguments["filter"]["ORIGIN_ID"] == call.mark.as_str() } else { mark(arguments) == call.mark }
        };
        let asked =
            |report: &Report| serde_json::from_slice(report.request()).is_ok_and(|request| is_its_own(&request));
        Self {
            sends: played.received.iter().filter(|received| is_its_own(&received.arguments)).collect(),
            effects: played.records.iter().filter(|record| is_its_own(&record.arguments)).collect(),
            told: played.told.iter().filter(|(_, report)| asked(report)).collect(),
        }
    }
}

pub(crate) fn judge(story: &Story, played: &Played) -> Verdict {
    for call in &played.calls {
        let verdict = match (call.caller.stub, call.caller.shared) {
            // Its requests are those of others too.
            (Stub::Read | Stub::Idempotent | Stub::Sought, true) => p5_time(story, call),
            (Stub::Read, false) => read(call, &Facts::of(played, call)).and_then(|()| p5(story, played, call)),
            (_, _) => {
                let facts = Facts::of(played, call);
                p1(&facts).and_then(|()| p2(story, played, call, &facts)).and_then(|()| p5(story, played, call))
            }
        };
        verdict.map_err(|why| format!("{}: {why}", call.mark))?;
    }
    p3(played)
}

/// One call has at most one effect.
fn p1(facts: &Facts<'_>) -> Verdict {
    holds(facts.effects.len() <= 1, || format!("P1: {} effects", facts.effects.len()))
}

/// A read ends once, and has had no effect.
fn read(call: &Call, facts: &Facts<'_>) -> Verdict {
    let kinds: Vec<Told> = facts.told.iter().map(|(told, _)| *told).collect();
    let right = [if call.result.is_some() { Told::Finished } else { Told::Dropped }];
    holds(kinds == right, || format!("P2: the observer was told {kinds:?}"))?;
    let absent = !matches!(&call.result, Some(Err(error)) if error.effect() != Effect::Absent);
    holds(absent, || format!("P6: {:?}", call.result))
}

/// Each call ends once, and what it says is true.
fn p2(story: &Story, played: &Played, call: &Call, facts: &Facts<'_>) -> Verdict {
    let kinds: Vec<Told> = facts.told.iter().map(|(told, _)| *told).collect();
    let finished = kinds == [Told::Finished];
    // A caller that goes away while its verifier is put to the proof leaves a call that is done.
    let done = finished && facts.told[0].1.ending() == Ending::Done;
    let right = match &call.result {
        Some(_) => finished || kinds == [Told::Finished, Told::Distrusted],
        None => done || kinds == [Told::Dropped] || kinds == [Told::Dropped, Told::AnsweredLate],
    };
    holds(right, || format!("P2: the observer was told {kinds:?}"))?;
    if let Some(result) = &call.result {
        let effects = facts.effects.len();
        holds(is_true(played, result, &facts.told[0].1, &facts.effects), || {
            format!("P6: {:?} with {effects} effects", result.as_ref().map_err(CallError::effect))
        })?;
    }
    facts.told.iter().try_for_each(|(told, report)| until_when(story, facts, *told, report))
}

fn is_true(played: &Played, result: &Result<Id, CallError>, report: &Report, effects: &[&Record]) -> bool {
    match result {
        // A result that a send gave is the call's own; what a read-back found carries its key.
        Ok(id) if report.ending() == Ending::Done => effects.iter().any(|record| record.id == id.0),
        Ok(id) => {
            let key = |record: &Record| (record.method, record.arguments["fields"]["ORIGIN_ID"].clone());
            let request = serde_json::from_slice::<serde_json::Value>(report.request()).unwrap_or_default();
            let wanted = (report.method(), request["fields"]["ORIGIN_ID"].clone());
            played.records.iter().any(|record| record.id == id.0 && key(record) == wanted)
        }
        Err(error) => match error.effect() {
            Effect::Absent => effects.is_empty(),
            Effect::Present => effects.len() == 1 || ending(result) == Ending::Duplicated,
            Effect::Unknown => true,
        },
    }
}

/// No effect comes after the time until which it "may still be applied".
fn until_when(story: &Story, facts: &Facts<'_>, told: Told, report: &Report) -> Verdict {
    if story.is_turned() || matches!(report.ending(), Ending::Done | Ending::Found) {
        return Ok(());
    }
    let since_start = |wall: SystemTime| wall.duration_since(SystemTime::UNIX_EPOCH + START).unwrap_or_default();
    let last = match (report.may_be_applied(), told) {
        (MayBeApplied::Unbounded, _) => return Ok(()),
        (MayBeApplied::Until(until), _) => since_start(until),
        (MayBeApplied::No, Told::Finished | Told::Dropped | Told::Distrusted) => {
            since_start(report.started()) + report.elapsed()
        }
        (MayBeApplied::No, Told::AnsweredLate) => {
            let answered = report.attempts().last().and_then(|attempt| Some(attempt.sent_at? + attempt.took));
            since_start(answered.unwrap_or(report.started()))
        }
    };
    let late = facts.effects.iter().find(|record| record.visible > last + TICK);
    holds(late.is_none(), || format!("P2: {told:?} with {:?}, and then {late:?}", report.may_be_applied()))
}

/// A write is not sent again while an earlier send of it may still be applied.
fn p3(played: &Played) -> Verdict {
    let writes: Vec<(usize, &Received)> =
        played.received.iter().enumerate().filter(|(_, received)| received.is_write()).collect();
    for (place, (number, earlier)) in writes.iter().enumerate() {
        // Its own record; under an idempotency key that of another send is as good.
        let of_it = |record: &Record| {
            let of_its_key = |request: usize| {
                earlier.idempotency_key.is_some() && played.received[request].idempotency_key == earlier.idempotency_key
            };
            record.request == Some(*number) || record.request.is_some_and(of_its_key)
        };
        let came = |by: Duration| played.records.iter().any(|record| of_it(record) && record.visible <= by + TICK);
        for (_, later) in &writes[place + 1..] {
            if !same_operation(played, earlier, later) {
                continue;
            }
            let over = earlier.settled.is_some_and(|settled| settled <= later.at + TICK);
            holds(over || came(later.at) || found_between(played, earlier, later), || {
                format!("P3: sent at {:?}, and again at {:?}", earlier.at, later.at)
            })?;
        }
    }
    Ok(())
}

/// Sends of one call, or of calls that share a key in one client.
fn same_operation(played: &Played, one: &Received, other: &Received) -> bool {
    let of = |received: &Received| {
        let mut calls = played.calls.iter().filter(|call| call.mark == mark(&received.arguments));
        let first = calls.next()?;
        // Whose request it is can't be said where two clients send the same bytes.
        calls.all(|call| call.caller.who == first.caller.who).then_some(&first.caller)
    };
    let (Some(this), Some(that)) = (of(one), of(other)) else { return false };
    let keyed = |stub| matches!(stub, Stub::Keyed | Stub::Ensured);
    let key = |received: &Received| received.arguments["fields"]["ORIGIN_ID"].clone();
    let share_a_key = keyed(this.stub) && keyed(that.stub) && this.who == that.who && key(one) == key(other);
    mark(&one.arguments) == mark(&other.arguments) || share_a_key
}

/// What is found under the key of an operation counts as its effect, and so settles it.
fn found_between(played: &Played, earlier: &Received, later: &Received) -> bool {
    mark(&earlier.arguments) != mark(&later.arguments)
        && played.calls.iter().any(|call| {
            let found = |(told, report): &(Told, Report)| *told == Told::Finished && report.ending() == Ending::Found;
            (earlier.at..=later.at).contains(&call.ended) && Facts::of(played, call).told.into_iter().any(found)
        })
}

/// Attempts and read-backs are bounded.
fn p5(story: &Story, played: &Played, call: &Call) -> Verdict {
    let facts = Facts::of(played, call);
    let attempts = usize::try_from(story.settings.attempts).map_err(|error| error.to_string())?;
    holds(facts.sends.len() <= attempts, || format!("P5: {} sends", facts.sends.len()))?;
    let last = call.began + story.settings.deadline.time();
    let late = facts.sends.iter().find(|send| send.at > last + TURN + TICK);
    holds(late.is_none(), || format!("P5: sent at {late:?}"))?;
    for (_, report) in &facts.told {
        holds(report.attempts().len() <= attempts, || format!("P5: {} attempts", report.attempts().len()))?;
        holds(report.checks().len() <= 12 * (attempts + 1), || format!("P5: {} checks", report.checks().len()))?;
        let most = report.checks().iter().map(|check| check.reads.len()).max().unwrap_or_default();
        holds(most <= attempts, || format!("P5: {most} reads in a check"))?;
    }
    p5_time(story, call)
}

/// So is the time. A read is cut by its deadline; a write that has left is not.
fn p5_time(story: &Story, call: &Call) -> Verdict {
    let last = call.began + story.settings.deadline.time();
    let longest = if call.caller.stub == Stub::Read { Duration::ZERO } else { TURN + ON_ITS_WAY };
    holds(call.ended <= last + longest + TICK, || format!("P5: it ended at {:?}", call.ended))
}
