//! The Vibecode gateway in front of Bitrix24: a key in a header, and entity routes in place of method names.

pub(super) mod batch;
pub(super) mod envelope;
mod route;

use std::fmt;

use http::header::{AUTHORIZATION, HeaderName, HeaderValue};
use http::{Method, StatusCode};
use url::Url;

use super::answer::{Answer, Form, Heard, Success};
use super::json::Opened;
use super::message::{Outgoing, Response};
use crate::secret::{Secrets, stays_secret};
use crate::transport::{Request, Version};

const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// Where the gateway is unless another address is given.
const BASE: &str = "https://vibecode.bitrix24.tech/v1/";

/// What is wrong with the settings for the gateway. No secret is part of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VibeError {
    /// The key is empty or has letters that no header can carry.
    #[error("the Vibecode key must be visible ASCII letters, as the gateway shows it: vibe_api_... or vibe_app_...")]
    Key,
    /// The key is for managing the platform.
    #[error(
        "this Vibecode key manages the platform and has no access to records: use a vibe_api_... or vibe_app_... key"
    )]
    ManagementKey,
    /// The session is empty or has letters that no header can carry.
    #[error("the Vibecode session must be visible ASCII letters: vibe_session_...")]
    Session,
    /// The base address is no URL, or not `https`, or has more than a path.
    #[error("the Vibecode address must look like https://HOST/v1 (http:// goes to a loopback address only)")]
    Base,
}

/// The gateway, with the key to it.
pub(crate) struct Vibe {
    base: Url,
    key: HeaderValue,
    session: Option<HeaderValue>,
    secrets: Secrets,
}

impl Vibe {
    /// The gateway at an address, or at its usual one.
    ///
    /// # Errors
    /// Says which setting is wrong.
    pub(crate) fn new(key: &str, session: Option<&str>, base: Option<&str>) -> Result<Self, VibeError> {
        let key = key.trim();
        if key.starts_with("vibe_live_") || key.starts_with("vibe_mgmt_") {
            return Err(VibeError::ManagementKey);
        }
        let mut base = Url::parse(base.unwrap_or(BASE).trim()).map_err(|_| VibeError::Base)?;
        let plain = base.query().is_none() && base.fragment().is_none() && base.username().is_empty();
        if !stays_secret(&base) || !plain || base.password().is_some() {
            return Err(VibeError::Base);
        }
        if let Ok(mut path) = base.path_segments_mut() {
            path.pop_if_empty();
        }
        let session = session.map(str::trim);
        let secrets = Secrets::new([key, session.unwrap_or_default()]);
        let session = session.map(|session| secret_header(&format!("Bearer {session}")).ok_or(VibeError::Session));
        Ok(Self { base, key: secret_header(key).ok_or(VibeError::Key)?, session: session.transpose()?, secrets })
    }

    /// The request of a call.
    pub(super) fn outgoing(&self, request: &Request) -> Result<Outgoing, String> {
        if request.version == Version::Three {
            return Err(format!(
                "`{}` is called as a REST 3.0 method, which the gateway does not have",
                request.method
            ));
        }
        let route = route::of(request.method, &request.arguments)?;
        let mut url = self.base.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.extend(route.path.split('/'));
        }
        let mut headers = vec![(API_KEY, self.key.clone())];
        headers.extend(self.session.clone().map(|session| (AUTHORIZATION, session)));
        Ok(Outgoing { verb: route.verb, url, headers, body: route.body })
    }

    pub(super) fn host(&self) -> &str {
        self.base.host_str().unwrap_or_default()
    }

    pub(super) const fn secrets(&self) -> &Secrets {
        &self.secrets
    }
}

impl fmt::Debug for Vibe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Vibe({}://{}, session: {})", self.base.scheme(), self.host(), self.session.is_some())
    }
}

/// A header value that the HTTP client prints nowhere.
fn secret_header(text: &str) -> Option<HeaderValue> {
    let visible = !text.is_empty() && text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic());
    let mut value = HeaderValue::from_str(text).ok().filter(|_| visible)?;
    value.set_sensitive(true);
    Some(value)
}

/// What a response says.
pub(super) fn answer(response: &Response<'_>, secrets: &Secrets) -> Answer {
    response.answer(heard(response, secrets), secrets)
}

fn heard(response: &Response<'_>, secrets: &Secrets) -> Opened {
    let reading = route::reading(response.request.method);
    let deleted = response.status == StatusCode::NO_CONTENT && reading.verb == Method::DELETE;
    if deleted && response.body.is_empty() {
        return Opened { heard: Heard::Success(Success::new("true")), hint: None };
    }
    if envelope::begins_as_success(&response.body) {
        let success = Success::of(response.body.clone(), Form::Vibe(reading.views)).hiding(secrets);
        return Opened { heard: Heard::Success(success), hint: None };
    }
    if response.request.method == batch::BATCH
        && let Some(refused) = batch::each_refused(&response.body)
    {
        return Opened { heard: Heard::Success(refused.hiding(secrets)), hint: None };
    }
    match envelope::open(&response.body, reading.views) {
        Some(Opened { heard, hint }) => Opened { heard: heard.without(secrets), hint },
        None => Opened { heard: response.no_envelope().without(secrets), hint: None },
    }
}
