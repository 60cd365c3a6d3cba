//! What must hold of whatever the network says, a setting says, or an argument is.
//!
//! Each check takes bytes of any kind and panics where a promise is broken. The fuzz targets in `fuzz/` call them with inputs that
//! they make up, the tests with those in `fuzz/seeds`. The shape of an input is described at its check.

mod address;
mod batch;
mod command;
mod envelope;
mod hint;
mod page;
pub(crate) mod php;
#[cfg(test)]
mod seeds;
pub(crate) mod text;
mod top;

use bytes::Bytes;
use http::header::{HeaderMap, HeaderName, HeaderValue};
use http::{Method, StatusCode};

pub use self::address::address;
pub use self::batch::batch;
pub use self::command::command;
pub use self::envelope::{gateway_envelope, rest_envelope};
pub use self::hint::hint;
pub use self::page::page;
use crate::api::{Answer, Api, Response, Rest, Vibe};
use crate::clock::{Clock, SystemClock};
use crate::effect::OperationKind;
pub use crate::oauth::fuzzed::token_answer;
use crate::transport::{Request, Version};

/// What must never be shown. Inputs may contain it.
pub(crate) const SECRET: &str = "s3cr3t";

/// The APIs that the answers are for; `None` can't be, as the settings are fit.
fn rest() -> Option<Api> {
    Rest::webhook("https://acme.bitrix24.com/rest/1/s3cr3t/").ok().map(Api::Rest)
}

fn vibe() -> Option<Api> {
    Vibe::new("vibe_api_s3cr3t", Some(SECRET), None).ok().map(Api::Vibe)
}

fn request(method: &'static str, kind: OperationKind, version: Version, arguments: Bytes) -> Request {
    Request {
        method,
        kind,
        version,
        arguments,
        idempotency_key: None,
        credentials: None,
        token_renewed: false,
        read_back: false,
        send_by: SystemClock.now(),
        record: None,
    }
}

/// A response as it stands in an input: the status, one header a line, an empty line, the body.
struct Message<'a> {
    status: StatusCode,
    headers: HeaderMap,
    body: &'a [u8],
    /// What stands beside the status.
    rest: &'a str,
}

impl<'a> Message<'a> {
    fn read(data: &'a [u8]) -> Option<Self> {
        let at = data.windows(2).position(|pair| pair == b"\n\n")?;
        let mut lines = std::str::from_utf8(data.get(..at)?).ok()?.lines();
        let first = lines.next()?;
        let (status, rest) = first.split_once(' ').unwrap_or((first, ""));
        let mut headers = HeaderMap::new();
        for (name, value) in lines.filter_map(|line| line.split_once(": ")) {
            if let (Ok(name), Ok(value)) = (name.parse::<HeaderName>(), value.parse::<HeaderValue>()) {
                headers.append(name, value);
            }
        }
        Some(Self { status: StatusCode::from_bytes(status.as_bytes()).ok()?, headers, body: data.get(at + 2..)?, rest })
    }

    /// The answer of an API to a request, if the body is this.
    fn answer(&self, api: &Api, request: &Request, body: &[u8]) -> Answer {
        let now = SystemClock.now();
        let response = Response {
            request,
            path: "/rest/1/s3cr3t/crm.deal.add",
            status: self.status,
            headers: self.headers.clone(),
            body: Bytes::copy_from_slice(body),
            received: now,
            last_byte_by: now,
        };
        let answer = api.answer(&response, api.secrets());
        text::answer(&answer);
        assert_eq!(answer.status, Some(self.status.as_u16()));
        answer
    }

    fn is_an_empty_delete(&self, request: &Request) -> bool {
        let outgoing = vibe().and_then(|api| api.outgoing(request, None).ok());
        self.status == StatusCode::NO_CONTENT && outgoing.is_some_and(|outgoing| outgoing.verb == Method::DELETE)
    }
}

/// Where a body is cut: everywhere if it is short, else at places spread over it and at the last ones.
fn cuts(body: &[u8]) -> impl Iterator<Item = &[u8]> {
    let end = body.trim_ascii_end().len();
    let step = end / 48 + 1;
    (0..end).filter(move |at| at % step == 0 || at + 16 > end).filter_map(|at| body.get(..at))
}
