//! The parent: starts the workers, kills some on request, and counts at the end.

use std::collections::HashMap;
use std::process::{ExitCode, Stdio};
use std::time::Duration;

use retry_portal::Portal;
use tokio::io::AsyncReadExt as _;
use tokio::process::{Child, Command};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::database::Database;
use crate::leads::Export;
use crate::options::{DATABASE, Options, WEBHOOK};
use crate::summary::{self, Fleet};
use crate::tally::Counts;
use crate::{deals, portal};

/// What every worker is started with.
struct Start<'a> {
    options: &'a Options,
    webhook: String,
    database: String,
    local_limit: Option<Duration>,
}

/// # Errors
/// What keeps it from beginning, or a worker from going on, in words.
pub(crate) async fn run(options: &Options) -> Result<ExitCode, String> {
    let export = Export::read(&options.file)?;
    summary::show_file(&options.file, &export);
    let local = match std::env::var(WEBHOOK) {
        Ok(_) => None,
        Err(_) => Some(portal::local(options).await?),
    };
    let own = match std::env::var(DATABASE) {
        Ok(_) => None,
        Err(_) => Some(Database::start().await?),
    };
    let start = Start {
        options,
        webhook: local.as_ref().map_or_else(|| std::env::var(WEBHOOK).unwrap_or_default(), Portal::webhook_url),
        database: own.as_ref().map_or_else(|| std::env::var(DATABASE).unwrap_or_default(), |own| own.address.clone()),
        local_limit: local.as_ref().map(portal::limit),
    };
    let ended = async {
        let fleet = start.fleet().await?;
        let copies = start.copies(local.as_ref()).await?;
        Ok(summary::show(&export, &fleet, &copies))
    };
    let ended = ended.await;
    if let Some(own) = own {
        own.stop().await;
    }
    ended
}

impl Start<'_> {
    /// Runs all workers to their end.
    async fn fleet(&self) -> Result<Fleet, String> {
        let mut fleet = Fleet::default();
        let mut running = JoinSet::new();
        let mut kills = self.options.kills;
        for number in 0..self.options.workers {
            running.spawn(ended(number, self.worker(number)?, next_kill(&mut kills)));
        }
        while let Some(ended_one) = running.join_next().await {
            let (number, counts) = ended_one.map_err(|broken| broken.to_string())??;
            let Some(counts) = counts else {
                fleet.killed += 1;
                eprintln!("worker {number} was killed, and another one takes its place");
                running.spawn(ended(number, self.worker(number)?, next_kill(&mut kills)));
                continue;
            };
            fleet.workers.push((number, counts));
        }
        fleet.workers.sort_by_key(|(number, _)| *number);
        Ok(fleet)
    }

    fn worker(&self, number: u16) -> Result<Child, String> {
        let program = std::env::current_exe().map_err(|error| format!("this program can't find itself: {error}"))?;
        let mut command = Command::new(program);
        command.args(self.options.of_worker(number, self.local_limit)).arg(&self.options.file);
        command.env(WEBHOOK, &self.webhook).env(DATABASE, &self.database);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
        command.spawn().map_err(|error| format!("worker {number} does not start: {error}"))
    }

    /// How many deals there are of each order.
    async fn copies(&self, local: Option<&Portal>) -> Result<HashMap<String, usize>, String> {
        if let Some(portal) = local {
            // A late effect counts too.
            portal.settled().await;
        }
        let client = portal::client(self.options, &self.webhook, self.local_limit).build();
        let client = client.map_err(|error| format!("{WEBHOOK}: {error}"))?;
        let orders = deals::orders(&client).await;
        let mut copies = HashMap::new();
        for order in orders.map_err(|error| format!("the deals of the portal could not be listed: {error}"))? {
            *copies.entry(order).or_default() += 1;
        }
        Ok(copies)
    }
}

/// After how long the next worker is killed, while there are kills left.
fn next_kill(left: &mut u16) -> Option<Duration> {
    *left = left.checked_sub(1)?;
    Some(Duration::from_millis(fastrand::u64(300..3_000)))
}

/// Waits for a worker and what it counted; `None`, if it was killed.
async fn ended(number: u16, mut child: Child, kill: Option<Duration>) -> Result<(u16, Option<Counts>), String> {
    let problem = |error: &dyn std::fmt::Display| format!("worker {number}: {error}");
    let Some(mut pipe) = child.stdout.take() else { return Err(problem(&"it has no output")) };
    let mut out = String::new();
    let read = pipe.read_to_string(&mut out);
    if let Some(kill) = kill {
        let Ok(read) = timeout(kill, read).await else {
            child.kill().await.map_err(|error| problem(&error))?;
            return Ok((number, None));
        };
        read.map_err(|error| problem(&error))?;
    } else {
        read.await.map_err(|error| problem(&error))?;
    }
    let status = child.wait().await.map_err(|error| problem(&error))?;
    if !status.success() {
        return Err(problem(&status));
    }
    let counts = serde_json::from_str(out.trim()).map_err(|error| problem(&error))?;
    Ok((number, Some(counts)))
}
