//! How an intent changes after its attempt.

use bytes::Bytes;

use super::{Event, Held, How, Intent, IntentId};

/// What became of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Nobody knows yet.
    Unknown {
        /// What is known.
        why: Box<str>,
        /// Whether nobody holds it from now on, so that it may be [claimed](super::Journal::claim).
        let_go: bool,
    },
    /// It was not applied and can't be any more.
    Ready {
        /// What proves it.
        why: Box<str>,
    },
    /// It has its effect.
    ///
    /// Taken from everybody: an open intent becomes applied whatever its epoch is; one that is ready, rejected or manual keeps its state, and the news is in its story.
    Applied {
        /// How that is known.
        how: How,
        /// What the write returns, as JSON.
        result: Bytes,
    },
    /// It was refused, and had no effect.
    Rejected {
        /// The code and text.
        why: Box<str>,
    },
    /// A person has to look.
    Manual {
        /// Why it could not be settled.
        why: Box<str>,
    },
}

/// A change, with what is to be taken down beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Which intent, and by which epoch.
    pub held: Held,
    /// What became of it.
    pub change: Change,
    /// What is known of it.
    pub story: Vec<Event>,
}

/// What became of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recorded {
    /// It is on record. The epoch stays as it is.
    Yes,
    /// It is not held by this epoch any more, or is closed; this is how it is now, if it is there at all.
    Taken(Option<Box<Intent>>),
}

/// Which intents are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// This one, if it is open and nobody holds it.
    One(IntentId),
    /// Open ones that nobody holds, the oldest first.
    Open {
        /// On this portal.
        portal: Box<str>,
        /// Of these stubs.
        stubs: Vec<Box<str>>,
        /// At most so many.
        limit: u32,
    },
}
