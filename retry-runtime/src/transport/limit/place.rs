//! One request that waits: for its method, then in the line.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::timeout;

use super::queue::{UNTIL_LATE, Waiter, Who};
use super::turnstile::{Now, State, Turnstile};
use super::{Denied, Lane};
use crate::clock::Moment;

/// A longer wait is told to the log.
const WORTH_SAYING: Duration = Duration::from_millis(100);

/// Whoever waits, and leaves when it is dropped.
pub(super) struct Place<'a> {
    turnstile: &'a Turnstile,
    who: Option<Who>,
    /// `None` for one that waits for its method only.
    lane: Option<Lane>,
    /// Its number, and what wakes it, once it waits.
    waits: Option<(u64, Arc<Notify>)>,
}

/// What it waits for.
#[derive(Debug, Clone, Copy)]
enum Wait {
    Method(Duration),
    Portal(Duration),
    Line {
        time: Duration,
        ahead: usize,
    },
    /// There is a place, but one before it has yet to look.
    Behind(Duration),
}

impl<'a> Place<'a> {
    pub(super) const fn new(turnstile: &'a Turnstile, who: Option<Who>, lane: Option<Lane>) -> Self {
        Self { turnstile, who, lane, waits: None }
    }

    /// Waits for its turn.
    pub(super) async fn pass(mut self, send_by: Moment) -> Result<(), Denied> {
        if !self.turnstile.minds() {
            return Ok(());
        }
        let mut said = false;
        while let Some(wait) = self.look(send_by)? {
            let Some((_, called)) = &self.waits else { break };
            if wait.time() > WORTH_SAYING && !said {
                let (method, ahead) = (self.who.map(|who| who.method), wait.ahead());
                tracing::debug!(method, wait_ms = wait.time().as_millis(), ahead, "waits for its turn");
                said = true;
            }
            let _ = timeout(wait.time(), called.notified()).await;
        }
        Ok(())
    }

    /// Looks whether it is its turn; `None` is yes.
    fn look(&mut self, send_by: Moment) -> Result<Option<Wait>, Denied> {
        let (mut state, now) = self.turnstile.look();
        if let Some(who) = self.who
            && let Some(left) = state.breakers.left(who, now.elapsed)
        {
            return Err(Denied::Open { left });
        }
        let Some(left) = send_by.instant().checked_duration_since(now.moment.instant()) else {
            return Err(Denied::TooLate {
                why: "its turn came after the deadline of the call left room for it".into(),
            });
        };
        let Some(wait) = self.wait(&mut state, now, left) else {
            self.leave(&mut state, now);
            self.waits = None;
            return Ok(None);
        };
        if wait.time() > left {
            return Err(Denied::TooLate { why: wait.too_late(self.who) });
        }
        let waiter = Waiter { who: self.who, called: Arc::default(), due: now.elapsed.saturating_add(wait.time()) };
        let (number, called) = self.waits.get_or_insert_with(|| (state.queue.draw(), Arc::clone(&waiter.called)));
        let (number, waiter) = (*number, Waiter { called: Arc::clone(called), ..waiter });
        match (wait, self.lane) {
            (Wait::Portal(_) | Wait::Line { .. } | Wait::Behind(_), Some(lane)) => {
                state.queue.stand(lane, number, waiter);
            }
            (Wait::Method(_), _) | (_, None) => {
                self.leave(&mut state, now);
                state.queue.step_aside(number, waiter);
            }
        }
        Ok(Some(wait))
    }

    /// What it has to wait for now. If nothing, its request counts from here on.
    fn wait(&self, state: &mut State, now: Now, left: Duration) -> Option<Wait> {
        let paused = self.who.map_or(Duration::ZERO, |who| state.pauses.method(who, now.elapsed));
        if !paused.is_zero() {
            return Some(Wait::Method(paused));
        }
        let lane = self.lane?;
        let ahead = match &self.waits {
            None => state.queue.ahead_of_new(lane, now.elapsed),
            Some((number, _)) => state.queue.ahead(lane, *number, now.elapsed),
        };
        let paused = state.pauses.portal(now.elapsed);
        let time = state.meter.wait(ahead, now.elapsed);
        if paused > time {
            return Some(Wait::Portal(paused));
        }
        if !time.is_zero() {
            return Some(Wait::Line { time, ahead });
        }
        if ahead > 0 {
            state.call_first(now);
            return Some(Wait::Behind(UNTIL_LATE.min(left).max(Duration::from_millis(1))));
        }
        state.meter.count(now.elapsed);
        None
    }

    fn leave(&self, state: &mut State, now: Now) {
        if let Some((number, _)) = &self.waits
            && state.queue.leave(self.lane, *number)
        {
            state.call_first(now);
        }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        if self.waits.is_some() {
            let (mut state, now) = self.turnstile.look();
            self.leave(&mut state, now);
        }
    }
}

impl Wait {
    const fn time(self) -> Duration {
        match self {
            Self::Method(time) | Self::Portal(time) | Self::Behind(time) | Self::Line { time, .. } => time,
        }
    }

    const fn ahead(self) -> usize {
        match self {
            Self::Method(_) | Self::Portal(_) | Self::Behind(_) => 0,
            Self::Line { ahead, .. } => ahead,
        }
    }

    /// Why it can't leave in time, for people.
    fn too_late(self, who: Option<Who>) -> Box<str> {
        let time = super::shown(self.time());
        match self {
            Self::Method(_) => format!(
                "the portal asks calls of `{}` to wait {time} more, for which the deadline of the call leaves no room",
                who.map_or("this method", |who| who.method)
            ),
            Self::Portal(_) => {
                format!("the portal asks to wait {time} more, for which the deadline of the call leaves no room")
            }
            Self::Behind(_) => "the deadline of the call came while others went before it".to_owned(),
            Self::Line { ahead, .. } => format!(
                "the rate limit of the portal leaves no room before the deadline of the call: {ahead} requests wait before it, \
                 and its turn would come in {time}"
            ),
        }
        .into()
    }
}
