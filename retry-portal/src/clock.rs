//! The one place that reads a clock, and the scale between portal time and real time.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::time::Instant;

/// Portal time is what the docs of Bitrix24 speak of; real time is what passes here.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    started: Instant,
    scale: f64,
}

impl Clock {
    pub(crate) fn start(scale: f64) -> Self {
        Self { started: now(), scale }
    }

    pub(crate) fn scale(self) -> f64 {
        self.scale
    }

    /// How long a duration of portal time lasts here. One that would overflow lasts for ever.
    pub(crate) fn real(self, portal: Duration) -> Duration {
        Duration::try_from_secs_f64(portal.as_secs_f64() * self.scale).unwrap_or(Duration::MAX)
    }

    pub(crate) fn since_start(self) -> Duration {
        now().saturating_duration_since(self.started)
    }
}

#[expect(clippy::disallowed_methods, reason = "the portal is a server with real sockets: its clock cannot be turned")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

#[expect(clippy::disallowed_methods, reason = "the portal is a server with real sockets: its clock cannot be turned")]
pub(crate) fn wall() -> SystemTime {
    SystemTime::now()
}

/// So much later; far in the future where that would overflow.
pub(crate) fn later(than: Instant, by: Duration) -> Instant {
    const CENTURY: Duration = Duration::from_secs(100 * 365 * 24 * 3600);
    than.checked_add(by).or_else(|| than.checked_add(CENTURY)).unwrap_or(than)
}

/// Seconds since 1970, with their fraction.
pub(crate) fn unix(time: SystemTime) -> f64 {
    time.duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}

/// Whole seconds since 1970.
pub(crate) fn unix_seconds(time: SystemTime) -> i64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
}
