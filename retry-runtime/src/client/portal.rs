//! Which portal a client is for, and what is known of it.

use std::sync::Arc;
use std::time::Duration;

use super::BuildError;
use crate::api::{Api, Rest, Vibe, WebhookError};
use crate::decision::Route;
use crate::oauth::{Application, TokenStore, Tokens};
use crate::secret::SecretText;
use crate::settle::{Settle, is_cloud_host, is_gateway_host};

/// How long a portal may work on a request (60 s, documented), and a little more.
pub(super) const ATTEMPT: Duration = Duration::from_secs(65);

/// How long the gateway's queue may hold a call (documented).
pub(super) const GATEWAY_QUEUE: Duration = Duration::from_secs(30);

/// An OAuth application on one portal.
pub(super) type Account = (Application, Arc<dyn TokenStore>, Tokens);

/// The portal as it was given.
#[derive(Debug, Default)]
pub(super) enum Portal {
    #[default]
    Missing,
    Webhook(Result<Rest, WebhookError>),
    Vibe(SecretText),
    OAuth(Box<Account>),
}

/// What may be said of the gateway besides its key.
#[derive(Debug, Default)]
pub(super) struct Gateway {
    pub(super) session: Option<SecretText>,
    pub(super) base: Option<String>,
}

impl Portal {
    /// The API it is called by.
    pub(super) fn target(self, gateway: &Gateway) -> Result<Option<(Api, Option<Account>)>, BuildError> {
        let Gateway { session, base } = gateway;
        if !matches!(self, Self::Vibe(_)) && (session.is_some() || base.is_some()) {
            return Err(BuildError::NoVibeKey);
        }
        Ok(match self {
            Self::Missing => None,
            Self::Webhook(rest) => Some((Api::Rest(rest?), None)),
            Self::Vibe(key) => Some((Api::Vibe(Vibe::new(&key, session.as_deref(), base.as_deref())?), None)),
            Self::OAuth(account) => Some((Api::Rest(Rest::oauth(account.2.endpoint())), Some(*account))),
        })
    }
}

/// The settle time of a portal whose limits are documented; any other has none.
pub(super) fn known_settle(api: &Api) -> Settle {
    match api.route() {
        Route::Direct if is_cloud_host(api.host()) => Settle::cloud(),
        Route::Gateway if is_gateway_host(api.host()) => Settle::cloud().gateway_queue(GATEWAY_QUEUE),
        Route::Direct | Route::Gateway => Settle::unbounded(),
    }
}
