//! How a client is put together.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::portal::{Gateway, Portal};
use crate::api::Rest;
use crate::clock::Clock;
use crate::journal::Journal;
use crate::oauth::{Application, TokenStore, Tokens};
use crate::observer::Observer;
use crate::policy::Policy;
use crate::proof::Proof;
use crate::settle::Settle;
use crate::transport::{HttpBuilder, HttpOptions, Proxy, RateLimit, Transport};

/// Settings of a [`Client`](crate::Client).
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
    pub(super) portal: Portal,
    pub(super) gateway: Gateway,
    pub(super) transport: Option<Arc<dyn Transport>>,
    pub(super) http: HttpOptions,
    pub(super) policy: Policy,
    pub(super) settle: Option<Settle>,
    pub(super) budget: u32,
    pub(super) rate_limit: Option<RateLimit>,
    pub(super) observer: Option<Arc<dyn Observer>>,
    pub(super) proof: Proof,
    pub(super) journal: Option<Arc<dyn Journal>>,
    /// `None` is the clocks of the machine.
    pub(super) clock: Option<Arc<dyn Clock>>,
    pub(super) seed: Option<u64>,
    pub(super) attempt_timeout: Option<Duration>,
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
            rate_limit: None,
            observer: None,
            proof: Proof::default(),
            journal: None,
            clock: None,
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
    /// [`Client::oauth`](crate::Client::oauth) loads them by itself.
    #[must_use]
    pub fn oauth(mut self, application: Application, store: impl TokenStore, tokens: Tokens) -> Self {
        self.portal = Portal::OAuth(Box::new((application, Arc::new(store), tokens)));
        self
    }

    /// The limits of each call; [`Client::with_policy`](crate::Client::with_policy) gives single calls others.
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
    /// Each resend takes one, in a [batch](crate::Client::batched) its share of one; one comes back each second, a tenth with each success. With none left a call ends as
    /// [`Exhausted`](crate::CallError::Exhausted) instead of adding to the load of a portal that is down. Read-backs take none.
    #[must_use]
    pub const fn retry_budget(mut self, retries: u32) -> Self {
        self.budget = retries;
        self
    }

    /// How many requests the portal takes. Default: as documented on the cloud's domains and at the Vibecode gateway, else [`RateLimit::none`].
    ///
    /// It counts for all clients of the process that call the same portal (through the gateway: with the same key), whoever states it; of two that differ the
    /// last one stated counts. A call waits for its turn before it is sent; one that can't have its turn before its deadline ends at once as
    /// [`Exhausted`](crate::CallError::Exhausted). The pauses that the portal asks for are remembered for up to ten minutes and kept by all waiting calls, and a method
    /// that fails in a loop (`ERROR_LOOP_DETECTED`) is kept back for as long as the gateway says: its calls end as [`Refused`](crate::CallError::Refused).
    #[must_use]
    pub const fn rate_limit(mut self, limit: RateLimit) -> Self {
        self.rate_limit = Some(limit);
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

    /// Where the intents of stubs that say `journal` go on record. Default none: such a stub then sends nothing, and says so.
    ///
    /// Stubs that don't say it are not put down. See [`journal`](crate::journal) for what a record is good for, and the crate `retry-journal` for stores that
    /// outlive the process.
    #[must_use]
    pub fn journal(mut self, journal: impl Journal) -> Self {
        self.journal = Some(Arc::new(journal));
        self
    }

    /// Sends by other means than HTTP, for tests. The settle time is [`Settle::unbounded`] unless it is given, and nothing waits for its turn unless
    /// [`rate_limit`](Self::rate_limit) is.
    #[must_use]
    pub fn transport(mut self, transport: impl Transport) -> Self {
        self.transport = Some(Arc::new(transport));
        self
    }

    /// Where the time comes from, for tests. Clients with a clock of their own share no rate limit.
    #[must_use]
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Some(Arc::new(clock));
        self
    }

    /// Makes the random part of the pauses repeatable, for tests.
    #[must_use]
    pub const fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
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
