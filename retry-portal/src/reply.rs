//! From an [`Answer`] to what goes over the socket: a response for hyper, or bytes and an end of our own.

use std::time::{Duration, SystemTime};

use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode, header};
use http_body_util::Full;
use serde_json::{Map, Value};

use crate::clock::{Clock, wall};
use crate::fault::{Answer, Coded, Cut, Framing, Raw, RetryAfter};
use crate::shape::{Shape, code_in};

const JSON: &str = "application/json; charset=utf-8";
const PAGE: &str = "text/html; charset=utf-8";

/// What the connection does next.
#[derive(Debug)]
pub(crate) enum Reply {
    /// hyper sends it, and the connection lives on.
    Http(Response<Full<Bytes>>),
    /// We take the socket from hyper.
    Wire(TakeOver),
}

/// What happens on a socket that was taken from hyper.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TakeOver {
    pub(crate) bytes: Vec<u8>,
    /// How long the connection stays open after the bytes, unless the client goes first.
    pub(crate) hold: Duration,
    pub(crate) end: End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Fin,
    Reset,
}

/// How an API speaks of errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Voice {
    pub(crate) shape: Shape,
    pub(crate) gateway: bool,
    /// Of a code that says none itself.
    pub(crate) status: u16,
}

/// A response before it is framed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Page {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Page {
    pub(crate) fn json(status: u16, body: &Value) -> Self {
        Self::json_text(status, body.to_string())
    }

    /// JSON that is text already.
    pub(crate) fn json_text(status: u16, body: String) -> Self {
        Self::of(status, JSON, body)
    }

    pub(crate) fn text(status: u16, body: &str) -> Self {
        Self::of(status, "text/plain; charset=utf-8", body.to_owned())
    }

    pub(crate) fn empty(status: u16) -> Self {
        Self { status, headers: Vec::new(), body: Vec::new() }
    }

    /// What a web server in trouble shows.
    pub(crate) fn html(status: u16) -> Self {
        let reason = reason(status);
        let title = format!("{status} {reason}");
        let body = format!(
            "<html>\r\n<head><title>{title}</title></head>\r\n<body>\r\n<center><h1>{title}</h1></center>\r\n</body>\r\n</html>\r\n"
        );
        Self::of(status, PAGE, body)
    }

    fn of(status: u16, content_type: &str, body: String) -> Self {
        let headers = vec![("Content-Type".to_owned(), content_type.to_owned())];
        Self { status, headers, body: body.into_bytes() }
    }

    /// The answer of a fault, in the words of the API that was called.
    pub(crate) fn coded(coded: &Coded, voice: Voice, now: SystemTime) -> Self {
        let shape = coded.shape.unwrap_or(voice.shape);
        let mut more = Map::new();
        if let Some(seconds) = coded.retry_after_in_body {
            more.insert("retryAfter".to_owned(), seconds.into());
        }
        let text = coded.description.as_deref();
        let body = if voice.gateway {
            shape.gateway_map(&coded.error, text, more)
        } else {
            shape.map(&coded.error, text, more)
        };
        let mut page = Self::json(coded.status.unwrap_or(voice.status), &Value::Object(body));
        if let Some(hint) = &coded.retry_after {
            page.headers.push(("Retry-After".to_owned(), retry_after(hint, now)));
        }
        page.headers.extend(coded.headers.iter().cloned());
        page
    }

    fn raw(raw: &Raw) -> Self {
        Self { status: raw.status, headers: raw.headers.clone(), body: raw.body.clone() }
    }

    /// The error code in the body, if it is an error envelope of any form: a text without its quotes.
    pub(crate) fn code(&self) -> Option<String> {
        code_in(&self.body)
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.headers.iter().any(|(known, _)| known.eq_ignore_ascii_case(name))
    }

    /// Status line and headers, with this one last.
    fn head(&self, framing: Option<(&str, &str)>) -> Vec<u8> {
        let mut head = format!("HTTP/1.1 {} {}\r\n", self.status, reason(self.status));
        if !self.has("Date") {
            push_header(&mut head, "Date", &httpdate::fmt_http_date(wall()));
        }
        for (name, value) in &self.headers {
            push_header(&mut head, name, value);
        }
        if let Some((name, value)) = framing {
            push_header(&mut head, name, value);
        }
        head.push_str("\r\n");
        head.into_bytes()
    }

    /// Head and this much of the body; so many bytes are announced.
    fn announced(&self, length: usize, body: &[u8]) -> Vec<u8> {
        let framing = (!self.has("Content-Length")).then(|| length.to_string());
        let mut bytes = self.head(framing.as_deref().map(|length| ("Content-Length", length)));
        bytes.extend_from_slice(body);
        bytes
    }

    fn without_last_chunk(&self) -> Vec<u8> {
        let mut bytes = self.head(Some(("Transfer-Encoding", "chunked")));
        bytes.extend_from_slice(format!("{:x}\r\n", self.body.len()).as_bytes());
        bytes.extend_from_slice(&self.body);
        bytes.extend_from_slice(b"\r\n");
        bytes
    }

    /// Through hyper where it can say it, else byte for byte.
    pub(crate) fn whole(self) -> Reply {
        // hyper trusts a length that is given, and checks it in debug builds by a panic.
        let framed = ["Content-Length", "Transfer-Encoding", "Connection"].iter().any(|name| self.has(name));
        if framed || self.status < 200 {
            return fin(self.announced(self.body.len(), &self.body));
        }
        match self.response() {
            Some(response) => Reply::Http(response),
            None => fin(self.announced(self.body.len(), &self.body)),
        }
    }

    fn response(&self) -> Option<Response<Full<Bytes>>> {
        let mut response = Response::new(Full::new(Bytes::copy_from_slice(&self.body)));
        *response.status_mut() = StatusCode::from_u16(self.status).ok()?;
        for (name, value) in &self.headers {
            let name = header::HeaderName::from_bytes(name.as_bytes()).ok()?;
            response.headers_mut().append(name, HeaderValue::from_str(value).ok()?);
        }
        Some(response)
    }
}

fn push_header(head: &mut String, name: &str, value: &str) {
    head.push_str(name);
    head.push_str(": ");
    head.push_str(value);
    head.push_str("\r\n");
}

fn reason(status: u16) -> &'static str {
    StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason()).unwrap_or("Unknown")
}

fn retry_after(hint: &RetryAfter, now: SystemTime) -> String {
    match hint {
        RetryAfter::Seconds(seconds) => seconds.to_string(),
        // An HTTP date cannot tell fractions: up, so that nobody comes too early.
        RetryAfter::Date(ahead) => match now.checked_add(ahead.saturating_add(Duration::from_millis(999))) {
            Some(date) if ahead.as_secs() < 100_000_000_000 => httpdate::fmt_http_date(date),
            Some(_) | None => "Fri, 31 Dec 9999 23:59:59 GMT".to_owned(),
        },
        RetryAfter::Text(text) => text.clone(),
    }
}

fn fin(bytes: Vec<u8>) -> Reply {
    Reply::Wire(TakeOver { bytes, hold: Duration::ZERO, end: End::Fin })
}

fn reset(bytes: Vec<u8>) -> Reply {
    Reply::Wire(TakeOver { bytes, hold: Duration::ZERO, end: End::Reset })
}

fn silent(hold: Duration) -> Reply {
    Reply::Wire(TakeOver { bytes: Vec::new(), hold, end: End::Fin })
}

/// The status that the client sees, and the reply.
pub(crate) type Planned = (Option<u16>, Reply);

/// Closes the connection without a byte.
pub(crate) fn closed() -> Planned {
    (None, fin(Vec::new()))
}

/// Makes the answer out of what the API says: its normal page, or that of an [`Answer::Coded`].
pub(crate) fn make(answer: &Answer, normal: Page, clock: Clock, limit: Duration) -> Planned {
    let status = Some(normal.status);
    match answer {
        Answer::Normal | Answer::Slow(_) | Answer::Coded(_) => (status, normal.whole()),
        Answer::Reset => (None, reset(Vec::new())),
        Answer::Close => closed(),
        Answer::Silence => (None, silent(clock.real(limit))),
        Answer::SilenceFor(bound) => (None, silent(clock.real(*bound))),
        Answer::Cut(cut) => (status, fin(cut_bytes(*cut, &normal))),
        Answer::HeadThenReset => (status, reset(normal.announced(normal.body.len(), b""))),
        Answer::HeadThenSilence => {
            let bytes = normal.announced(normal.body.len(), b"");
            (status, Reply::Wire(TakeOver { bytes, hold: clock.real(limit), end: End::Fin }))
        }
        Answer::WholeThenReset => (status, reset(normal.announced(normal.body.len(), &normal.body))),
        Answer::Html(status) => (Some(*status), Page::html(*status).whole()),
        Answer::Redirect { status, location } => {
            let headers = vec![("Location".to_owned(), location.clone())];
            (Some(*status), Page { status: *status, headers, body: Vec::new() }.whole())
        }
        Answer::Raw(raw) => raw_reply(raw),
    }
}

fn cut_bytes(cut: Cut, page: &Page) -> Vec<u8> {
    let length = page.body.len();
    let sent = match cut {
        Cut::Bytes(bytes) => bytes.min(length),
        Cut::Percent(percent) => length.saturating_mul(usize::from(percent.min(100))) / 100,
        Cut::LastChunk => return page.without_last_chunk(),
        Cut::Announced(more) => return page.announced(length.saturating_add(more), &page.body),
    };
    page.announced(length, page.body.get(..sent).unwrap_or(&page.body))
}

fn raw_reply(raw: &Raw) -> Planned {
    let page = Page::raw(raw);
    let status = Some(raw.status);
    match raw.framing {
        Framing::Length => (status, page.whole()),
        Framing::UntilClose => {
            let mut bytes = page.head(Some(("Connection", "close")));
            bytes.extend_from_slice(&page.body);
            (status, fin(bytes))
        }
        Framing::Announced(length) => (status, fin(page.announced(length, &page.body))),
        Framing::LastChunkMissing => (status, fin(page.without_last_chunk())),
        Framing::Verbatim => (None, fin(page.body)),
    }
}
