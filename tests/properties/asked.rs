//! The waits that answers ask for: none is shortened, whatever clocks show, and none is begun that the deadline does not allow.

use retry_runtime::report::{Attempt, Ending, Outcome};
use retry_runtime::{Decision, Report};

use crate::judge::{TICK, Verdict, holds};
use crate::play::Played;
use crate::story::Story;
use crate::support::{Received, Told};

pub(crate) fn judge(story: &Story, played: &Played) -> Verdict {
    for (_, report) in played.told.iter().filter(|(told, _)| *told == Told::Finished) {
        for attempt in report.attempts() {
            is_read_as_meant(played, attempt)?;
        }
        for pair in report.attempts().windows(2) {
            if let [earlier, later] = pair {
                is_waited_for(played, earlier, later)?;
            }
        }
        ends_at_once_where_it_is_too_long(story, report)?;
    }
    Ok(())
}

/// The request of an attempt that the portal has answered by itself.
fn request<'a>(played: &'a Played, attempt: &Attempt) -> Option<&'a Received> {
    let number: usize = attempt.request_id.as_deref()?.strip_prefix("req-")?.parse().ok()?;
    played.received.get(number.checked_sub(1)?).filter(|received| received.method != "batch")
}

fn is_read_as_meant(played: &Played, attempt: &Attempt) -> Verdict {
    let meant = request(played, attempt).and_then(|received| received.asked);
    holds(meant.is_none() || attempt.hint == meant, || format!("{meant:?} is meant, and read as {:?}", attempt.hint))
}

fn is_waited_for(played: &Played, earlier: &Attempt, later: &Attempt) -> Verdict {
    // With a new token the same call goes at once.
    if matches!(earlier.outcome, Outcome::TokenRenewed) {
        return Ok(());
    }
    let (Some(first), Some(second)) = (request(played, earlier), request(played, later)) else { return Ok(()) };
    let Some(meant) = first.asked else { return Ok(()) };
    let due = first.at + earlier.took + meant;
    holds(second.at + TICK >= due, || {
        format!("{meant:?} is asked for, and {} sent at {:?} is sent again at {:?}", first.method, first.at, second.at)
    })
}

/// A wait that would pass the deadline is handed to the caller. Where clocks are turned, it may be found out later.
fn ends_at_once_where_it_is_too_long(story: &Story, report: &Report) -> Verdict {
    let Some(last) = report.attempts().last().filter(|_| report.ending() == Ending::Exhausted && !story.is_turned())
    else {
        return Ok(());
    };
    let (Some(hint), Some(sent), Some(Decision::Retry)) = (last.hint, last.sent_at, last.decision) else {
        return Ok(());
    };
    let answered = sent.duration_since(report.started()).unwrap_or_default() + last.took;
    let too_long = answered.saturating_add(hint) > story.settings.deadline.time() + TICK;
    holds(!too_long || report.elapsed() <= answered + TICK, || {
        format!("answered after {answered:?} with a wait of {hint:?}, and it ended after {:?}", report.elapsed())
    })
}
