//! What the tests on paused time share: a portal that is a script, deals to put there, a verifier that says what it is told to,
//! clocks that can be turned, and an observer that remembers.

#![allow(dead_code, unused_imports, reason = "each test crate uses its own part of this")]

mod clock;
mod commands;
mod deals;
mod ending;
mod fake;
mod judged;
mod seen;
mod step;
mod tasks;
mod truth;

use std::time::Duration;

pub(crate) use clock::TurnedClock;
pub(crate) use deals::{
    DealRow, NewDeal, OriginKey, add_blind_deal, add_deal, add_keyed_deal, ensure_deal, find_deal, list_deals,
};
pub(crate) use ending::ending;
pub(crate) use fake::{Fake, START};
pub(crate) use judged::{Judged, Says, add_judged, ensure_judged};
pub(crate) use seen::{Seen, Told};
pub(crate) use step::Step;
pub(crate) use tasks::{NewTask, add_sought_task, add_task, list_tasks, once};
pub(crate) use truth::{Received, Record};

pub(crate) const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

pub(crate) const fn millis(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// Whether a time lies in the two seconds that begin at `seconds`: waits are exact, answers and pauses take a little.
pub(crate) fn about(time: Duration, seconds: u64) -> bool {
    (secs(seconds)..secs(seconds + 2)).contains(&time)
}
