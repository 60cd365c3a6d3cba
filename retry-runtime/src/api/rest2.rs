//! REST 2 by webhook: `https://PORTAL/rest/USER/SECRET/METHOD`, JSON both ways.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use http::header::{CONTENT_TYPE, DATE, HeaderMap, HeaderName, LOCATION, RETRY_AFTER};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use url::Url;

use super::answer::{Answer, Heard, excerpt};
use super::envelope;
use super::success::Success;
use super::webhook::{self, WebhookError};
use crate::clock::Moment;
use crate::hint;
use crate::secret::Secrets;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// How much of a body that is no envelope is shown, in bytes.
const EXCERPT: usize = 160;

/// The REST 2 address of one webhook.
#[derive(Clone)]
pub(crate) struct Rest2 {
    base: Url,
    secrets: Secrets,
}

impl Rest2 {
    /// Takes a webhook's URL apart.
    ///
    /// # Errors
    /// Says which part of the URL is wrong, without the secret.
    pub(crate) fn webhook(url: &str) -> Result<Self, WebhookError> {
        let webhook = webhook::parse(url)?;
        // As it is, as the URL spells it, and as whoever repeats the URL may spell it.
        let encoded = utf8_percent_encode(&webhook.secret, NON_ALPHANUMERIC).to_string();
        let spellings = [&webhook.spelling, &encoded].map(|spelling| lower_case_escapes(spelling));
        let known = [&webhook.secret, &webhook.spelling, &encoded].into_iter().chain(&spellings);
        Ok(Self { secrets: Secrets::new(known.map(String::as_str)), base: webhook.base })
    }

    /// The address of a method.
    pub(crate) fn address(&self, method: &str) -> Url {
        let mut address = self.base.clone();
        if let Ok(mut path) = address.path_segments_mut() {
            path.pop_if_empty().push(method);
        }
        address
    }

    pub(crate) fn host(&self) -> &str {
        self.base.host_str().unwrap_or_default()
    }

    pub(crate) const fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// What a response says.
    pub(crate) fn answer(&self, response: Response) -> Answer {
        let status = response.status;
        let request_id = response.text(&REQUEST_ID).map(|id| self.secrets.strike(&excerpt(id, EXCERPT)).into());
        let asked = response
            .text(&RETRY_AFTER)
            .and_then(|value| hint::from_header(value, response.text(&DATE), response.received.wall()));
        let last_byte_by = response.last_byte_by;
        let (heard, hint) = self.heard(response);
        Answer { heard, status: Some(status), request_id, hint: asked.max(hint), last_byte_by }
    }

    fn heard(&self, response: Response) -> (Heard, Option<Duration>) {
        if (300..400).contains(&response.status) {
            return (self.redirected(&response).without(&self.secrets), None);
        }
        if envelope::begins_as_success(&response.body) {
            return (Heard::Success(Success::in_envelope(response.body, self.secrets.clone())), None);
        }
        match envelope::open(&response.body) {
            Some(opened) => (opened.heard.without(&self.secrets), opened.hint),
            None => (no_envelope(&response).without(&self.secrets), None),
        }
    }

    /// A portal that was renamed answers with its new address, the same path under https. Any other redirect says nothing.
    fn redirected(&self, response: &Response) -> Heard {
        let target = response.text(&LOCATION).and_then(|location| Url::parse(location).ok());
        let new_host =
            target.as_ref().filter(|url| url.scheme() == "https" && url.path() == self.address(response.method).path());
        match new_host.and_then(Url::host_str) {
            Some(host) => Heard::Moved { host: host.into() },
            None => Heard::NoEnvelope { what: format!("a redirect ({}) to no portal", response.status).into() },
        }
    }
}

/// A response of a portal, its body read to the end.
pub(crate) struct Response {
    pub(crate) method: &'static str,
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    pub(crate) received: Moment,
    pub(crate) last_byte_by: Moment,
}

impl Response {
    fn text(&self, name: &HeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

impl fmt::Debug for Rest2 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rest2({}://{}/rest/[secret])", self.base.scheme(), self.host())
    }
}

/// The same with `%c3` for `%C3`.
fn lower_case_escapes(spelling: &str) -> String {
    let mut parts = spelling.split('%');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let (digits, rest) = part.split_at(part.floor_char_boundary(2));
        text + "%" + &digits.to_ascii_lowercase() + rest
    })
}

fn no_envelope(response: &Response) -> Heard {
    let body = &response.body;
    let mut text = String::from_utf8_lossy(&body[..body.len().min(4 * EXCERPT)]);
    if body.len() > 4 * EXCERPT {
        text.to_mut().push('…');
    }
    let what = if body.is_empty() {
        "an empty body".to_owned()
    } else {
        let kind = response.text(&CONTENT_TYPE).map_or_else(|| "no content type".to_owned(), |kind| excerpt(kind, 60));
        format!("{} bytes that are no answer ({kind}): {}", body.len(), excerpt(&text, EXCERPT))
    };
    Heard::NoEnvelope { what: what.into() }
}
