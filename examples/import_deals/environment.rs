//! The portal that the environment names, and what lets a client in. Nothing of it may be printed but the host.

use std::path::PathBuf;

use retry_runtime::oauth::{Application, FileStore, TokenError, TokenStore};
use retry_runtime::{Client, ClientBuilder};

use crate::api::Api;

/// How to get in.
pub(crate) enum Access {
    Webhook(String),
    Vibe { key: String, url: Option<String> },
    OAuth { tokens: PathBuf, client_id: String, client_secret: String, server: Option<String> },
}

impl Access {
    /// What the environment says for this API; `None` is nothing.
    ///
    /// # Errors
    /// What it says does not go together.
    pub(crate) fn of(api: Api) -> Result<Option<Self>, &'static str> {
        if api == Api::Vibe {
            return Ok(variable("VIBE_KEY").map(|key| Self::Vibe { key, url: variable("VIBE_URL") }));
        }
        match (variable("BITRIX24_WEBHOOK"), variable("BITRIX24_OAUTH_TOKENS")) {
            (None, None) => Ok(None),
            (Some(webhook), None) => Ok(Some(Self::Webhook(webhook))),
            (None, Some(tokens)) => {
                let ids = (variable("BITRIX24_CLIENT_ID"), variable("BITRIX24_CLIENT_SECRET"));
                let (Some(client_id), Some(client_secret)) = ids else {
                    return Err("BITRIX24_OAUTH_TOKENS needs BITRIX24_CLIENT_ID and BITRIX24_CLIENT_SECRET beside it");
                };
                let server = variable("BITRIX24_TOKEN_URL");
                Ok(Some(Self::OAuth { tokens: tokens.into(), client_id, client_secret, server }))
            }
            (Some(_), Some(_)) => {
                Err("BITRIX24_WEBHOOK and BITRIX24_OAUTH_TOKENS both name a portal: unset one of them")
            }
        }
    }

    /// The variable that names the portal.
    pub(crate) fn variable(api: Api) -> &'static str {
        match api {
            Api::Rest2 | Api::Rest3 => "BITRIX24_WEBHOOK",
            Api::Vibe => "VIBE_KEY",
        }
    }

    /// A client that gets in, not yet built, and the host it calls.
    ///
    /// # Errors
    /// The tokens can't be read or used.
    pub(crate) async fn client(&self) -> Result<(ClientBuilder, String), String> {
        let builder = Client::builder();
        match self {
            Self::Webhook(webhook) => Ok((builder.webhook(webhook), host(webhook).to_owned())),
            Self::Vibe { key, url: None } => Ok((builder.vibe(key), "vibecode.bitrix24.tech".to_owned())),
            Self::Vibe { key, url: Some(url) } => Ok((builder.vibe(key).vibe_base(url), host(url).to_owned())),
            Self::OAuth { tokens, client_id, client_secret, server } => {
                let problem = |error: TokenError| format!("BITRIX24_OAUTH_TOKENS: {error}");
                let application = Application::new(client_id.as_str(), client_secret.as_str());
                let application = match server {
                    Some(server) => {
                        application.server(server).map_err(|error| format!("BITRIX24_TOKEN_URL: {error}"))?
                    }
                    None => application,
                };
                let store = FileStore::new(tokens);
                let tokens = store.load().await.map_err(|error| problem(error.into()))?;
                let tokens = tokens.ok_or_else(|| problem(TokenError::Missing))?;
                let host = host(tokens.client_endpoint()).to_owned();
                Ok((builder.oauth(application, store, tokens), host))
            }
        }
    }
}

fn variable(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned()).filter(|value| !value.is_empty())
}

/// Host and port of a URL, the only part of a webhook that may be shown.
pub(crate) fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    authority.rsplit('@').next().unwrap_or_default()
}

/// Whether a host is this machine.
pub(crate) fn is_loopback(host: &str) -> bool {
    ["127.0.0.1", "localhost", "[::1]"]
        .iter()
        .any(|own| host.strip_prefix(own).is_some_and(|port| port.is_empty() || port.starts_with(':')))
}
