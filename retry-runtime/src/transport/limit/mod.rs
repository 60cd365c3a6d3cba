//! Whose turn it is: the rate limiter and circuit breaker of one portal, shared by all clients of the process that call it.

use std::sync::Arc;
use std::time::Duration;

use super::{Answer, Loss};
use crate::api::Usage;
use crate::clock::{Clock, Moment};

/// Which of the waiting requests go first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Lane {
    /// Reads that settle an unknown outcome.
    ReadBack,
    /// Everything else.
    Ordinary,
}

/// Why a request must not be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Denied {
    /// Its turn would come only after it may begin to leave.
    TooLate { why: Box<str> },
    /// The circuit breaker of the method is open for so long.
    Open { left: Duration },
}

/// The rate limiter and circuit breaker of one portal.
#[derive(Debug)]
pub(crate) struct Limiter {
    clock: Arc<dyn Clock>,
}

impl Limiter {
    pub(crate) const fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock }
    }

    /// Waits out what is known to stand against this method: a pause, a used up operating time, an open breaker.
    pub(crate) async fn method_is_free(&self, _method: &'static str, send_by: Moment) -> Result<(), Denied> {
        if self.clock.now().is_past(send_by) { Err(Denied::TooLate { why: "".into() }) } else { Ok(()) }
    }

    /// Waits for the right to send one HTTP request now.
    pub(crate) async fn turn(&self, _lane: Lane, _send_by: Moment) -> Result<(), Denied> {
        Ok(())
    }

    /// Hears how a call ended, for what it says of the limits.
    pub(crate) fn heard(&self, _method: &'static str, _result: &Result<Answer, Loss>) {}

    /// Hears what a method has used of its operating time.
    pub(crate) fn used(&self, _method: &'static str, _usage: Usage) {}
}
