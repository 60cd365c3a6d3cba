//! What goes into the body of an answer.

use std::time::SystemTime;

use serde_json::{Map, Value, json};

use crate::clock::{unix, unix_seconds};
use crate::dates;

/// A refusal with its status.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RestError {
    pub(crate) status: u16,
    pub(crate) code: Value,
    pub(crate) description: String,
}

impl RestError {
    pub(crate) fn new(status: u16, code: impl Into<Value>, description: impl Into<String>) -> Self {
        Self { status, code: code.into(), description: description.into() }
    }

    /// Status 400.
    pub(crate) fn bad(code: impl Into<Value>, description: impl Into<String>) -> Self {
        Self::new(400, code, description)
    }

    pub(crate) fn body(&self) -> Value {
        json!({"error": self.code, "error_description": self.description})
    }
}

/// A result with what a list adds to it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answered {
    pub(crate) result: Value,
    pub(crate) total: Option<usize>,
    pub(crate) next: Option<usize>,
}

impl Answered {
    pub(crate) fn plain(result: impl Into<Value>) -> Self {
        Self { result: result.into(), total: None, next: None }
    }

    pub(crate) fn body(self, time: &Time) -> Value {
        let mut body = Map::new();
        body.insert("result".to_owned(), self.result);
        if let Some(next) = self.next {
            body.insert("next".to_owned(), next.into());
        }
        if let Some(total) = self.total {
            body.insert("total".to_owned(), total.into());
        }
        body.insert("time".to_owned(), time.block());
        Value::Object(body)
    }
}

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
    fn block(&self) -> Value {
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
