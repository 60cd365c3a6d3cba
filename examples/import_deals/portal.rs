//! The portal to import into: a local one with scaled times, or the one of the webhook with real ones.

use std::collections::HashMap;
use std::time::Duration;

use retry_portal::{Faults, Portal};
use retry_runtime::{CallError, Client, Id, Page, Policy, Reader, Settle, bitrix_method};
use serde::{Deserialize, Serialize};

use crate::leads::ORIGINATOR;
use crate::options::{Target, host};
use crate::tally::Tally;

/// On the local portal a minute takes three seconds. Nothing else may be hurried like this.
const SCALE: f64 = 0.05;

/// An import may be patient: a call that gets through late is better than a row to import again.
const ATTEMPTS: u32 = 12;

/// Where the deals go.
pub(crate) struct Destination {
    pub(crate) client: Client,
    pub(crate) tally: Tally,
    /// The address, secret included: never to be printed.
    pub(crate) webhook: String,
    /// How long to wait for an answer.
    pub(crate) patience: Duration,
    /// How many rows may begin a minute; `None` is any number.
    pub(crate) rows_a_minute: Option<u16>,
    local: Option<Portal>,
}

impl Destination {
    /// # Errors
    /// The webhook is malformed, or no local portal can be started.
    pub(crate) async fn open(target: Target) -> Result<Self, String> {
        match target {
            Target::Local { faults, seed } => Self::local(faults, seed).await,
            Target::Outside { webhook, settle, rows_a_minute } => Self::outside(webhook, settle, rows_a_minute),
        }
    }

    async fn local(share: f64, seed: u64) -> Result<Self, String> {
        let portal = Portal::builder()
            .rate(1_000, 1_000.0)
            .time_scale(SCALE)
            .faults(Faults::seeded(seed).share(share))
            .start()
            .await
            .map_err(|error| format!("the local portal does not start: {error}"))?;
        eprintln!("local portal: {:.0} % of all requests go wrong (--faults {share} --seed {seed})", share * 100.0);
        let patience = portal.execution_limit() + Duration::from_millis(500);
        let settle = Settle::self_hosted(portal.execution_limit())
            .tcp(Duration::from_secs(1))
            .list_lag(Duration::ZERO)
            .margin(Duration::from_secs(1));
        let tally = Tally::default();
        let client = Client::builder()
            .webhook(&portal.webhook_url())
            .policy(Policy::new().attempts(ATTEMPTS).backoff(Duration::from_millis(25), Duration::from_millis(1_500)))
            .connect_timeout(Duration::from_secs(1))
            .attempt_timeout(patience)
            .settle(settle)
            .observer(tally.clone())
            .build()
            .map_err(|error| error.to_string())?;
        let webhook = portal.webhook_url();
        Ok(Self { client, tally, webhook, patience, rows_a_minute: None, local: Some(portal) })
    }

    fn outside(webhook: String, server_limit: Option<Duration>, rows_a_minute: u16) -> Result<Self, String> {
        let tally = Tally::default();
        let mut builder =
            Client::builder().webhook(&webhook).policy(Policy::new().attempts(ATTEMPTS)).observer(tally.clone());
        if let Some(limit) = server_limit {
            builder = builder.settle(Settle::self_hosted(limit));
        }
        let client = builder.build().map_err(|error| format!("BITRIX24_WEBHOOK: {error}"))?;
        let host = host(&webhook);
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
        let rows_a_minute = Some(rows_a_minute);
        Ok(Self { client, tally, webhook, patience: Duration::from_secs(65), rows_a_minute, local: None })
    }

    /// How many deals there are of each order.
    ///
    /// # Errors
    /// The list could not be read.
    pub(crate) async fn copies(&self) -> Result<HashMap<String, usize>, CallError> {
        let orders = match &self.local {
            Some(portal) => {
                // A late effect counts too.
                portal.settled().await;
                let deals = portal.records("deal");
                deals.iter().filter_map(|deal| deal.text("ORIGIN_ID").map(str::to_owned)).collect()
            }
            None => self.listed_orders().await?,
        };
        let mut copies = HashMap::new();
        for order in orders {
            *copies.entry(order).or_default() += 1;
        }
        Ok(copies)
    }

    async fn listed_orders(&self) -> Result<Vec<String>, CallError> {
        let mut orders = Vec::new();
        let mut after = Id(0);
        loop {
            let filter = ShopFilter { originator_id: ORIGINATOR, after };
            let page = list_shop_deals(&self.client, &filter, &["ID", "ORIGIN_ID"], &ById { id: "ASC" }, -1).await?;
            let Some(last) = page.rows.last() else { return Ok(orders) };
            after = last.id;
            orders.extend(page.rows.into_iter().filter_map(|row| row.origin_id));
        }
    }
}

/// All deals of the shop, oldest first. The id of the last row leads to the next page, which no new deal can shift.
#[bitrix_method(name = "crm.deal.list", kind = read)]
async fn list_shop_deals(
    reader: &Reader,
    filter: &ShopFilter<'_>,
    select: &[&str],
    order: &ById,
    start: i32,
) -> Result<Page<ShopDeal>, CallError>;

#[derive(Debug, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
struct ShopFilter<'a> {
    originator_id: &'a str,
    #[serde(rename = ">ID")]
    after: Id,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
struct ById {
    id: &'static str,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
struct ShopDeal {
    id: Id,
    origin_id: Option<String>,
}
