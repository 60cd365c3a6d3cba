//! Where idempotency keys meet the work: what is given again, and what is stored.

use std::time::Duration;

use crate::clock::{Clock, now};
use crate::fault::{Answer, Fault};
use crate::job::Job;
use crate::operation::Operation;
use crate::refusal::Refusal;
use crate::reply::Page;
use crate::rest3::{Key, Request, Scope, Stored};
use crate::state::State;

/// A success with what it is stored under.
#[derive(Debug)]
pub(crate) struct Success {
    scope: Scope,
    stored: Stored,
}

/// The answer of an earlier request with this key, if there is one; the refusal of a key that cannot be used.
pub(crate) fn find(state: &State, clock: Clock, job: &Job) -> Result<Option<Page>, Refusal> {
    let Operation::Rest3(request) = &job.operation else { return Ok(None) };
    let (Some(key), Ok(body)) = (request.key()?, &request.body) else { return Ok(None) };
    let page = state.successes.find(&scope(job, request, key), &body.compared(state.rest3.auth_counts), clock)?;
    Ok(page.map(|page| with_key(page, key)))
}

/// What will be stored once the effect has taken place; the answer gets its key.
pub(crate) fn success(state: &State, job: &Job, fault: &Fault, limit: Duration, page: &mut Page) -> Option<Success> {
    let Operation::Rest3(request) = &job.operation else { return None };
    let (Ok(Some(key)), Ok(body)) = (request.key(), &request.body) else { return None };
    let stored = if state.rest3.atomic {
        // An error is not stored, whatever it has done.
        !matches!(fault.answer, Answer::Coded(_))
    } else {
        arrives(&fault.answer, limit)
    };
    let success = stored.then(|| Success {
        scope: scope(job, request, key),
        stored: Stored { body: body.compared(state.rest3.auth_counts), page: page.clone(), at: now() },
    });
    *page = with_key(page.clone(), key);
    success
}

/// Whether the answer leaves the portal whole, so that the end of the request is reached.
fn arrives(answer: &Answer, limit: Duration) -> bool {
    match answer {
        Answer::Normal | Answer::WholeThenReset => true,
        Answer::Slow(work) => *work < limit,
        Answer::Reset
        | Answer::Close
        | Answer::Silence
        | Answer::SilenceFor(_)
        | Answer::Cut(_)
        | Answer::HeadThenReset
        | Answer::HeadThenSilence
        | Answer::Html(_)
        | Answer::Coded(_)
        | Answer::Redirect { .. }
        | Answer::Raw(_) => false,
    }
}

pub(crate) fn store(state: &mut State, success: Option<Success>, clock: Clock) {
    if let Some(Success { scope, stored }) = success {
        state.successes.store(scope, Stored { at: now(), ..stored }, clock);
    }
}

fn scope(job: &Job, request: &Request, key: &Key) -> Scope {
    Scope { application: request.by_token, user: job.user, method: job.method.clone(), key: key.clone() }
}

fn with_key(mut page: Page, key: &Key) -> Page {
    page.headers.push(("Idempotency-Key".to_owned(), key.0.clone()));
    page
}
