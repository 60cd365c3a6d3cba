//! A web shop's export becomes deals or tasks, each order exactly one, on a portal that loses a third of its answers.
//!
//! `cargo run --example import_deals` starts a portal of its own for the run; `-- --help` shows the options.
//!
//! `--api rest2` (the default) and `--api vibe` make deals, `--api rest3` makes tasks; the calls of each are in the file of its name.
//!
//! With `BITRIX24_WEBHOOK` set it imports into that portal. One that outlives the run, so that one can import twice, or kill it and go on:
//!
//! ```text
//! cargo run -p retry-portal -- --secret abcdefgh12345678 --faults 0.3 --time-scale 0.02
//! # in another terminal
//! export BITRIX24_WEBHOOK=http://127.0.0.1:8024/rest/1/abcdefgh12345678/
//! cargo run --example import_deals -- --time-scale 0.02 --journal leads.journal
//! ```
//!
//! The gateway of that portal is at `VIBE_URL=http://127.0.0.1:8024/v1/`, with the `VIBE_KEY` that it prints or `--vibe-key` gives it.
//! Through OAuth it goes with `BITRIX24_OAUTH_TOKENS`, a file as `FileStore` writes it: see `--help`.
//! By REST 3.0 some rows stay in doubt there: the faults of that portal have errors of the server, and no key settles those.

mod api;
mod blind;
mod environment;
mod import;
mod journal;
mod leads;
mod options;
mod portal;
mod progress;
mod rest2;
mod rest3;
mod rows;
mod summary;
mod tally;
mod turns;
mod vibe;

use std::process::ExitCode;

use clap::Parser;

use crate::journal::Journal;
use crate::leads::Export;
use crate::options::Options;
use crate::portal::Destination;

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
    let journal = Journal::open(options.journal.as_deref())?;
    let destination = Destination::open(options.api, options.batched, target, &journal).await?;
    if options.blind {
        let blind = blind::send(&destination, export.leads.clone()).await?;
        summary::show_blind(&export, &blind, &destination.copies().await);
        return Ok(ExitCode::SUCCESS);
    }
    let import = async {
        journal.settle(&destination.client, options.api).await?;
        destination.tally.begin();
        import::run(&destination, export.leads.clone(), options.user).await
    };
    let outcome = tokio::select! {
        outcome = import => outcome?,
        () = journal.interrupted() => {
            journal.leave(&destination.client).await;
            return Ok(ExitCode::from(130));
        }
    };
    Ok(summary::show(options.api, &export, &outcome, &destination.copies().await, journal.path()))
}
