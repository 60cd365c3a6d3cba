//! How often, how long and with which pauses a call is tried.

use std::time::Duration;

/// The limits of one call.
///
/// The defaults are our choice: 4 attempts, 5 minutes, pauses of 0.5 s to 30 s.
///
/// ```
/// use std::time::Duration;
/// use retry_runtime::Policy;
///
/// let patient = Policy::new().attempts(6).deadline(Duration::from_secs(900));
/// # let _ = patient;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    attempts: u32,
    deadline: Duration,
    backoff: Backoff,
}

impl Policy {
    /// The defaults.
    pub const fn new() -> Self {
        Self {
            attempts: 4,
            deadline: Duration::from_mins(5),
            backoff: Backoff::new(Duration::from_millis(500), Duration::from_secs(30)),
        }
    }

    /// At most so many sends of one call, the first one included; 0 counts as 1. Default 4.
    ///
    /// Read-backs are not sends of the call: each has as many attempts of its own.
    #[must_use]
    pub const fn attempts(mut self, attempts: u32) -> Self {
        self.attempts = if attempts == 0 { 1 } else { attempts };
        self
    }

    /// How long the call may take in all, from the moment it is made. Default 5 minutes.
    ///
    /// Nothing new begins after it. A write that is on its way is not cut: its attempt ends by the attempt timeout. A write is sent
    /// again only while the settle time and one read-back still fit in.
    #[must_use]
    pub const fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// The pauses before a retry: a random time up to `base`, doubled with each attempt, never above `cap`. Default 0.5 s and 30 s.
    ///
    /// A longer pause that the server names takes its place.
    #[must_use]
    pub const fn backoff(mut self, base: Duration, cap: Duration) -> Self {
        self.backoff = Backoff::new(base, cap);
        self
    }

    pub(crate) const fn max_attempts(&self) -> u32 {
        self.attempts
    }

    pub(crate) const fn time_limit(&self) -> Duration {
        self.deadline
    }

    pub(crate) const fn pauses(&self) -> Backoff {
        self.backoff
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::new()
    }
}

/// Exponential pauses with full jitter and a cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Backoff {
    base: Duration,
    cap: Duration,
}

impl Backoff {
    pub(crate) const fn new(base: Duration, cap: Duration) -> Self {
        Self { base, cap }
    }

    /// A random pause after attempt `attempt` (1 is the first), between nothing and the doubled base, never above the cap.
    pub(crate) fn pause(self, attempt: u32, rng: &mut fastrand::Rng) -> Duration {
        let doublings = attempt.saturating_sub(1).min(63);
        let factor = u32::try_from(1_u64 << doublings).unwrap_or(u32::MAX);
        let most = self.base.saturating_mul(factor).min(self.cap);
        Duration::from_nanos(rng.u64(0..=u64::try_from(most.as_nanos()).unwrap_or(u64::MAX)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draws(backoff: Backoff, attempt: u32) -> Vec<Duration> {
        let mut rng = fastrand::Rng::with_seed(7);
        (0..10_000).map(|_| backoff.pause(attempt, &mut rng)).collect()
    }

    #[test]
    fn case_b67_no_attempt_overflows_a_pause() {
        let usual = Backoff::new(Duration::from_secs(1), Duration::from_secs(30));
        let endless = Backoff::new(Duration::MAX, Duration::MAX);
        for attempt in [0, 1, 31, 32, 63, 64, u32::MAX] {
            assert!(draws(usual, attempt).iter().all(|pause| *pause <= Duration::from_secs(30)));
            draws(endless, attempt);
        }
    }

    #[test]
    fn case_b69_jitter_stays_under_the_cap_and_spreads() {
        let pauses = draws(Backoff::new(Duration::from_secs(1), Duration::from_secs(30)), 9);
        assert!(pauses.iter().all(|pause| *pause <= Duration::from_secs(30)));
        assert!(pauses.iter().any(|pause| *pause < Duration::from_secs(5)));
        assert!(pauses.iter().any(|pause| *pause > Duration::from_secs(25)));
    }

    #[test]
    fn case_b70_clients_refused_together_come_back_apart() {
        let usual = Backoff::new(Duration::from_secs(1), Duration::from_secs(30));
        // 16 s is the nominal pause of the fifth attempt.
        let of = |seed| usual.pause(5, &mut fastrand::Rng::with_seed(seed));
        let mut pauses: Vec<_> = (0..100).map(of).collect();
        pauses.sort();
        assert!(pauses[99] >= pauses[0] + Duration::from_secs(8), "{pauses:?}");
        for from in &pauses {
            let window = *from..*from + Duration::from_secs(1);
            assert!(pauses.iter().filter(|pause| window.contains(pause)).count() <= 33, "{pauses:?}");
        }
    }

    #[test]
    fn the_first_pause_is_at_most_the_base() {
        let pauses = draws(Backoff::new(Duration::from_millis(500), Duration::from_secs(30)), 1);
        assert!(pauses.iter().all(|pause| *pause <= Duration::from_millis(500)));
    }
}
