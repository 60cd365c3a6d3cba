//! The promises, against the truth.

use std::time::{Duration, SystemTime};

use retry_runtime::report::{Ending, MayBeApplied};
use retry_runtime::{CallError, Effect, Id, Report};

use super::world::{Call, Story, Stub, title};
use crate::support::{Received, Record, START, Told, ending, millis, secs};

/// How long a request may wait for its turn, and how long it may go on after that. The deadline cuts neither on a write.
const TURN: Duration = secs(20);
const ON_ITS_WAY: Duration = secs(65);

/// Timers are exact to the millisecond.
const TICK: Duration = millis(2);

type Verdict = Result<(), String>;

fn holds(holds: bool, why: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(why()) }
}

/// What is known of one call.
struct Facts<'a> {
    sends: Vec<&'a Received>,
    effects: Vec<&'a Record>,
    told: Vec<&'a (Told, Report)>,
}

impl<'a> Facts<'a> {
    fn of(story: &'a Story, call: &Call) -> Self {
        let asked = |report: &Report| {
            serde_json::from_slice(report.request()).is_ok_and(|request| title(&request) == call.title)
        };
        Self {
            sends: story.received.iter().filter(|received| title(&received.arguments) == call.title).collect(),
            effects: story.records.iter().filter(|record| title(&record.arguments) == call.title).collect(),
            told: story.told.iter().filter(|(_, report)| asked(report)).collect(),
        }
    }
}

pub(super) fn judge(story: &Story) -> Verdict {
    for call in &story.calls {
        let facts = Facts::of(story, call);
        let verdict = p1(&facts).and_then(|()| p2(story, call, &facts)).and_then(|()| p5(story, call, &facts));
        verdict.map_err(|why| format!("{}: {why}", call.title))?;
    }
    p3(story)
}

/// One call has at most one effect.
fn p1(facts: &Facts<'_>) -> Verdict {
    holds(facts.effects.len() <= 1, || format!("P1: {} effects", facts.effects.len()))
}

/// Each call ends once, and what it says is true.
fn p2(story: &Story, call: &Call, facts: &Facts<'_>) -> Verdict {
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
        holds(is_true(story, result, &facts.told[0].1, &facts.effects), || {
            format!("P2: {:?} with {effects} effects", result.as_ref().map_err(CallError::effect))
        })?;
    }
    facts.told.iter().try_for_each(|(told, report)| until_when(story, facts, *told, report))
}

fn is_true(story: &Story, result: &Result<Id, CallError>, report: &Report, effects: &[&Record]) -> bool {
    match result {
        // A result that a send gave is the call's own; what a read-back found carries its key.
        Ok(id) if report.ending() == Ending::Done => effects.iter().any(|record| record.id == id.0),
        Ok(id) => story.records.iter().any(|record| record.id == id.0),
        Err(error) => match error.effect() {
            Effect::Absent => effects.is_empty(),
            Effect::Present => effects.len() == 1 || ending(result) == Ending::Duplicated,
            Effect::Unknown => true,
        },
    }
}

/// No effect comes after the time until which it "may still be applied".
fn until_when(story: &Story, facts: &Facts<'_>, told: Told, report: &Report) -> Verdict {
    let settled = matches!(report.ending(), Ending::Done | Ending::Found);
    if story.turned || settled {
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
fn p3(story: &Story) -> Verdict {
    let writes: Vec<(usize, &Received)> =
        story.received.iter().enumerate().filter(|(_, received)| received.method == "crm.deal.add").collect();
    for (place, (number, earlier)) in writes.iter().enumerate() {
        let came = |by: Duration| {
            story.records.iter().any(|record| record.request == Some(*number) && record.visible <= by + TICK)
        };
        for (_, later) in &writes[place + 1..] {
            if !same_operation(story, earlier, later) {
                continue;
            }
            let over = earlier.settled.is_some_and(|settled| settled <= later.at + TICK);
            holds(over || came(later.at) || found_between(story, earlier, later), || {
                format!("P3: sent at {:?}, and again at {:?}", earlier.at, later.at)
            })?;
        }
    }
    Ok(())
}

/// Sends of one call, or of calls that share a key.
fn same_operation(story: &Story, one: &Received, other: &Received) -> bool {
    let has_key = |received: &Received| {
        let stub = story.calls.iter().find(|call| call.title == title(&received.arguments)).map(|call| call.stub);
        matches!(stub, Some(Stub::Keyed | Stub::Ensured))
    };
    let origin = |received: &Received| received.arguments["fields"]["ORIGIN_ID"].clone();
    let calls = title(&one.arguments) == title(&other.arguments);
    calls || (has_key(one) && has_key(other) && origin(one) == origin(other))
}

/// What is found under the key of an operation counts as its effect, and so settles it.
fn found_between(story: &Story, earlier: &Received, later: &Received) -> bool {
    title(&earlier.arguments) != title(&later.arguments)
        && story.calls.iter().any(|call| {
            let found = |(told, report): &(Told, Report)| *told == Told::Finished && report.ending() == Ending::Found;
            (earlier.at..=later.at).contains(&call.ended) && Facts::of(story, call).told.into_iter().any(found)
        })
}

/// Attempts, read-backs and time are bounded.
fn p5(story: &Story, call: &Call, facts: &Facts<'_>) -> Verdict {
    let limits = story.limits;
    let attempts = usize::try_from(limits.attempts).map_err(|error| error.to_string())?;
    holds(facts.sends.len() <= attempts, || format!("P5: {} sends", facts.sends.len()))?;
    let last = call.began + limits.deadline;
    holds(call.ended <= last + TURN + ON_ITS_WAY + TICK, || format!("P5: it ended at {:?}", call.ended))?;
    let late = facts.sends.iter().find(|send| send.at > last + TURN + TICK);
    holds(late.is_none(), || format!("P5: sent at {late:?}"))?;
    for (_, report) in &facts.told {
        holds(report.attempts().len() <= attempts, || format!("P5: {} attempts", report.attempts().len()))?;
        holds(report.checks().len() <= 12 * (attempts + 1), || format!("P5: {} checks", report.checks().len()))?;
        let most = report.checks().iter().map(|check| check.reads.len()).max().unwrap_or_default();
        holds(most <= attempts, || format!("P5: {most} reads in a check"))?;
    }
    Ok(())
}
