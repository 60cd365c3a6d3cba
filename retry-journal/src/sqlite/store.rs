//! The open file, and how groups of commands are committed to it.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use retry_runtime::clock::{Clock as _, SystemClock};
use retry_runtime::journal::JournalError;
use rusqlite::Connection;

use super::error::{Failure, damaged};
use super::guard::Guard;
use super::head::{Head, Role};
use super::lock::Lock;
use super::row;
use super::thread::Command;
use super::work::Work;
use crate::bodies::Sealer;

/// Why the journal may have forgotten something, as all handles see it.
#[derive(Debug, Clone, Default)]
pub(super) struct Suspicion(Arc<Mutex<Option<Arc<str>>>>);

impl Suspicion {
    pub(super) fn get(&self) -> Option<Arc<str>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn set(&self, why: Option<&str>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.as_deref() != why {
            *known = why.map(Arc::from);
        }
    }
}

/// For how long a write waits for one of somebody else.
pub(super) const BUSY: Duration = Duration::from_secs(10);

/// After so many writes what is in the log goes into the file itself, however busy it is. From then on the log is written from its beginning again: a commit
/// that makes it no longer is synced in half the time.
const CHECKPOINT: usize = 4_000;

/// The open file. One thread has it.
pub(super) struct Store {
    pub(super) connection: Connection,
    pub(super) path: Box<Path>,
    pub(super) sealer: Sealer,
    pub(super) drops_bodies: bool,
    pub(super) owner: Box<str>,
    pub(super) role: Role,
    pub(super) head: Head,
    pub(super) retention: Duration,
    pub(super) suspicion: Suspicion,
    /// Why nothing is written any more.
    pub(super) stopped: Option<Box<str>>,
    /// How many writes were committed since the last checkpoint.
    pub(super) behind: usize,
    /// Held as long as the file is open.
    pub(super) lock: Option<Lock>,
}

impl Store {
    /// Commits a group and answers each of its commands. Gives back those that have to be tried again.
    pub(super) fn group(&mut self, mut group: Vec<Box<dyn Command>>) -> Vec<Box<dyn Command>> {
        let writes = group.iter().any(|command| command.writes());
        let done = self.transaction(writes, |work| group.iter_mut().try_for_each(|command| command.run(work)));
        if writes {
            self.behind = self.behind.saturating_add(group.len());
        }
        let failed = done.err();
        let is_busy = matches!(failed, Some(JournalError::Unavailable(_)));
        let (kept, answered): (Vec<_>, Vec<_>) = group.into_iter().partition(|command| is_busy && command.is_kept());
        for command in answered {
            command.answer(failed.clone());
        }
        if self.behind >= CHECKPOINT {
            self.checkpoint("PASSIVE");
        }
        kept
    }

    /// Does something in a transaction. After an error that leaves open what is in the file, nothing is written any more.
    pub(super) fn transaction<T>(
        &mut self,
        writes: bool,
        work: impl FnOnce(&mut Work<'_>) -> Result<T, Failure>,
    ) -> Result<T, JournalError> {
        if let Some(why) = &self.stopped {
            return Err(JournalError::Stopped(why.clone()));
        }
        match self.connection.execute_batch(if writes { "BEGIN IMMEDIATE" } else { "BEGIN" }).map_err(Failure::from) {
            Ok(()) => {}
            Err(failure) if failure.is_busy() => {
                return Err(JournalError::Unavailable("somebody else is writing to it and does not end".into()));
            }
            Err(failure) => return Err(self.stop(&failure)),
        }
        self.work(writes, work).map_err(|failure| match failure {
            // Nothing was written to the file: the transaction goes with its first damaged page or row.
            Failure::Damaged(why) => match self.connection.execute_batch("ROLLBACK") {
                Ok(()) => damaged(&self.path, &why),
                Err(error) => self.stop(&error.into()),
            },
            failure @ (Failure::Sql(_) | Failure::Io(..)) if !writes && failure.is_busy() => {
                match self.connection.execute_batch("ROLLBACK") {
                    Ok(()) => JournalError::Unavailable("somebody else is setting it up just now".into()),
                    Err(error) => self.stop(&error.into()),
                }
            }
            failure @ (Failure::Sql(_) | Failure::Io(..)) => self.stop(&failure),
        })
    }

    fn work<T>(&mut self, writes: bool, work: impl FnOnce(&mut Work<'_>) -> Result<T, Failure>) -> Result<T, Failure> {
        let mut guard = Guard::load(&self.connection)?;
        let before = guard.clone();
        let outcome = work(&mut Work {
            connection: &self.connection,
            guard: &mut guard,
            sealer: &self.sealer,
            owner: &self.owner,
            drops_bodies: self.drops_bodies,
            // As exactly as it is written, so that what is answered is what is read later.
            now: row::wall(row::micros(SystemClock.now().wall())),
        })?;
        let is_changed = writes && guard != before;
        if is_changed {
            guard.reached.sequence = guard.reached.sequence.saturating_add(1);
            guard.save(&self.connection)?;
        }
        self.connection.execute_batch("COMMIT")?;
        if is_changed {
            self.head.write(guard.reached).map_err(|error| Failure::Io("its head file could not be written", error))?;
        }
        self.suspicion.set(guard.suspicion.as_deref());
        Ok(outcome)
    }

    /// Writes nothing any more: after a failed write nobody knows what is in the file, and to try again would not tell.
    fn stop(&mut self, failure: &Failure) -> JournalError {
        let why = failure.why();
        tracing::error!(path = %self.path.display(), why = &*why, "the journal has stopped");
        self.stopped = Some(why.clone());
        // What it left open is undone as far as it can be; the next start reads what is there.
        let _ = self.connection.execute_batch("ROLLBACK");
        JournalError::Stopped(why)
    }

    /// What is done when nobody asks for anything. Says whether all is done.
    pub(super) fn tidy(&mut self) -> bool {
        if self.role == Role::Desk || self.stopped.is_some() {
            return true;
        }
        let retention = self.retention;
        match self.transaction(true, |work| work.expire(retention)) {
            Ok(expired) if Work::is_more(expired) => return false,
            Ok(_) => {}
            // If that has stopped the store, whoever asks next is told.
            Err(_) => return true,
        }
        if self.behind > 0 {
            self.checkpoint("TRUNCATE");
        }
        true
    }

    /// Moves what is in the log into the file.
    pub(super) fn checkpoint(&mut self, how: &str) {
        if self.role == Role::Desk || self.stopped.is_some() {
            return;
        }
        // It never waits for a desk that reads just now: the next one moves what this one leaves.
        let moved = self
            .connection
            .busy_timeout(Duration::ZERO)
            .and_then(|()| self.connection.query_row(&format!("PRAGMA wal_checkpoint({how})"), (), |_| Ok(())))
            .and_then(|()| self.connection.busy_timeout(BUSY))
            .map_err(Failure::from)
            .and_then(|()| self.head.sync().map_err(|error| Failure::Io("its head file could not be synced", error)));
        match moved {
            Ok(()) => self.behind = 0,
            Err(failure) if failure.is_busy() => drop(self.connection.busy_timeout(BUSY)),
            Err(failure) => {
                self.stop(&failure);
            }
        }
    }

    pub(super) fn close(mut self) {
        if self.behind > 0 {
            self.checkpoint("TRUNCATE");
        }
        drop(self.connection);
        drop(self.lock);
    }
}
