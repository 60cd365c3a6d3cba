//! The work of a batch: its commands one after the other, then its answer.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};

use super::answer::{End, page};
use super::references::resolve;
use super::{Batch, Form, Item};
use crate::chance;
use crate::clock::{now, wall};
use crate::fault::{Answer, Coded, Effect, Fault};
use crate::job::{Arrival, Job};
use crate::journal::{Command, Outcome, Ticket};
use crate::limit;
use crate::operation::Operation;
use crate::params::Params;
use crate::refusal::Refusal;
use crate::reply::{Page, Reply, closed, make};
use crate::state::{Pending, Shared, State};
use crate::time::Time;
use crate::work::{Performed, given_up, overdue, perform, shown_code};

/// Does the work and gives the answer.
pub(crate) async fn run(shared: &Arc<Shared>, outer: Job, batch: Batch) -> Reply {
    let Batch { form, halt, items } = batch;
    let entries: Vec<Entry> = items.into_iter().enumerate().map(|(at, item)| Entry::new(&outer, at, item)).collect();
    let limit = shared.settings.execution_limit;
    let (mut fault, patience) = {
        let mut state = shared.state();
        let commands = entries.iter().map(|entry| entry.shown.clone()).collect();
        state.journal.note(outer.ticket, |received| received.commands = commands);
        let jobs: Vec<&Job> = entries.iter().filter_map(|entry| entry.job.as_ref().ok()).collect();
        let fault = chance::around(&mut state, &outer, &jobs);
        (fault, outer.operation.patience(&state, limit))
    };
    let by_chance = fault.is_none();
    let pending = Pending::new(Arc::clone(shared));
    let mut around = fault.take().unwrap_or_else(Fault::none);
    let mut slow = Duration::ZERO;
    let too_slow = matches!(around.answer, Answer::Slow(work) if work >= limit) && patience.is_none();
    if let Answer::Slow(work) = around.answer {
        slow = work.min(limit);
        if let Some(patience) = patience.filter(|patience| slow >= *patience) {
            around = given_up(&around, slow.saturating_sub(patience));
            slow = patience;
        }
        if !shared.sleep(shared.settings.clock.real(slow)).await {
            return closed().1;
        }
    }
    if !too_slow && overdue(shared, &around, outer.arrival) {
        return closed().1;
    }
    let total = entries.len();
    let mut course = Course {
        shared,
        arrival: outer.arrival,
        around: &around,
        by_chance,
        slow,
        patience: patience.unwrap_or(limit),
    };
    let (ends, whole) = course.commands(entries, halt).await;
    let reply = answer(shared, &outer, form, &around, too_slow, total, whole.then_some(ends.as_slice()));
    drop(pending);
    reply
}

/// The answer; `None` where the execution limit has ended the batch.
fn answer(
    shared: &Shared,
    outer: &Job,
    form: Form,
    around: &Fault,
    too_slow: bool,
    total: usize,
    ends: Option<&[(String, End)]>,
) -> Reply {
    let settings = &shared.settings;
    let mut state = shared.state();
    let used = state.tally.used(outer.caller, &outer.method, settings.clock, now());
    let time = Time::ending_now(outer.arrival.at, used);
    let timeout = Coded::of("BITRIX_TIMEOUT").description("Bitrix24 did not answer in time");
    let (answer, page) = match (&around.answer, ends) {
        (Answer::Coded(coded), _) => (&around.answer, outer.operation.coded(&state, coded, wall())),
        (_, None) if form == Form::Vibe => (&Answer::Normal, outer.operation.coded(&state, &timeout, wall())),
        (answer, _) => {
            let told = ends.unwrap_or(&[]);
            let mut page = page(form, total, told, state.gateway.switches.batch_errors_as_list, &time);
            dress(&mut page, &outer.operation);
            (answer, page)
        }
    };
    let code = shown_code(answer, &page);
    let request_id = page.header("X-Request-Id").map(str::to_owned);
    let unanswered = too_slow || (ends.is_none() && form != Form::Vibe);
    let limit = settings.execution_limit;
    let (status, reply) = if unanswered { closed() } else { make(answer, page, settings.clock, limit) };
    state.journal.note(outer.ticket, |entry| {
        entry.status = status;
        entry.code = code.filter(|_| status.is_some());
        entry.request_id = request_id;
    });
    reply
}

fn dress(page: &mut Page, operation: &Operation) {
    if let Operation::Vibe(call) = operation {
        crate::vibe::dress(page, &call.request_id, call.standing);
    }
}

/// A command on its way.
struct Entry {
    ticket: Ticket,
    shown: Command,
    query: Option<String>,
    job: Result<Job, Refusal>,
}

impl Entry {
    fn new(outer: &Job, at: usize, item: Item) -> Self {
        let Item { key, method, params, query, operation } = item;
        let mut told = params.values().clone();
        if let Ok(Operation::Vibe(call)) = &operation {
            told.extend(call.route.in_path().into_iter().map(|(name, value)| (name.to_owned(), value.into())));
        }
        let shown = Command {
            key,
            method: method.clone(),
            params: told,
            fault: None,
            effect: Outcome::NotRun,
            answered: false,
            code: None,
        };
        let ticket = outer.ticket.of_command(at);
        let (user, caller, arrival) = (outer.user, outer.caller, outer.arrival);
        let job = operation.map(|operation| Job { ticket, arrival, method, params, user, caller, operation });
        Self { ticket, shown, query, job }
    }
}

/// How the work goes.
struct Course<'a> {
    shared: &'a Arc<Shared>,
    arrival: Arrival,
    around: &'a Fault,
    /// Whether commands may meet seeded faults of their own.
    by_chance: bool,
    /// The work so far that took its time, in portal time.
    slow: Duration,
    /// How much of it there may be.
    patience: Duration,
}

impl Course<'_> {
    /// Runs the commands that are to run. `false`: the execution limit has ended the batch.
    async fn commands(&mut self, entries: Vec<Entry>, halt: bool) -> (Vec<(String, End)>, bool) {
        let most = match self.around.effect {
            Effect::AfterCommands(k) => k,
            // It was lost on the way in.
            Effect::Never if !shows(&self.around.answer) => 0,
            Effect::Before | Effect::Never | Effect::Late(_) => usize::MAX,
        };
        let mut ends: Vec<(String, End)> = Vec::new();
        let mut results = Map::new();
        for mut entry in entries.into_iter().take(most) {
            let (end, goes_on) = self.command(&mut entry, &results).await;
            let Some(end) = end else { return (ends, false) };
            if let End::Done(answered, _) = &end {
                results.insert(entry.shown.key.clone(), answered.result.clone());
            }
            self.shared.state().journal.note_command(entry.ticket, |command| note(command, &end));
            let stop = halt && matches!(end, End::Refused(_));
            ends.push((entry.shown.key, end));
            if !goes_on {
                return (ends, false);
            }
            if stop {
                break;
            }
        }
        (ends, true)
    }

    /// Runs one command. No end: nothing happened, because the time of the batch was over; `false`: it is over now.
    async fn command(&mut self, entry: &mut Entry, results: &Map<String, Value>) -> (Option<End>, bool) {
        let job = match &mut entry.job {
            Ok(job) => job,
            Err(refusal) => return (Some(End::Refused(refusal.clone())), true),
        };
        let fault = match self.admit(job) {
            Ok(fault) => fault.unwrap_or_else(Fault::none),
            Err(refusal) => return (Some(End::Refused(refusal)), true),
        };
        if let Some(query) = &entry.query {
            job.params = Params::of_command(query, &|text| resolve(text, results));
            job.params.take("auth");
        }
        let mut goes_on = true;
        if let Answer::Slow(work) = fault.answer {
            let left = self.patience.saturating_sub(self.slow);
            goes_on = work < left;
            self.slow = self.slow.saturating_add(work.min(left));
            {
                let mut state = self.shared.state();
                state.lateness = state.lateness.max(self.slow);
                if job.operation.is_write() {
                    state.journal.effect(job.ticket, Outcome::Pending);
                }
            }
            if !self.shared.sleep(self.shared.settings.clock.real(work.min(left))).await {
                return (None, false);
            }
        }
        let mut state = self.shared.state();
        if goes_on && self.too_late() {
            state.journal.effect(job.ticket, Outcome::Dropped);
            return (None, false);
        }
        (Some(self.perform(&mut state, job, &fault)), goes_on)
    }

    /// What stands before every command: pauses, the operating limit, and then its fault.
    fn admit(&self, job: &Job) -> Result<Option<Fault>, Refusal> {
        let mut state = self.shared.state();
        let clock = self.shared.settings.clock;
        let paused = match &job.operation {
            Operation::Vibe(call) => state.gateway.admit(call.key, &job.method, clock, now()),
            Operation::Rest2(_) | Operation::Rest3(_) | Operation::Tokens => Ok(()),
        };
        let checked = paused.and_then(|()| limit::check(&mut state, clock, job));
        match checked {
            Ok(()) => Ok(chance::of_command(&mut state, job, self.by_chance)),
            Err(refusal) => {
                state.count_refusal(code(&refusal));
                Err(refusal)
            }
        }
    }

    /// Whether slow work on a busy machine has gone on beyond the execution limit.
    fn too_late(&self) -> bool {
        let settings = &self.shared.settings;
        let passed = now().saturating_duration_since(self.arrival.begun);
        let planned = !self.slow.is_zero() && self.slow < settings.execution_limit;
        planned && passed > settings.clock.real(settings.execution_limit)
    }

    fn perform(&self, state: &mut State, job: &Job, own: &Fault) -> End {
        let begun = now();
        let clock = self.shared.settings.clock;
        let fault = Fault::new(own.effect.within(self.around.effect), own.answer.clone());
        let Performed { outcome, answered, late } = perform(state, self.shared, job, &fault);
        state.journal.effect(job.ticket, outcome);
        if let Some(late) = late {
            if let Effect::Late(after) = fault.effect {
                state.lateness = state.lateness.max(self.slow.saturating_add(after));
            }
            tokio::spawn(late.come(Arc::clone(self.shared), Pending::new(Arc::clone(self.shared))));
        }
        let took = if let Answer::Slow(work) = own.answer { work } else { now().saturating_duration_since(begun) };
        let used = state.tally.add(job.caller, &job.method, took, clock, now());
        let time = Time::ending_now(wall().checked_sub(took).unwrap_or_else(wall), used);
        let end = match (&own.answer, answered) {
            (Answer::Coded(coded), _) => End::Refused(coded.refusal()),
            (Answer::Normal | Answer::Slow(_) | Answer::WholeThenReset, Ok(answered)) => End::Done(answered, time),
            (Answer::Normal | Answer::Slow(_) | Answer::WholeThenReset, Err(refusal)) => End::Refused(refusal),
            _ => End::Lost,
        };
        if let Operation::Vibe(call) = &job.operation {
            let told = match &end {
                End::Refused(refusal) => Some((code(refusal), Value::from(refusal.text.as_str()))),
                End::Done(..) | End::Lost => None,
            };
            let error = told.as_ref().map(|(code, what)| (code.as_str(), what));
            state.gateway.heard(call.key, &job.method, error, clock, now());
        }
        end
    }
}

/// Whether an answer shows what the commands came to.
fn shows(answer: &Answer) -> bool {
    matches!(answer, Answer::Normal | Answer::Slow(_) | Answer::WholeThenReset | Answer::Cut(_))
}

fn note(command: &mut Command, end: &End) {
    command.answered = !matches!(end, End::Lost);
    if let End::Refused(refusal) = end {
        command.code = Some(code(refusal));
    }
    // It ran, and there was nothing to change.
    if command.effect == Outcome::NotRun && matches!(end, End::Done(..) | End::Lost) {
        command.effect = Outcome::None;
    }
}

fn code(refusal: &Refusal) -> String {
    refusal.code.as_str().map_or_else(|| refusal.code.to_string(), str::to_owned)
}
