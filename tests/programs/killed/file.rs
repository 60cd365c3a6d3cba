//! One file on its way through kills.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

use fastrand::Rng;
use retry_portal::{Answer, Cut, Fault, Faults, Portal};
use tempfile::TempDir;
use tokio::process::{Child, Command};
use tokio::time::timeout;

use super::truth::{self, Count};
use crate::run::{HEADER, SECRET, command};

const ORDERS: usize = 60;

/// No run of a file that is killed so often takes longer, on the slowest machine.
const FOR_EVER: Duration = Duration::from_mins(5);

/// After so many runs that nobody killed a file is through, or never will be.
const RUNS_TO_THE_END: u32 = 5;

/// How long a second takes, and when the kills come.
#[derive(Debug, Clone, Copy)]
pub(super) struct Times {
    /// On the portal.
    pub(super) portal: f64,
    /// As the import is told.
    pub(super) stated: f64,
    /// No kill comes later after the start.
    pub(super) latest_kill: Duration,
}

/// Imports one file, with so many kills at most.
pub(super) async fn import(kills: u64, times: Times, luck: &mut Rng) -> Count {
    let portal = Portal::builder()
        .secret(SECRET)
        .time_scale(times.portal)
        .no_rate_limit()
        .faults(Faults::seeded(luck.u64(..)).writes(lossy()))
        .start()
        .await
        .unwrap();
    let place = Place::new();
    let mut count = Count { files: 1, ..Count::default() };
    let mut to_the_end = 0;
    while to_the_end < RUNS_TO_THE_END {
        count.runs += 1;
        let mut child = place.start(&portal, times.stated);
        let moment = Duration::from_millis(3) + times.latest_kill.mul_f64(luck.f64());
        let status = if count.kills < kills { killed(&mut child, moment).await } else { ended(&mut child).await };
        match status.code() {
            None => {
                count.kills += 1;
                count.open += place.open().await;
            }
            Some(0 | 1) if place.is_through().await => break,
            Some(0 | 1) => to_the_end += 1,
            Some(_) => panic!("a run did not even begin: {}", place.said()),
        }
    }
    portal.settled().await;
    truth::compare(&portal, &place.journal(), &place.orders, &mut count).await;
    if count.duplicates > 0 || !count.wrong.is_empty() {
        println!("{count}\n{}\nits files are in {}", place.said(), place.folder.keep().display());
    }
    portal.close().await;
    count
}

/// Each loss before and without the effect, and with an effect that comes up to 50 s after it.
fn lossy() -> Vec<(u32, Fault)> {
    let late = Duration::from_secs(50);
    let lost = [
        Answer::Reset,
        Answer::Close,
        Answer::Cut(Cut::Percent(50)),
        Answer::HeadThenReset,
        Answer::Silence,
        Answer::Html(502),
        Answer::Html(504),
    ];
    let faults = |answer: Answer| {
        [(3, Fault::before(answer.clone())), (2, Fault::never(answer.clone())), (3, Fault::late(late, answer))]
    };
    let slow = (3, Fault::before(Answer::Slow(Duration::from_secs(10))));
    lost.into_iter().flat_map(faults).chain([slow]).collect()
}

/// Kills it at this moment after its start, unless it has ended by then.
async fn killed(child: &mut Child, moment: Duration) -> ExitStatus {
    if let Ok(status) = timeout(moment, child.wait()).await {
        return status.unwrap();
    }
    // It may end in this very moment. Then there is nothing to kill, and it has its exit code.
    drop(child.start_kill());
    child.wait().await.unwrap()
}

async fn ended(child: &mut Child) -> ExitStatus {
    timeout(FOR_EVER, child.wait()).await.expect("the import does not end").unwrap()
}

/// Where the file, its journal and what the runs say are.
struct Place {
    folder: TempDir,
    orders: Vec<String>,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("killed").tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let orders: Vec<String> = (1..=ORDERS).map(|order| format!("K-{order}")).collect();
        let rows: Vec<String> = orders.iter().map(|order| format!("{order},Ann,1,EUR,\n")).collect();
        fs::write(folder.path().join("leads.csv"), format!("{HEADER}{}", rows.concat())).unwrap();
        Self { folder, orders }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn journal(&self) -> PathBuf {
        self.path("leads.journal")
    }

    fn start(&self, portal: &Portal, scale: f64) -> Child {
        let said = File::options().create(true).append(true).open(self.path("said")).unwrap();
        let mut command = Command::from(command());
        command.args(["--time-scale", &scale.to_string(), "--journal"]).arg(self.journal()).arg(self.path("leads.csv"));
        command.env("BITRIX24_WEBHOOK", portal.webhook_url()).kill_on_drop(true);
        command.stdout(said.try_clone().unwrap()).stderr(said).spawn().unwrap()
    }

    /// How many writes are open in the journal.
    async fn open(&self) -> u64 {
        let intents = truth::intents(&self.journal()).await;
        intents.iter().filter(|intent| intent.state.is_open()).count() as u64
    }

    async fn is_through(&self) -> bool {
        let intents = truth::intents(&self.journal()).await;
        intents.len() == self.orders.len() && intents.iter().all(|intent| truth::is_over(&intent.state))
    }

    fn said(&self) -> String {
        read(&self.path("said"))
    }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}
