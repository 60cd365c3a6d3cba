//! The thread that has the file, and what is asked of it.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use retry_runtime::journal::JournalError;
use tokio::sync::oneshot;

use super::error::Failure;
use super::store::Store;
use super::work::Work;

/// How many commands share one commit at most.
const GROUP: usize = 512;

/// A group is complete when nothing more comes for so long: callers that were answered together ask together again, and the first of them alone would keep
/// the others waiting for its sync, which takes many times longer.
const GATHER: Duration = Duration::from_micros(50);

/// After so much silence the thread tidies up.
const IDLE: Duration = Duration::from_millis(200);

/// And after so much more it does again, for what has become old since.
const LONG_IDLE: Duration = Duration::from_mins(30);

/// One thing that is asked for.
pub(super) trait Command: Send {
    /// Whether it may change something.
    fn writes(&self) -> bool;
    /// Whether it is to be tried again where the file could not be written to, and has not run.
    fn is_kept(&self) -> bool;
    /// Does it, whole or not at all. An error ends the whole group.
    fn run(&mut self, work: &mut Work<'_>) -> Result<(), Failure>;
    /// Tells what became of it, once that is durable.
    fn answer(self: Box<Self>, failed: Option<JournalError>);
}

struct Ask<T, F> {
    kind: Kind,
    work: Option<F>,
    outcome: Option<Result<T, JournalError>>,
    answer: oneshot::Sender<Result<T, JournalError>>,
}

impl<T: Send, F: FnOnce(&mut Work<'_>) -> Result<T, Failure> + Send> Command for Ask<T, F> {
    fn writes(&self) -> bool {
        self.kind != Kind::Read
    }

    fn is_kept(&self) -> bool {
        self.kind == Kind::Kept && self.work.is_some()
    }

    fn run(&mut self, work: &mut Work<'_>) -> Result<(), Failure> {
        let Some(ask) = self.work.take() else { return Ok(()) };
        self.outcome = Some(match ask(work) {
            Ok(outcome) => Ok(outcome),
            // It is seen when a row is read, before anything of this command is written.
            Err(Failure::Damaged(why)) => Err(JournalError::Damaged(
                format!("{why}. Start the program again: it then checks the whole file, and says what to do").into(),
            )),
            Err(failure) => return Err(failure),
        });
        Ok(())
    }

    fn answer(self: Box<Self>, failed: Option<JournalError>) {
        let outcome = match failed {
            Some(error) => Err(error),
            None => self.outcome.unwrap_or_else(|| Err(gone())),
        };
        // Nobody listens any more: a caller that went away is no fault.
        drop(self.answer.send(outcome));
    }
}

/// Whether a command may change something, and for how long it is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Read,
    Write,
    /// A write that nobody waits for: while somebody else writes to the file it is tried again.
    Kept,
}

/// The thread. With it goes the file.
#[derive(Debug)]
pub(super) struct Thread {
    commands: Option<Sender<Box<dyn Command>>>,
    handle: Option<JoinHandle<()>>,
}

impl Thread {
    pub(super) fn start(store: Store) -> std::io::Result<Self> {
        let (commands, asked) = channel();
        let handle = std::thread::Builder::new().name("retry-journal".into()).spawn(move || run(store, &asked))?;
        Ok(Self { commands: Some(commands), handle: Some(handle) })
    }

    /// Asks for something without waiting for it.
    pub(super) fn send<T: Send + 'static>(
        &self,
        kind: Kind,
        work: impl FnOnce(&mut Work<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> oneshot::Receiver<Result<T, JournalError>> {
        let (answer, answered) = oneshot::channel();
        if let Some(commands) = &self.commands {
            let ask = Ask { kind, work: Some(work), outcome: None, answer };
            // A thread that is gone drops the command, and with it the answer, which says so.
            drop(commands.send(Box::new(ask)));
        }
        answered
    }

    /// Asks for something, and waits until it is durable.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        kind: Kind,
        work: impl FnOnce(&mut Work<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, JournalError> {
        self.send(kind, work).await.unwrap_or_else(|_| Err(gone()))
    }
}

impl Drop for Thread {
    /// Waits until all that was asked for is durable and the file is free again: milliseconds, as a rule.
    fn drop(&mut self) {
        self.commands = None;
        if let Some(handle) = self.handle.take() {
            drop(handle.join());
        }
    }
}

fn gone() -> JournalError {
    JournalError::Stopped("its thread has ended".into())
}

/// The commands that go together with this one.
fn gathered(first: Box<dyn Command>, asked: &Receiver<Box<dyn Command>>) -> Vec<Box<dyn Command>> {
    let mut group = vec![first];
    loop {
        group.extend(asked.try_iter().take(GROUP - group.len()));
        if group.len() >= GROUP || !group.iter().any(|command| command.writes()) {
            return group;
        }
        match asked.recv_timeout(GATHER) {
            Ok(next) => group.push(next),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return group,
        }
    }
}

fn run(mut store: Store, asked: &Receiver<Box<dyn Command>>) {
    let mut is_tidy = false;
    let mut kept = Vec::new();
    loop {
        match asked.recv_timeout(if is_tidy { LONG_IDLE } else { IDLE }) {
            Ok(first) => {
                let (mut writes, reads): (Vec<_>, Vec<_>) =
                    gathered(first, asked).into_iter().partition(|command| command.writes());
                writes.append(&mut kept);
                // What is only read need not wait for the disk. None of them was asked for after a write of its own.
                for group in [reads, writes].into_iter().filter(|group| !group.is_empty()) {
                    kept.extend(store.group(group));
                }
                is_tidy = false;
            }
            Err(RecvTimeoutError::Timeout) if !kept.is_empty() => kept = store.group(kept),
            Err(RecvTimeoutError::Timeout) => {
                is_tidy = store.tidy();
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    if !kept.is_empty() {
        drop(store.group(kept));
    }
    store.close();
}
