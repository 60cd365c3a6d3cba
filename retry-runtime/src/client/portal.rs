//! Which portal a client is for, and what is known of it.

use std::sync::Arc;
use std::time::Duration;

use super::BuildError;
use crate::api::{Api, Rest, Vibe, WebhookError};
use crate::clock::Clock;
use crate::decision::Route;
use crate::oauth::{Application, TokenStore, Tokens};
use crate::secret::SecretText;
use crate::settle::{Settle, is_cloud_host, is_gateway_host};
use crate::transport::{Limiter, RateLimit};

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

/// The settle time of a portal: as it was stated, with what is documented of the portal and was not stated. Of an unknown one nothing is.
pub(super) fn settle_time(api: &Api, stated: Option<Settle>) -> Settle {
    match api.route() {
        Route::Gateway if is_gateway_host(api.host()) => {
            stated.unwrap_or(Settle::cloud()).behind_a_queue(GATEWAY_QUEUE)
        }
        Route::Direct if is_cloud_host(api.host()) => stated.unwrap_or(Settle::cloud()),
        Route::Direct | Route::Gateway => stated.unwrap_or(Settle::unbounded()),
    }
}

/// The rate limit of a portal that nobody stated: what is documented of the portal.
fn documented_limit(api: &Api) -> RateLimit {
    match api.route() {
        Route::Gateway if is_gateway_host(api.host()) => RateLimit::gateway(),
        Route::Direct if is_cloud_host(api.host()) => RateLimit::cloud(),
        Route::Direct | Route::Gateway => RateLimit::none(),
    }
}

/// Whose turn it is on this portal. Clients on a clock of their own share it with nobody.
pub(super) fn limiter(
    api: &Api,
    account: Option<&Account>,
    stated: Option<RateLimit>,
    clock: Option<&Arc<dyn Clock>>,
) -> Limiter {
    let limit = stated.unwrap_or_else(|| documented_limit(api));
    if let Some(clock) = clock {
        return Limiter::alone(Arc::clone(clock), limit);
    }
    let caller = account.map_or_else(|| api.account(), |(application, ..)| application.client_id());
    let by_account = match api.route() {
        Route::Gateway => true,
        Route::Direct => false,
    };
    Limiter::shared(&api.address(), caller, by_account, limit, stated.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Vibe;

    #[test]
    fn the_documented_limits_hold_where_they_are_documented() {
        let rest = |url| documented_limit(&Api::Rest(Rest::webhook(url).unwrap()));
        assert_eq!(rest("https://acme.bitrix24.com/rest/1/abcdefgh12345678/"), RateLimit::cloud());
        assert_eq!(rest("https://crm.acme.example/rest/1/abcdefgh12345678/"), RateLimit::none());
        let vibe = |base| documented_limit(&Api::Vibe(Vibe::new("vibe_api_x", None, base).unwrap()));
        assert_eq!(vibe(None), RateLimit::gateway());
        assert_eq!(vibe(Some("http://127.0.0.1:1/v1")), RateLimit::none());
    }

    #[test]
    fn p3_a_stated_settle_time_does_not_take_the_gateways_queue_away() {
        let gateway = Api::Vibe(Vibe::new("vibe_api_x", None, None).unwrap());
        let of = |stated| settle_time(&gateway, stated).after_loss().unwrap();
        assert_eq!(of(None), Duration::from_secs(115), "120 s with the send window");
        assert_eq!(of(Some(Settle::cloud().margin(Duration::from_secs(20)))), Duration::from_secs(125));
        assert_eq!(of(Some(Settle::cloud().gateway_queue(Duration::ZERO))), Duration::from_secs(85));
        let local = Api::Vibe(Vibe::new("vibe_api_x", None, Some("http://127.0.0.1:1/v1")).unwrap());
        assert_eq!(settle_time(&local, None).after_loss(), None);
    }
}
