//! The `time` block of REST answers.

use std::time::SystemTime;

use serde_json::{Value, json};

use crate::clock::{unix, unix_seconds};
use crate::dates;

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
