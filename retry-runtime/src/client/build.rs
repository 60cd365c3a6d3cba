//! How a client is made of its settings.

use std::sync::{Arc, Mutex};

use tokio_util::task::TaskTracker;

use super::builder::ClientBuilder;
use super::portal::{ATTEMPT, Account, GATEWAY_QUEUE, limiter, settle_time};
use super::{Client, Reader, Shared};
use crate::api::{Api, VibeError, WebhookError};
use crate::budget::RetryBudget;
use crate::call::{Keys, Verifiers};
use crate::clock::{Clock, SystemClock};
use crate::decision::Route;
use crate::oauth::{Renewal, TokenError};
use crate::observer::Watch;
use crate::settle::Settle;
use crate::transport::{HttpTransport, Limiter, RateLimit, Recorded, TokenHttp, Transport};

/// Why a client can't be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// Nothing says which portal to call.
    #[error("nothing says which portal to call: use ClientBuilder::webhook, vibe or oauth")]
    NoPortal,
    /// The webhook URL is malformed.
    #[error(transparent)]
    Webhook(#[from] WebhookError),
    /// There are settings for the Vibecode gateway, but no key to it.
    #[error(
        "ClientBuilder::vibe_session and vibe_base are for the Vibecode gateway: use ClientBuilder::vibe with them"
    )]
    NoVibeKey,
    /// The settings for the Vibecode gateway are wrong.
    #[error(transparent)]
    Vibe(#[from] VibeError),
    /// The tokens of the OAuth application can't be used.
    #[error(transparent)]
    Token(#[from] TokenError),
    /// A time that must be more than zero is not.
    #[error("{0} must be more than zero")]
    Zero(&'static str),
    /// The HTTP client can't be made from its settings.
    #[error("the HTTP client can't be made: {0}")]
    Http(Box<str>),
}

/// The way to the portal, its settle time, and the tokens where it has some.
type OverHttp = (Arc<dyn Transport>, Settle, Option<Renewal>);

impl ClientBuilder {
    /// Makes the client.
    ///
    /// # Errors
    /// No portal, a malformed webhook URL, a time of zero, or settings that the HTTP client refuses.
    pub fn build(mut self) -> Result<Client, BuildError> {
        let target = std::mem::take(&mut self.portal).target(&self.gateway)?;
        let route = target.as_ref().map_or(Route::Direct, |(api, _)| api.route());
        self.http.attempt_timeout = self.attempt_timeout.unwrap_or(match route {
            Route::Direct => ATTEMPT,
            Route::Gateway => ATTEMPT.saturating_add(GATEWAY_QUEUE),
        });
        let times =
            [("the attempt timeout", self.http.attempt_timeout), ("the connect timeout", self.http.connect_timeout)];
        if let Some((name, _)) = times.into_iter().find(|(_, time)| time.is_zero()) {
            return Err(BuildError::Zero(name));
        }
        let portal = target.as_ref().map_or_else(|| "a portal of its own".into(), |(api, _)| api.name());
        let oauth = matches!(&target, Some((_, Some(_))));
        let secrets = target.as_ref().map(|(api, _)| api.secrets().clone()).unwrap_or_default();
        let clock = self.clock.clone().unwrap_or_else(|| Arc::new(SystemClock));
        let paced = self.transport.is_none() || self.rate_limit.is_some();
        let limiter = paced.then(|| Arc::new(self.limiter(target.as_ref(), &clock)));
        let (line, settle, renewal) = match (self.transport.take(), target) {
            (Some(transport), _) => (transport, self.settle.unwrap_or(Settle::unbounded()), None),
            (None, Some((api, account))) => self.over_http(api, account, &clock)?,
            (None, None) => return Err(BuildError::NoPortal),
        };
        let line = match &self.journal {
            Some(_) => Arc::new(Recorded::new(line, Arc::clone(&clock))),
            None => line,
        };
        let shared = Shared {
            line,
            journal: self.journal,
            portal,
            intents: TaskTracker::new(),
            limiter,
            route,
            oauth,
            settle,
            send_window: self.http.connect_timeout,
            attempt_timeout: self.http.attempt_timeout,
            clock,
            budget: RetryBudget::new(self.budget),
            keys: Arc::new(Keys::default()),
            watch: Watch::new(self.observer),
            verifiers: Verifiers::new(self.proof),
            secrets,
            renewal,
            rng: Mutex::new(self.seed.map_or_else(fastrand::Rng::new, fastrand::Rng::with_seed)),
        };
        let transport = shared.single();
        Ok(Client::from_reader(Reader {
            shared: Arc::new(shared),
            transport,
            together: 1,
            policy: self.policy,
            read_back: None,
        }))
    }

    fn limiter(&self, target: Option<&(Api, Option<Account>)>, clock: &Arc<dyn Clock>) -> Limiter {
        match target {
            Some((api, account)) => limiter(api, account.as_ref(), self.rate_limit, self.clock.as_ref()),
            None => Limiter::alone(Arc::clone(clock), self.rate_limit.unwrap_or(RateLimit::none())),
        }
    }

    fn over_http(
        &mut self,
        api: Api,
        account: Option<Account>,
        clock: &Arc<dyn Clock>,
    ) -> Result<OverHttp, BuildError> {
        let mut settle = settle_time(&api, self.settle);
        if !self.http.bounds_the_kernel() {
            settle = settle.without_tcp_bound();
        }
        let http = self.http.client(&settle).map_err(BuildError::Http)?;
        let renewal = account.map(|(application, store, tokens)| {
            Renewal::new(application, store, tokens, Box::new(TokenHttp::new(http.clone())), Arc::clone(clock))
        });
        let transport = HttpTransport::new(http, api, renewal.clone(), Arc::clone(clock), &self.http);
        Ok((Arc::new(transport), settle, renewal))
    }
}
