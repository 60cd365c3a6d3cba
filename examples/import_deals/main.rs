//! A web shop's export becomes deals, each order exactly one, on a portal that loses a third of its answers.
//!
//! `cargo run --example import_deals` starts a portal of its own for the run; `-- --help` shows the options.
//!
//! With `BITRIX24_WEBHOOK` set it imports into that portal. One that outlives the run, so that one can import twice:
//!
//! ```text
//! cargo run -p retry-portal -- --secret abcdefgh12345678 --faults 0.3 --time-scale 0.05 --rate 1000
//! # in another terminal
//! export BITRIX24_WEBHOOK=http://127.0.0.1:8024/rest/1/abcdefgh12345678/
//! cargo run --example import_deals -- --settle 3 --pace 6000
//! ```

mod blind;
mod import;
mod leads;
mod options;
mod portal;
mod progress;
mod rows;
mod summary;
mod tally;
mod turns;

use std::process::ExitCode;

use clap::Parser;
use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};
use serde::{Deserialize, Serialize};

use crate::leads::Export;
use crate::options::Options;
use crate::portal::Destination;

/// Deals that carry our own key.
#[bitrix_method(name = "crm.deal.list", kind = read)]
async fn list_deals(reader: &Reader, filter: &OriginFilter<'_>, select: &[&str]) -> Result<Page<DealRow>, CallError>;

/// Creates a deal, unless it is there.
#[bitrix_method(name = "crm.deal.add", kind = write, verify = find_deal_by_origin, key = fields.origin_id, ensure)]
async fn add_deal(client: &Client, fields: &NewDeal) -> Result<Id, CallError>;

async fn find_deal_by_origin(reader: &Reader, fields: &NewDeal) -> Result<ReadBack<Id>, CallError> {
    let page = list_deals(reader, &fields.origin(), &["ID", "ORIGINATOR_ID", "ORIGIN_ID"]).await?;
    Ok(ReadBack::by_key(page, |row| row.carries(fields).then_some(row.id)))
}

/// A deal. `ORIGINATOR_ID` says whose order it is, `ORIGIN_ID` which one: the key by which it is found again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
struct NewDeal {
    title: String,
    opportunity: String,
    currency_id: String,
    comments: String,
    originator_id: &'static str,
    origin_id: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
struct OriginFilter<'a> {
    originator_id: &'a str,
    origin_id: &'a str,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
struct DealRow {
    id: Id,
    originator_id: Option<String>,
    origin_id: Option<String>,
}

impl NewDeal {
    fn origin(&self) -> OriginFilter<'_> {
        OriginFilter { originator_id: self.originator_id, origin_id: &self.origin_id }
    }
}

impl DealRow {
    /// Whether this row has the key. A filter that was ignored brings rows without it.
    fn carries(&self, deal: &NewDeal) -> bool {
        self.originator_id.as_deref() == Some(deal.originator_id) && self.origin_id.as_ref() == Some(&deal.origin_id)
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    let options = Options::parse();
    run(options).await.unwrap_or_else(|problem| {
        eprintln!("import_deals: {problem}");
        ExitCode::from(2)
    })
}

/// # Errors
/// What keeps the import from beginning, in words.
async fn run(options: Options) -> Result<ExitCode, String> {
    let target = options.target();
    let export = Export::read(&options.file)?;
    summary::show_file(&options.file, &export);
    if options.dry_run {
        println!("nothing was sent: this was a dry run");
        return Ok(ExitCode::SUCCESS);
    }
    if export.leads.is_empty() {
        return if export.bad.is_empty() {
            Ok(ExitCode::SUCCESS)
        } else {
            Err("no row of the file can be sent".to_owned())
        };
    }
    let destination = Destination::open(target).await?;
    if options.blind {
        let blind = blind::send(&destination, export.leads.clone()).await?;
        summary::show_blind(&export, &blind, &destination.copies().await);
        return Ok(ExitCode::SUCCESS);
    }
    let outcome = import::run(&destination, export.leads.clone()).await?;
    Ok(summary::show(&export, &outcome, &destination.copies().await))
}
