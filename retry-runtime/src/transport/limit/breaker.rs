//! The circuit breakers: one for each method, open after `ERROR_LOOP_DETECTED` until its time is over.

use std::collections::HashMap;
use std::time::Duration;

use super::pauses::LONGEST;
use super::queue::Who;

/// How long it stays open if the gateway doesn't say: as in the example of its documentation.
const UNLESS_TOLD: Duration = Duration::from_mins(1);

/// Which are open, and until when.
#[derive(Debug, Default)]
pub(super) struct Breakers(HashMap<Who, Duration>);

impl Breakers {
    /// Opens one. Gives back for how long it is open now.
    pub(super) fn open(&mut self, who: Who, hint: Option<Duration>, now: Duration) -> Duration {
        let until = self.0.entry(who).or_default();
        *until = (*until).max(now.saturating_add(hint.unwrap_or(UNLESS_TOLD).min(LONGEST)));
        until.saturating_sub(now)
    }

    /// For how long it is still open, if it is.
    pub(super) fn left(&mut self, who: Who, now: Duration) -> Option<Duration> {
        let left = self.0.get(&who)?.saturating_sub(now);
        if left.is_zero() {
            self.0.remove(&who);
            return None;
        }
        Some(left)
    }

    /// Whether all are closed.
    pub(super) fn are_closed(&self, now: Duration) -> bool {
        self.0.values().all(|until| *until <= now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_closes_by_itself() {
        let who = Who { account: 0, method: "crm.deal.add" };
        let secs = Duration::from_secs;
        let mut breakers = Breakers::default();
        assert_eq!(breakers.open(who, Some(secs(5)), secs(10)), secs(5));
        assert_eq!(breakers.left(who, secs(14)), Some(secs(1)));
        assert!(!breakers.are_closed(secs(14)) && breakers.are_closed(secs(15)));
        assert_eq!(breakers.left(who, secs(15)), None);
        assert_eq!(breakers.open(who, None, secs(20)), secs(60));
        assert_eq!(breakers.open(who, Some(secs(5)), secs(21)), secs(59), "the longest wins");
        assert_eq!(breakers.left(Who { account: 1, ..who }, secs(21)), None);
    }
}
