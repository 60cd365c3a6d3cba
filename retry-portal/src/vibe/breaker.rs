//! `ERROR_LOOP_DETECTED`: a method that fails in the same way again and again is closed for the key.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use tokio::time::Instant;

use super::codes::refusal;
use super::keys::Key;
use super::seconds_left;
use crate::clock::Clock;
use crate::refusal::Refusal;

/// Failures count for so long, in portal time.
const WINDOW: Duration = Duration::from_secs(3600);
/// Every so many-th call of a closed method is let through.
const PROBE: u64 = 50;
/// As in the example of the documentation, in portal time.
const RETRY_AFTER: Duration = Duration::from_secs(60);

/// The failures of each method and key.
#[derive(Debug, Default)]
pub(crate) struct Breaker(BTreeMap<(Key, String), Failures>);

#[derive(Debug, Default)]
struct Failures {
    what: String,
    at: VecDeque<Instant>,
    blocked: u64,
}

impl Breaker {
    pub(crate) fn check(
        &mut self,
        key: Key,
        method: &str,
        threshold: u32,
        clock: Clock,
        now: Instant,
    ) -> Result<(), Refusal> {
        let Some(failures) = self.0.get_mut(&(key, method.to_owned())) else { return Ok(()) };
        let window = clock.real(WINDOW);
        failures.at.retain(|at| now.saturating_duration_since(*at) < window);
        let count = failures.at.len();
        if u32::try_from(count).is_ok_and(|count| count < threshold) {
            failures.blocked = 0;
            return Ok(());
        }
        failures.blocked += 1;
        if failures.blocked.is_multiple_of(PROBE) {
            return Ok(());
        }
        let text = format!("{count} failures on {method} in the last hour");
        Err(refusal("ERROR_LOOP_DETECTED", text).with("retryAfter", seconds_left(clock.real(RETRY_AFTER))))
    }

    /// Counts a failure; one of another kind begins a new count.
    pub(crate) fn failed(&mut self, key: Key, method: &str, what: &str, now: Instant) {
        let failures = self.0.entry((key, method.to_owned())).or_default();
        if failures.what != what {
            *failures = Failures { what: what.to_owned(), ..Failures::default() };
        }
        failures.at.push_back(now);
    }

    /// A probe that succeeds opens a method that was closed.
    pub(crate) fn succeeded(&mut self, key: Key, method: &str) {
        let name = (key, method.to_owned());
        if self.0.get(&name).is_some_and(|failures| failures.blocked > 0) {
            self.0.remove(&name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::now;

    #[test]
    fn equal_failures_close_a_method_and_every_fiftieth_call_probes() {
        let (start, clock) = (now(), Clock::start(1.0));
        let mut breaker = Breaker::default();
        for number in 0..3 {
            assert_eq!(breaker.check(Key::Personal, "a", 3, clock, start), Ok(()), "{number}");
            breaker.failed(Key::Personal, "a", "BITRIX_ERROR x", start);
        }
        let let_in = (1..=100).filter(|_| breaker.check(Key::Personal, "a", 3, clock, start).is_ok()).count();
        assert_eq!(let_in, 2);
        assert_eq!(breaker.check(Key::App, "a", 3, clock, start), Ok(()), "another key");
        assert_eq!(breaker.check(Key::Personal, "a", 3, clock, start + WINDOW), Ok(()), "an hour later");
    }

    #[test]
    fn another_failure_or_a_probe_that_succeeds_begins_anew() {
        let (start, clock) = (now(), Clock::start(1.0));
        let mut breaker = Breaker::default();
        for what in ["x", "y", "x", "y"] {
            breaker.failed(Key::Personal, "a", what, start);
        }
        assert_eq!(breaker.check(Key::Personal, "a", 2, clock, start), Ok(()));
        breaker.succeeded(Key::Personal, "a");
        breaker.failed(Key::Personal, "a", "y", start);
        assert!(breaker.check(Key::Personal, "a", 2, clock, start).is_err());
        breaker.succeeded(Key::Personal, "a");
        assert_eq!(breaker.check(Key::Personal, "a", 2, clock, start), Ok(()));
    }
}
