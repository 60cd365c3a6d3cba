//! Each guard taken out, one at a time: the checker finds what it keeps away. A guard that nothing needs would be found here too.

use std::collections::BTreeSet;

use stateright::{Checker as _, HasDiscoveries, Model as _, Path};

use super::promises::{ONE_RECORD, P1, P2_TRUE, P3, P5};
use super::settings::{ErrorEffects, Guard, Person, Scenario, World};

/// Finds a way to what must not be, and tells it.
fn finds(world: World, promise: &'static str) {
    let until = HasDiscoveries::AnyOf(BTreeSet::from([promise]));
    let checker = world.checker().threads(1).finish_when(until).spawn_bfs().join();
    let story = checker.discovery(promise).map(Path::into_actions);
    let Some(story) = story else { panic!("without {:?} nothing breaks: {promise}", world.without) };
    println!("without {:?}, {} steps to break \"{promise}\": {story:?}", world.without, story.len());
}

/// Where a guard is needed, and the promise that breaks without it.
const fn needed(guard: Guard) -> (Scenario, &'static str) {
    match guard {
        Guard::ReadBackFirst
        | Guard::ServerErrorSaysNothing
        | Guard::BusinessErrorSaysNothing
        | Guard::GatewayErrorEndsNothing
        | Guard::SettleWait
        | Guard::BeganAfter
        | Guard::OurPart
        | Guard::QueuePart
        | Guard::ServerPart
        | Guard::LagPart
        | Guard::Margin
        | Guard::OneRequest
        | Guard::WholePage
        | Guard::ObeyedFilter
        | Guard::FailedCheck => (Scenario::PLAIN, P1),
        Guard::ExactKey => (Scenario::PLAIN, P2_TRUE),
        Guard::SingleFlight | Guard::KeyWindow | Guard::KeyWindowSpare | Guard::ErrorsAreNotReplayed => {
            (Scenario::KEYED, P1)
        }
        Guard::KeyLock | Guard::KeyRemembers | Guard::LagAfterSuccess => (Scenario::ENSURED_PAIR, ONE_RECORD),
        Guard::BoundedAttempts => (Scenario::PLAIN, P5),
    }
}

#[test]
fn each_guard_is_needed() {
    for guard in Guard::ALL {
        let (scenario, promise) = needed(guard);
        finds(World { scenario, without: Some(guard) }, promise);
    }
}

#[test]
fn p3_a_write_is_sent_while_an_earlier_send_may_be_applied_without_what_keeps_it() {
    for guard in [Guard::ReadBackFirst, Guard::SettleWait, Guard::OneRequest] {
        finds(World { scenario: Scenario::PLAIN, without: Some(guard) }, P3);
    }
    finds(World { scenario: Scenario::KEYED, without: Some(Guard::SingleFlight) }, P3);
    for guard in [Guard::KeyLock, Guard::KeyRemembers] {
        finds(World { scenario: Scenario::PAIR, without: Some(guard) }, P3);
    }
}

#[test]
fn p2_a_call_says_that_nothing_happened_and_it_has_without_what_keeps_it() {
    for guard in [Guard::ServerErrorSaysNothing, Guard::SettleWait, Guard::BeganAfter, Guard::WholePage] {
        finds(World { scenario: Scenario::PLAIN, without: Some(guard) }, P2_TRUE);
    }
}

#[test]
fn without_its_assumptions_the_model_finds_the_duplicate() {
    // An error that had an effect gets lost: no success is stored under the key, and nobody knows.
    let lost_error = Scenario { errors: ErrorEffects::Any, ..Scenario::KEYED };
    finds(World { scenario: lost_error, without: None }, P1);
    // The record is deleted before it is read back.
    let deleted = Scenario { person: Person::Deletes, ..Scenario::PLAIN };
    finds(World { scenario: deleted, without: None }, P1);
}
