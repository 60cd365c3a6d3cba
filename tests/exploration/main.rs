//! The real loops against every sequence of answers up to a bound: each class of answer with each time of its effect, each thing a
//! read-back may show, each number of attempts, and the call cut by its deadline or dropped by its caller at every moment at which
//! something happened. Each run is judged by the truth on the portal.
//!
//! `cargo test --test exploration` runs the bound of CI. Deeper: `EXPLORE_SENDS=3 EXPLORE_READS=3 cargo test --release --test exploration
//! -- --nocapture`. A failure prints its story.

// Says to clippy that a broken expectation may end the test from a helper function too.
#![cfg(test)]

mod choices;
mod judge;
mod portal;
mod run;
#[path = "../support/mod.rs"]
mod support;
mod trust;

use std::sync::Arc;
use std::time::Duration;

use crate::choices::Choices;
use crate::portal::{Bounds, Lateness, Ways};
use crate::run::{Cut, Setting, Story, Stub, run};
use crate::support::millis;
use crate::trust::Trust;

/// As deep as is asked for, or so deep.
fn bounds(sends: usize, reads: usize) -> Bounds {
    let number = |name, default| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    Bounds { sends: number("EXPLORE_SENDS", sends), reads: number("EXPLORE_READS", reads) }
}

/// Lists that are believed, on a portal that keeps to the settle time.
fn plain(stub: Stub) -> Setting {
    Setting { stub, trust: Trust::BLIND, lateness: Lateness::WithinTheSettleTime, bounds: bounds(2, 2) }
}

/// At a moment, and just after it. Until the next one nothing changes.
fn around(moment: Duration) -> [Duration; 2] {
    [moment, moment + millis(1)]
}

/// Runs every schedule, and each of them cut at every moment that the one before did not have; `judge` sees each story once.
fn explore(setting: Setting, mut judge: impl FnMut(&Story)) -> usize {
    let (mut next, mut ran) = (Some(Choices::default()), 0);
    let ways = Arc::new(Ways::new(setting.lateness));
    while let Some(choices) = next {
        let (story, choices) = run(setting, &ways, Cut::Nothing, choices);
        judge(&story);
        ran += 1;
        for moment in story.moments().into_iter().flat_map(around) {
            for cut in [Cut::Deadline(moment), Cut::Drop(moment)] {
                let (story, _) = run(setting, &ways, cut, choices.again());
                judge(&story);
                ran += 1;
            }
        }
        next = choices.following();
    }
    println!("{:?}, {:?}: {ran} schedules", setting.stub, setting.trust);
    ran
}

fn promises_hold(settings: impl IntoIterator<Item = Setting>, at_least: usize) {
    let judge = |story: &Story| {
        if let Err(why) = judge::judge(story) {
            panic!("{why}\n{story}");
        }
    };
    let ran: usize = settings.into_iter().map(|setting| explore(setting, judge)).sum();
    assert!(ran >= at_least, "the exploration has shrunk to {ran} schedules");
}

#[test]
fn p1_p2_p3_p5_p6_of_a_verified_write() {
    promises_hold([plain(Stub::Verified)], 100_000);
}

#[test]
fn p1_p2_p3_p5_p6_of_an_ensured_write() {
    promises_hold([plain(Stub::Ensured)], 40_000);
}

#[test]
fn p1_p2_p3_p5_p6_of_an_unverifiable_write() {
    promises_hold([plain(Stub::Unverifiable)], 1_500);
}

#[test]
fn p1_p2_p3_p5_p6_of_a_write_with_an_idempotency_key() {
    promises_hold([plain(Stub::Keyed)], 6_000);
}

#[test]
fn p1_p2_p3_p5_p6_of_a_verified_write_with_an_idempotency_key() {
    promises_hold([plain(Stub::VerifiedAndKeyed)], 100_000);
}

/// The same while verifiers are put to the proof, by what became of that before.
fn promises_hold_with_proof(stub: Stub, reads: usize, at_least: usize) {
    let settings = Trust::ALL.map(|trust| Setting { trust, bounds: bounds(1, reads), ..plain(stub) });
    promises_hold(settings, at_least);
}

#[test]
fn p1_p2_p3_p5_p6_of_a_write_whose_verifier_is_put_to_the_proof() {
    promises_hold_with_proof(Stub::Verified, 1, 25_000);
}

#[test]
fn p1_p2_p3_p5_p6_of_an_ensured_write_whose_verifier_is_put_to_the_proof() {
    promises_hold_with_proof(Stub::Ensured, 2, 25_000);
}

#[test]
fn p1_p2_p3_p5_p6_of_a_write_with_an_idempotency_key_whose_verifier_is_put_to_the_proof() {
    promises_hold_with_proof(Stub::VerifiedAndKeyed, 1, 25_000);
}

/// The settle time is an assumption. Where it is broken there may be a duplicate, and nothing worse.
#[test]
fn effects_after_the_settle_time_cost_duplicates_and_nothing_else() {
    let mut duplicated = 0;
    let ran = explore(Setting { lateness: Lateness::After, ..plain(Stub::Verified) }, |story| {
        duplicated += usize::from(judge::duplicates(story) > 0);
        assert!(story.ended <= run::DEADLINE + Duration::from_secs(66), "{story}");
    });
    println!("effects after the settle time: {ran} schedules, {duplicated} with a duplicate");
    assert!(duplicated > 0, "without a duplicate this test tests nothing");
}
