//! HTTP as the APIs see it: what goes out, what came in.

use bytes::Bytes;
use http::header::{CONTENT_TYPE, DATE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use http::{Method, StatusCode};
use url::Url;

use super::answer::{Answer, Heard, excerpt};
use super::json::Opened;
use super::usage::Allowance;
use crate::clock::Moment;
use crate::hint;
use crate::secret::Secrets;
use crate::transport::Request;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// How much of a body that is no envelope is shown, in bytes.
const EXCERPT: usize = 160;

/// A request that is ready for the wire.
pub(crate) struct Outgoing {
    pub(crate) verb: Method,
    pub(crate) url: Url,
    /// The headers beyond content type and accept.
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    pub(crate) body: Bytes,
}

impl Outgoing {
    pub(super) const fn post(url: Url, body: Bytes) -> Self {
        Self { verb: Method::POST, url, headers: Vec::new(), body }
    }
}

/// A response, its body read to the end.
pub(crate) struct Response<'a> {
    pub(crate) request: &'a Request,
    /// Where the request was sent to, for a redirect to be compared with.
    pub(crate) path: &'a str,
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    pub(crate) received: Moment,
    pub(crate) last_byte_by: Moment,
}

impl Response<'_> {
    pub(super) fn header(&self, name: &HeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The answer that this says, with what every API has in its headers.
    pub(super) fn answer(&self, opened: Opened, secrets: &Secrets) -> Answer {
        let request_id = self.header(&REQUEST_ID).map(|id| secrets.strike(&excerpt(id, EXCERPT)).into());
        let asked = self
            .header(&RETRY_AFTER)
            .and_then(|value| hint::from_header(value, self.header(&DATE), self.received.wall()));
        Answer {
            heard: opened.heard,
            status: Some(self.status.as_u16()),
            request_id,
            hint: asked.max(opened.hint),
            replayed: self.header(&REPLAYED).is_some_and(|value| value.eq_ignore_ascii_case("true")),
            allowance: None,
            last_byte_by: self.last_byte_by,
        }
    }

    /// What the gateway says that the key has left.
    pub(super) fn allowance(&self) -> Option<Allowance> {
        let remaining = self.header(&REMAINING)?.trim().parse().ok()?;
        let resets_in = hint::from_header(self.header(&RESET)?, None, self.received.wall())?;
        Some(Allowance { remaining, resets_in })
    }

    /// Says what came where an answer was expected.
    pub(super) fn no_envelope(&self) -> Heard {
        let body = &self.body;
        let mut text = String::from_utf8_lossy(&body[..body.len().min(4 * EXCERPT)]);
        if body.len() > 4 * EXCERPT {
            // Half a letter between a secret and the mark of the cut would hide that a secret was cut.
            text = format!("{}…", text.trim_end_matches('\u{fffd}')).into();
        }
        let what = if body.is_empty() {
            "an empty body".to_owned()
        } else {
            let kind =
                self.header(&CONTENT_TYPE).map_or_else(|| "no content type".to_owned(), |kind| excerpt(kind, 60));
            format!("{} bytes that are no answer ({kind}): {}", body.len(), excerpt(&text, EXCERPT))
        };
        Heard::NoEnvelope { what: what.into() }
    }
}
