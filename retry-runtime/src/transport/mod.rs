//! How a request leaves and how its answer comes back.
//!
//! [`Transport`] is the seam: a call out, an answer or a loss back. The client's own one speaks HTTP; tests script theirs.

mod batch;
mod http;
mod limit;
mod recorded;
mod wire;

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use ::bytes::Bytes;

pub(crate) use self::batch::{BatchLimits, Batched, Exit};
pub use self::http::{HttpBuilder, Proxy, authorize};
pub(crate) use self::http::{HttpOptions, HttpTransport, TokenHttp};
pub use self::limit::RateLimit;
pub(crate) use self::limit::{Denied, Lane, Limited, Limiter};
pub(crate) use self::recorded::Recorded;
pub use self::wire::Wire;
pub use crate::api::{Allowance, Answer, Heard, Success};
use crate::clock::Moment;
use crate::effect::OperationKind;
use crate::idempotency::IdempotencyKey;
use crate::journal::Record;

/// One call on its way out. The bytes are made once and are the same in each attempt.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Request {
    /// The method, for example `crm.deal.add`.
    pub method: &'static str,
    /// Whether it reads or writes.
    pub kind: OperationKind,
    /// The version of the REST interface.
    pub version: Version,
    /// The arguments as one JSON object.
    pub arguments: Bytes,
    /// The key by which REST 3.0 knows a repeated call.
    pub idempotency_key: Option<IdempotencyKey>,
    /// The credentials it must go out with, by their number; with others its bytes would not be the same.
    pub credentials: Option<u64>,
    /// Whether its access token was renewed once already: an expired one then has another cause.
    pub token_renewed: bool,
    /// Whether it reads a write back; such a read goes ahead of new writes.
    pub read_back: bool,
    /// When it may begin to leave at the latest. One that has to wait for longer ends as [`Loss::OutOfTime`].
    pub send_by: Moment,
    /// What puts it on record right before it leaves, where its stub says `journal`.
    pub(crate) record: Option<Arc<Record>>,
}

/// The version of the REST interface that a method is called by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Version {
    /// REST 2, below `/rest/`.
    #[default]
    Two,
    /// REST 3.0, below `/rest/api/`.
    Three,
}

impl fmt::Debug for Request {
    /// Without the arguments, which may be personal data.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("method", &self.method)
            .field("kind", &self.kind)
            .field("version", &self.version)
            .field("idempotency_key", &self.idempotency_key)
            .field("bytes", &self.arguments.len())
            .field("read_back", &self.read_back)
            .finish_non_exhaustive()
    }
}

/// Why a request has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Loss {
    /// It can't be sent: the API has no form for this call. Nothing left, and sending it again changes nothing.
    Unsendable {
        /// The cause, for people.
        why: Box<str>,
    },
    /// Not a byte of it left, and none could before [`Request::send_by`]: its turn would have come too late.
    OutOfTime {
        /// The cause, for people.
        why: Box<str>,
    },
    /// Not a byte of it left, as the journal could not take it down, or another worker has its intent.
    NotRecorded {
        /// The cause, for people.
        why: Box<str>,
    },
    /// Not a byte of it left: our own connector failed (name, refused, TLS, connect timeout), or it was withdrawn.
    NotSent {
        /// The cause, for people.
        why: Box<str>,
    },
    /// It may have arrived: reset, close, timeout, cut or unreadable body.
    Lost {
        /// The cause, for people.
        why: Box<str>,
        /// Until when our side could put bytes of it on the wire.
        last_byte_by: Moment,
    },
}

impl Loss {
    /// The cause, for people.
    pub fn why(&self) -> &str {
        match self {
            Self::Unsendable { why }
            | Self::OutOfTime { why }
            | Self::NotRecorded { why }
            | Self::NotSent { why }
            | Self::Lost { why, .. } => why,
        }
    }
}

/// A boxed future that may cross threads.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Sends one request once.
///
/// The contract: one call of [`send`](Self::send) puts at most one request on the wire, and none unless [`Wire::claim`] said yes. It repeats
/// nothing and follows nothing. It ends by itself (the attempt timeout is the transport's, counted from the claim).
/// `NotSent` and `OutOfTime` are proofs, to be given only if no byte of the request left.
pub trait Transport: fmt::Debug + Send + Sync + 'static {
    /// Sends the request unless the wire was withdrawn, and waits for its answer.
    fn send<'a>(&'a self, request: &'a Request, wire: &'a Arc<Wire>) -> BoxFuture<'a, Result<Answer, Loss>>;
}
