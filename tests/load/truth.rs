//! What really happened to each lot, in memory that is all there before the first call.

use std::time::Duration;

use fastrand::Rng;

use crate::faults::{Fault, When};

/// What the portal knows of a lot.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Lot {
    /// How many records there are or will be.
    pub(crate) records: u8,
    /// Whether its success is stored under an idempotency key.
    stored: bool,
    /// From when on the first one is there, in milliseconds since the start.
    visible: u64,
}

/// What came, in numbers.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Came {
    pub(crate) requests: u64,
    pub(crate) batches: u64,
    pub(crate) in_batches: u64,
    pub(crate) faults: u64,
    pub(crate) refused_by_rate: u64,
}

/// The state of the portal.
#[derive(Debug)]
pub(crate) struct Truth {
    pub(crate) lots: Vec<Lot>,
    pub(crate) came: Came,
    /// The part of the requests that goes wrong, in thousandths.
    share: u32,
    rate: Option<Bucket>,
    rng: Rng,
}

/// The leaky bucket of the portal.
#[derive(Debug)]
struct Bucket {
    at_once: Duration,
    each: Duration,
    level: Duration,
    at: Duration,
}

impl Truth {
    pub(crate) fn new(lots: usize, share: u32, seed: u64, rate: Option<(u32, Duration)>) -> Self {
        let bucket = |(at_once, each): (u32, Duration)| Bucket {
            at_once: each * at_once,
            each,
            level: Duration::ZERO,
            at: Duration::ZERO,
        };
        Self {
            lots: vec![Lot::default(); lots],
            came: Came::default(),
            share,
            rate: rate.map(bucket),
            rng: Rng::with_seed(seed),
        }
    }

    /// What the next request meets; `what` is its own kind of trouble.
    pub(crate) fn meets(&mut self, what: fn(&mut Rng) -> Fault) -> Fault {
        if self.rng.u32(..1_000) < self.share {
            self.came.faults += 1;
            what(&mut self.rng)
        } else {
            Fault::none(&mut self.rng)
        }
    }

    /// How many of the commands of a batch run before it goes wrong.
    pub(crate) fn cut(&mut self, commands: usize) -> usize {
        self.rng.usize(..=commands)
    }

    /// Whether the portal takes a request at this time.
    pub(crate) fn takes(&mut self, now: Duration) -> bool {
        self.came.requests += 1;
        let Some(bucket) = &mut self.rate else { return true };
        bucket.level = bucket.level.saturating_sub(now.saturating_sub(bucket.at));
        bucket.at = now;
        let full = bucket.level + bucket.each > bucket.at_once;
        if full {
            self.came.refused_by_rate += 1;
        } else {
            bucket.level += bucket.each;
        }
        !full
    }

    /// The effect of a write that was sent at `sent` and is carried out now.
    pub(crate) fn apply(&mut self, lot: usize, effect: When, sent: Duration, now: Duration, stored: bool) {
        let at = match effect {
            When::Never => return,
            When::Before => now,
            When::Late(after) => now.max(sent + after),
        };
        let at = u64::try_from(at.as_millis()).unwrap_or(u64::MAX);
        if let Some(lot) = self.lots.get_mut(lot) {
            lot.visible = if lot.records == 0 { at } else { lot.visible.min(at) };
            lot.records = lot.records.saturating_add(1);
            lot.stored |= stored;
        }
    }

    /// Whether the record of a lot is there by now.
    pub(crate) fn shows(&self, lot: usize, now: Duration) -> bool {
        self.lots.get(lot).is_some_and(|lot| lot.records > 0 && u128::from(lot.visible) <= now.as_millis())
    }

    /// Whether a request with the idempotency key of this lot is a repeated one.
    pub(crate) fn repeats(&self, lot: usize, now: Duration) -> bool {
        self.shows(lot, now) && self.lots.get(lot).is_some_and(|lot| lot.stored)
    }
}
