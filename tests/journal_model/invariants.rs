//! What must always hold, and what must be reachable so that it is not held by accident.

use stateright::Property;

use super::settings::{Drops, Person, World};
use super::state::{How, Record, State, Status, Worker};

pub(super) const I1: &str = "I1 an intent has one effect at most, and one more for each time that a person said so";
pub(super) const I2: &str = "I2 at most one attempt is open";
pub(super) const I3_APPLIED: &str = "I3 what is Applied has an effect";
pub(super) const I3_FREE: &str = "I3 what is Ready or Rejected has no effect, now or later";
pub(super) const I4: &str = "I4 an open intent has somebody who goes on with it, or can be claimed";

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
        Property::sometimes("absent, sent again, applied", |_: &World, state: &State| {
            state.row.was_absent && matches!(state.row.status, Status::Applied(_))
        }),
        Property::sometimes("a read-back finds the effect", |_: &World, state: &State| {
            is_applied(state, How::ReadBack)
        }),
        Property::sometimes("an owner is fenced", |_: &World, state: &State| {
            let is_fenced = |worker: &Worker| worker.is_at_work() && worker.epoch() != Some(state.row.epoch);
            state.row.status.is_open() && state.workers.iter().any(is_fenced)
        }),
        Property::sometimes("an effect comes when nobody waits for its answer", |_: &World, state: &State| {
            let waits = |worker: &Worker| matches!(worker, Worker::Waits { .. });
            state.row.status.is_open() && state.effects() > 0 && !state.workers.iter().any(waits)
        }),
        Property::sometimes("a refused attempt is followed by one that is applied", |_: &World, state: &State| {
            state.row.attempts > 1 && !state.row.was_absent && is_applied(state, How::Answered)
        }),
    ];
    if world.scenario.chances.stalls > 0 {
        all.push(Property::sometimes("the late success of a fenced owner is accepted", |_: &World, state: &State| {
            is_applied(state, How::AnsweredLate)
        }));
        all.push(Property::sometimes(
            "a late success is told to the people who have the intent",
            |_: &World, state: &State| state.row.status == Status::Manual { is_raised: true },
        ));
    }
    if world.scenario.chances.decisions > 0 {
        all.push(Property::sometimes("a person adopts the record", |_: &World, state: &State| {
            is_applied(state, How::Adopted)
        }));
        all.push(Property::sometimes("a person's word makes a second record", |_: &World, state: &State| {
            state.effects() > 1
        }));
    }
    if world.scenario.chances.power_losses > 0 {
        all.push(Property::sometimes("power is lost while an attempt is open", |world: &World, state: &State| {
            state.chances.power_losses < world.scenario.chances.power_losses && state.row.status.is_open()
        }));
    }
    if world.scenario.chances.drops > 0 && world.scenario.drops == Drops::LeaveIt {
        all.push(Property::sometimes("a dropped call leaves a row that nobody owns", |_: &World, state: &State| {
            state.row.status == Status::Sending && !state.is_owned()
        }));
    }
    match world.scenario.person {
        Person::Nobody => {}
        Person::Types => all.push(Property::sometimes("a typed record does not count", |_: &World, state: &State| {
            state.records == [Record::Typed] && state.row.was_absent && state.row.status == Status::Ready
        })),
        Person::Deletes => all.push(Property::sometimes("a deleted record is known of", |_: &World, state: &State| {
            state.records == [Record::Deleted] && matches!(state.row.status, Status::Manual { .. })
        })),
        Person::DeletesWhatIsApplied => {
            all.push(Property::sometimes("what was applied is deleted", |_: &World, state: &State| {
                state.records.contains(&Record::Deleted)
            }));
        }
    }
    all
}

fn is_applied(state: &State, how: How) -> bool {
    state.row.status == Status::Applied(how)
}
