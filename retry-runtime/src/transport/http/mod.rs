//! HTTP by `reqwest`, the only place that names it: one request an attempt, and "not sent" told apart from "lost".

mod gate;
mod options;

use std::error::Error as _;
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::header::{ACCEPT, CONTENT_TYPE, HeaderValue};
use http_body::Body as _;

use self::gate::Gate;
pub(crate) use self::options::HttpOptions;
pub use self::options::{HttpBuilder, Proxy};
use super::{Answer, BoxFuture, Loss, Request, Transport, Wire};
use crate::api::{Response, Rest2};
use crate::clock::{Clock, Moment};

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Bodies up to this size leave in one go when the connection stands; larger ones may leave until the attempt ends.
const SMALL_BODY: usize = 64 * 1024;

/// Sends over HTTP/1.1.
///
/// HTTP/2 is switched off: there a request may wait inside the connection, so that nothing would say until when its bytes could leave.
pub(crate) struct HttpTransport {
    http: reqwest::Client,
    api: Rest2,
    clock: Arc<dyn Clock>,
    send_window: Duration,
    answer_limit: usize,
}

impl HttpTransport {
    pub(crate) const fn new(http: reqwest::Client, api: Rest2, clock: Arc<dyn Clock>, options: &HttpOptions) -> Self {
        Self { http, api, clock, send_window: options.connect_timeout, answer_limit: options.answer_limit }
    }

    async fn exchange(&self, request: &Request, wire: &Wire) -> Result<Answer, Loss> {
        let mut post = reqwest::Request::new(reqwest::Method::POST, self.api.address(request.method));
        post.headers_mut().insert(CONTENT_TYPE, JSON);
        post.headers_mut().insert(ACCEPT, JSON);

        let claimed = self.clock.now();
        if !wire.claim(claimed) {
            return Err(Loss::NotSent { why: "withdrawn before it was sent".into() });
        }
        let gate = Gate::new(request.arguments.clone(), Arc::clone(&self.clock), claimed, self.send_window);
        *post.body_mut() = Some(reqwest::Body::wrap(gate));

        let sent = (claimed, request.arguments.len());
        let response = self.http.execute(post).await.map_err(|error| self.loss(error, sent))?;
        let (head, body) = http::Response::from(response).into_parts();
        let body = self.body(body).await.map_err(|cut| match cut {
            Cut::Broken(error) => self.loss(error, sent),
            Cut::TooLarge => Loss::Lost {
                why: format!("an answer of more than {} bytes", self.answer_limit).into(),
                last_byte_by: self.last_byte_by(sent),
            },
        })?;
        Ok(self.api.answer(Response {
            method: request.method,
            status: head.status.as_u16(),
            headers: head.headers,
            body,
            received: self.clock.now(),
            last_byte_by: self.last_byte_by(sent),
        }))
    }

    /// Reads the body to its announced end. One that came in one piece is not copied.
    async fn body(&self, mut body: reqwest::Body) -> Result<Bytes, Cut> {
        let mut whole = Bytes::new();
        let mut more = BytesMut::new();
        while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
            // Trailers say nothing that is needed.
            let Ok(piece) = frame.map_err(Cut::Broken)?.into_data() else { continue };
            if whole.len() + more.len() + piece.len() > self.answer_limit {
                return Err(Cut::TooLarge);
            }
            if whole.is_empty() && more.is_empty() {
                whole = piece;
            } else {
                more.extend_from_slice(&std::mem::take(&mut whole));
                more.extend_from_slice(&piece);
            }
        }
        Ok(if more.is_empty() { whole } else { more.freeze() })
    }

    fn loss(&self, error: reqwest::Error, sent: (Moment, usize)) -> Loss {
        let not_sent = error.is_connect() || error.is_builder();
        let why = self.api.secrets().strike(&causes(&error.without_url())).into();
        if not_sent { Loss::NotSent { why } } else { Loss::Lost { why, last_byte_by: self.last_byte_by(sent) } }
    }

    /// Our side can put bytes on the wire until the gate closes, and no longer than the attempt lasts.
    fn last_byte_by(&self, (claimed, length): (Moment, usize)) -> Moment {
        let ended = self.clock.now();
        if length <= SMALL_BODY && ended.at_least_since(claimed) > self.send_window {
            claimed.after(self.send_window)
        } else {
            ended
        }
    }
}

/// Why a body was not read to its end.
enum Cut {
    Broken(reqwest::Error),
    TooLarge,
}

/// The error and its causes in one line, each said once.
fn causes(error: &reqwest::Error) -> String {
    let mut line = if error.is_timeout() { "timeout: ".to_owned() } else { String::new() };
    line.push_str(&error.to_string());
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        if !line.contains(&text) {
            line.push_str(": ");
            line.push_str(&text);
        }
        cause = error.source();
    }
    line
}

impl fmt::Debug for HttpTransport {
    /// Without the HTTP client, which shows headers and proxies of the hook: they may carry secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpTransport")
            .field("api", &self.api)
            .field("send_window", &self.send_window)
            .field("answer_limit", &self.answer_limit)
            .finish_non_exhaustive()
    }
}

impl Transport for HttpTransport {
    fn send<'a>(&'a self, request: &'a Request, wire: &'a Arc<Wire>) -> BoxFuture<'a, Result<Answer, Loss>> {
        Box::pin(self.exchange(request, wire))
    }
}
