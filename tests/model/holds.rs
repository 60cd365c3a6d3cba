//! With all guards in, the promises hold in every state that can be reached.

use stateright::{Checker as _, Model as _};

use super::settings::{Clients, Person, Scenario, Stay, World};

/// Explores all of it. A model that has shrunk proves less: so many states are expected at least.
fn holds(name: &str, scenario: Scenario, at_least: usize) {
    let world = World { scenario, without: None };
    let checker = world.checker().threads(2).spawn_bfs().join();
    let states = checker.unique_state_count();
    println!("{name}: {states} states, {} steps deep", checker.max_depth());
    checker.assert_properties();
    assert!(states >= at_least, "{name}: {states} states only");
}

const TYPES: Person = Person::Types;
const TWO_CLIENTS: Scenario = Scenario { clients: Clients::Each, ..Scenario::PAIR };

#[test]
fn a_call() {
    holds("a call", Scenario::PLAIN, 600);
    holds("a call and a person", Scenario { person: TYPES, ..Scenario::PLAIN }, 3_000);
    holds("a call that looks first and a person", Scenario { person: TYPES, ensure: true, ..Scenario::PLAIN }, 3_000);
}

#[test]
fn a_call_that_nothing_can_read_back() {
    holds("a call that nothing can read back", Scenario { verify: false, ..Scenario::PLAIN }, 150);
}

#[test]
fn a_call_with_an_idempotency_key() {
    holds("a call with an idempotency key", Scenario::KEYED, 4_000);
    holds("the same, read back first", Scenario { verify: true, ..Scenario::KEYED }, 16_000);
}

#[test]
fn two_calls_through_one_client() {
    holds("two calls through one client, and a person", Scenario { person: TYPES, ..Scenario::PAIR }, 45_000);
}

#[test]
fn calls_that_look_first_through_one_client_make_one_record() {
    let two = Scenario { person: TYPES, ..Scenario::ENSURED_PAIR };
    holds("two calls that look first through one client, and a person", two, 17_000);
    holds("three of them", Scenario { calls: 3, ..two }, 110_000);
}

#[test]
fn calls_with_one_idempotency_key_through_one_client_make_one_record() {
    holds("two calls with one idempotency key through one client", Scenario::KEYED_PAIR, 1_500);
    holds("the same, read back first", Scenario { verify: true, ..Scenario::KEYED_PAIR }, 7_500);
}

#[test]
fn two_clients_and_a_person() {
    holds("two clients and a person", Scenario { person: TYPES, ..TWO_CLIENTS }, 600_000);
}

#[test]
fn two_clients_that_look_first() {
    holds("two clients that look first", Scenario { ensure: true, ..TWO_CLIENTS }, 120_000);
}

#[test]
fn two_clients_with_one_idempotency_key() {
    holds("two clients with one idempotency key", Scenario { clients: Clients::Each, ..Scenario::KEYED_PAIR }, 12_000);
}

/// More attempts, longer stays, more that happens at once.
#[test]
#[ignore = "minutes: cargo test --release --test model deeper -- --ignored --nocapture"]
fn deeper() {
    let long = |scenario| Scenario { stay: Stay::LONG, ..scenario };
    let call = long(Scenario { attempts: 5, person: TYPES, ..Scenario::PLAIN });
    holds("a call of 5 attempts, longer stays, and a person", call, 1);
    let keyed = long(Scenario { attempts: 5, kept: 40, verify: true, ..Scenario::KEYED });
    holds("a call of 5 attempts with both ways to settle it, longer stays", keyed, 1);
    let pair = long(Scenario { attempts: 4, person: TYPES, ..Scenario::PAIR });
    holds("two calls of 4 attempts through one client, longer stays, and a person", pair, 1);
    let ensured = long(Scenario { calls: 4, attempts: 3, person: TYPES, ..Scenario::ENSURED_PAIR });
    holds("four calls of 3 attempts that look first through one client, longer stays, and a person", ensured, 1);
    let keys = Scenario { clients: Clients::Each, verify: true, ..Scenario::KEYED_PAIR };
    holds("two clients with one idempotency key, read back first", keys, 1);
    let looking = Scenario { person: TYPES, ensure: true, ..TWO_CLIENTS };
    holds("two clients that look first, and a person", looking, 1);
    holds("two clients of 3 attempts, and a person", Scenario { attempts: 3, person: TYPES, ..TWO_CLIENTS }, 1);
}
