//! What must always hold, and what must be reachable so that it is not held by accident.

use stateright::Property;

use super::settings::{Drops, Person, World};
use super::state::{How, Record, State, Status, Worker};

// The checker hashes each name in each state: they are short.
/// One effect at most, and one more for each time that a person said so.
pub(super) const I1: &str = "I1 one effect";
/// At most one attempt is open, and one more for each time that a person said so.
pub(super) const I2: &str = "I2 one open attempt";
/// What is `Applied` has or had an effect.
pub(super) const I3_APPLIED: &str = "I3 Applied is true";
/// What is `Ready` or `Rejected` has no effect, now or later.
pub(super) const I3_FREE: &str = "I3 not applied is true";
/// An open intent has somebody who goes on with it, or can be claimed. As every step lowers a number that can't fall for ever,
/// each one comes to an end.
pub(super) const I4: &str = "I4 nothing is lost";

pub(super) fn of(world: &World) -> Vec<Property<World>> {
    let mut all = vec![
        Property::always(I1, |_: &World, state: &State| state.effects() <= 1 + usize::from(state.allowed)),
        Property::always(I2, |world: &World, state: &State| {
            open_attempts(world, state) <= 1 + usize::from(state.allowed)
        }),
        Property::always(I3_APPLIED, |_: &World, state: &State| {
            !matches!(state.row.status, Status::Applied(_)) || state.effects() > 0
        }),
        Property::always(I3_FREE, free_is_free),
        Property::always(I4, |world: &World, state: &State| {
            let mut steps = Vec::new();
            world.steps_of_machines(state, &mut steps);
            !state.row.status.is_open() || !steps.is_empty()
        }),
    ];
    all.extend(states_to_reach());
    all.extend(stories_to_reach(world));
    all
}

fn open_attempts(world: &World, state: &State) -> usize {
    let will_send = |worker: &&Worker| matches!(worker, Worker::Permitted { age, .. } if world.may_send(*age));
    state.workers.iter().filter(will_send).count() + state.requests.len()
}

fn free_is_free(world: &World, state: &State) -> bool {
    let is_said = matches!(state.row.status, Status::Ready | Status::Rejected);
    // Once a person said "once more", that is on the person's word.
    !is_said || state.allowed > 0 || (state.effects() == 0 && open_attempts(world, state) == 0)
}

fn states_to_reach() -> [Property<World>; 6] {
    [
        Property::sometimes("Sending", |_: &World, state: &State| state.row.status == Status::Sending),
        Property::sometimes("Unknown", |_: &World, state: &State| state.row.status == Status::Unknown),
        Property::sometimes("Ready", |_: &World, state: &State| state.row.status == Status::Ready),
        Property::sometimes("Applied", |_: &World, state: &State| matches!(state.row.status, Status::Applied(_))),
        Property::sometimes("Rejected", |_: &World, state: &State| state.row.status == Status::Rejected),
        Property::sometimes("Manual", |_: &World, state: &State| matches!(state.row.status, Status::Manual { .. })),
    ]
}

fn stories_to_reach(world: &World) -> Vec<Property<World>> {
    let mut all = vec![
        Property::sometimes("absent, resent, applied", |_: &World, state: &State| {
            state.row.was_absent && matches!(state.row.status, Status::Applied(_))
        }),
        Property::sometimes("read back", |_: &World, state: &State| is_applied(state, How::ReadBack)),
        Property::sometimes("fenced owner", |_: &World, state: &State| {
            let is_fenced = |worker: &Worker| worker.is_at_work() && worker.epoch() != Some(state.row.epoch);
            state.row.status.is_open() && state.workers.iter().any(is_fenced)
        }),
        Property::sometimes("effect, nobody waits", |_: &World, state: &State| {
            let waits = |worker: &Worker| matches!(worker, Worker::Waits { .. });
            state.row.status.is_open() && state.effects() > 0 && !state.workers.iter().any(waits)
        }),
        Property::sometimes("Rejected, begun anew", |_: &World, state: &State| {
            let begins = Worker::Begins { epoch: state.row.epoch };
            state.row.status == Status::Rejected && state.workers.contains(&begins)
        }),
        Property::sometimes("refused, then applied", |_: &World, state: &State| {
            state.row.attempts > 1 && !state.row.was_absent && is_applied(state, How::Answered)
        }),
    ];
    if world.scenario.chances.stalls > 0 {
        all.push(Property::sometimes("late success accepted", |_: &World, state: &State| {
            is_applied(state, How::AnsweredLate)
        }));
        all.push(Property::sometimes("late success on Manual", |_: &World, state: &State| {
            state.row.status == Status::Manual { is_raised: true }
        }));
    }
    if world.scenario.chances.decisions > 0 {
        all.push(Property::sometimes("a person adopts", |_: &World, state: &State| is_applied(state, How::Adopted)));
        all.push(Property::sometimes("allowed: two effects", |_: &World, state: &State| state.effects() > 1));
    }
    if world.scenario.chances.power_losses > 0 {
        all.push(Property::sometimes("power loss, still open", |world: &World, state: &State| {
            state.chances.power_losses < world.scenario.chances.power_losses && state.row.status.is_open()
        }));
    }
    if world.scenario.chances.drops > 0 {
        all.push(Property::sometimes("dropped", |world: &World, state: &State| {
            let status = match world.scenario.drops {
                Drops::Mark => Status::Unknown,
                Drops::LeaveIt => Status::Sending,
            };
            let was_dropped = state.chances.drops < world.scenario.chances.drops;
            was_dropped && state.row.status == status && !state.is_owned() && !state.requests.is_empty()
        }));
    }
    match world.scenario.person {
        Person::Nobody => {}
        Person::Types => all.push(Property::sometimes("typed does not count", |_: &World, state: &State| {
            state.records == [Record::Typed] && state.row.was_absent && state.row.status == Status::Ready
        })),
        Person::Deletes => all.push(Property::sometimes("deletion is told", |_: &World, state: &State| {
            state.records == [Record::Deleted] && matches!(state.row.status, Status::Manual { .. })
        })),
        Person::DeletesWhatIsApplied => {
            all.push(Property::sometimes("applied, deleted", |_: &World, state: &State| {
                state.records.contains(&Record::Deleted)
            }));
        }
    }
    all
}

fn is_applied(state: &State, how: How) -> bool {
    state.row.status == Status::Applied(how)
}
