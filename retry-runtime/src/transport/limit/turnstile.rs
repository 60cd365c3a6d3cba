//! What all clients of one portal share.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::breaker::Breakers;
use super::elapsed::Elapsed;
use super::meter::Meter;
use super::pauses::Pauses;
use super::queue::Queue;
use super::rate::{Rate, RateLimit};
use crate::clock::{Clock, Moment};

/// The way to one portal, which lets requests through one by one.
pub(super) struct Turnstile {
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
    /// Whether there is anything to look for: a limit, or something that the portal has said of one. Else nobody has to look.
    minds: AtomicBool,
}

/// What is known of the portal, and who waits.
pub(super) struct State {
    elapsed: Elapsed,
    limit: RateLimit,
    /// Whether somebody stated the limit.
    stated: bool,
    pub(super) meter: Meter,
    pub(super) queue: Queue,
    pub(super) pauses: Pauses,
    pub(super) breakers: Breakers,
}

/// The same moment on the clocks and in the time of the turnstile.
#[derive(Debug, Clone, Copy)]
pub(super) struct Now {
    pub(super) moment: Moment,
    pub(super) elapsed: Duration,
}

impl Turnstile {
    pub(super) fn new(clock: Arc<dyn Clock>, limit: RateLimit, stated: bool) -> Self {
        let state = State {
            elapsed: Elapsed::new(clock.now()),
            limit,
            stated,
            meter: Meter::new(limit.rate),
            queue: Queue::default(),
            pauses: Pauses::default(),
            breakers: Breakers::default(),
        };
        let minds = AtomicBool::new(limit != RateLimit::none());
        Self { clock, state: Mutex::new(state), minds }
    }

    pub(super) fn minds(&self) -> bool {
        self.minds.load(Ordering::Acquire)
    }

    /// From now on everybody looks.
    pub(super) fn mind(&self) {
        self.minds.store(true, Ordering::Release);
    }

    /// The state, and the time, which is asked for under the lock so that it never runs backwards there.
    pub(super) fn look(&self) -> (MutexGuard<'_, State>, Now) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let moment = self.clock.now();
        let elapsed = state.elapsed.at(moment);
        (state, Now { moment, elapsed })
    }

    /// The time between two requests, in the long run.
    pub(super) fn each(&self) -> Option<Duration> {
        self.look().0.limit.each()
    }

    /// Another client of the same portal has this limit. The last one that was stated counts.
    pub(super) fn restate(&self, limit: RateLimit) {
        self.mind();
        let (mut state, now) = self.look();
        let before = state.limit;
        let contradicts = state.stated && before != limit;
        state.stated = true;
        if before != limit {
            state.limit = limit;
            state.meter.restated(limit.rate, now.elapsed);
            state.call_first(now);
        }
        drop(state);
        if contradicts {
            tracing::warn!(?before, now = ?limit, "two clients of one portal state different rate limits: the last counts");
        }
    }

    /// Whether nothing would be lost if it were forgotten: no request counts against a limit any more, and nothing is paused.
    pub(super) fn is_idle(&self) -> bool {
        let (mut state, Now { elapsed, .. }) = self.look();
        // A portal without a limit keeps nothing: the client that knew of its pauses is gone.
        state.limit.rate == Rate::None
            || (state.meter.counted(elapsed) == 0
                && state.pauses.are_over(elapsed)
                && state.breakers.are_closed(elapsed))
    }
}

impl State {
    /// From which operating time on a method slows down.
    pub(super) fn slow_from(&self) -> Option<Duration> {
        self.limit.slow_from()
    }

    /// The line has moved: the first one looks when there is a place for it.
    pub(super) fn call_first(&mut self, now: Now) {
        let wait = self.meter.wait(0, now.elapsed).max(self.pauses.portal(now.elapsed));
        self.queue.call_first(now.elapsed.saturating_add(wait));
    }
}

impl fmt::Debug for Turnstile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (state, _) = self.look();
        f.debug_struct("Turnstile").field("limit", &state.limit).field("waiting", &state.queue.len()).finish()
    }
}
