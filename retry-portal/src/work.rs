//! The work of a request: its effect now, later or never, and its answer.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::clock::{now, wall};
use crate::crm::{self, Call, Change, Method};
use crate::envelope::{Answered, RestError, Time};
use crate::exchange::Arrival;
use crate::fault::{Answer, Effect, Fault, lateness};
use crate::journal::{Outcome, Ticket};
use crate::params::Params;
use crate::reply::{Page, Reply, closed, make};
use crate::state::{Pending, Shared, State};

/// A request that was let in.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) ticket: Ticket,
    pub(crate) arrival: Arrival,
    pub(crate) method: String,
    pub(crate) params: Params,
}

/// Does the work and gives the answer.
pub(crate) async fn run(shared: &Arc<Shared>, job: Job, fault: Option<Fault>) -> Reply {
    let fault = fault.unwrap_or_else(Fault::none);
    let Answer::Slow(work) = fault.answer else { return finish(shared, &job, &fault) };
    let limit = shared.settings.execution_limit;
    let real = shared.settings.clock.real(work.min(limit));
    if Method::named(&job.method).is_some_and(Method::is_write) {
        shared.state().journal.note(job.ticket, |entry| entry.effect = Outcome::Pending);
    }
    let pending = Pending::new(Arc::clone(shared));
    let open = shared.sleep(real).await;
    let reply = if open { finish(shared, &job, &fault) } else { closed().1 };
    drop(pending);
    reply
}

/// The end of the work: the effect as the fault says, then the answer.
fn finish(shared: &Arc<Shared>, job: &Job, fault: &Fault) -> Reply {
    let settings = &shared.settings;
    let limit = settings.execution_limit;
    let too_slow = matches!(fault.answer, Answer::Slow(work) if work >= limit);
    let mut state = shared.state();
    let passed = now().saturating_duration_since(job.arrival.instant);
    if !too_slow && overdue(shared, fault, passed) {
        state.journal.note(job.ticket, |entry| entry.effect = Outcome::Dropped);
        return closed().1;
    }
    let called = match Method::named(&job.method) {
        Some(method) => crm::call(&state.context(settings), method, &job.params),
        None => Err(RestError::new(404, "ERROR_METHOD_NOT_FOUND", "Method not found!")),
    };
    let answered = called.and_then(|call| match call {
        Call::Answer(answered) => Ok((Outcome::None, answered)),
        Call::Change(change) => take_effect(shared, &mut state, job, *change, fault)
            .map(|(outcome, result)| (outcome, Answered::plain(result))),
    });
    let (outcome, page) = match answered {
        Ok((outcome, answered)) => (outcome, Page::json(200, &answered.body(&time(&mut state, job, fault)))),
        Err(error) => (Outcome::None, Page::json(error.status, &error.body())),
    };
    let code = shown_code(&fault.answer, &page);
    let (status, reply) = if too_slow { closed() } else { make(&fault.answer, page, settings.clock, limit) };
    state.journal.note(job.ticket, |entry| {
        entry.effect = outcome;
        entry.status = status;
        entry.code = code.filter(|_| status.is_some());
    });
    reply
}

/// The portal ends each request at the execution limit. On a busy machine even a short piece of work may come
/// after it; then it must not happen any more, or a client that waited long enough would be wrong.
fn overdue(shared: &Shared, fault: &Fault, passed: Duration) -> bool {
    let limit = shared.settings.execution_limit;
    let planned = lateness(fault, limit);
    !planned.is_zero() && planned < limit && passed > shared.settings.clock.real(limit)
}

fn take_effect(
    shared: &Arc<Shared>,
    state: &mut State,
    job: &Job,
    mut change: Change,
    fault: &Fault,
) -> Result<(Outcome, Value), RestError> {
    match fault.effect {
        Effect::Before => change.commit(&mut state.store).map(|result| (Outcome::Before, result)),
        Effect::Never => change.promise(&mut state.store).map(|result| (Outcome::Never, result)),
        Effect::Late(after) => {
            let promised = change.promise(&mut state.store)?;
            let late = Late { ticket: job.ticket, arrival: job.arrival, change, fault: fault.clone(), after };
            tokio::spawn(late.come(Arc::clone(shared), Pending::new(Arc::clone(shared))));
            Ok((Outcome::Pending, promised))
        }
    }
}

/// An effect that comes after its answer.
struct Late {
    ticket: Ticket,
    arrival: Arrival,
    change: Change,
    fault: Fault,
    /// In portal time.
    after: Duration,
}

impl Late {
    async fn come(mut self, shared: Arc<Shared>, pending: Pending) {
        if shared.sleep(shared.settings.clock.real(self.after)).await {
            let mut state = shared.state();
            let passed = now().saturating_duration_since(self.arrival.instant);
            let done = !overdue(&shared, &self.fault, passed) && self.change.commit(&mut state.store).is_ok();
            let outcome = if done { Outcome::Late(passed) } else { Outcome::Dropped };
            state.journal.note(self.ticket, |entry| entry.effect = outcome);
        }
        drop(pending);
    }
}

fn time(state: &mut State, job: &Job, fault: &Fault) -> Time {
    let worked = now().saturating_duration_since(job.arrival.instant);
    // Slow work counts as long as it is said to last, whatever the time scale.
    let worked = if let Answer::Slow(work) = fault.answer { work } else { worked };
    let (operating, until_reset) = state.tally.add(&job.method, worked.as_secs_f64(), now());
    let finish = wall();
    let reset = finish.checked_add(until_reset).unwrap_or(finish);
    Time { start: job.arrival.at, finish, operating, operating_reset_at: crate::clock::unix_seconds(reset) }
}

/// The error code of the answer that the client gets, if it has one.
fn shown_code(answer: &Answer, normal: &Page) -> Option<String> {
    match answer {
        Answer::Coded(coded) => Page::coded(coded, wall()).code(),
        Answer::Normal | Answer::Slow(_) | Answer::WholeThenReset => normal.code(),
        Answer::Reset
        | Answer::Close
        | Answer::Silence
        | Answer::SilenceFor(_)
        | Answer::Cut(_)
        | Answer::HeadThenReset
        | Answer::HeadThenSilence
        | Answer::Html(_)
        | Answer::Redirect { .. }
        | Answer::Raw(_) => None,
    }
}
