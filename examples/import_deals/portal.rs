//! The portal to import into: a local one with scaled times, or the one of the environment with real ones.

use std::collections::HashMap;
use std::time::Duration;

use retry_portal::{Answer, Cut, Fault, Faults, Portal};
use retry_runtime::{Client, Policy, Settle};

use crate::api::Api;
use crate::environment::Access;
use crate::options::{Target, Trouble};
use crate::tally::Tally;

/// How long a second of the local portal takes, so that a run ends soon: a keyed call waits after each loss, and the gateway
/// closes a method for a while. Nothing else may be hurried like this.
const fn scale(api: Api) -> f64 {
    match api {
        Api::Rest2 => 0.05,
        Api::Rest3 | Api::Vibe => 0.02,
    }
}

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
    /// How many rows may begin a minute; `None` is any number.
    pub(crate) rows_a_minute: Option<u16>,
    local: Option<Portal>,
}

impl Destination {
    /// # Errors
    /// What lets a client in is malformed, or no local portal can be started.
    pub(crate) async fn open(api: Api, target: Target) -> Result<Self, String> {
        match target {
            Target::Local { trouble, seed } => Self::local(api, trouble, seed).await,
            Target::Outside { access, settle, rows_a_minute } => {
                Self::outside(api, access, settle, rows_a_minute).await
            }
        }
    }

    async fn local(api: Api, trouble: Trouble, seed: u64) -> Result<Self, String> {
        let portal = Portal::builder()
            .no_rate_limit()
            .time_scale(scale(api))
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
        let second = Duration::from_secs(1);
        let server_limit = portal.execution_limit().max(portal.max_lateness());
        let patience = server_limit + second / 2;
        let settle = Settle::self_hosted(server_limit).tcp(second).list_lag(Duration::ZERO).margin(second);
        let tally = Tally::default();
        let (builder, _) = access.client().await?;
        let client = builder
            .policy(Policy::new().attempts(ATTEMPTS).backoff(Duration::from_millis(25), Duration::from_millis(1_500)))
            .connect_timeout(second)
            .attempt_timeout(patience)
            .settle(settle)
            // It loses far more than a portal does, and the budget refills by real seconds.
            .retry_budget(10_000)
            .observer(tally.clone())
            .build()
            .map_err(|error| error.to_string())?;
        Ok(Self { api, client, tally, access, patience, rows_a_minute: None, local: Some(portal) })
    }

    async fn outside(
        api: Api,
        access: Access,
        server_limit: Option<Duration>,
        rows_a_minute: u16,
    ) -> Result<Self, String> {
        let tally = Tally::default();
        let (builder, host) = access.client().await?;
        let mut builder = builder.policy(Policy::new().attempts(ATTEMPTS)).observer(tally.clone());
        if let Some(limit) = server_limit {
            builder = builder.settle(Settle::self_hosted(limit));
        }
        let client = builder.build().map_err(|error| match &access {
            Access::Webhook(_) => format!("BITRIX24_WEBHOOK: {error}"),
            Access::Vibe { .. } => format!("VIBE_KEY, VIBE_URL: {error}"),
            Access::OAuth { .. } => format!("BITRIX24_OAUTH_TOKENS: {error}"),
        })?;
        eprintln!(
            "portal {host}: after the first 20 rows {rows_a_minute} a minute, for the portal's rate limit (--pace)"
        );
        if server_limit.is_none() && !host.contains(".bitrix24.") {
            eprintln!(
                "  {host} is outside the cloud: nothing says how long it may still work on a request whose answer was lost.\n  \
                 What is not found then is looked for during 5 minutes and stays in doubt. If you know after how many\n  \
                 seconds its server ends a request, say so with --settle SECONDS (retry-portal: 60 times its --time-scale)."
            );
        }
        let (patience, rows_a_minute) = (Duration::from_secs(65), Some(rows_a_minute));
        Ok(Self { api, client, tally, access, patience, rows_a_minute, local: None })
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
