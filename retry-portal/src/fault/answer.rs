//! How an answer can go.

use std::time::Duration;

use serde_json::Value;

use crate::refusal::Refusal;
use crate::shape::Shape;

/// How the answer to a request goes.
///
/// Everything here is real on the socket: a reset is a TCP reset, a close is a FIN without a byte of an answer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Answer {
    /// As the portal itself answers.
    Normal,
    /// The connection is reset before a byte of the answer.
    Reset,
    /// The connection is closed cleanly before a byte of the answer.
    Close,
    /// Nothing comes. The connection stays open until the client goes, at most for the execution limit; then it is
    /// closed.
    Silence,
    /// Nothing comes for at most so long (portal time), which may be longer than the execution limit; then the
    /// connection is closed.
    SilenceFor(Duration),
    /// The head is right, the body ends too soon, the connection is closed.
    Cut(Cut),
    /// Status line and headers arrive, then a reset in place of the body.
    HeadThenReset,
    /// Status line and headers arrive, then nothing: the connection stays open as in [`Answer::Silence`].
    HeadThenSilence,
    /// The whole answer arrives, then the connection is reset.
    WholeThenReset,
    /// A page of HTML with this status, as a proxy or a web server in trouble sends it.
    Html(u16),
    /// An error envelope.
    Coded(Coded),
    /// A redirect without a body.
    Redirect {
        /// The status: 301, 302, 303, 307, 308.
        status: u16,
        /// The `Location` header, as it is sent.
        location: String,
    },
    /// Whatever bytes you like.
    Raw(Raw),
    /// The work takes so long (portal time), then the normal answer comes. Longer than the execution limit: the effect
    /// takes place at the limit and the connection is closed without an answer, as the cloud interrupts a request.
    Slow(Duration),
}

/// Where a body ends too soon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cut {
    /// So many bytes of the body are sent, the `Content-Length` announces all of them.
    Bytes(usize),
    /// So much of the body is sent, in percent (0 to 100), the `Content-Length` announces all of it.
    Percent(u8),
    /// The whole body is sent in chunks, but the last chunk is missing.
    LastChunk,
    /// The whole body is sent, but the `Content-Length` announced so many bytes more.
    Announced(usize),
}

/// An error envelope with its status, in the form of the API that was called: `{"error": …, "error_description": …}`
/// in REST 2, `{"error": {"code": …, "message": …}}` in REST 3.0, the same with `"success": false` from the gateway.
///
/// ```
/// use retry_portal::{Coded, RetryAfter, Shape};
/// use serde_json::json;
///
/// let limit = Coded::new(503, "QUERY_LIMIT_EXCEEDED").retry_after(RetryAfter::Seconds(2));
/// let number = Coded::new(400, 100).description("Unknown field definition");
/// let object = Coded::new(429, json!({"code": "RATE_LIMITED", "message": "slow down", "retryAfter": 7}));
/// let empty = Coded::new(400, "").description("Not found");
/// // With whatever status the portal gives this code, and in another form than the API's own.
/// let text = Coded::of("BITRIX_TIMEOUT").shape(Shape::Text);
/// # let _ = (limit, number, object, empty, text);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Coded {
    /// `None`: the usual one of the code.
    pub(crate) status: Option<u16>,
    pub(crate) error: Value,
    /// `None`: that of the API.
    pub(crate) shape: Option<Shape>,
    pub(crate) description: Option<String>,
    pub(crate) retry_after: Option<RetryAfter>,
    pub(crate) retry_after_in_body: Option<u64>,
    pub(crate) headers: Vec<(String, String)>,
}

impl Coded {
    /// An envelope with this status and this value of `error`: a text, a number, an object, an empty text.
    pub fn new(status: u16, error: impl Into<Value>) -> Self {
        Self { status: Some(status), ..Self::of(error) }
    }

    /// An envelope with this code and the status that the portal gives it: from the gateway the documented or guessed
    /// one, which [`PortalBuilder::vibe_status`](crate::PortalBuilder::vibe_status) changes.
    pub fn of(error: impl Into<Value>) -> Self {
        Self {
            status: None,
            error: error.into(),
            shape: None,
            description: None,
            retry_after: None,
            retry_after_in_body: None,
            headers: Vec::new(),
        }
    }

    /// In this form, whatever API was called.
    #[must_use]
    pub fn shape(mut self, shape: Shape) -> Self {
        self.shape = Some(shape);
        self
    }

    /// With an `error_description` or `message`. Without this call there is none.
    #[must_use]
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.description = Some(text.into());
        self
    }

    /// With a `Retry-After` header. It is sent as it stands: its seconds are real ones, whatever the time scale.
    #[must_use]
    pub fn retry_after(mut self, hint: RetryAfter) -> Self {
        self.retry_after = Some(hint);
        self
    }

    /// With `retryAfter` in the body, next to the code, in real seconds.
    #[must_use]
    pub fn retry_after_in_body(mut self, seconds: u64) -> Self {
        self.retry_after_in_body = Some(seconds);
        self
    }

    /// What it says of one command in a batch, where status and headers have no place.
    pub(crate) fn refusal(&self) -> Refusal {
        let text = self.description.clone().unwrap_or_default();
        let refusal = Refusal::bad(self.error.clone(), text);
        match self.retry_after_in_body {
            Some(seconds) => refusal.with("retryAfter", seconds),
            None => refusal,
        }
    }

    /// With one more header, for example `X-Request-Id` or a `Date` of a clock that is wrong.
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }
}

/// The forms of the `Retry-After` header.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RetryAfter {
    /// A number of seconds.
    Seconds(u64),
    /// An HTTP date so far ahead of the moment of the answer. HTTP dates have whole seconds: a fraction is rounded up.
    Date(Duration),
    /// This text, for values that no server should send.
    Text(String),
}

/// An answer of your own making.
///
/// ```
/// use retry_portal::{Answer, Framing, Raw};
///
/// // A byte order mark before the JSON.
/// let bom = Answer::Raw(Raw::new(200).header("Content-Type", "application/json").body(b"\xef\xbb\xbf{\"result\":1}"));
/// // Complete JSON that ends with the connection and has no length.
/// let endless = Answer::Raw(Raw::new(200).body("{\"result\":5}").framing(Framing::UntilClose));
/// // Not even HTTP.
/// let garbage = Answer::Raw(Raw::verbatim("SSH-2.0-OpenSSH_9.6\r\n"));
/// # let _ = (bom, endless, garbage);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Raw {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) framing: Framing,
}

impl Raw {
    /// An answer with this status, no body and no headers but those that frame it.
    pub fn new(status: u16) -> Self {
        Self { status, headers: Vec::new(), body: Vec::new(), framing: Framing::Length }
    }

    /// JSON with its content type and this status.
    pub fn json(status: u16, body: &Value) -> Self {
        Self::new(status).header("Content-Type", "application/json; charset=utf-8").body(body.to_string())
    }

    /// These bytes, status line included, and then the end of the connection.
    pub fn verbatim(bytes: impl Into<Vec<u8>>) -> Self {
        Self { status: 0, headers: Vec::new(), body: bytes.into(), framing: Framing::Verbatim }
    }

    /// With one more header.
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// With this body.
    #[must_use]
    pub fn body(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.body = bytes.as_ref().to_vec();
        self
    }

    /// With this framing in place of [`Framing::Length`].
    #[must_use]
    pub fn framing(mut self, framing: Framing) -> Self {
        self.framing = framing;
        self
    }
}

/// How the end of a [`Raw`] body is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Framing {
    /// A right `Content-Length`; the connection lives on.
    Length,
    /// No length, `Connection: close`; the body ends with the connection.
    UntilClose,
    /// A `Content-Length` of so many bytes, whatever the body has; then the connection is closed.
    Announced(usize),
    /// One chunk with the whole body and no last chunk; then the connection is closed.
    LastChunkMissing,
    /// The bytes of [`Raw::verbatim`], with nothing added; then the connection is closed.
    Verbatim,
}
