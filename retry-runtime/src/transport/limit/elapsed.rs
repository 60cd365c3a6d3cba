//! The time that has passed for sure, as one number.

use std::time::Duration;

use crate::clock::Moment;

/// Counts on by the lesser of both clocks: what waits on it is never let go too early.
///
/// A wall clock that was set back costs what lies between two looks, and holds nothing up for longer.
#[derive(Debug)]
pub(super) struct Elapsed {
    looked: Moment,
    total: Duration,
}

impl Elapsed {
    pub(super) const fn new(now: Moment) -> Self {
        Self { looked: now, total: Duration::ZERO }
    }

    pub(super) fn at(&mut self, now: Moment) -> Duration {
        self.total = self.total.saturating_add(now.at_least_since(self.looked));
        self.looked = now;
        self.total
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{Clock, SystemClock};

    #[test]
    fn a_clock_that_was_set_back_holds_nothing_up() {
        let start = SystemClock.now();
        let mut elapsed = Elapsed::new(start);
        assert_eq!(elapsed.at(start.after(Duration::from_secs(3))), Duration::from_secs(3));
        let set_back = |seconds| {
            let at = start.after(Duration::from_secs(seconds));
            Moment::new(at.instant(), at.wall() - Duration::from_hours(1))
        };
        assert_eq!(elapsed.at(set_back(5)), Duration::from_secs(3));
        assert_eq!(elapsed.at(set_back(9)), Duration::from_secs(7));
    }
}
