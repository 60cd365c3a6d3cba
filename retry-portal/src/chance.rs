//! Which fault a request or a command meets: its script, else chance.

use serde_json::{Map, Value};

use crate::fault::{Api, Fault, Hash, Scripted};
use crate::job::Job;
use crate::operation::Operation;
use crate::state::State;

/// Of a request that is no batch. A script goes first; a method that ever had one is out of the seeded faults.
pub(crate) fn of_one(state: &mut State, job: &Job) -> Option<Fault> {
    let fault = choose(state, job, true);
    state.journal.note(job.ticket, |entry| entry.fault.clone_from(&fault));
    fault
}

/// Of a command in a batch; `by_chance`: the batch around it meets no fault. Chance makes no command slow: many of them
/// together would pass the time after which [`Portal::max_lateness`](crate::Portal::max_lateness) promises silence. Nor does
/// it let one of them make the gateway pause the method of all the others.
pub(crate) fn of_command(state: &mut State, job: &Job, by_chance: bool) -> Option<Fault> {
    let scripted = state.scripts.knows(&job.method);
    let fault =
        choose(state, job, by_chance).filter(|fault| scripted || !(fault.is_slow() || fault.pauses_the_method()));
    state.journal.note_command(job.ticket, |command| command.fault.clone_from(&fault));
    fault
}

/// Around a batch of these commands.
pub(crate) fn around(state: &mut State, batch: &Job, commands: &[&Job]) -> Option<Fault> {
    let fault = match state.scripts.next(&batch.method) {
        Scripted::Fault(fault) => Some(*fault),
        Scripted::Over => None,
        Scripted::Never => drawn_around(state, batch, commands),
    };
    state.journal.note(batch.ticket, |entry| entry.fault.clone_from(&fault));
    fault
}

fn drawn_around(state: &mut State, batch: &Job, commands: &[&Job]) -> Option<Fault> {
    let State { scripts, draw, .. } = state;
    let draw = draw.as_mut()?;
    let drawn: Vec<&&Job> =
        commands.iter().filter(|job| job.operation.is_drawn() && !scripts.knows(&job.method)).collect();
    // A method with a script is left alone, also by what would happen around it.
    if drawn.len() < commands.len() || drawn.is_empty() {
        return None;
    }
    let contents: Vec<Hash> = drawn.iter().map(|job| draw.content(&job.method, &content(job))).collect();
    let write = drawn.iter().any(|job| job.operation.is_write());
    draw.around(&contents, api(batch), write)
}

fn choose(state: &mut State, job: &Job, by_chance: bool) -> Option<Fault> {
    match state.scripts.next(&job.method) {
        Scripted::Fault(fault) => Some(*fault),
        Scripted::Over => None,
        Scripted::Never => match &mut state.draw {
            Some(draw) if by_chance && job.operation.is_drawn() => {
                draw.next(&job.method, &content(job), api(job), job.operation.is_write())
            }
            Some(_) | None => None,
        },
    }
}

/// The parameters with those of the path.
fn content(job: &Job) -> Map<String, Value> {
    let mut params = job.params.values().clone();
    if let Operation::Vibe(call) = &job.operation {
        params.extend(call.route.in_path().into_iter().map(|(name, value)| (name.to_owned(), value.into())));
    }
    params
}

fn api(job: &Job) -> Api {
    if job.operation.is_vibe() { Api::Vibe } else { Api::Rest }
}
