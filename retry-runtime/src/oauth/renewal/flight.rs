//! One renewal: under the store's lock, the tokens are read again, the token server is asked if they are still the old ones, and the new
//! ones are saved before anybody uses them.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;

use super::{Held, Outcome, Shared};
use crate::clock::Moment;
use crate::oauth::error::TokenError;
use crate::oauth::grant::{Asking, Grant, left};
use crate::oauth::store::{StoreError, TokenLock};
use crate::oauth::tokens::Tokens;

/// How long a renewal may take, waiting for the lock included and saving not. Our choice.
const IN_ALL: Duration = Duration::from_secs(40);

/// How long saving may take. Our choice.
const SAVING: Duration = Duration::from_secs(10);

/// How a renewal ends without tokens to use.
enum Failed {
    /// There are new tokens, which the store could not keep; it held those.
    Unkept {
        tokens: Tokens,
        instead_of: Tokens,
        why: Box<str>,
    },
    /// The token server refused, when the store held those.
    Refused {
        holding: Tokens,
        error: TokenError,
    },
    /// No answer to a request with this refresh token.
    Lost {
        refresh_token: Box<str>,
        error: TokenError,
    },
    Other(TokenError),
}

impl From<TokenError> for Failed {
    fn from(error: TokenError) -> Self {
        Self::Other(error)
    }
}

/// What the store's tokens are to us.
enum Found {
    /// Somebody has renewed them.
    Newer(Tokens),
    /// They have ended. These are to be renewed.
    Old(Tokens),
    /// Ours are newer, only they could not be saved.
    Behind,
}

/// Renews, takes in what came of it, and tells all who wait.
pub(super) async fn run(shared: Arc<Shared>, held: Held, tell: watch::Sender<Option<Outcome>>) {
    let ended = shared.renewed(&held).await;
    let outcome = shared.take_in(held, ended);
    match &outcome {
        Ok(()) => tracing::debug!("tokens renewed"),
        Err(error) if error.is_transient() => tracing::debug!(%error, "tokens not renewed"),
        Err(error) => tracing::warn!(%error, "tokens not renewed"),
    }
    tell.send_replace(Some(outcome));
}

impl Shared {
    async fn renewed(&self, held: &Held) -> Result<Tokens, Failed> {
        let by = self.clock.now().after(IN_ALL);
        if let Some((holding, error)) = &held.refused
            && self.in_time(by, self.store.load(), &held.tokens).await?.as_ref() == Some(holding)
        {
            return Err(error.clone().into());
        }
        let mut lock = self.in_time(by, self.store.lock(), &held.tokens).await?;
        let stored = self.in_time(by, lock.load(), &held.tokens).await?.ok_or(TokenError::Missing)?;
        let fresh = match self.compare(held, &stored)? {
            Found::Newer(tokens) => return Ok(tokens),
            Found::Old(tokens) => self.ask(held, tokens, &stored, by).await?,
            Found::Behind => Tokens::clone(&held.tokens),
        };
        self.save(lock, fresh, stored).await
    }

    fn compare(&self, held: &Held, stored: &Tokens) -> Result<Found, TokenError> {
        if held.unkept.as_ref() == Some(stored) {
            return Ok(Found::Behind);
        }
        let tokens = stored.clone().following(&held.tokens)?;
        // Those the portal refused; unless they are the unkept ones, which nobody has used yet and which are there after all.
        let refused = stored.access_token() == held.tokens.access_token() && held.unkept.is_none();
        // Others may have renewed them long ago, and nobody has used them since.
        let ended = refused || stored.seem_expired(self.clock.now().wall());
        Ok(if ended { Found::Old(tokens) } else { Found::Newer(tokens) })
    }

    async fn ask(&self, held: &Held, old: Tokens, stored: &Tokens, by: Moment) -> Result<Tokens, Failed> {
        let lost_before = held.lost.as_deref() == Some(old.refresh_token());
        let asking = Asking { server: &*self.server, application: &self.application, clock: &*self.clock };
        let granted = asking.ask(Grant::Refresh(&old), lost_before, by).await;
        granted.and_then(|granted| granted.following(&old)).map_err(|error| {
            if !error.is_transient() {
                Failed::Refused { holding: stored.clone(), error }
            } else if matches!(error, TokenError::Unavailable { tries: 0, .. }) {
                Failed::Other(error)
            } else {
                Failed::Lost { refresh_token: old.refresh_token, error }
            }
        })
    }

    async fn save(&self, lock: Box<dyn TokenLock>, fresh: Tokens, stored: Tokens) -> Result<Tokens, Failed> {
        let why = match timeout(SAVING, lock.replace(fresh.clone())).await {
            Ok(Ok(())) => return Ok(fresh),
            Ok(Err(error)) => {
                self.application.secrets([fresh.secrets(), stored.secrets()].concat()).strike(&error.to_string()).into()
            }
            Err(_) => format!("it was not done within {} s", SAVING.as_secs()).into(),
        };
        Err(Failed::Unkept { tokens: fresh, instead_of: stored, why })
    }

    /// Changes what is held, in one step with the end of the renewal.
    fn take_in(&self, held: Held, ended: Result<Tokens, Failed>) -> Outcome {
        let next = held.generation + 1;
        let (held, outcome) = match ended {
            Ok(tokens) => (Held::new(tokens, next), Ok(())),
            Err(Failed::Unkept { tokens, instead_of, why }) => {
                (Held { unkept: Some(instead_of), ..Held::new(tokens, next) }, Err(TokenError::NotKept { why }))
            }
            Err(Failed::Refused { holding, error }) => {
                (Held { refused: Some((holding, error.clone())), ..held }, Err(error))
            }
            Err(Failed::Lost { refresh_token, error }) => (Held { lost: Some(refresh_token), ..held }, Err(error)),
            Err(Failed::Other(error)) => (held, Err(error)),
        };
        let mut state = self.state();
        state.held = held;
        state.running = None;
        outcome
    }

    /// What the store does, in time. The secrets that we know are struck out of its errors.
    async fn in_time<T>(
        &self,
        by: Moment,
        work: impl Future<Output = Result<T, StoreError>>,
        ours: &Tokens,
    ) -> Result<T, TokenError> {
        let secrets = || self.application.secrets(ours.secrets());
        match timeout(left(&*self.clock, by), work).await {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(StoreError::Busy(why))) => Err(TokenError::StoreBusy { why: secrets().strike(&why).into() }),
            Ok(Err(StoreError::Broken(why))) => Err(TokenError::Store { why: secrets().strike(&why).into() }),
            Err(_) => Err(TokenError::StoreBusy { why: "it did not answer in time".into() }),
        }
    }
}
