//! What is decided, and why: each decision as a `tracing` event, each call that has ended as a report.
//!
//! `cargo run --example watch_decisions`

use std::error::Error;
use std::io::{IsTerminal, stdout};
use std::time::Duration;

use retry_portal::{Answer, Fault, Portal};
use retry_runtime::{CallError, Client, Id, Observer, Page, ReadBack, Reader, Report, Settle, bitrix_method};
use serde::{Deserialize, Serialize};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::time::uptime;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Deals of an order.
#[bitrix_method(name = "crm.deal.list", kind = read)]
async fn list_deals(reader: &Reader, filter: &Order<'_>) -> Result<Page<Deal>, CallError>;

/// Creates a deal.
#[bitrix_method(name = "crm.deal.add", kind = write, verify = find_deal, key = fields.origin_id)]
async fn add_deal(client: &Client, fields: &Order<'_>) -> Result<Id, CallError>;

async fn find_deal(reader: &Reader, fields: &Order<'_>) -> Result<ReadBack<Id>, CallError> {
    let page = list_deals(reader, fields).await?;
    Ok(ReadBack::by_key(page, |deal| (deal.origin_id.as_deref() == Some(fields.origin_id)).then_some(deal.id)))
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
struct Order<'a> {
    originator_id: &'a str,
    origin_id: &'a str,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
struct Deal {
    id: Id,
    origin_id: Option<String>,
}

/// One line a call. A service would count here: endings, sends, seconds.
struct Lines;

impl Observer for Lines {
    fn finished(&self, report: &Report) {
        println!(
            "=> {} {}: {}, {} sends, {} read-backs, {:.1} s\n",
            report.method(),
            report.key().unwrap_or("without a key"),
            report.ending().as_str(),
            report.attempts().len(),
            report.checks().len(),
            report.elapsed().as_secs_f64()
        );
    }

    fn dropped(&self, report: &Report) {
        println!("=> its caller has gone:\n{report}\n");
    }

    fn answered_late(&self, report: &Report) {
        println!("=> its answer came after all:\n{report}");
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let lines = tracing_subscriber::fmt::layer().with_timer(uptime()).with_target(false);
    let decisions = Targets::new().with_target("retry_runtime", LevelFilter::DEBUG);
    tracing_subscriber::registry().with(lines.with_ansi(stdout().is_terminal())).with(decisions).init();

    // A minute of this portal takes 0.6 s, so the client may wait less before it believes in absence. Only a test may do so.
    let portal = Portal::builder().time_scale(0.01).start().await?;
    let second = Duration::from_secs(1);
    let settle = Settle::self_hosted(portal.execution_limit()).tcp(second).list_lag(Duration::ZERO).margin(second);
    let client = Client::builder().webhook(&portal.webhook_url()).settle(settle).observer(Lines).build()?;

    // Created, and the answer is lost: the deal is found.
    portal.script("crm.deal.add", [Fault::before(Answer::Reset)]);
    add_deal(&client, &Order { originator_id: "shop", origin_id: "1017" }).await?;

    // Not created, and the answer is lost: only an absence that is proved allows the second send.
    portal.script("crm.deal.add", [Fault::never(Answer::Close)]);
    add_deal(&client, &Order { originator_id: "shop", origin_id: "1018" }).await?;

    // Dropped by its caller while it is on its way: the write goes on, and its answer comes to the observer.
    portal.script("crm.deal.add", [Fault::before(Answer::Slow(30 * second))]);
    let call = add_deal(&client, &Order { originator_id: "shop", origin_id: "1019" });
    let _ = tokio::time::timeout(second / 10, call).await;
    tokio::time::sleep(second).await;
    Ok(())
}
