//! What all connections share.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use crate::clock::Clock;
use crate::crm::{Context, Switches};
use crate::fault::{Draw, Scripts};
use crate::journal::Journal;
use crate::limit::{Bucket, Tally};
use crate::memory::Memory;
use crate::rest3::{Rest3Switches, Successes};
use crate::secret::Secret;
use crate::vibe::{Gateway, Queue, QueueLimits, Sight};

/// What does not change while the portal runs.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) secret: Secret,
    pub(crate) user: u64,
    pub(crate) clock: Clock,
    /// In portal time.
    pub(crate) execution_limit: Duration,
    /// Real time.
    pub(crate) idle_limit: Option<Duration>,
    /// Of the gateway.
    pub(crate) queue: QueueLimits,
    /// `127.0.0.1:PORT`.
    pub(crate) host: String,
}

/// What requests change. One lock for all of it: nothing here waits.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) memory: Memory,
    pub(crate) switches: Switches,
    pub(crate) rest3: Rest3Switches,
    pub(crate) successes: Successes,
    pub(crate) gateway: Gateway,
    pub(crate) journal: Journal,
    /// How often each code was given before any work was done.
    pub(crate) refused: BTreeMap<String, usize>,
    pub(crate) scripts: Scripts,
    pub(crate) draw: Option<Draw>,
    pub(crate) bucket: Option<Bucket>,
    pub(crate) tally: Tally,
    /// The longest time between a request and its effect that a fault so far could make, in portal time.
    pub(crate) lateness: Duration,
    /// Whether a fault so far could make work slow, so that calls wait in the gateway's queue.
    pub(crate) may_be_slow: bool,
}

#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) settings: Settings,
    pub(crate) queue: Queue,
    state: Mutex<State>,
    pending: watch::Sender<usize>,
    closed: watch::Sender<bool>,
}

impl Shared {
    pub(crate) fn new(settings: Settings, state: State) -> Self {
        let (pending, _) = watch::channel(0);
        let (closed, _) = watch::channel(false);
        Self { queue: Queue::new(settings.queue), settings, state: Mutex::new(state), pending, closed }
    }

    /// Never held over an await.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends all that runs.
    pub(crate) fn close(&self) {
        self.closed.send_replace(true);
    }

    pub(crate) fn is_closed(&self) -> bool {
        *self.closed.borrow()
    }

    /// Comes when the portal is closed.
    pub(crate) async fn closed(&self) {
        // The sender lives in `self`, so the wait cannot fail.
        drop(self.closed.subscribe().wait_for(|closed| *closed).await);
    }

    /// Sleeps in real time; `false` if the portal was closed meanwhile.
    pub(crate) async fn sleep(&self, real: Duration) -> bool {
        tokio::select! {
            () = tokio::time::sleep(real) => true,
            () = self.closed() => false,
        }
    }

    /// Comes when no effect is pending.
    pub(crate) async fn settled(&self) {
        drop(self.pending.subscribe().wait_for(|pending| *pending == 0).await);
    }
}

impl State {
    /// What a call of this user sees.
    pub(crate) fn context(&self, settings: &Settings, user: u64) -> Context<'_> {
        Context { store: &self.memory.store, switches: &self.switches, clock: settings.clock, user }
    }

    /// Counts a refusal that came before any work.
    pub(crate) fn count_refusal(&mut self, code: String) {
        *self.refused.entry(code).or_default() += 1;
    }

    /// The same, through the gateway.
    pub(crate) fn sight(&self, settings: &Settings, user: u64) -> Sight<'_> {
        Sight { context: self.context(settings, user), switches: &self.gateway.switches }
    }
}

/// Counts one effect that is still to come, for as long as it lives.
#[derive(Debug)]
pub(crate) struct Pending(Arc<Shared>);

impl Pending {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        shared.pending.send_modify(|pending| *pending += 1);
        Self(shared)
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.0.pending.send_modify(|pending| *pending = pending.saturating_sub(1));
    }
}
