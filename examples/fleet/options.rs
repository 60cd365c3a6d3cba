//! What the command line and the environment say.

use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data/leads.csv");

/// The variables that hold secrets: they are not shown in the list of processes, as arguments are.
pub(crate) const WEBHOOK: &str = "BITRIX24_WEBHOOK";
pub(crate) const DATABASE: &str = "FLEET_DATABASE";

/// Creates a deal for each order of a file, by several workers together, each order exactly once.
#[derive(Debug, Clone, Parser)]
#[command(
    name = "fleet",
    after_help = "Environment:\n  \
        BITRIX24_WEBHOOK  The portal to import into, instead of a local one that loses answers.\n  \
        FLEET_DATABASE    The PostgreSQL server of the journal (postgres://USER:PASSWORD@HOST/DATABASE), instead of one that is started for the run.\n\n\
        Exit codes:\n  \
        0  Each good row is one deal.\n  \
        1  A row is missing, is there twice, or waits for a person: the summary says which.\n  \
        2  It could not begin, or a worker could not go on."
)]
pub(crate) struct Options {
    /// CSV in UTF-8 with the columns order, customer, amount, currency and comment [default: examples/data/leads.csv]
    #[arg(value_name = "CSV", default_value = SAMPLE, hide_default_value = true)]
    pub(crate) file: PathBuf,
    /// How many workers there are at a time
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(crate) workers: u16,
    /// Kill a worker so many times, now and then, and start another one
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) kills: u16,
    /// Local portal: the part of the requests that goes wrong
    #[arg(long, value_name = "SHARE", default_value_t = 0.3)]
    pub(crate) faults: f64,
    /// Local portal: the same seed makes the same faults
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Portal outside of the cloud: after so many seconds its server certainly ends a request
    #[arg(long, value_name = "SECONDS")]
    settle: Option<u64>,
    /// For how many seconds a worker that is not seen any more keeps what it holds [default: 2 with the local portal, else 30]
    #[arg(long, value_name = "SECONDS")]
    lease: Option<u64>,
    /// This process is a worker of that number
    #[arg(long, hide = true)]
    pub(crate) worker: Option<u16>,
    /// A worker of the local portal: after so many milliseconds its server ends a request
    #[arg(long, hide = true)]
    pub(crate) local_limit: Option<u64>,
}

impl Options {
    pub(crate) fn settle(&self) -> Option<Duration> {
        self.settle.map(Duration::from_secs)
    }

    /// Beside a portal of which a second takes 20 ms, the usual 30 s would be half an hour.
    pub(crate) fn lease(&self, is_local: bool) -> Duration {
        Duration::from_secs(self.lease.unwrap_or(if is_local { 2 } else { 30 }))
    }

    /// The arguments of a worker.
    pub(crate) fn of_worker(&self, number: u16, local_limit: Option<Duration>) -> Vec<String> {
        let mut arguments = vec![
            format!("--worker={number}"),
            format!("--workers={}", self.workers),
            format!("--lease={}", self.lease(local_limit.is_some()).as_secs()),
        ];
        arguments.extend(self.settle.map(|seconds| format!("--settle={seconds}")));
        arguments.extend(local_limit.map(|limit| format!("--local-limit={}", limit.as_millis())));
        arguments
    }
}
