//! Exports every deal of a portal to a CSV file, in order, each once: fifty pages a request.
//!
//! `cargo run --example export_deals [FILE]` exports 12,345 deals of a portal of its own, on this machine, to
//! `deals.csv` in the folder for temporary files. With `BITRIX24_WEBHOOK` it exports those of that portal, and changes
//! nothing there.

use std::error::Error;
use std::path::PathBuf;
use std::time::Duration;
use std::{env, process};

use indicatif::{ProgressBar, ProgressStyle};
use retry_portal::Portal;
use retry_runtime::{CallError, Client, Page, Pages, Reader, bitrix_method};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Every deal.
#[bitrix_method(name = "crm.deal.list", kind = read, pages = "ID")]
fn all_deals(reader: &Reader, select: &[&str]) -> Pages<Deal>;

/// The first deals, and how many there are in all.
#[bitrix_method(name = "crm.deal.list", kind = read)]
async fn first_deals(reader: &Reader, select: &[&str]) -> Result<Page<Value>, CallError>;

const FIELDS: [&str; 5] = ["ID", "TITLE", "STAGE_ID", "OPPORTUNITY", "CURRENCY_ID"];

/// One line of the file.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
struct Deal {
    id: String,
    title: Option<String>,
    stage_id: Option<String>,
    opportunity: Option<String>,
    currency_id: Option<String>,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let file = env::args_os().nth(1).map_or_else(|| env::temp_dir().join("deals.csv"), PathBuf::from);
    let portal = Portal::builder().start().await?;
    let webhook = env::var("BITRIX24_WEBHOOK").ok().filter(|webhook| !webhook.is_empty());
    if webhook.is_none() {
        let order =
            |number: u64| json!({"TITLE": format!("Order {number}"), "OPPORTUNITY": number, "CURRENCY_ID": "EUR"});
        portal.insert_many("deal", 12_345, order)?;
    }
    let client = Client::webhook(&webhook.unwrap_or_else(|| portal.webhook_url()))?;

    // Counting is of no use but for the bar: the walk itself counts nothing.
    let counted = first_deals(&client, &["ID"]).await?.total.unwrap_or_default();
    let mut csv = csv::Writer::from_path(&file)?;
    let bar = bar(counted);
    let mut deals = all_deals(&client, &FIELDS);
    while let Some(deal) = deals.next().await {
        match deal {
            Ok(deal) => csv.serialize(deal)?,
            Err(error) => {
                bar.abandon();
                csv.flush()?;
                eprintln!("{} deals are in {}, then:\n{error}", deals.read(), file.display());
                process::exit(1);
            }
        }
        bar.set_position(deals.read());
    }
    csv.flush()?;
    bar.finish_and_clear();
    println!("{} deals are in {}", deals.read(), file.display());
    match portal.request_count() {
        0 => {}
        requests => println!("it took {requests} requests, one of them to count"),
    }
    Ok(())
}

fn bar(deals: u64) -> ProgressBar {
    let bar = ProgressBar::new(deals);
    // A template that does not parse would only cost the looks.
    if let Ok(style) = ProgressStyle::with_template("[{bar:24}] {pos:>7} of {len}  {per_sec}  {eta} to go") {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
