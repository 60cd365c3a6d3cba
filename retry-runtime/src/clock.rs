//! Time that can be trusted for waiting and for sending, and that tests can turn.

use std::fmt;
use std::time::{Duration, SystemTime};

use tokio::time::Instant;

/// One moment on both clocks: the monotonic one, which stands still in suspend, and the wall clock, which people set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    at: Instant,
    wall: SystemTime,
}

/// As far ahead as we count; neither clock overflows there.
const FAR: Duration = Duration::from_hours(100 * 365 * 24);

impl Moment {
    /// The moment at which the two clocks show this.
    pub const fn new(at: Instant, wall: SystemTime) -> Self {
        Self { at, wall }
    }

    /// This moment on the monotonic clock.
    pub const fn instant(self) -> Instant {
        self.at
    }

    /// This moment as people write it.
    pub const fn wall(self) -> SystemTime {
        self.wall
    }

    /// The moment this much later; a wait beyond a hundred years counts as a hundred years.
    #[must_use]
    pub fn after(self, wait: Duration) -> Self {
        let wait = wait.min(FAR);
        Self { at: self.at + wait, wall: self.wall.checked_add(wait).unwrap_or(self.wall) }
    }

    /// The time since `earlier` that has passed for sure: the lesser of both clocks. For waiting.
    pub fn at_least_since(self, earlier: Self) -> Duration {
        self.at.saturating_duration_since(earlier.at).min(self.wall_since(earlier))
    }

    /// The time since `earlier` that may have passed: the larger of both clocks. For sending.
    pub fn at_most_since(self, earlier: Self) -> Duration {
        self.at.saturating_duration_since(earlier.at).max(self.wall_since(earlier))
    }

    /// Whether `until` has passed on both clocks.
    pub fn is_past(self, until: Self) -> bool {
        self.left_until(until).is_zero()
    }

    /// What is left until then, by the clock that says more is left.
    pub fn left_until(self, until: Self) -> Duration {
        until.at.saturating_duration_since(self.at).max(until.wall_since(self))
    }

    /// The later one on each clock.
    #[must_use]
    pub fn later(self, other: Self) -> Self {
        Self { at: self.at.max(other.at), wall: self.wall.max(other.wall) }
    }

    fn wall_since(self, earlier: Self) -> Duration {
        self.wall.duration_since(earlier.wall).unwrap_or_default()
    }
}

/// Where the time comes from.
///
/// A client uses [`SystemClock`] unless [`ClientBuilder::clock`](crate::ClientBuilder::clock) names another, which is for tests.
pub trait Clock: fmt::Debug + Send + Sync + 'static {
    /// The moment now.
    fn now(&self) -> Moment;
}

/// The clocks of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place that asks the machine")]
    fn now(&self) -> Moment {
        Moment::new(Instant::now(), SystemTime::now())
    }
}

/// A wall clock that follows tokio's, so that both stand still and jump together under `tokio::time::pause`.
#[derive(Debug, Clone, Copy)]
pub struct PausedClock {
    start: Moment,
}

impl PausedClock {
    /// A clock that shows `wall` now and goes on with tokio's from here.
    #[expect(clippy::disallowed_methods, reason = "a clock is made of one")]
    pub fn starting_at(wall: SystemTime) -> Self {
        Self { start: Moment::new(Instant::now(), wall) }
    }
}

impl Clock for PausedClock {
    #[expect(clippy::disallowed_methods, reason = "a clock is made of one")]
    fn now(&self) -> Moment {
        let at = Instant::now();
        self.start.after(at.saturating_duration_since(self.start.at))
    }
}

/// Sleeps until the moment has passed on both clocks.
pub(crate) async fn sleep_until(clock: &dyn Clock, until: Moment) {
    loop {
        let left = clock.now().left_until(until);
        if left.is_zero() {
            return;
        }
        // A wall clock that was set back does not wake a timer: look again at least once a minute.
        tokio::time::sleep(left.clamp(Duration::from_millis(1), Duration::from_mins(1))).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment() -> Moment {
        SystemClock.now()
    }

    #[test]
    fn waiting_counts_the_slower_clock_and_sending_the_faster() {
        let start = moment();
        let suspended = Moment::new(start.at + Duration::from_secs(1), start.wall + Duration::from_secs(60));
        assert_eq!(suspended.at_least_since(start), Duration::from_secs(1));
        assert_eq!(suspended.at_most_since(start), Duration::from_secs(60));
        let set_back = Moment::new(start.at + Duration::from_secs(60), start.wall - Duration::from_secs(5));
        assert_eq!(set_back.at_least_since(start), Duration::ZERO);
        assert!(!set_back.is_past(start.after(Duration::from_secs(30))));
        assert_eq!(set_back.left_until(start.after(Duration::from_secs(30))), Duration::from_secs(35));
    }

    #[test]
    fn the_far_future_does_not_overflow() {
        let far = moment().after(Duration::MAX).after(Duration::MAX);
        assert!(!moment().is_past(far));
    }
}
