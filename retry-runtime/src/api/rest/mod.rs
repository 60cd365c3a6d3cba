//! Bitrix24 itself: REST 2 and REST 3.0, by webhook or with an OAuth token.

pub(super) mod batch;
pub(super) mod command;
pub(super) mod envelope;
mod webhook;

use std::fmt;

use bytes::Bytes;
use http::header::{HeaderName, HeaderValue, LOCATION};
use url::Url;

pub use self::webhook::WebhookError;
use super::answer::{Answer, Form, Heard, Success};
use super::json::Opened;
use super::message::{Outgoing, Response};
use crate::secret::Secrets;
use crate::transport::{Request, Version};

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// A longer one is no host (RFC 1035), in bytes.
const LONGEST_HOST: usize = 253;

/// One portal: REST 2 below `/rest/`, REST 3.0 below `/rest/api/`.
pub(crate) struct Rest {
    /// Below which address the methods are, the user among it.
    rest2: Url,
    rest3: Url,
    /// `USER/SECRET/` of a webhook, nothing for OAuth.
    user: Box<str>,
    secrets: Secrets,
}

/// What an OAuth application calls with: the portal's address and an access token for it.
#[derive(Clone, Copy)]
pub(crate) struct Access<'a> {
    pub(crate) portal: &'a Url,
    pub(crate) token: &'a str,
}

/// This path on a portal, by a version of the interface.
fn below(portal: &Url, version: Version, path: &str) -> Url {
    let api = match version {
        Version::Two => "",
        Version::Three => "api/",
    };
    let mut url = portal.clone();
    url.set_path(&["/rest/", api, path].concat());
    url
}

impl Rest {
    /// Takes a webhook's URL apart.
    ///
    /// # Errors
    /// Says which part of the URL is wrong, without the secret.
    pub(crate) fn webhook(url: &str) -> Result<Self, WebhookError> {
        let webhook = webhook::parse(url)?;
        let secrets = Secrets::new([webhook.secret.as_str(), webhook.spelling.as_str()]);
        Ok(Self::of(&webhook.portal, webhook.user.into(), secrets))
    }

    /// The portal of an OAuth application, `https://PORTAL/rest/`.
    pub(crate) fn oauth(portal: &Url) -> Self {
        Self::of(portal, Box::default(), Secrets::default())
    }

    fn of(portal: &Url, user: Box<str>, secrets: Secrets) -> Self {
        let [rest2, rest3] = [Version::Two, Version::Three].map(|version| below(portal, version, &user));
        Self { rest2, rest3, user, secrets }
    }

    /// The request of a call.
    pub(super) fn outgoing(&self, request: &Request, access: Option<Access<'_>>) -> Result<Outgoing, String> {
        let (url, body) = match access {
            Some(Access { portal, token }) => {
                (below(portal, request.version, request.method), with_token(&request.arguments, token)?)
            }
            None => (self.address(request), request.arguments.clone()),
        };
        let mut outgoing = Outgoing::post(url, body);
        if let Some(key) = &request.idempotency_key {
            let key = HeaderValue::from_str(key.as_str()).map_err(|error| error.to_string())?;
            outgoing.headers.push((IDEMPOTENCY_KEY, key));
        }
        Ok(outgoing)
    }

    /// Where a call goes. Only the last part is parsed: what stands before it is that of every call.
    fn address(&self, request: &Request) -> Url {
        let mut url = match request.version {
            Version::Two => self.rest2.clone(),
            Version::Three => self.rest3.clone(),
        };
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().push(request.method);
        }
        url
    }

    /// With the secret in its path.
    pub(super) const fn url(&self) -> &Url {
        &self.rest2
    }

    /// A secret.
    pub(super) fn user(&self) -> &str {
        &self.user
    }

    pub(super) fn host(&self) -> &str {
        self.rest2.host_str().unwrap_or_default()
    }

    pub(super) const fn secrets(&self) -> &Secrets {
        &self.secrets
    }
}

impl fmt::Debug for Rest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rest({}://{}/rest/)", self.rest2.scheme(), self.host())
    }
}

/// The arguments with the access token among them.
fn with_token(arguments: &Bytes, token: &str) -> Result<Bytes, String> {
    let token = serde_json::to_string(token).map_err(|error| error.to_string())?;
    let Some(rest) = arguments.strip_prefix(b"{") else {
        return Err("an access token goes into an object, and the body of this request is none".to_owned());
    };
    let gap: &[u8] = if rest == b"}" { b"" } else { b"," };
    Ok([b"{\"auth\":", token.as_bytes(), gap, rest].concat().into())
}

/// What a response says.
pub(super) fn answer(response: &Response<'_>, secrets: &Secrets) -> Answer {
    response.answer(heard(response, secrets), secrets)
}

fn heard(response: &Response<'_>, secrets: &Secrets) -> Opened {
    if response.status.is_redirection() {
        return Opened { heard: redirected(response).without(secrets), hint: None };
    }
    if envelope::begins_as_success(&response.body) {
        let success = Success::of(response.body.clone(), Form::Rest).hiding(secrets);
        return Opened { heard: Heard::Success(success), hint: None };
    }
    match envelope::open(&response.body) {
        Some(Opened { heard, hint }) => Opened { heard: heard.without(secrets), hint },
        None => Opened { heard: response.no_envelope().without(secrets), hint: None },
    }
}

/// A portal that was renamed answers with its new address, the same path under https. Any other redirect says nothing.
fn redirected(response: &Response<'_>) -> Heard {
    let target = response.header(&LOCATION).and_then(|location| Url::parse(location).ok());
    let renamed = target.as_ref().filter(|url| url.scheme() == "https" && url.path() == response.path);
    match renamed.and_then(Url::host_str).filter(|host| host.len() <= LONGEST_HOST) {
        Some(host) => Heard::Moved { host: host.into() },
        None => Heard::NoEnvelope { what: format!("a redirect ({}) to no portal", response.status.as_u16()).into() },
    }
}
