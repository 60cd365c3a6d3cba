//! Several workers, each a process of its own, import one file into one portal together: each order becomes one deal, whatever happens to a worker.
//!
//! They share nothing but a journal in PostgreSQL. Every worker goes through all rows, each from another place: whoever comes first to an order has its
//! intent, and the others get the result that is on record.
//!
//! `cargo run --example fleet` starts a portal that loses a third of its answers, a PostgreSQL server of its own (`apt-get install postgresql`) and four
//! workers; `-- --kills 5` kills five of them with SIGKILL on the way, and starts others in their place. `-- --help` shows the options.
//!
//! Into a portal and through a server outside:
//!
//! ```text
//! export BITRIX24_WEBHOOK=https://acme.bitrix24.com/rest/1/abcdefgh12345678/
//! export FLEET_DATABASE=postgres://fleet:secret@db.example/journal
//! cargo run --example fleet -- --workers 8 orders.csv
//! ```

mod database;
mod deals;
#[path = "../import_deals/leads.rs"]
mod leads;
mod options;
mod parent;
mod portal;
#[path = "../import_deals/rows.rs"]
mod rows;
mod summary;
mod tally;
#[path = "../import_deals/turns.rs"]
mod turns;
mod worker;

use std::process::ExitCode;

use clap::Parser;

use crate::options::Options;

#[tokio::main]
async fn main() -> ExitCode {
    let options = Options::parse();
    let ended = match options.worker {
        Some(number) => worker::run(&options, number).await.map(|()| ExitCode::SUCCESS),
        None => parent::run(&options).await,
    };
    ended.unwrap_or_else(|problem| {
        eprintln!("fleet: {problem}");
        ExitCode::from(2)
    })
}
