//! The limits: the leaky bucket of requests, and the tally of work by method.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use tokio::time::Instant;

/// Each request adds one; above the burst it is refused; the level falls steadily.
#[derive(Debug)]
pub(crate) struct Bucket {
    burst: f64,
    per_second: f64,
    level: f64,
    at: Instant,
}

impl Bucket {
    pub(crate) fn new(burst: u32, per_second: f64, now: Instant) -> Self {
        Self { burst: f64::from(burst), per_second, level: 0.0, at: now }
    }

    /// Whether this request may pass. A refused one leaves the level as it is.
    pub(crate) fn admit(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.level = (self.level - passed * self.per_second).max(0.0);
        self.at = now;
        let fits = self.level + 1.0 <= self.burst;
        if fits {
            self.level += 1.0;
        }
        fits
    }
}

const WINDOW: Duration = Duration::from_mins(10);
const MINUTE: Duration = Duration::from_mins(1);

/// The seconds of work on each method in the last ten minutes, kept minute by minute. Only told, never enforced.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    minutes: HashMap<String, VecDeque<(Instant, f64)>>,
}

impl Tally {
    /// Adds work. Gives the sum, and how long until the oldest minute falls out.
    pub(crate) fn add(&mut self, method: &str, seconds: f64, now: Instant) -> (f64, Duration) {
        let minutes = self.minutes.entry(method.to_owned()).or_default();
        minutes.retain(|(begun, _)| now.saturating_duration_since(*begun) < WINDOW);
        match minutes.back_mut().filter(|(begun, _)| now.saturating_duration_since(*begun) < MINUTE) {
            Some((_, sum)) => *sum += seconds,
            None => minutes.push_back((now, seconds)),
        }
        let oldest = minutes.front().map_or(now, |(begun, _)| *begun);
        let sum = minutes.iter().map(|(_, seconds)| seconds).sum();
        (sum, WINDOW.saturating_sub(now.saturating_duration_since(oldest)))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Bucket, Tally};
    use crate::clock::now;

    #[test]
    fn fifty_pass_at_once_and_then_two_a_second() {
        let start = now();
        let mut bucket = Bucket::new(50, 2.0, start);
        let at_once = (0..60).filter(|_| bucket.admit(start)).count();
        assert_eq!(at_once, 50);
        let later = start + Duration::from_secs(3);
        assert_eq!((0..60).filter(|_| bucket.admit(later)).count(), 6);
        let much_later = start + Duration::from_secs(3_600);
        assert_eq!((0..60).filter(|_| bucket.admit(much_later)).count(), 50);
    }

    #[test]
    fn work_counts_for_ten_minutes() {
        let start = now();
        let mut tally = Tally::default();
        assert_eq!(tally.add("a", 2.0, start), (2.0, Duration::from_mins(10)));
        assert_eq!(tally.add("a", 3.0, start + Duration::from_mins(9)), (5.0, Duration::from_mins(1)));
        assert_eq!(tally.add("b", 1.0, start), (1.0, Duration::from_mins(10)));
        assert_eq!(tally.add("a", 0.0, start + Duration::from_mins(11)), (3.0, Duration::from_mins(8)));
    }
}
