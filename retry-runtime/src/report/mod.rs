//! The story of one call: each send, each pause, each read-back.

mod shown;

use std::time::{Duration, SystemTime};

use bytes::Bytes;

pub(crate) use self::shown::{span, utc};
use crate::api::Heard;
use crate::code::Code;
use crate::decision::Decision;
use crate::effect::OperationKind;
use crate::idempotency::IdempotencyKey;
use crate::secret::Secrets;

/// Everything that was done for one call, in order. Its `Display` is what one pastes into a support ticket.
///
/// No secret is in it. The request as it was sent, which may be personal data, is behind [`request`](Self::request) and printed nowhere.
#[derive(Clone)]
pub struct Report {
    pub(crate) method: &'static str,
    pub(crate) kind: OperationKind,
    pub(crate) key: Option<Box<str>>,
    pub(crate) idempotency_key: Option<IdempotencyKey>,
    pub(crate) request: Bytes,
    pub(crate) started: SystemTime,
    pub(crate) elapsed: Duration,
    pub(crate) attempts: Vec<Attempt>,
    pub(crate) checks: Vec<Check>,
    pub(crate) may_be_applied: MayBeApplied,
    pub(crate) ending: Ending,
}

/// One send of the call.
#[derive(Debug, Clone)]
pub struct Attempt {
    /// 1 for the first send.
    pub number: u32,
    /// When it was sent, by our wall clock; `None` if it did not leave.
    pub sent_at: Option<SystemTime>,
    /// How long it waited for its turn: for the rate limit, a pause the server asked for, others in its batch.
    pub waited: Duration,
    /// How long it took until its end, from when it was sent.
    pub took: Duration,
    /// How it ended.
    pub outcome: Outcome,
    /// The HTTP status, if an answer came.
    pub status: Option<u16>,
    /// `X-Request-Id`, if the answer had one.
    pub request_id: Option<Box<str>>,
    /// The pause the server asked for.
    pub hint: Option<Duration>,
    /// Whether the portal says that it repeats the stored answer of an earlier send (REST 3.0, `Idempotent-Replayed`).
    pub replayed: bool,
    /// What was decided; `None` after a success.
    pub decision: Option<Decision>,
    /// The pause that followed before the next send.
    pub pause: Option<Duration>,
}

/// How a send ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// With a result.
    Success,
    /// With a code.
    Code {
        /// The code.
        code: Code,
        /// The server's text.
        text: Box<str>,
    },
    /// With the new address of a renamed portal.
    Moved {
        /// The new host.
        host: Box<str>,
    },
    /// The access token had expired, and was renewed; the call did not run.
    TokenRenewed,
    /// The method is not allowed inside a batch; the call did not run.
    NotInBatch,
    /// The access token had expired, and could not be renewed; the call did not run.
    NoToken {
        /// The cause.
        why: Box<str>,
    },
    /// It could not be sent in the form of this API.
    Unsendable {
        /// The cause.
        why: Box<str>,
    },
    /// With an answer that says nothing about the call.
    NoEnvelope {
        /// What came instead.
        what: Box<str>,
    },
    /// Not a byte of it left.
    NotSent {
        /// The cause.
        why: Box<str>,
    },
    /// Without an answer, though it may have arrived.
    Lost {
        /// The cause.
        why: Box<str>,
    },
}

impl From<&Heard> for Outcome {
    fn from(heard: &Heard) -> Self {
        match heard.clone() {
            Heard::Success(_) => Self::Success,
            Heard::Code { code, text } => Self::Code { code, text },
            Heard::Moved { host } => Self::Moved { host },
            Heard::TokenRenewed => Self::TokenRenewed,
            Heard::NotInBatch => Self::NotInBatch,
            Heard::NoToken { why, passing: _ } => Self::NoToken { why },
            Heard::NoEnvelope { what } => Self::NoEnvelope { what },
        }
    }
}

/// One read-back of the call.
#[derive(Debug, Clone)]
pub struct Check {
    /// When it began, by our wall clock.
    pub began: SystemTime,
    /// How long it took.
    pub took: Duration,
    /// What it found.
    pub finding: Finding,
    /// Whether it began late enough for its absence to be proof.
    pub proves: bool,
    /// The sends of the reads it made.
    pub reads: Vec<Attempt>,
}

/// What a read-back found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// The effect of the call.
    Found,
    /// Nothing.
    Absent,
    /// More than one match, each as its `Debug` shows it.
    Multiple(Vec<Box<str>>),
    /// Something that proves nothing, and why.
    Unreliable(Box<str>),
    /// It could not be made, and why.
    Failed(Box<str>),
}

impl Finding {
    /// The same without the secrets in its texts.
    pub(crate) fn without(self, secrets: &Secrets) -> Self {
        let strike = |text: Box<str>| secrets.strike(&text).into();
        match self {
            Self::Found => Self::Found,
            Self::Absent => Self::Absent,
            Self::Multiple(found) => Self::Multiple(found.into_iter().map(strike).collect()),
            Self::Unreliable(why) => Self::Unreliable(strike(why)),
            Self::Failed(why) => Self::Failed(strike(why)),
        }
    }
}

/// Until when a send of the call may still be applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MayBeApplied {
    /// None can be any more.
    No,
    /// Until then, by our wall clock.
    Until(SystemTime),
    /// Nothing bounds it.
    Unbounded,
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Ending {
    /// It goes on.
    Open,
    /// By the answer to a send.
    Done,
    /// By a read-back that found its effect.
    Found,
    /// By the journal, which had its result on record.
    Recalled,
    /// [`CallError::Invalid`](crate::CallError::Invalid).
    Invalid,
    /// [`CallError::Refused`](crate::CallError::Refused).
    Refused,
    /// [`CallError::Exhausted`](crate::CallError::Exhausted).
    Exhausted,
    /// [`CallError::InDoubt`](crate::CallError::InDoubt).
    InDoubt,
    /// [`CallError::Duplicated`](crate::CallError::Duplicated).
    Duplicated,
    /// [`CallError::Undecodable`](crate::CallError::Undecodable).
    Undecodable,
    /// The caller dropped the future.
    Dropped,
}

impl Ending {
    /// Its name in logs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Done => "done",
            Self::Found => "found",
            Self::Recalled => "recalled",
            Self::Invalid => "invalid",
            Self::Refused => "refused",
            Self::Exhausted => "exhausted",
            Self::InDoubt => "in doubt",
            Self::Duplicated => "duplicated",
            Self::Undecodable => "undecodable",
            Self::Dropped => "dropped",
        }
    }
}

impl Report {
    /// The report of a call that has done nothing yet.
    pub(crate) const fn new(method: &'static str, kind: OperationKind, started: SystemTime) -> Self {
        Self {
            method,
            kind,
            key: None,
            idempotency_key: None,
            request: Bytes::new(),
            started,
            elapsed: Duration::ZERO,
            attempts: Vec::new(),
            checks: Vec::new(),
            may_be_applied: MayBeApplied::No,
            ending: Ending::Open,
        }
    }

    /// The method, for example `crm.deal.add`.
    pub const fn method(&self) -> &'static str {
        self.method
    }

    /// Whether it reads or writes.
    pub const fn kind(&self) -> OperationKind {
        self.kind
    }

    /// The business key of the call, where its stub names one.
    pub fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// The idempotency key of the call, where its stub names one.
    pub const fn idempotency_key(&self) -> Option<&IdempotencyKey> {
        self.idempotency_key.as_ref()
    }

    /// The arguments as they were sent, one JSON object. They may be personal data: nothing prints them by itself.
    pub fn request(&self) -> &[u8] {
        &self.request
    }

    /// When the call began, by our wall clock.
    pub const fn started(&self) -> SystemTime {
        self.started
    }

    /// How long it took in all.
    pub const fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// Its sends. A first send that succeeded at once is in here only if somebody observes the client.
    pub fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    /// Its read-backs.
    pub fn checks(&self) -> &[Check] {
        &self.checks
    }

    /// Until when a send of it may still be applied.
    pub const fn may_be_applied(&self) -> MayBeApplied {
        self.may_be_applied
    }

    /// How it ended.
    pub const fn ending(&self) -> Ending {
        self.ending
    }
}
