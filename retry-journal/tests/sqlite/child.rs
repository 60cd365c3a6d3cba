//! A process of its own that writes until it dies, and tells what was acknowledged.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use retry_journal::sqlite::SqliteJournal;
use retry_runtime::journal::{Begun, Journal as _, JournalError, State};

use crate::kit::{applied, beginning, entry, look};

/// The file that the child writes, and the word that its keys begin with.
const FILE: &str = "RETRY_JOURNAL_CHILD";
const WORD: &str = "RETRY_JOURNAL_WORD";

/// What the child has told, which is what it was told.
#[derive(Debug, Default)]
pub(crate) struct Told {
    pub(crate) begun: BTreeSet<String>,
    pub(crate) ended: BTreeSet<String>,
    /// Why its journal stopped.
    pub(crate) stopped: Option<String>,
}

impl Told {
    fn hears(&mut self, line: &str) {
        if let Some(key) = line.strip_prefix("begun ") {
            self.begun.insert(key.into());
        } else if let Some(key) = line.strip_prefix("ended ") {
            self.ended.insert(key.into());
        } else if let Some(why) = line.strip_prefix("stopped ") {
            self.stopped = Some(why.into());
        }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.begun.extend(other.begun);
        self.ended.extend(other.ended);
    }

    /// Which of the acknowledged rows are missing in the journal, or are not as far as they were.
    pub(crate) async fn missing(&self, journal: &SqliteJournal) -> Vec<String> {
        let mut missing = Vec::new();
        for key in &self.begun {
            let is_there = match look(journal, key).await.map(|intent| intent.state) {
                None => false,
                Some(State::Applied { .. }) => true,
                Some(_) => !self.ended.contains(key),
            };
            if !is_there {
                missing.push(key.clone());
            }
        }
        missing
    }
}

/// How the child is started: `wrapper` is a program that starts it.
pub(crate) fn command(wrapper: &[&str], path: &Path, word: &str) -> Command {
    let exe: PathBuf = std::env::current_exe().unwrap();
    let mut command = match wrapper {
        [] => Command::new(exe),
        [program, arguments @ ..] => {
            let mut command = Command::new(program);
            command.args(arguments).arg(exe);
            command
        }
    };
    command.args(["child::writes_until_it_dies", "--exact", "--ignored", "--nocapture"]);
    command.env(FILE, path).env(WORD, word).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

/// Hears the child until it has told so many lines, then kills it; or until it ends by itself.
pub(crate) fn heard(mut child: Child, lines: usize) -> Told {
    let mut told = Told::default();
    let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
    for line in out.by_ref().take(lines) {
        told.hears(&line.unwrap());
    }
    // SIGKILL. What it wrote into the pipe before is heard, too; a line that was cut off was not told.
    let _ = child.kill();
    for line in out {
        told.hears(&line.unwrap());
    }
    child.wait().unwrap();
    told
}

#[ignore = "the other side of the stories of kills and of disks, started by them as a process of its own"]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writes_until_it_dies() {
    let path = std::env::var_os(FILE).expect("it is started by the other tests");
    let word = std::env::var(WORD).unwrap();
    let journal = SqliteJournal::open(path).unwrap();
    let next = Arc::new(AtomicUsize::new(0));
    let tasks: Vec<_> = (0..8)
        .map(|_| {
            let (journal, next, word) = (journal.clone(), Arc::clone(&next), word.clone());
            tokio::spawn(async move {
                loop {
                    let key = format!("{word}-{}", next.fetch_add(1, Ordering::Relaxed));
                    if let Err(error) = pair(&journal, &key).await {
                        return error;
                    }
                }
            })
        })
        .collect();
    for task in tasks {
        let error = task.await.unwrap();
        assert!(matches!(error, JournalError::Stopped(_)), "{error}");
        assert_eq!(journal.begin(&beginning("after it")).await, Err(error.clone()), "it stays stopped");
        println!("stopped {error}");
    }
}

async fn pair(journal: &SqliteJournal, key: &str) -> Result<(), JournalError> {
    let Begun::Yes(held) = journal.begin(&beginning(key)).await? else { panic!("{key} is taken") };
    println!("begun {key}");
    journal.record(&entry(held, applied())).await?;
    println!("ended {key}");
    Ok(())
}
