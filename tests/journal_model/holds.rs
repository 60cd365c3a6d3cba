//! With all guards in, the invariants hold in every state that can be reached. The runs have the numbers of the plan.

use stateright::{Checker as _, Model as _};

use super::settings::{Chances, Drops, Guard, Person, Scenario, Stay, World};

const CHANCES: Chances =
    Chances { submissions: 2, crashes: 2, stalls: 2, drops: 0, power_losses: 0, person: 0, decisions: 0 };

pub(super) const D1: Scenario = Scenario {
    workers: 2,
    attempts: 3,
    chances: Chances { submissions: 3, ..CHANCES },
    drops: Drops::Mark,
    person: Person::Nobody,
    has_witness: false,
    keeps_leases: true,
    stay: Stay::SHORT,
};

pub(super) const D2: Scenario = Scenario {
    chances: Chances { stalls: 1, drops: 1, power_losses: 1, person: 1, ..CHANCES },
    person: Person::Types,
    ..D1
};

const D3: Scenario = Scenario { workers: 3, attempts: 2, chances: CHANCES, ..D1 };

pub(super) const D4: Scenario =
    Scenario { chances: Chances { person: 1, ..CHANCES }, person: Person::Deletes, has_witness: true, ..D1 };

const D5: Scenario = Scenario { chances: Chances { stalls: 1, power_losses: 1, ..CHANCES }, ..D1 };

/// D5 with somebody who deletes what the journal has as `Applied`, and nothing that tells of it.
pub(super) const D5_DELETED: Scenario =
    Scenario { attempts: 2, chances: Chances { person: 1, ..D5.chances }, person: Person::DeletesWhatIsApplied, ..D5 };

const D6: Scenario = Scenario { chances: Chances { stalls: 3, ..CHANCES }, keeps_leases: false, ..D1 };

const D7: Scenario = Scenario { chances: Chances { drops: 1, ..CHANCES }, drops: Drops::LeaveIt, ..D1 };

/// People decide about what is in the manual queue.
const PEOPLE: Scenario = Scenario { attempts: 2, chances: Chances { stalls: 1, decisions: 1, ..CHANCES }, ..D1 };

/// Explores all of it. A model that has shrunk proves less: so many states are expected at least.
fn holds(name: &str, scenario: Scenario, without: Option<Guard>, at_least: usize) {
    let world = World { scenario, without };
    let checker = world.checker().threads(2).spawn_bfs().join();
    let states = checker.unique_state_count();
    println!("{name}: {states} states, {} steps deep", checker.max_depth());
    checker.assert_properties();
    assert!(states >= at_least, "{name}: {states} states only");
}

#[test]
fn d1_two_workers_three_attempts_two_crashes() {
    holds("D1", D1, None, 85_000);
}

#[test]
fn d2_power_loss_a_dropped_call_and_a_person_who_types_the_same() {
    holds("D2", D2, None, 180_000);
}

#[test]
fn d3_three_workers() {
    holds("D3", D3, None, 70_000);
}

#[test]
fn d4_a_person_deletes_the_record_and_a_witness_tells() {
    holds("D4", D4, None, 65_000);
}

#[test]
fn d5_the_outcome_is_not_synced_and_nobody_deletes() {
    holds("D5", D5, Some(Guard::OutcomeSynced), 78_000);
    holds("D5, synced, and what is applied is deleted", D5_DELETED, None, 28_000);
}

#[test]
fn d6_recovery_ignores_leases() {
    holds("D6", D6, None, 40_000);
}

#[test]
fn d7_a_dropped_call_leaves_the_journal_as_it_is() {
    holds("D7", D7, None, 100_000);
}

#[test]
fn people_decide_about_the_manual_queue() {
    holds("people", PEOPLE, None, 63_000);
}

/// More of everything that may go wrong, longer stays, and all of it at once.
#[test]
#[ignore = "minutes: cargo test --release --test journal_model deeper -- --ignored --nocapture"]
fn deeper() {
    let long = |scenario| Scenario { stay: Stay::LONG, ..scenario };
    let more = Chances { submissions: 3, crashes: 3, stalls: 3, ..CHANCES };
    holds("D1 with more of all, longer stays", long(Scenario { chances: more, ..D1 }), None, 1);
    let all = Chances { drops: 1, power_losses: 1, person: 1, decisions: 1, ..CHANCES };
    holds("D2 with people who decide, longer stays", long(Scenario { chances: all, ..D2 }), None, 1);
    holds("D3 with three attempts, longer stays", long(Scenario { attempts: 3, ..D3 }), None, 1);
    holds("D4 with all of D2 and people who decide", Scenario { chances: all, ..D4 }, None, 1);
    holds(
        "D5 with more of all",
        Scenario { chances: Chances { power_losses: 2, ..more }, ..D5 },
        Some(Guard::OutcomeSynced),
        1,
    );
    holds("D6 with more of all, longer stays", long(Scenario { chances: more, ..D6 }), None, 1);
    holds("D7 with more of all", Scenario { chances: Chances { drops: 2, ..more }, ..D7 }, None, 1);
}
