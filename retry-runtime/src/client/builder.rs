//! How a client is put together.

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::portal::{ATTEMPT, Account, GATEWAY_QUEUE, Gateway, Portal, settle_time};
use super::{Client, Reader, Shared};
use crate::api::{Api, Rest, VibeError, WebhookError};
use crate::budget::RetryBudget;
use crate::call::{Keys, Verifiers};
use crate::clock::{Clock, SystemClock};
use crate::decision::Route;
use crate::oauth::{Application, Renewal, TokenError, TokenStore, Tokens};
use crate::observer::{Observer, Watch};
use crate::policy::Policy;
use crate::proof::Proof;
use crate::settle::Settle;
use crate::transport::{HttpBuilder, HttpOptions, HttpTransport, Proxy, TokenHttp, Transport};

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

/// Settings of a [`Client`].
///
/// ```no_run
/// use std::time::Duration;
/// use retry_runtime::{Client, Policy, Settle};
///
/// let client = Client::builder()
///     .webhook("https://crm.acme.example/rest/1/abcdefgh12345678/")
///     .policy(Policy::new().attempts(6))
///     .settle(Settle::self_hosted(Duration::from_secs(120)))
///     .build()?;
/// # Ok::<(), retry_runtime::BuildError>(())
/// ```
pub struct ClientBuilder {
    portal: Portal,
    gateway: Gateway,
    transport: Option<Arc<dyn Transport>>,
    http: HttpOptions,
    policy: Policy,
    settle: Option<Settle>,
    budget: u32,
    observer: Option<Arc<dyn Observer>>,
    proof: Proof,
    clock: Arc<dyn Clock>,
    seed: Option<u64>,
    attempt_timeout: Option<Duration>,
}

impl ClientBuilder {
    pub(super) fn new() -> Self {
        Self {
            portal: Portal::Missing,
            gateway: Gateway::default(),
            transport: None,
            http: HttpOptions::default(),
            policy: Policy::new(),
            settle: None,
            budget: 100,
            observer: None,
            proof: Proof::default(),
            clock: Arc::new(SystemClock),
            seed: None,
            attempt_timeout: None,
        }
    }

    /// Calls the portal of this inbound webhook, `https://PORTAL/rest/USER/SECRET/`, by REST 2 and REST 3.0. Its REST 3.0 form (`/rest/api/…`) will do too.
    #[must_use]
    pub fn webhook(mut self, url: &str) -> Self {
        self.portal = Portal::Webhook(Rest::webhook(url));
        self
    }

    /// Calls a portal through the Vibecode gateway, with this key (`vibe_api_…` or `vibe_app_…`).
    #[must_use]
    pub fn vibe(mut self, key: &str) -> Self {
        self.portal = Portal::Vibe(key.into());
        self
    }

    /// The session of a signed-in user (`vibe_session_…`), which a `vibe_app_…` key needs.
    #[must_use]
    pub fn vibe_session(mut self, bearer: &str) -> Self {
        self.gateway.session = Some(bearer.into());
        self
    }

    /// Where the gateway is. Default `https://vibecode.bitrix24.tech/v1`; there is `https://vibecode.bitrix24.com/v1` too.
    #[must_use]
    pub fn vibe_base(mut self, url: &str) -> Self {
        self.gateway.base = Some(url.into());
        self
    }

    /// Calls the portal that has installed this OAuth application, by REST 2 and REST 3.0, beginning with these tokens of the store.
    ///
    /// [`Client::oauth`] loads them by itself.
    #[must_use]
    pub fn oauth(mut self, application: Application, store: impl TokenStore, tokens: Tokens) -> Self {
        self.portal = Portal::OAuth(Box::new((application, Arc::new(store), tokens)));
        self
    }

    /// The limits of each call; [`Client::with_policy`] gives single calls others.
    #[must_use]
    pub const fn policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// How long a request may still be applied after it was lost. Default: [`Settle::cloud`] on the cloud's domains, else [`Settle::unbounded`].
    #[must_use]
    pub const fn settle(mut self, settle: Settle) -> Self {
        self.settle = Some(settle);
        self
    }

    /// How long one send may take until its answer is complete, counted from when its bytes may leave. Default 65 s,
    /// 95 s through the gateway.
    ///
    /// The portal works on a request for up to 60 s, and the gateway's queue holds one for up to 30 s: a shorter time makes unknown outcomes by
    /// itself.
    #[must_use]
    pub const fn attempt_timeout(mut self, timeout: Duration) -> Self {
        self.attempt_timeout = Some(timeout);
        self
    }

    /// How long a connection may take to stand, name look-up and TLS included; also the send window of the settle time. Default 5 s.
    #[must_use]
    pub const fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.http.connect_timeout = timeout;
        self
    }

    /// The largest answer that is read, in bytes. A larger one counts as lost. Default 64 MiB.
    #[must_use]
    pub const fn answer_limit(mut self, bytes: usize) -> Self {
        self.http.answer_limit = bytes;
        self
    }

    /// How many retries the client has in store for all its calls together. Default 100.
    ///
    /// Each resend takes one; one comes back each second, a tenth with each success. With none left a call ends as
    /// [`Exhausted`](crate::CallError::Exhausted) instead of adding to the load of a portal that is down. Read-backs take none.
    #[must_use]
    pub const fn retry_budget(mut self, retries: u32) -> Self {
        self.budget = retries;
        self
    }

    /// Changes the HTTP client underneath, for root certificates and the like.
    ///
    /// Yours runs first. Redirects, resending, timeouts, HTTP version, compression and verbose logging are set after it, as each of
    /// them could send a second request, cut one short or print a secret.
    #[must_use]
    pub fn http(mut self, hook: impl FnOnce(HttpBuilder) -> HttpBuilder + Send + 'static) -> Self {
        self.http.hook = Some(Box::new(hook));
        self
    }

    /// Whether a proxy stands between. Default none; proxies of the environment count only if named here.
    ///
    /// A proxy may hold a request and still deliver it, so that part of the settle time is 15 minutes then unless [`Settle::tcp`] states it.
    #[must_use]
    pub const fn proxy(mut self, proxy: Proxy) -> Self {
        self.http.proxy = proxy;
        self
    }

    /// Who hears of the end of each call.
    #[must_use]
    pub fn observer(mut self, observer: impl Observer) -> Self {
        self.observer = Some(Arc::new(observer));
        self
    }

    /// Whether verifiers are put to the proof. Default [`Proof::AfterFirst`]: the first success of each stub is read
    /// back, which costs one read for each stub and client.
    #[must_use]
    pub const fn proof(mut self, proof: Proof) -> Self {
        self.proof = proof;
        self
    }

    /// Sends by other means than HTTP, for tests. The settle time is [`Settle::unbounded`] unless it is given.
    #[must_use]
    pub fn transport(mut self, transport: impl Transport) -> Self {
        self.transport = Some(Arc::new(transport));
        self
    }

    /// Where the time comes from, for tests.
    #[must_use]
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Makes the random part of the pauses repeatable, for tests.
    #[must_use]
    pub const fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

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
        let oauth = matches!(&target, Some((_, Some(_))));
        let secrets = target.as_ref().map(|(api, _)| api.secrets().clone()).unwrap_or_default();
        let (transport, settle) = match (self.transport.take(), target) {
            (Some(transport), _) => (transport, self.settle.unwrap_or(Settle::unbounded())),
            (None, Some((api, account))) => self.over_http(api, account)?,
            (None, None) => return Err(BuildError::NoPortal),
        };
        let shared = Shared {
            line: Arc::clone(&transport),
            limiter: None,
            route,
            oauth,
            settle,
            send_window: self.http.connect_timeout,
            attempt_timeout: self.http.attempt_timeout,
            clock: self.clock,
            budget: RetryBudget::new(self.budget),
            keys: Arc::new(Keys::default()),
            watch: Watch::new(self.observer),
            verifiers: Verifiers::new(self.proof),
            secrets,
            rng: Mutex::new(self.seed.map_or_else(fastrand::Rng::new, fastrand::Rng::with_seed)),
        };
        Ok(Client::from_reader(Reader { shared: Arc::new(shared), transport, policy: self.policy, read_back: None }))
    }

    fn over_http(&mut self, api: Api, account: Option<Account>) -> Result<(Arc<dyn Transport>, Settle), BuildError> {
        let mut settle = settle_time(&api, self.settle);
        if !self.http.bounds_the_kernel() {
            settle = settle.without_tcp_bound();
        }
        let http = self.http.client(&settle).map_err(BuildError::Http)?;
        let renewal = account.map(|(application, store, tokens)| {
            Renewal::new(application, store, tokens, Box::new(TokenHttp::new(http.clone())), Arc::clone(&self.clock))
        });
        let transport = HttpTransport::new(http, api, renewal, Arc::clone(&self.clock), &self.http);
        Ok((Arc::new(transport), settle))
    }
}

impl fmt::Debug for ClientBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientBuilder")
            .field("portal", &self.portal)
            .field("http", &self.http)
            .field("policy", &self.policy)
            .field("settle", &self.settle)
            .finish_non_exhaustive()
    }
}
