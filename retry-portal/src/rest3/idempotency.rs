//! `Idempotency-Key`: the first success of a key is stored and given again.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Map, Value};
use tokio::time::Instant;

use super::refused;
use crate::clock::{Clock, now};
use crate::refusal::Refusal;
use crate::reply::Page;

/// How long a success is stored, in portal time.
const LIFE: Duration = Duration::from_secs(24 * 3600);

/// 1 to 255 printable ASCII characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key(pub(crate) String);

impl Key {
    pub(crate) fn of(value: &[u8]) -> Result<Self, Refusal> {
        let fits = (1..=255).contains(&value.len()) && value.iter().all(|byte| (b' '..=b'~').contains(byte));
        match std::str::from_utf8(value) {
            Ok(text) if fits => Ok(Self(text.to_owned())),
            Ok(_) | Err(_) => Err(refused(
                400,
                "INVALIDIDEMPOTENCYKEYEXCEPTION",
                "The idempotency key must have 1 to 255 printable ASCII characters",
            )),
        }
    }
}

/// Within what a key means one call.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Scope {
    /// The webhook, or the application.
    pub(crate) application: bool,
    pub(crate) user: u64,
    pub(crate) method: String,
    pub(crate) key: Key,
}

/// A success that is about to be stored, or is.
#[derive(Debug, Clone)]
pub(crate) struct Stored {
    pub(crate) body: Map<String, Value>,
    pub(crate) page: Page,
    pub(crate) at: Instant,
}

/// The successes of the last 24 hours.
#[derive(Debug, Default)]
pub(crate) struct Successes(BTreeMap<Scope, Stored>);

impl Successes {
    /// The answer to give again, if this very call has succeeded before.
    pub(crate) fn find(&self, scope: &Scope, body: &Map<String, Value>, clock: Clock) -> Result<Option<Page>, Refusal> {
        let life = clock.real(LIFE);
        let stored = self.0.get(scope).filter(|stored| now().saturating_duration_since(stored.at) < life);
        match stored {
            None => Ok(None),
            Some(stored) if stored.body == *body => {
                let mut page = stored.page.clone();
                page.headers.push(("Idempotent-Replayed".to_owned(), "true".to_owned()));
                Ok(Some(page))
            }
            Some(_) => Err(refused(
                422,
                "IDEMPOTENCYKEYREUSEDEXCEPTION",
                "The idempotency key was already used with a different request body",
            )),
        }
    }

    /// Stores a success. The first one of two that ran at once stays.
    pub(crate) fn store(&mut self, scope: Scope, stored: Stored, clock: Clock) {
        let life = clock.real(LIFE);
        self.0.retain(|_, old| now().saturating_duration_since(old.at) < life);
        self.0.entry(scope).or_insert(stored);
    }
}
