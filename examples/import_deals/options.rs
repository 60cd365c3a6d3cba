//! What the command line and the environment say.

use std::path::PathBuf;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data/leads.csv");

/// Creates a deal for each order of a web shop's export, each exactly once.
///
/// Unless the environment names a portal, it starts a local one that loses answers and imports into that.
#[derive(Debug, Parser)]
#[command(
    name = "import_deals",
    after_help = "Environment:\n  \
        BITRIX24_WEBHOOK  The portal to import into, https://PORTAL/rest/USER/SECRET/, instead of a local one.\n\n\
        Exit codes:\n  \
        0  Each good row is one deal. Bad rows of the file are listed, and do not count.\n  \
        1  Something is in doubt, was refused or was given up: the summary says what.\n  \
        2  Nothing was sent: bad usage, or a file that can't be read."
)]
pub(crate) struct Options {
    /// CSV in UTF-8 with the columns order, customer, amount, currency and comment [default: examples/data/leads.csv]
    #[arg(value_name = "CSV", default_value = SAMPLE, hide_default_value = true)]
    pub(crate) file: PathBuf,
    /// Local portal: the part of the requests that goes wrong, from 0 to 1 [default: 0.3]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    faults: Option<f64>,
    /// Local portal: the same seed makes the same faults [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Send by a plain loop that sends again on every error, to see the duplicates it makes
    #[arg(long)]
    pub(crate) blind: bool,
    /// Read and check the file, send nothing
    #[arg(long, conflicts_with = "blind")]
    pub(crate) dry_run: bool,
    /// Portal outside of the cloud: after so many seconds its server certainly ends a request
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    settle: Option<u64>,
    /// Portal outside: how many rows begin a minute, after the first 20 [default: 40]
    #[arg(long, value_name = "ROWS", value_parser = clap::value_parser!(u16).range(1..))]
    pace: Option<u16>,
}

/// Which portal to import into.
pub(crate) enum Target {
    /// One that is started for this run.
    Local { faults: f64, seed: u64 },
    /// The one of the webhook.
    Outside { webhook: String, settle: Option<Duration>, rows_a_minute: u16 },
}

impl Options {
    /// Where to import to. Ends the program if options do not go together.
    pub(crate) fn target(&self) -> Target {
        let webhook = std::env::var_os("BITRIX24_WEBHOOK").unwrap_or_default().to_string_lossy().into_owned();
        if webhook.is_empty() {
            if self.settle.is_some() || self.pace.is_some() {
                usage("--settle and --pace are for a portal outside: set BITRIX24_WEBHOOK to its address");
            }
            return Target::Local { faults: self.faults.unwrap_or(0.3), seed: self.seed.unwrap_or(1) };
        }
        if self.faults.is_some() || self.seed.is_some() {
            usage(
                "--faults and --seed are for the local portal: unset BITRIX24_WEBHOOK, or start retry-portal with them",
            );
        }
        if self.blind && !is_loopback(host(&webhook)) {
            usage("--blind makes duplicates on purpose, so it runs against a portal on this machine only");
        }
        let settle = self.settle.map(Duration::from_secs);
        Target::Outside { webhook, settle, rows_a_minute: self.pace.unwrap_or(40) }
    }
}

fn usage(problem: &str) -> ! {
    Options::command().error(ErrorKind::ArgumentConflict, problem).exit()
}

fn share(text: &str) -> Result<f64, String> {
    let share: f64 = text.parse().map_err(|_| "it is no number".to_owned())?;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err("it must be from 0 to 1".to_owned()) }
}

/// Host and port of a URL, the only part of a webhook that may be shown.
pub(crate) fn host(webhook: &str) -> &str {
    let rest = webhook.split_once("://").map_or(webhook, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    authority.rsplit('@').next().unwrap_or_default()
}

fn is_loopback(host: &str) -> bool {
    ["127.0.0.1", "localhost", "[::1]"]
        .iter()
        .any(|own| host.strip_prefix(own).is_some_and(|port| port.is_empty() || port.starts_with(':')))
}
