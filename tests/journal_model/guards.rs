//! Each guard taken out, one at a time: the checker finds what it keeps away. A guard that nothing needs would be found here too.

use std::collections::BTreeSet;

use stateright::{Checker as _, HasDiscoveries, Model as _, Path};

use super::holds::{D1, D2, D4, D5_DELETED};
use super::invariants::{I1, I2, I3_APPLIED, I3_FREE, I4};
use super::settings::{Guard, Scenario, World};
use super::steps::Step;

/// Finds the shortest way to what must not be, and tells it. Workers have new numbers after each step.
fn finds(guard: Guard, scenario: Scenario, invariant: &'static str) {
    let world = World { scenario, without: Some(guard) };
    let Some(mut story) = story(world, invariant, None) else {
        panic!("without {guard:?} nothing breaks: {invariant}");
    };
    // The checker goes on for a while after the first one that it finds, and tells the last.
    while let Some(shorter) = self::story(world, invariant, Some(story.len() - 1)) {
        story = shorter;
    }
    println!("without {guard:?}, {} steps to break {invariant:?}: {story:?}", story.len());
}

fn story(world: World, invariant: &'static str, at_most: Option<usize>) -> Option<Vec<Step>> {
    let until = HasDiscoveries::AnyOf(BTreeSet::from([invariant]));
    let mut checker = world.checker().threads(1).finish_when(until);
    if let Some(steps) = at_most {
        // The checker counts states, and leaves out those that are as deep as the target.
        checker = checker.target_max_depth(steps + 2);
    }
    checker.spawn_bfs().join().discovery(invariant).map(Path::into_actions)
}

#[test]
fn m1_an_intent_that_is_recorded_with_its_outcome_only() {
    finds(Guard::IntentFirst, D1, I1);
}

#[test]
fn m2_no_settle_wait() {
    finds(Guard::SettleWait, D1, I1);
    finds(Guard::SettleWait, D1, I3_FREE);
}

#[test]
fn m3_a_settle_time_without_the_lag_of_lists() {
    finds(Guard::LagPart, D1, I1);
}

#[test]
fn m4_a_settle_time_without_the_pause_before_the_send() {
    finds(Guard::PausePart, D1, I1);
}

#[test]
fn m5_a_server_without_a_limit() {
    finds(Guard::ServerLimit, D1, I1);
}

#[test]
fn m6_a_sender_that_may_pause_for_ever() {
    finds(Guard::SendWindow, D1, I1);
}

#[test]
fn m7_no_epoch_check() {
    finds(Guard::EpochCheck, D1, I1);
}

#[test]
fn m8_a_business_key_for_a_marker() {
    finds(Guard::OwnMarker, D2, I3_APPLIED);
}

#[test]
fn m9_deletions_and_no_witness() {
    finds(Guard::Witness, D4, I1);
}

#[test]
fn m10_an_intent_that_is_not_synced() {
    finds(Guard::IntentSynced, D2, I1);
}

#[test]
fn m11_an_outcome_that_is_not_synced_and_a_deletion() {
    finds(Guard::OutcomeSynced, D5_DELETED, I1);
}

#[test]
fn m12_a_drop_guard_that_frees_the_intent() {
    finds(Guard::DropKeepsIntent, D2, I1);
    finds(Guard::DropKeepsIntent, D2, I3_FREE);
}

#[test]
fn m13_a_timeout_that_counts_as_a_failure() {
    finds(Guard::TimeoutProvesNothing, D1, I1);
    finds(Guard::TimeoutProvesNothing, D1, I3_FREE);
}

/// Beyond the thirteen of the design: the other parts of the settle time, and what our own ways to a row need.
#[test]
fn each_other_guard_is_needed() {
    for guard in [Guard::WayPart, Guard::ServerPart, Guard::Margin, Guard::ClaimerWaits, Guard::OpenIsNotBegun] {
        finds(guard, D1, I1);
    }
    finds(Guard::WitnessLast, D4, I1);
    finds(Guard::OpenIsNotBegun, D1, I2);
    finds(Guard::SendingIsClaimed, D1, I4);
}
