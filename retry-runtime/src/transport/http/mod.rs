//! HTTP by `reqwest`, the only place that names it: one request an attempt, and "not sent" told apart from "lost".

mod gate;
mod options;
mod token_server;

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
pub(crate) use self::token_server::TokenHttp;
pub use self::token_server::authorize;
use super::{Answer, BoxFuture, Heard, Loss, Request, Transport, Wire};
use crate::api::{Access, Api, Response};
use crate::clock::{Clock, Moment};
use crate::code::Code;
use crate::oauth::{Renewal, TokenError};
use crate::secret::Secrets;

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Bodies up to this size leave in one go when the connection stands; larger ones may leave until the attempt ends.
const SMALL_BODY: usize = 64 * 1024;

/// Sends over HTTP/1.1.
///
/// HTTP/2 is switched off: there a request may wait inside the connection, so that nothing would say until when its bytes could leave.
pub(crate) struct HttpTransport {
    http: reqwest::Client,
    api: Api,
    /// The tokens of an OAuth application.
    renewal: Option<Renewal>,
    clock: Arc<dyn Clock>,
    send_window: Duration,
    answer_limit: usize,
}

/// When a request went out, and how long it is.
#[derive(Clone, Copy)]
struct Sent {
    claimed: Moment,
    length: usize,
}

impl HttpTransport {
    pub(crate) const fn new(
        http: reqwest::Client,
        api: Api,
        renewal: Option<Renewal>,
        clock: Arc<dyn Clock>,
        options: &HttpOptions,
    ) -> Self {
        let (send_window, answer_limit) = (options.connect_timeout, options.answer_limit);
        Self { http, api, renewal, clock, send_window, answer_limit }
    }

    /// One exchange with OAuth: a token that has expired is renewed after it.
    async fn with_token(&self, renewal: &Renewal, request: &Request, wire: &Wire) -> Result<Answer, Loss> {
        let (tokens, number) = match renewal.tokens().await {
            Ok(current) => current,
            Err(error) => return Ok(Answer::new(no_token(&error), self.clock.now())),
        };
        if request.credentials.is_some_and(|wanted| wanted != number) {
            return Err(Loss::Unsendable { why: "the access token, a part of the request, has changed since".into() });
        }
        wire.sent_with(number);
        let secrets = renewal.secrets_beside(&tokens);
        let access = Access { portal: tokens.endpoint(), token: tokens.access_token() };
        let mut answer = self.post(request, wire, Some(access), &secrets).await?;
        if matches!(answer.heard, Heard::Code { code: Code::ExpiredToken, .. }) && !request.token_renewed {
            answer.heard = match renewal.renew(number).await {
                Ok(()) => Heard::TokenRenewed,
                Err(error) => no_token(&error),
            };
        }
        Ok(answer)
    }

    /// One request and its answer.
    async fn post(
        &self,
        request: &Request,
        wire: &Wire,
        access: Option<Access<'_>>,
        secrets: &Secrets,
    ) -> Result<Answer, Loss> {
        let outgoing = self.api.outgoing(request, access).map_err(|why| Loss::Unsendable { why: why.into() })?;
        let mut post = reqwest::Request::new(outgoing.verb, outgoing.url);
        post.headers_mut().insert(ACCEPT, JSON);
        post.headers_mut().extend(outgoing.headers);

        let claimed = self.clock.now();
        if !wire.claim(claimed) {
            return Err(Loss::NotSent { why: "withdrawn before it was sent".into() });
        }
        let sent = Sent { claimed, length: outgoing.body.len() };
        if sent.length > 0 {
            let gate = Gate::new(outgoing.body, Arc::clone(&self.clock), claimed, self.send_window);
            post.headers_mut().insert(CONTENT_TYPE, JSON);
            *post.body_mut() = Some(reqwest::Body::wrap(gate));
        }

        let response = self.http.execute(post).await.map_err(|error| self.loss(error, sent, secrets))?;
        // Only a redirect is compared with where the request went.
        let path = response.status().is_redirection().then(|| response.url().path().to_owned());
        let (head, body) = http::Response::from(response).into_parts();
        let body = self.body(body).await.map_err(|cut| match cut {
            Cut::Broken(error) => self.loss(error, sent, secrets),
            Cut::TooLarge => Loss::Lost {
                why: format!("an answer of more than {} bytes", self.answer_limit).into(),
                last_byte_by: self.last_byte_by(sent, self.clock.now()),
            },
        })?;
        let received = self.clock.now();
        let response = Response {
            request,
            path: path.as_deref().unwrap_or_default(),
            status: head.status,
            headers: head.headers,
            body,
            received,
            last_byte_by: self.last_byte_by(sent, received),
        };
        Ok(self.api.answer(&response, secrets))
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

    fn loss(&self, error: reqwest::Error, sent: Sent, secrets: &Secrets) -> Loss {
        let not_sent = error.is_connect() || error.is_builder();
        let why = secrets.strike(&causes(&error.without_url())).into();
        if not_sent {
            Loss::NotSent { why }
        } else {
            Loss::Lost { why, last_byte_by: self.last_byte_by(sent, self.clock.now()) }
        }
    }

    /// Our side can put bytes on the wire until the gate closes, and no longer than the attempt lasts.
    fn last_byte_by(&self, sent: Sent, ended: Moment) -> Moment {
        if sent.length <= SMALL_BODY && ended.at_least_since(sent.claimed) > self.send_window {
            sent.claimed.after(self.send_window)
        } else {
            ended
        }
    }
}

fn no_token(error: &TokenError) -> Heard {
    Heard::NoToken { why: error.to_string().into(), passing: error.is_transient() }
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
        match &self.renewal {
            Some(renewal) => Box::pin(self.with_token(renewal, request, wire)),
            None => Box::pin(self.post(request, wire, None, self.api.secrets())),
        }
    }
}
