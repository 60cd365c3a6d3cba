//! Whose turn it is: the rate limiter and circuit breaker of one portal, shared by all clients of the process that call it.

mod breaker;
mod elapsed;
mod heard;
mod limited;
mod meter;
#[cfg(test)]
mod operating_tests;
mod pauses;
mod place;
mod queue;
mod rate;
mod registry;
#[cfg(test)]
mod tests;
mod turnstile;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

pub(crate) use self::limited::Limited;
use self::place::Place;
use self::queue::Who;
pub use self::rate::RateLimit;
use self::turnstile::Turnstile;
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

/// The rate limiter and circuit breaker of one portal, as one application, webhook or key sees them.
#[derive(Debug)]
pub(crate) struct Limiter {
    turnstile: Arc<Turnstile>,
    /// Operating limits and circuit breakers count for each account of a portal.
    account: u64,
}

impl Limiter {
    /// One that nobody else shares.
    pub(crate) fn alone(clock: Arc<dyn Clock>, limit: RateLimit) -> Self {
        Self { turnstile: Arc::new(Turnstile::new(clock, limit, true)), account: 0 }
    }

    /// The one of all clients on the clock of the machine that call this address; `by_account` says that the limit is that of the account (which may be a
    /// secret, and is not kept). A limit that was not `stated` gives way to one that was.
    pub(crate) fn shared(address: &str, account: &str, by_account: bool, limit: RateLimit, stated: bool) -> Self {
        let (turnstile, account) = registry::shared(address, account, by_account, limit, stated);
        Self { turnstile, account }
    }

    /// Waits out what is known to stand against this method: a pause, a used up operating time, an open breaker.
    pub(crate) async fn method_is_free(&self, method: &'static str, send_by: Moment) -> Result<(), Denied> {
        Place::new(&self.turnstile, Some(self.who(method)), None).pass(send_by).await
    }

    /// Waits for the right to send one HTTP request now.
    pub(crate) async fn turn(&self, lane: Lane, send_by: Moment) -> Result<(), Denied> {
        Place::new(&self.turnstile, None, Some(lane)).pass(send_by).await
    }

    /// Both for a request that carries one call: what comes to stand against the method while it waits in the line counts too.
    async fn pass(&self, method: &'static str, lane: Lane, send_by: Moment) -> Result<(), Denied> {
        Place::new(&self.turnstile, Some(self.who(method)), Some(lane)).pass(send_by).await
    }

    /// Whether the circuit breaker of this method is open.
    pub(crate) fn is_open(&self, method: &'static str) -> bool {
        let (mut state, now) = self.turnstile.look();
        state.breakers.left(self.who(method), now.elapsed).is_some()
    }

    /// Hears how a call ended, for what it says of the limits.
    pub(crate) fn heard(&self, method: &'static str, result: &Result<Answer, Loss>) {
        if let Ok(answer) = result {
            self.turnstile.hear(self.who(method), answer);
        }
    }

    /// Hears what a method has used of its operating time.
    pub(crate) fn used(&self, method: &'static str, usage: Usage) {
        self.turnstile.used(self.who(method), usage);
    }

    /// The time between two requests, in the long run.
    pub(crate) fn each(&self) -> Option<Duration> {
        self.turnstile.each()
    }

    const fn who(&self, method: &'static str) -> Who {
        Who { account: self.account, method }
    }

    fn now(&self) -> Moment {
        self.turnstile.look().1.moment
    }
}

/// A time span as people write it, to the millisecond.
fn shown(time: Duration) -> impl fmt::Display {
    humantime::format_duration(Duration::from_millis(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)))
}
