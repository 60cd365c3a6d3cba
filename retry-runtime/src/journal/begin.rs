//! How an attempt begins.

use std::fmt;

use bytes::Bytes;

use super::{Digest, Epoch, Event, Held, Intent, IntentId};
use crate::transport::Version;

/// An attempt that is about to be sent.
///
/// `Debug` leaves the arguments out, which may be personal data.
#[derive(Clone, PartialEq, Eq)]
pub struct Beginning {
    /// Which intent it is of.
    pub id: IntentId,
    /// The stub: the path of the function.
    pub stub: Box<str>,
    /// The version of the REST interface that it is called by.
    pub version: Version,
    /// The arguments, one JSON object.
    pub arguments: Bytes,
    /// What tells these arguments from others.
    pub digest: Digest,
    /// The text of the idempotency key, where the stub has one.
    pub idempotency_key: Option<Box<str>>,
    /// `None`: nothing may be on record. Else it must be this epoch, and the intent open or [without an effect](super::State::is_without_effect): its
    /// arguments, digest, stub, version and idempotency key become these.
    pub expected: Option<Epoch>,
    /// What is to be taken down with it: how the attempt before was closed.
    pub story: Vec<Event>,
}

impl fmt::Debug for Beginning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Beginning")
            .field("id", &self.id)
            .field("stub", &self.stub)
            .field("expected", &self.expected)
            .finish_non_exhaustive()
    }
}

/// What became of the beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Begun {
    /// It is on record as [`Sending`](super::State::Sending), with the next attempt and a new epoch: it may be sent, soon.
    Yes(Held),
    /// The intent is not as it was expected; this is how it is now, if it is there at all. It must not be sent.
    Taken(Option<Box<Intent>>),
}
