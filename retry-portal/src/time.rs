//! The `time` block of REST answers.

use std::time::SystemTime;

use serde_json::{Value, json};

use crate::clock::{unix, unix_seconds, wall};
use crate::dates;
use crate::limit::Used;

/// What the `time` block is made of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Time {
    pub(crate) start: SystemTime,
    pub(crate) finish: SystemTime,
    /// Seconds of work on this method in the last ten minutes.
    pub(crate) operating: f64,
    /// When the oldest of them falls out, in Unix seconds.
    pub(crate) operating_reset_at: i64,
}

impl Time {
    /// Of a call that has just ended.
    pub(crate) fn ending_now(start: SystemTime, used: Used) -> Self {
        let finish = wall();
        let reset = finish.checked_add(used.until_reset).unwrap_or(finish);
        // Up, so that nobody comes too early.
        let operating_reset_at = unix_seconds(reset).saturating_add(i64::from(unix(reset).fract() > 0.0));
        Self { start, finish, operating: used.seconds, operating_reset_at }
    }

    pub(crate) fn block(&self) -> Value {
        let duration = unix(self.finish) - unix(self.start);
        json!({
            "start": unix(self.start),
            "finish": unix(self.finish),
            "duration": duration,
            "processing": duration,
            "date_start": dates::iso(unix_seconds(self.start)),
            "date_finish": dates::iso(unix_seconds(self.finish)),
            "operating_reset_at": self.operating_reset_at,
            "operating": self.operating,
        })
    }
}
