//! The work of a request: its effect now, later or never, and its answer.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::clock::{Clock, now, wall};
use crate::fault::{Answer, Coded, Effect, Fault, lateness};
use crate::job::{Arrival, Job};
use crate::journal::{Outcome, Ticket};
use crate::memory::Deed;
use crate::operation::Operation;
use crate::refusal::{Answered, Call, Refusal};
use crate::replay::{self, Success};
use crate::reply::{Page, Reply, closed, make};
use crate::state::{Pending, Shared, State};
use crate::time::Time;

/// Does the work and gives the answer.
pub(crate) async fn run(shared: &Arc<Shared>, job: Job, fault: Option<Fault>) -> Reply {
    let mut fault = fault.unwrap_or_else(Fault::none);
    // At the beginning: of two that are in flight at once both run.
    let before = replay::find(&shared.state(), shared.settings.clock, &job);
    let Answer::Slow(work) = fault.answer else { return finish(shared, &job, &fault, before) };
    let limit = shared.settings.execution_limit;
    let mut wait = work.min(limit);
    let patience = job.operation.patience(&shared.state(), limit);
    if let Some(patience) = patience.filter(|patience| wait >= *patience) {
        fault = given_up(&fault, wait.saturating_sub(patience));
        wait = patience;
    }
    if job.operation.is_write() {
        shared.state().journal.note(job.ticket, |entry| entry.effect = Outcome::Pending);
    }
    let pending = Pending::new(Arc::clone(shared));
    let open = shared.sleep(shared.settings.clock.real(wait)).await;
    let reply = if open { finish(shared, &job, &fault, before) } else { closed().1 };
    drop(pending);
    reply
}

/// What slow work looks like to a client of the gateway, which waits no longer: the work goes on behind it.
pub(crate) fn given_up(fault: &Fault, left: Duration) -> Fault {
    let effect = match fault.effect {
        Effect::Before if left.is_zero() => Effect::Before,
        Effect::Before => Effect::Late(left),
        Effect::Late(after) => Effect::Late(left.saturating_add(after)),
        other @ (Effect::Never | Effect::AfterCommands(_)) => other,
    };
    let timeout = Coded::of("BITRIX_TIMEOUT").description("Bitrix24 did not answer in time");
    Fault::new(effect, Answer::Coded(timeout))
}

/// The end of the work: the effect as the fault says, then the answer.
fn finish(shared: &Arc<Shared>, job: &Job, fault: &Fault, before: Result<Option<Page>, Refusal>) -> Reply {
    let settings = &shared.settings;
    let limit = settings.execution_limit;
    let too_slow = matches!(fault.answer, Answer::Slow(work) if work >= limit);
    let mut state = shared.state();
    if !too_slow && overdue(shared, fault, job.arrival) {
        state.journal.note(job.ticket, |entry| entry.effect = Outcome::Dropped);
        return closed().1;
    }
    let time = time(&mut state, settings.clock, job, fault);
    let (replayed, done) = match before {
        Ok(Some(page)) => (true, Done { outcome: Outcome::None, page, late: None }),
        Ok(None) => (false, carry_out(&mut state, shared, job, fault, &time)),
        Err(refusal) => {
            let page = job.operation.page(&state, Err(refusal), &time);
            (false, Done { outcome: Outcome::None, page, late: None })
        }
    };
    let Done { outcome, page, late } = done;
    let page = if let Answer::Coded(coded) = &fault.answer { job.operation.coded(&state, coded, wall()) } else { page };
    if let Some(late) = late {
        tokio::spawn(late.come(Arc::clone(shared), Pending::new(Arc::clone(shared))));
    }
    if let Operation::Vibe(call) = &job.operation {
        let error: Option<Value> = page.code().and_then(|_| serde_json::from_slice(&page.body).ok());
        let code = page.code();
        let error = code.as_deref().zip(error.as_ref());
        state.gateway.heard(call.key, &job.method, error, settings.clock, now());
    }
    let code = shown_code(&fault.answer, &page);
    let request_id = page.header("X-Request-Id").map(str::to_owned);
    let (status, reply) = if too_slow { closed() } else { make(&fault.answer, page, settings.clock, limit) };
    state.journal.note(job.ticket, |entry| {
        entry.effect = outcome;
        entry.status = status;
        entry.code = code.filter(|_| status.is_some());
        entry.request_id = request_id;
        entry.replayed = replayed;
    });
    reply
}

/// What became of a call.
struct Done {
    outcome: Outcome,
    page: Page,
    late: Option<Late>,
}

fn carry_out(state: &mut State, shared: &Shared, job: &Job, fault: &Fault, time: &Time) -> Done {
    let Performed { outcome, answered, mut late } = perform(state, shared, job, fault);
    let mut page = job.operation.page(state, answered, time);
    if page.status == 200 && outcome != Outcome::None {
        let success = replay::success(state, job, fault, shared.settings.execution_limit, &mut page);
        match &mut late {
            Some(late) => late.success = success,
            None if outcome == Outcome::Before => replay::store(state, success, shared.settings.clock),
            None => {}
        }
    }
    Done { outcome, page, late }
}

/// What a call came to.
pub(crate) struct Performed {
    pub(crate) outcome: Outcome,
    pub(crate) answered: Result<Answered, Refusal>,
    pub(crate) late: Option<Late>,
}

/// Makes the call, with its effect as the fault says. No word of the answer yet.
pub(crate) fn perform(state: &mut State, shared: &Shared, job: &Job, fault: &Fault) -> Performed {
    let called = job.operation.call(state, &shared.settings, job.user, &job.params);
    let mut late = None;
    let answered = called.and_then(|call| match call {
        Call::Answer(answered) => Ok((Outcome::None, answered)),
        Call::Change(deed) => {
            let (outcome, result) = take_effect(state, job, *deed, fault, &mut late)?;
            Ok((outcome, Answered::plain(result)))
        }
    });
    match answered {
        Ok((outcome, answered)) => Performed { outcome, answered: Ok(answered), late },
        Err(refusal) => Performed { outcome: Outcome::None, answered: Err(refusal), late },
    }
}

/// The portal ends each request at the execution limit. On a busy machine even a short piece of work may come
/// after it; then it must not happen any more, or a client that waited long enough would be wrong.
pub(crate) fn overdue(shared: &Shared, fault: &Fault, arrival: Arrival) -> bool {
    let passed = now().saturating_duration_since(arrival.begun);
    let limit = shared.settings.execution_limit;
    let planned = lateness(fault, limit);
    !planned.is_zero() && planned < limit && passed > shared.settings.clock.real(limit)
}

fn take_effect(
    state: &mut State,
    job: &Job,
    mut deed: Deed,
    fault: &Fault,
    late: &mut Option<Late>,
) -> Result<(Outcome, Value), Refusal> {
    match fault.effect.of_one() {
        Effect::Before | Effect::AfterCommands(_) => {
            deed.commit(&mut state.memory).map(|result| (Outcome::Before, result))
        }
        Effect::Never => deed.promise(&mut state.memory).map(|result| (Outcome::Never, result)),
        Effect::Late(after) => {
            let promised = deed.promise(&mut state.memory)?;
            let (ticket, arrival, fault) = (job.ticket, job.arrival, fault.clone());
            *late = Some(Late { ticket, arrival, deed, fault, after, success: None });
            Ok((Outcome::Pending, promised))
        }
    }
}

/// An effect that comes after its answer.
pub(crate) struct Late {
    ticket: Ticket,
    arrival: Arrival,
    deed: Deed,
    fault: Fault,
    /// In portal time.
    after: Duration,
    /// What is stored with the effect.
    success: Option<Success>,
}

impl Late {
    pub(crate) async fn come(mut self, shared: Arc<Shared>, pending: Pending) {
        if shared.sleep(shared.settings.clock.real(self.after)).await {
            let mut state = shared.state();
            let passed = now().saturating_duration_since(self.arrival.instant);
            let done = !overdue(&shared, &self.fault, self.arrival) && self.deed.commit(&mut state.memory).is_ok();
            if done {
                replay::store(&mut state, self.success, shared.settings.clock);
            }
            let outcome = if done { Outcome::Late(passed) } else { Outcome::Dropped };
            state.journal.effect(self.ticket, outcome);
        }
        drop(pending);
    }
}

fn time(state: &mut State, clock: Clock, job: &Job, fault: &Fault) -> Time {
    let worked = now().saturating_duration_since(job.arrival.begun);
    // Slow work counts as long as it is said to last, whatever the time scale.
    let worked = if let Answer::Slow(work) = fault.answer { work } else { worked };
    let used = state.tally.add(job.caller, &job.method, worked, clock, now());
    Time::ending_now(job.arrival.at, used)
}

/// The error code of the answer that the client gets, if it has one.
pub(crate) fn shown_code(answer: &Answer, page: &Page) -> Option<String> {
    match answer {
        Answer::Normal | Answer::Slow(_) | Answer::WholeThenReset | Answer::Coded(_) => page.code(),
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
