//! What must always hold, and what must be reachable so that it is not held by accident.

use stateright::{Model as _, Property};

use super::settings::{Person, World};
use super::state::{End, Phase, State};

pub(super) const P1: &str = "P1 one call has at most one effect";
pub(super) const P2_TRUE: &str = "P2 what a call ends with is true, now and later";
pub(super) const P2_ENDS: &str = "P2 every call comes to an end";
pub(super) const P3: &str = "P3 nothing is sent while an earlier send may still be applied";
pub(super) const P5: &str = "P5 sends are bounded";
pub(super) const ONE_RECORD: &str = "all calls with the key together make one record";

/// Reached in a scenario of two calls that nothing keeps apart.
pub(super) const TWO_RECORDS: &str = "two calls make a record each, and both are done";
pub(super) const TOLD: &str = "a call is told that there are two records";
pub(super) const FOREIGN: &str = "a call ends with the record of somebody else, and has none of its own";
pub(super) const FOREIGN_TOO_EARLY: &str = "a call ends with the record of somebody else, and its own comes later";

const ALL_ENDS: [(&str, End); 4] = [
    ("a call is done", End::Done),
    ("a call ends in doubt", End::InDoubt),
    ("a call ends with nothing done", End::Absent),
    ("a call finds its record", End::Found),
];

pub(super) fn of(world: &World) -> Vec<Property<World>> {
    let scenario = world.scenario;
    let mut all = vec![
        Property::always(P1, one_effect),
        Property::always(P2_TRUE, ends_are_true),
        Property::always(P2_ENDS, has_a_step),
        Property::always(P3, one_on_its_way),
        Property::always(P5, |world: &World, state: &State| {
            state.calls.iter().all(|call| call.sends <= world.scenario.attempts)
        }),
        Property::sometimes("a later send is the one that is done", |_: &World, state: &State| {
            state.calls.iter().any(|call| call.end() == Some(End::Done) && call.sends > 1)
        }),
        Property::sometimes("an effect comes when its call has stopped waiting", |_: &World, state: &State| {
            (0..state.calls.len()).any(|call| {
                let phase = state.calls[call].phase;
                state.effects_of(call) > 0
                    && matches!(phase, Phase::Doubt(..) | Phase::Replay | Phase::Ended(End::InDoubt))
            })
        }),
    ];
    if scenario.makes_one_record() {
        all.push(Property::always(ONE_RECORD, |_: &World, state: &State| state.effects_of_calls() <= 1));
    } else {
        all.push(Property::sometimes(TWO_RECORDS, two_records));
    }
    if scenario.verify && !scenario.is_alone() {
        all.push(Property::sometimes(FOREIGN, |_: &World, state: &State| ends_with_foreign(state, 0)));
    }
    if scenario.verify && !scenario.is_alone() && !(scenario.makes_one_record() && scenario.person == Person::Nobody) {
        all.push(Property::sometimes(FOREIGN_TOO_EARLY, |_: &World, state: &State| ends_with_foreign(state, 1)));
    }
    if scenario.verify && (scenario.person == Person::Types || !scenario.makes_one_record()) {
        all.push(Property::sometimes(TOLD, |_: &World, state: &State| any_end(state, End::Duplicated)));
    }
    all.extend(ends_to_reach(world));
    all
}

fn ends_to_reach(world: &World) -> Vec<Property<World>> {
    let [done, in_doubt, absent, found] = ALL_ENDS.map(|(name, _)| name);
    let mut all = vec![
        Property::sometimes(done, |_: &World, state: &State| any_end(state, End::Done)),
        Property::sometimes(in_doubt, |_: &World, state: &State| any_end(state, End::InDoubt)),
        Property::sometimes(absent, |_: &World, state: &State| any_end(state, End::Absent)),
    ];
    if world.scenario.verify {
        all.push(Property::sometimes(found, |_: &World, state: &State| any_end(state, End::Found)));
    }
    all
}

fn has_a_step(world: &World, state: &State) -> bool {
    let mut steps = Vec::new();
    world.actions(state, &mut steps);
    state.is_over() || !steps.is_empty()
}

fn one_effect(_: &World, state: &State) -> bool {
    (0..state.calls.len()).all(|call| state.effects_of(call) <= 1)
}

fn ends_are_true(world: &World, state: &State) -> bool {
    let alone = world.scenario.is_alone();
    (0..state.calls.len()).all(|call| {
        let (effects, on_their_way) = (state.effects_of(call), state.on_their_way(call));
        match state.calls[call].end() {
            None | Some(End::InDoubt) => true,
            Some(End::Absent) => effects == 0 && on_their_way == 0,
            Some(End::Done | End::Found) if alone => effects == 1 && on_their_way == 0,
            // The stored success of the key may be that of the other call.
            Some(End::Done) if world.scenario.idempotency_key => !state.records.is_empty() && on_their_way == 0,
            Some(End::Done) => effects == 1 && on_their_way == 0,
            Some(End::Found) => !state.records.is_empty(),
            Some(End::Duplicated) => state.records.len() > 1,
        }
    })
}

fn one_on_its_way(world: &World, state: &State) -> bool {
    let each = (0..state.calls.len()).all(|call| state.on_their_way(call) <= 1);
    // In one client it holds for all calls with the key. What is found under the key counts as the effect of the call that found it.
    each && (!world.scenario.is_one_client() || state.requests.len() <= 1 || any_end(state, End::Found))
}

fn two_records(_: &World, state: &State) -> bool {
    (0..state.calls.len())
        .all(|call| state.effects_of(call) == 1 && matches!(state.calls[call].end(), Some(End::Done | End::Found)))
}

fn ends_with_foreign(state: &State, own: usize) -> bool {
    (0..state.calls.len()).any(|call| {
        state.calls[call].end() == Some(End::Found) && state.effects_of(call) == own && state.records.len() > own
    })
}

fn any_end(state: &State, end: End) -> bool {
    state.calls.iter().any(|call| call.end() == Some(end))
}
