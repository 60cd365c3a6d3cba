//! One renewal for all calls that wait for it.

mod flight;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::application::Application;
use super::error::TokenError;
use super::grant::TokenServer;
use super::store::TokenStore;
use super::tokens::Tokens;
use crate::clock::Clock;
use crate::secret::Secrets;

type Outcome = Result<(), TokenError>;

/// The tokens of a client and their renewal. Each set of tokens has a generation, so that a caller can say which one the portal refused.
#[derive(Clone)]
pub(crate) struct Renewal(Arc<Shared>);

struct Shared {
    application: Application,
    store: Arc<dyn TokenStore>,
    server: Box<dyn TokenServer>,
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
}

struct State {
    held: Held,
    /// The renewal of the held tokens that is on its way. Closed without a value: it was cut off.
    running: Option<watch::Receiver<Option<Outcome>>>,
}

#[derive(Clone)]
struct Held {
    tokens: Arc<Tokens>,
    generation: u64,
    /// The store could not keep these tokens, and held those.
    unkept: Option<Tokens>,
    /// The token server refused, when the store held those.
    refused: Option<(Tokens, TokenError)>,
    /// The refresh token of a request that had no answer.
    lost: Option<Box<str>>,
}

impl Held {
    fn new(tokens: Tokens, generation: u64) -> Self {
        Self { tokens: Arc::new(tokens), generation, unkept: None, refused: None, lost: None }
    }
}

impl State {
    /// The tokens that calls may use: those that are in the store.
    fn usable(&self) -> Option<(Arc<Tokens>, u64)> {
        self.held.unkept.is_none().then(|| (Arc::clone(&self.held.tokens), self.held.generation))
    }
}

impl Renewal {
    /// Begins with these tokens of the store.
    pub(crate) fn new(
        application: Application,
        store: Arc<dyn TokenStore>,
        tokens: Tokens,
        server: Box<dyn TokenServer>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let state = Mutex::new(State { held: Held::new(tokens, 1), running: None });
        Self(Arc::new(Shared { application, store, server, clock, state }))
    }

    /// The tokens and their generation, without waiting: `None` while they are not in the store.
    pub(crate) fn current(&self) -> Option<(Arc<Tokens>, u64)> {
        self.0.state().usable()
    }

    /// What no text may show now.
    pub(crate) fn secrets(&self) -> Secrets {
        self.secrets_beside(&self.0.state().held.tokens)
    }

    /// What no text may show of a call that is made with these tokens.
    pub(crate) fn secrets_beside(&self, tokens: &Tokens) -> Secrets {
        self.0.application.secrets(tokens.secrets())
    }

    /// The tokens and their generation. There is nothing to wait for unless the store could not keep them when they were renewed: then
    /// they are saved first.
    ///
    /// # Errors
    /// The store still can't keep them.
    pub(crate) async fn tokens(&self) -> Result<(Arc<Tokens>, u64), TokenError> {
        if let Some(usable) = self.current() {
            return Ok(usable);
        }
        let unkept = self.0.state().held.generation;
        self.renew(unkept).await?;
        self.current().ok_or_else(|| TokenError::NotKept { why: "it failed again meanwhile".into() })
    }

    /// Gets other tokens than those of this generation. With others already there it returns at once.
    ///
    /// The renewal runs in a task of its own: dropping this neither stops it nor makes a second one.
    ///
    /// # Errors
    /// There are no other tokens. All who wait for one renewal get the same error.
    pub(crate) async fn renew(&self, stale: u64) -> Outcome {
        let Some(mut end) = self.join(stale) else {
            return Ok(());
        };
        match end.wait_for(Option::is_some).await {
            Ok(outcome) => outcome.clone().unwrap_or(Err(TokenError::CutOff)),
            Err(_) => Err(TokenError::CutOff),
        }
    }

    /// Joins the renewal of this generation, or begins it. `None`: there are other tokens by now.
    fn join(&self, generation: u64) -> Option<watch::Receiver<Option<Outcome>>> {
        let mut state = self.0.state();
        if state.held.generation != generation {
            return None;
        }
        if let Some(running) = state.running.as_ref().filter(|running| running.has_changed().is_ok()) {
            return Some(running.clone());
        }
        let (tell, end) = watch::channel(None);
        tokio::spawn(flight::run(Arc::clone(&self.0), state.held.clone(), tell));
        state.running = Some(end.clone());
        Some(end)
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Renewal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Renewal")
            .field("application", &self.0.application)
            .field("store", &self.0.store)
            .field("current", &self.current())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod keeping;
#[cfg(test)]
mod tests;
