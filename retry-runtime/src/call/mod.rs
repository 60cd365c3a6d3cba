//! One call from its arguments to its end: the read loop, the write loop and what both are made of.

mod arguments;
mod came;
mod exchange;
mod flight;
mod journaled;
mod keys;
mod next;
mod proof;
mod read;
mod read_back;
mod standing;
mod verdict;
mod write;

pub use arguments::Entry;
pub use journaled::{Arguments, Check, Journaled, Outcome, Recalled, Recovered, Recovery, Settled, Settlement, Way};
pub(crate) use journaled::{journaled, recover};
pub(crate) use keys::Keys;
pub(crate) use proof::Verifiers;
pub(crate) use read::{read, unexpected};
pub(crate) use read_back::ReadBackMark;
pub(crate) use standing::Standing;
pub(crate) use verdict::{finding, prove};
pub(crate) use write::{InDoubt, State, start};

use std::fmt::Display;

use bytes::Bytes;

use crate::effect::OperationKind;
use crate::idempotency::IdempotencyKey;
use crate::journal::Intent;
use crate::transport::Version;

/// One call: its name, its kind, and its request, made once.
#[derive(Debug, Clone)]
pub struct Call {
    method: &'static str,
    kind: OperationKind,
    arguments: Result<Bytes, Box<str>>,
    key: Option<Box<str>>,
    ensure: bool,
    version: Version,
    idempotency_key: Option<IdempotencyKey>,
}

impl Call {
    /// A call of a method that changes nothing.
    pub fn read(method: &'static str, entries: &[Entry<'_>]) -> Self {
        Self::new(method, OperationKind::Read, entries)
    }

    /// A call of a method that changes something.
    pub fn write(method: &'static str, entries: &[Entry<'_>]) -> Self {
        Self::new(method, OperationKind::Write, entries)
    }

    fn new(method: &'static str, kind: OperationKind, entries: &[Entry<'_>]) -> Self {
        Self {
            method,
            kind,
            arguments: arguments::object(entries),
            key: None,
            ensure: false,
            version: Version::Two,
            idempotency_key: None,
        }
    }

    /// The write that an intent on record stands for.
    pub(crate) fn recalled(method: &'static str, intent: &Intent) -> Self {
        let arguments = intent.arguments.clone().ok_or_else(|| "the journal has dropped its arguments".into());
        let idempotency_key = intent.idempotency_key.as_deref().and_then(|key| IdempotencyKey::new(key).ok());
        Self {
            method,
            kind: OperationKind::Write,
            arguments,
            key: Some(intent.id.key.clone()),
            ensure: false,
            version: intent.version,
            idempotency_key,
        }
    }

    pub(crate) const fn method(&self) -> &'static str {
        self.method
    }

    /// The arguments as one JSON object, or why they are none.
    pub(crate) const fn arguments(&self) -> &Result<Bytes, Box<str>> {
        &self.arguments
    }

    /// The same call with other arguments.
    pub(crate) fn with(&self, arguments: Result<Bytes, Box<str>>) -> Self {
        Self { arguments, key: None, idempotency_key: None, ..*self }
    }

    /// The same call.
    pub(crate) fn again(&self) -> Self {
        self.with(self.arguments.clone())
    }

    /// Whether its effect is looked for before the first send.
    pub(crate) const fn is_ensured(&self) -> bool {
        self.ensure
    }

    pub(crate) fn business_key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    pub(crate) fn idempotency_key_text(&self) -> Option<&str> {
        self.idempotency_key.as_ref().map(IdempotencyKey::as_str)
    }

    pub(crate) const fn version(&self) -> Version {
        self.version
    }

    /// What its events in the log belong to.
    pub(crate) fn span(&self) -> tracing::Span {
        match self.kind {
            OperationKind::Read => tracing::debug_span!("bitrix24_read", method = self.method),
            OperationKind::Write => {
                tracing::debug_span!("bitrix24_write", method = self.method, key = self.key.as_deref())
            }
        }
    }

    /// Names the business key of the operation.
    #[must_use]
    pub fn key<K: Display + ?Sized>(mut self, key: &K) -> Self {
        self.key = Some(key.to_string().into());
        self
    }

    /// Calls it by REST 3.0.
    #[must_use]
    pub const fn rest3(mut self) -> Self {
        self.version = Version::Three;
        self
    }

    /// Lets the portal know a repeated send by this key.
    #[must_use]
    pub fn idempotency_key(mut self, key: &IdempotencyKey) -> Self {
        self.idempotency_key = Some(key.clone());
        self
    }

    /// Looks for the effect before the first send.
    #[must_use]
    pub const fn ensure(mut self) -> Self {
        self.ensure = true;
        self
    }
}
