//! How a portal is set up.

mod limits;
mod oauth;
mod rest3;
mod vibe;

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::net::TcpListener;

use crate::clock::{Clock, now};
use crate::crm::{Entity, Store, Switches, UnknownFilterField, insert_many, seeds};
use crate::fault::{Draw, Fault, Faults, Scripts};
use crate::journal::Journal;
use crate::limit::{Bucket, Tally};
use crate::memory::Memory;
use crate::oauth::{TokenSwitches, Tokens};
use crate::portal::Portal;
use crate::rest3::{Rest3Switches, Successes};
use crate::secret::Secret;
use crate::server;
use crate::state::{Settings, Shared, State};
use crate::vibe::{Gateway, GatewaySwitches, Keys, QueueLimits};

/// Sets up a [`Portal`]; made by [`Portal::builder`].
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), std::io::Error> {
/// use std::time::Duration;
/// use retry_portal::{Answer, Fault, Portal};
///
/// let portal = Portal::builder()
///     .no_rate_limit()
///     .time_scale(0.01) // the execution limit of 60 s is 0.6 s here
///     .script("crm.deal.add", [Fault::late(Duration::from_secs(20), Answer::Reset)])
///     .start()
///     .await?;
/// assert_eq!(portal.max_lateness(), Duration::from_millis(200));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "a portal runs only after start()"]
pub struct PortalBuilder {
    listen: SocketAddr,
    secret: Option<Secret>,
    user: u64,
    rate: Option<(u32, f64)>,
    execution_limit: Duration,
    idle_limit: Option<Duration>,
    scale: f64,
    scripts: Scripts,
    faults: Option<Faults>,
    switches: Switches,
    rest3: Rest3Switches,
    tokens: TokenSwitches,
    gateway: GatewaySwitches,
    queue: QueueLimits,
    vibe_key: Option<Secret>,
    unknown_entity: Option<String>,
    operating_limit: Option<Duration>,
    operating_costs: HashMap<String, Duration>,
    deals: u64,
}

impl PortalBuilder {
    pub(crate) fn new() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            secret: None,
            user: 1,
            rate: Some((50, 2.0)),
            execution_limit: Duration::from_mins(1),
            idle_limit: None,
            scale: 1.0,
            scripts: Scripts::default(),
            faults: None,
            switches: Switches::default(),
            rest3: Rest3Switches::default(),
            tokens: TokenSwitches::default(),
            gateway: GatewaySwitches::default(),
            queue: QueueLimits::default(),
            vibe_key: None,
            unknown_entity: None,
            operating_limit: None,
            operating_costs: HashMap::new(),
            deals: 0,
        }
    }

    /// Where to listen. Default: `127.0.0.1` and any free port.
    pub fn listen(mut self, address: SocketAddr) -> Self {
        self.listen = address;
        self
    }

    /// The secret of the webhook: ASCII letters and digits, `-` and `_`. Default: 20 random ones.
    pub fn secret(mut self, secret: impl Into<String>) -> Self {
        self.secret = Some(Secret(secret.into()));
        self
    }

    /// The user of the webhook, who creates what is created. Default: 1.
    pub fn user(mut self, id: u64) -> Self {
        self.user = id;
        self
    }

    /// How long one request may work, in portal time. Default: 60 s, as on the cloud.
    pub fn execution_limit(mut self, limit: Duration) -> Self {
        self.execution_limit = limit;
        self
    }

    /// Closes a connection that has carried no request for so long (real time). Default: never.
    pub fn idle_limit(mut self, limit: Duration) -> Self {
        self.idle_limit = Some(limit);
        self
    }

    /// How long a second of portal time lasts in real seconds. Default: 1. With 0.01 the execution limit of 60 s is 0.6
    /// s, and a late effect of 20 s comes after 0.2 s.
    ///
    /// Scaled: the execution limit, the durations of faults, the index lag, the rates, the operating limit and its
    /// minutes, the gateway's queue and pauses, the lives of tokens and idempotency keys. Not scaled: the idle limit,
    /// and what goes over the wire (`Retry-After` of a fault, `expires_in`, `operating`). What the portal itself asks to
    /// wait (`retryAfter`, `X-RateLimit-Reset`, `operating_reset_at`) is scaled too, and told in real seconds.
    pub fn time_scale(mut self, scale: f64) -> Self {
        self.scale = scale;
        self
    }

    /// What happens to the first request of this method, the second, and so on; after that the method behaves normally.
    /// See [`Portal::script`].
    pub fn script(mut self, method: &str, faults: impl IntoIterator<Item = Fault>) -> Self {
        self.scripts.set(method, faults);
        self
    }

    /// Faults by chance for all methods that have no script. Default: none.
    pub fn faults(mut self, faults: Faults) -> Self {
        self.faults = Some(faults);
        self
    }

    /// Lists do not show a record before it is so old (portal time); `get` does. Default: zero.
    pub fn index_lag(mut self, lag: Duration) -> Self {
        self.switches.index_lag = lag;
        self
    }

    /// Whether all lists ignore their filter and show every row. Default: no.
    pub fn ignore_filters(mut self, ignore: bool) -> Self {
        self.switches.ignore_filters = ignore;
        self
    }

    /// What the old lists and those of the gateway do with a filter field that does not exist. Default: they ignore it.
    pub fn unknown_filter_field(mut self, what: UnknownFilterField) -> Self {
        self.switches.unknown_filter_field = what;
        self
    }

    /// The user may not read this entity: its lists are empty, `get`, `update` and `delete` are refused. Creating
    /// works.
    pub fn hide(mut self, entity: &str) -> Self {
        match Entity::named(entity) {
            Some(entity) => self.switches.hidden.push(entity),
            None => self.unknown_entity = Some(entity.to_owned()),
        }
        self
    }

    /// A field (`TITLE`) that an administrator has made required: a create without it gets 400 `ERROR_CORE`. Default:
    /// none, as on a fresh portal.
    pub fn require(mut self, entity: &str, field: &str) -> Self {
        match Entity::named(entity) {
            Some(entity) => self.switches.required.push((entity, field.to_owned())),
            None => self.unknown_entity = Some(entity.to_owned()),
        }
        self
    }

    /// So many deals that were always there, with the ids 1, 2, 3 and so on: a hundred thousand of them take about
    /// 100 MB. [`Portal::insert_many`] makes any records so. Default: none.
    pub fn deals(mut self, count: u64) -> Self {
        self.deals = count;
        self
    }

    /// Starts the portal on the current tokio runtime.
    ///
    /// # Errors
    ///
    /// The error of binding the address; or, with [`io::ErrorKind::InvalidInput`], a setting that makes no sense: a
    /// time scale that is not above zero, a share of faults outside 0 to 1, a rate that is no number, a secret with
    /// other signs than those of a webhook, an entity that does not exist, seeded faults whose effects may come later
    /// than the execution limit.
    pub async fn start(self) -> Result<Portal, io::Error> {
        self.check().map_err(|problem| io::Error::new(io::ErrorKind::InvalidInput, problem))?;
        let listener = TcpListener::bind(self.listen).await?;
        let address = listener.local_addr()?;
        let limit = self.execution_limit;
        let seeded = self.faults.as_ref().map(|faults| faults.max_lateness(limit)).unwrap_or_default();
        let lateness = seeded.max(self.scripts.max_lateness(limit));
        let may_be_slow = self.scripts.may_be_slow() || self.faults.as_ref().is_some_and(Faults::may_be_slow);
        let settings = Settings {
            secret: self.secret.unwrap_or_else(|| Secret::random("", 20)),
            user: self.user,
            clock: Clock::start(self.scale),
            execution_limit: limit,
            idle_limit: self.idle_limit,
            queue: self.queue,
            host: address.to_string(),
        };
        let mut store = Store::default();
        if let Ok(deals) = seeds(Entity::Deal.name(), self.deals, |_| Value::Object(serde_json::Map::new())) {
            insert_many(&mut store, deals, self.user);
        }
        let tally = Tally::new(self.operating_limit, self.operating_costs);
        let state = State {
            memory: Memory { store, tokens: Tokens::new(self.tokens) },
            switches: self.switches,
            rest3: self.rest3,
            successes: Successes::default(),
            gateway: Gateway::new(Keys::new(self.vibe_key), self.gateway),
            journal: Journal::default(),
            refused: BTreeMap::new(),
            scripts: self.scripts,
            draw: self.faults.map(Draw::new),
            bucket: self.rate.map(|(burst, per_second)| Bucket::new(burst, per_second / self.scale, now())),
            tally,
            lateness,
            may_be_slow,
        };
        let shared = Arc::new(Shared::new(settings, state));
        let server = tokio::spawn(server::accept(listener, Arc::clone(&shared)));
        Ok(Portal::new(shared, address, server))
    }

    fn check(&self) -> Result<(), String> {
        if let Some(name) = &self.unknown_entity {
            return Err(format!("there is no entity \"{name}\": use one of {}", Entity::names()));
        }
        if !(self.scale.is_finite() && self.scale > 0.0) {
            return Err(format!("the time scale must be above zero, not {}", self.scale));
        }
        if self.rate.is_some_and(|(_, per_second)| !(per_second.is_finite() && per_second >= 0.0)) {
            return Err("the rate must be a number of requests a second".to_owned());
        }
        let plain = |secret: &Secret| {
            let fits = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
            !secret.0.is_empty() && secret.0.chars().all(fits)
        };
        if self.secret.iter().chain(&self.vibe_key).any(|secret| !plain(secret)) {
            return Err("a secret may hold ASCII letters and digits, - and _ only, at least one of them".to_owned());
        }
        if self.queue.running == 0 {
            return Err("the queue of the gateway must let at least one call run".to_owned());
        }
        self.faults.as_ref().map_or(Ok(()), |faults| faults.check(self.execution_limit))
    }
}
