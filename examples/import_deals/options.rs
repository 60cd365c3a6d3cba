//! What the command line and the environment say.

use std::path::PathBuf;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser};
use retry_runtime::RateLimit;

use crate::api::Api;
use crate::environment::{Access, host, is_loopback};

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data/leads.csv");

/// Creates a deal (by REST 3.0 a task) for each order of a web shop's export, each exactly once.
///
/// Unless the environment names a portal, it starts a local one that loses answers and imports into that.
#[derive(Debug, Parser)]
#[command(
    name = "import_deals",
    after_help = "Environment:\n  \
        BITRIX24_WEBHOOK  The portal to import into, https://PORTAL/rest/USER/SECRET/, instead of a local one.\n  \
        VIBE_KEY          The same with --api vibe: the key of the gateway. Deals need a text field UF_CRM_IMPORT_ORDER.\n  \
        VIBE_URL          Where the gateway is, if not at its usual address.\n  \
        BITRIX24_OAUTH_TOKENS\n                    \
        The portal of an OAuth application: the file of its tokens, which is renewed. With it go\n                    \
        BITRIX24_CLIENT_ID, BITRIX24_CLIENT_SECRET and, if not the usual one, BITRIX24_TOKEN_URL.\n\n\
        Exit codes:\n  \
        0  Each good row is one deal or task. Bad rows of the file are listed, and do not count.\n  \
        1  Something is in doubt, was refused or was given up: the summary says what.\n  \
        2  Nothing was sent: bad usage, or a file that can't be read.\n  \
        130  Ctrl-C with a journal: run it again, and it goes on."
)]
pub(crate) struct Options {
    /// CSV in UTF-8 with the columns order, customer, amount, currency and comment [default: examples/data/leads.csv]
    #[arg(value_name = "CSV", default_value = SAMPLE, hide_default_value = true)]
    pub(crate) file: PathBuf,
    /// What the orders go through
    #[arg(long, value_enum, default_value_t = Api::Rest2)]
    pub(crate) api: Api,
    /// REST 3.0: the id of the user who creates the tasks and is responsible for them
    #[arg(long, value_name = "ID", default_value_t = 1)]
    pub(crate) user: u64,
    /// Keep on record in FILE what is sent: killed at any moment and run again, it goes on, and makes each record once
    #[arg(long, value_name = "FILE", conflicts_with = "blind")]
    pub(crate) journal: Option<PathBuf>,
    #[command(flatten)]
    trouble: LocalTrouble,
    /// Let rows travel together, up to fifty in one request (by REST 3.0 only reads do)
    #[arg(long, conflicts_with = "blind")]
    pub(crate) batched: bool,
    /// Send by a plain loop that sends again on every error, to see the duplicates it makes (not with rest3 or OAuth)
    #[arg(long)]
    pub(crate) blind: bool,
    /// Read and check the file, send nothing
    #[arg(long, conflicts_with = "blind")]
    pub(crate) dry_run: bool,
    /// Portal outside of the cloud: after so many seconds its server certainly ends a request, a gateway's queue included
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    settle: Option<u64>,
    /// Portal outside of the cloud: how many requests a second it takes, and 50 at once [default: as many as there are]
    #[arg(long, value_name = "REQUESTS", value_parser = clap::value_parser!(u16).range(1..=1_000))]
    rate: Option<u16>,
    /// A retry-portal that was started with this: all waits are so much shorter than the cloud's, and its rate so much higher
    #[arg(long, value_name = "FACTOR", value_parser = scale, conflicts_with_all = ["settle", "rate"])]
    time_scale: Option<f64>,
}

/// What is said of the local portal.
#[derive(Debug, Clone, Copy, Args)]
struct LocalTrouble {
    /// Local portal: the part of the requests that goes wrong, from 0 to 1 [default: 0.3]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    faults: Option<f64>,
    /// Local portal: the same seed makes the same faults [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Local portal: every first create of an order is carried out and its answer is lost, and nothing else goes wrong
    #[arg(long, conflicts_with = "faults")]
    lose_first: bool,
}

/// Which portal to import into.
pub(crate) enum Target {
    /// One that is started for this run.
    Local { trouble: Trouble, seed: u64 },
    /// The one that the environment names.
    Outside { access: Access, times: Times },
}

/// What is known of a portal outside.
pub(crate) enum Times {
    /// How long its server works at most, and its rate.
    Stated { settle: Option<Duration>, rate: Option<RateLimit> },
    /// It is one of ours, and a second of it takes so long.
    Scaled(f64),
}

/// What goes wrong on the local portal.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Trouble {
    /// This part of the requests.
    Share(f64),
    /// The first answer of every create.
    FirstAnswers,
}

impl Options {
    /// Where to import to. Ends the program if options do not go together.
    pub(crate) fn target(&self) -> Target {
        let access = Access::of(self.api).unwrap_or_else(|problem| usage(problem));
        let variable = Access::variable(self.api);
        if self.blind && self.api == Api::Rest3 {
            usage("--blind is for rest2 and vibe: with its idempotency key even a plain loop makes few duplicates");
        }
        let Some(access) = access else {
            if self.settle.is_some() || self.rate.is_some() || self.time_scale.is_some() {
                usage(&format!("--settle, --rate and --time-scale are for a portal outside: set {variable}"));
            }
            if self.journal.is_some() {
                usage(&format!(
                    "--journal is for a portal that outlives the run, and the local one ends with it: start one with\n  \
                     cargo run -p retry-portal, and set {variable}"
                ));
            }
            let LocalTrouble { faults, seed, lose_first } = self.trouble;
            let trouble = if lose_first { Trouble::FirstAnswers } else { Trouble::Share(faults.unwrap_or(0.3)) };
            return Target::Local { trouble, seed: seed.unwrap_or(1) };
        };
        let LocalTrouble { faults, seed, lose_first } = self.trouble;
        if faults.is_some() || seed.is_some() || lose_first {
            usage(&format!(
                "--faults, --seed and --lose-first are for the local portal: unset {variable}, or start retry-portal with them"
            ));
        }
        if self.blind {
            match &access {
                Access::Webhook(address) | Access::Vibe { url: Some(address), .. } if is_loopback(host(address)) => {}
                Access::Webhook(_) | Access::Vibe { .. } => {
                    usage("--blind makes duplicates on purpose, so it runs against a portal on this machine only")
                }
                Access::OAuth { .. } => usage("--blind has no tokens: it runs with a webhook or a key of the gateway"),
            }
        }
        let stated = || Times::Stated {
            settle: self.settle.map(Duration::from_secs),
            rate: self.rate.map(|rate| RateLimit::new(50, Duration::from_secs(1) / u32::from(rate))),
        };
        Target::Outside { access, times: self.time_scale.map_or_else(stated, Times::Scaled) }
    }
}

fn usage(problem: &str) -> ! {
    Options::command().error(ErrorKind::ArgumentConflict, problem).exit()
}

fn share(text: &str) -> Result<f64, String> {
    let share: f64 = text.parse().map_err(|_| "it is no number".to_owned())?;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err("it must be from 0 to 1".to_owned()) }
}

fn scale(text: &str) -> Result<f64, String> {
    let scale: f64 = text.parse().map_err(|_| "it is no number".to_owned())?;
    if scale > 0.0 && scale <= 1.0 { Ok(scale) } else { Err("it must be above 0, and 1 at most".to_owned()) }
}
