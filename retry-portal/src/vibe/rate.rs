//! The rate of a key: so many requests in a window that slides.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use tokio::time::Instant;

use super::keys::Key;
use super::seconds_left;

/// The requests of each key in the last window, in real time.
#[derive(Debug, Default)]
pub(crate) struct Rates(BTreeMap<Key, VecDeque<Instant>>);

/// How a key stands, for the headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Standing {
    pub(crate) limit: u32,
    pub(crate) remaining: u32,
    /// Until the oldest request leaves the window.
    pub(crate) reset: Duration,
}

impl Standing {
    pub(crate) fn reset_seconds(self) -> u64 {
        seconds_left(self.reset)
    }
}

impl Rates {
    /// Counts a request, unless it is one too many.
    pub(crate) fn count(&mut self, key: Key, most: u32, window: Duration, now: Instant) -> (bool, Standing) {
        let seen = self.0.entry(key).or_default();
        seen.retain(|at| now.saturating_duration_since(*at) < window);
        let admitted = u32::try_from(seen.len()).is_ok_and(|count| count < most);
        if admitted {
            seen.push_back(now);
        }
        let oldest = seen.front().copied().unwrap_or(now);
        let reset = window.saturating_sub(now.saturating_duration_since(oldest));
        let used = u32::try_from(seen.len()).unwrap_or(u32::MAX);
        (admitted, Standing { limit: most, remaining: most.saturating_sub(used), reset })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::now;

    #[test]
    fn the_window_slides() {
        let (start, window) = (now(), Duration::from_secs(60));
        let mut rates = Rates::default();
        let mut count = |seconds| rates.count(Key::Personal, 2, window, start + Duration::from_secs(seconds));
        assert_eq!(count(0), (true, Standing { limit: 2, remaining: 1, reset: window }));
        assert!(count(30).0);
        let (admitted, standing) = count(31);
        assert_eq!((admitted, standing.remaining, standing.reset_seconds()), (false, 0, 29));
        assert!(count(60).0, "the first one has left the window");
        assert!(!count(61).0);
    }
}
