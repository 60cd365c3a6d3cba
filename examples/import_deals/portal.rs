//! The portal to import into: a local one with scaled times, or the one of the environment with real ones.

use std::collections::HashMap;
use std::time::Duration;

use retry_portal::{Answer, Cut, Fault, Faults, Portal};
use retry_runtime::{Batching, Client, ClientBuilder, Policy, RateLimit, Settle};

use crate::api::Api;
use crate::environment::{Access, is_loopback};
use crate::journal::Journal;
use crate::options::{Target, Times, Trouble};
use crate::tally::Tally;

/// How long a second of the local portal takes, so that a run ends soon: its limits are real, and much is waited for. Nothing else may be hurried
/// like this.
const SECOND: f64 = 0.02;

/// How many rows are under way at a time: enough to fill batches, or to keep a portal busy.
const BATCHED: usize = 500;
const ALONE: usize = 16;

/// An import may be patient: a call that gets through late is better than a row to import again. Through a gateway that works on two
/// requests at a time, every second one of sixteen may be refused by its queue.
const ATTEMPTS: u32 = 20;

/// Where the orders go.
pub(crate) struct Destination {
    pub(crate) api: Api,
    pub(crate) client: Client,
    pub(crate) tally: Tally,
    pub(crate) access: Access,
    /// How long to wait for an answer.
    pub(crate) patience: Duration,
    /// How many rows are under way at a time.
    pub(crate) at_a_time: usize,
    local: Option<Portal>,
}

impl Destination {
    /// # Errors
    /// What lets a client in is malformed, or no local portal can be started.
    pub(crate) async fn open(api: Api, batched: bool, target: Target, journal: &Journal) -> Result<Self, String> {
        let destination = match target {
            Target::Local { trouble, seed } => Self::local(api, trouble, seed, journal).await?,
            Target::Outside { access, times } => Self::outside(api, access, &times, journal).await?,
        };
        if !batched {
            return Ok(destination);
        }
        // The first one waits a little for others: rows whose answers were lost come back one after the other.
        let batching = Batching::new().window(Duration::from_millis(250));
        Ok(Self { client: destination.client.batched_with(batching), at_a_time: BATCHED, ..destination })
    }

    async fn local(api: Api, trouble: Trouble, seed: u64, journal: &Journal) -> Result<Self, String> {
        let portal = Portal::builder()
            .time_scale(SECOND)
            .faults(faults(api, trouble, seed))
            .start()
            .await
            .map_err(|error| format!("the local portal does not start: {error}"))?;
        let what = match trouble {
            Trouble::Share(share) => {
                format!("{:.0} % of all requests go wrong (--faults {share} --seed {seed})", share * 100.0)
            }
            Trouble::FirstAnswers => "the first answer of every create is lost".to_owned(),
        };
        eprintln!("local portal: {what}");
        let access = match api {
            Api::Rest2 | Api::Rest3 => Access::Webhook(portal.webhook_url()),
            Api::Vibe => Access::Vibe { key: portal.vibe_key(), url: Some(portal.vibe_url()) },
        };
        let server_limit = portal.execution_limit().max(portal.max_lateness());
        let tally = Tally::default();
        let (builder, _) = access.client().await?;
        let (builder, patience) = hurried(builder, api, SECOND, server_limit);
        let builder = builder.observer(tally.clone()).journal(journal.of_client());
        let client = builder.build().map_err(|error| error.to_string())?;
        Ok(Self { api, client, tally, access, patience, at_a_time: ALONE, local: Some(portal) })
    }

    async fn outside(api: Api, access: Access, times: &Times, journal: &Journal) -> Result<Self, String> {
        let tally = Tally::default();
        let (builder, host) = access.client().await?;
        let builder = builder.observer(tally.clone()).journal(journal.of_client());
        let (builder, patience, is_bounded) = match *times {
            Times::Scaled(_) if !is_loopback(&host) => {
                return Err(format!("--time-scale is for a retry-portal on this machine, and {host} is elsewhere"));
            }
            Times::Scaled(second) => {
                let (builder, patience) = hurried(builder, api, second, documented_limit(api).mul_f64(second));
                (builder, patience, true)
            }
            Times::Stated { settle, rate } => {
                let mut builder = builder.policy(Policy::new().attempts(ATTEMPTS));
                if let Some(limit) = settle {
                    builder = builder.settle(Settle::self_hosted(limit));
                }
                if let Some(rate) = rate {
                    builder = builder.rate_limit(rate);
                }
                (builder, Duration::from_secs(65), settle.is_some())
            }
        };
        let client = builder.build().map_err(|error| match &access {
            Access::Webhook(_) => format!("BITRIX24_WEBHOOK: {error}"),
            Access::Vibe { .. } => format!("VIBE_KEY, VIBE_URL: {error}"),
            Access::OAuth { .. } => format!("BITRIX24_OAUTH_TOKENS: {error}"),
        })?;
        eprintln!("portal {host}");
        if !is_bounded && !host.contains(".bitrix24.") {
            eprintln!(
                "  {host} is outside the cloud: nothing says how long it may still work on a request whose answer was lost.\n  \
                 What is not found then is looked for during 5 minutes and stays in doubt. If you know after how many\n  \
                 seconds its server ends a request, say so with --settle SECONDS (of a retry-portal, its --time-scale)."
            );
        }
        Ok(Self { api, client, tally, access, patience, at_a_time: ALONE, local: None })
    }

    /// How many requests there were; on a portal outside, how many calls were sent.
    pub(crate) fn requests(&self) -> usize {
        self.local.as_ref().map_or_else(|| self.tally.counts().calls, Portal::request_count)
    }

    /// How many records there are of each order.
    ///
    /// # Errors
    /// Why they can't be counted.
    pub(crate) async fn copies(&self) -> Result<HashMap<String, usize>, String> {
        let orders = match &self.local {
            Some(portal) => {
                // A late effect counts too.
                portal.settled().await;
                self.api.orders(portal)
            }
            None => self.api.listed_orders(&self.client).await?,
        };
        let mut copies = HashMap::new();
        for order in orders {
            *copies.entry(order).or_default() += 1;
        }
        Ok(copies)
    }
}

/// A client of a portal whose seconds take so long, and how long it waits for an answer.
fn hurried(builder: ClientBuilder, api: Api, second: f64, server_limit: Duration) -> (ClientBuilder, Duration) {
    let own = Duration::from_secs(1);
    let patience = server_limit + own / 2;
    let builder = builder
        .policy(Policy::new().attempts(ATTEMPTS).backoff(Duration::from_millis(25), Duration::from_millis(1_500)))
        .connect_timeout(own)
        .attempt_timeout(patience)
        .settle(Settle::self_hosted(server_limit).tcp(own).list_lag(Duration::ZERO).margin(own))
        .rate_limit(documented_rate(api, second))
        // It loses far more than a portal does, and the budget refills by real seconds.
        .retry_budget(10_000);
    (builder, patience)
}

/// What the documentation says of the cloud and of the gateway, in seconds of the portal.
fn documented_rate(api: Api, second: f64) -> RateLimit {
    match api {
        Api::Rest2 | Api::Rest3 => RateLimit::new(50, Duration::from_millis(500).mul_f64(second)),
        Api::Vibe => RateLimit::window(300, Duration::from_secs(60).mul_f64(second)),
    }
}

/// How long a request may be worked on, and wait in the queue of the gateway before that.
fn documented_limit(api: Api) -> Duration {
    match api {
        Api::Rest2 | Api::Rest3 => Duration::from_secs(60),
        Api::Vibe => Duration::from_secs(90),
    }
}

fn faults(api: Api, trouble: Trouble, seed: u64) -> Faults {
    let faults = Faults::seeded(seed);
    let lost = [Answer::Reset, Answer::Close, Answer::Cut(Cut::Percent(50)), Answer::HeadThenReset, Answer::Html(502)];
    match (trouble, api) {
        (Trouble::FirstAnswers, _) => {
            let writes = lost.map(|answer| (1, Fault::before(answer)));
            faults.share(1.0).in_a_row(1).reads([]).writes(writes)
        }
        (Trouble::Share(share), Api::Rest2 | Api::Vibe) => faults.share(share),
        // The portal stores no error under a key, so a create that answers with one stays in doubt by design. Here only losses.
        (Trouble::Share(share), Api::Rest3) => {
            let late = Duration::from_secs(20);
            let slow = Fault::before(Answer::Slow(Duration::from_secs(10)));
            let all = lost.iter().chain([&Answer::Html(504), &Answer::Silence]).flat_map(|answer| {
                [
                    (3, Fault::before(answer.clone())),
                    (2, Fault::never(answer.clone())),
                    (1, Fault::late(late, answer.clone())),
                ]
            });
            faults.share(share).writes(all.chain([(2, slow)]))
        }
    }
}
