//! One intent as it is on record.

use std::fmt;
use std::time::SystemTime;

use bytes::Bytes;

use super::Digest;
use crate::transport::Version;

/// Which intent it is: the operation of a stub on a portal.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct IntentId {
    /// The portal, by host and port; behind the gateway also by a digest of the key.
    pub portal: Box<str>,
    /// The method, for example `crm.deal.add`.
    pub method: Box<str>,
    /// The business key of the operation (`key` of the stub); where there is none, one that was made for this call alone.
    pub key: Box<str>,
}

impl fmt::Display for IntentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} on {}", self.method, self.key, self.portal)
    }
}

/// Who may change an intent: it grows with each attempt and each change of hands, and a holder of an older one can change nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Epoch(pub u64);

/// The right to change one intent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Held {
    /// The number of the intent in its journal.
    pub number: u64,
    /// The epoch it is held by.
    pub epoch: Epoch,
}

/// How it is known that an intent was applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum How {
    /// By the answer.
    Answer,
    /// By reading it back.
    ReadBack,
    /// By a person.
    Person,
}

/// Where an intent is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// The attempt may have been sent.
    Sending,
    /// The attempt ended without a proof, or its process died.
    Unknown {
        /// What is known.
        why: Box<str>,
    },
    /// No attempt was applied or can be any more: it may be sent again.
    Ready {
        /// What proves it.
        why: Box<str>,
    },
    /// It has its effect.
    Applied {
        /// How that is known.
        how: How,
        /// What the write returned, as JSON; of a person the record, as a number or a text.
        result: Bytes,
    },
    /// It was refused, and had no effect.
    Rejected {
        /// The code and text, or what a person said.
        why: Box<str>,
    },
    /// A person has to look.
    Manual {
        /// Why it could not be settled.
        why: Box<str>,
    },
}

impl State {
    /// Its name in logs, tables and the tool.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Sending => "sending",
            Self::Unknown { .. } => "unknown",
            Self::Ready { .. } => "not applied",
            Self::Applied { .. } => "applied",
            Self::Rejected { .. } => "rejected",
            Self::Manual { .. } => "manual",
        }
    }

    /// Whether an attempt of it may still have its effect, as far as machines know.
    pub const fn is_open(&self) -> bool {
        match self {
            Self::Sending | Self::Unknown { .. } => true,
            Self::Ready { .. } | Self::Applied { .. } | Self::Rejected { .. } | Self::Manual { .. } => false,
        }
    }

    /// Whether it is certain that it has no effect, now or later: a further attempt can't make a duplicate.
    pub const fn is_without_effect(&self) -> bool {
        match self {
            Self::Ready { .. } | Self::Rejected { .. } => true,
            Self::Sending | Self::Unknown { .. } | Self::Applied { .. } | Self::Manual { .. } => false,
        }
    }

    /// What is known besides the state.
    pub fn why(&self) -> Option<&str> {
        match self {
            Self::Unknown { why } | Self::Ready { why } | Self::Rejected { why } | Self::Manual { why } => Some(why),
            Self::Sending | Self::Applied { .. } => None,
        }
    }
}

/// One intent as it is on record.
///
/// `Debug` leaves the arguments out, which may be personal data.
#[derive(Clone, PartialEq, Eq)]
pub struct Intent {
    /// Its number in its journal, for people.
    pub number: u64,
    /// Which one it is.
    pub id: IntentId,
    /// The stub that made it: the path of the function.
    pub stub: Box<str>,
    /// The version of the REST interface that it is called by.
    pub version: Version,
    /// The arguments as they were sent, one JSON object; `None` once the journal has dropped them.
    pub arguments: Option<Bytes>,
    /// What tells these arguments from others, for good.
    pub digest: Digest,
    /// The text of the idempotency key, where the stub has one.
    pub idempotency_key: Option<Box<str>>,
    /// Where it is.
    pub state: State,
    /// The number of the last attempt, from 1.
    pub attempt: u32,
    /// Who may change it.
    pub epoch: Epoch,
    /// Which process holds it, if one does.
    pub owner: Option<Box<str>>,
    /// When its first attempt began, by the wall clock of the journal.
    pub began: SystemTime,
    /// When its last attempt began, by the wall clock of the journal.
    pub sent: SystemTime,
    /// When it came to an end, by the wall clock of the journal.
    pub closed: Option<SystemTime>,
}

impl Intent {
    /// The right to change it that goes with this state of the record.
    pub const fn held(&self) -> Held {
        Held { number: self.number, epoch: self.epoch }
    }
}

impl fmt::Debug for Intent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Intent")
            .field("number", &self.number)
            .field("id", &self.id)
            .field("stub", &self.stub)
            .field("state", &self.state)
            .field("attempt", &self.attempt)
            .field("epoch", &self.epoch)
            .field("owner", &self.owner)
            .finish_non_exhaustive()
    }
}
