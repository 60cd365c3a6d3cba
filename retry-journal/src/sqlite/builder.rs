//! How a journal is opened.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::error::OpenError;
use super::head::Role;
use super::journal::{SqliteDesk, SqliteJournal};
use super::open::Opening;
use crate::bodies::Bodies;

/// No caller sends the same again after this: the least that ended intents are kept for.
const LEAST: Duration = Duration::from_hours(24);

/// How a journal is opened. Made by [`SqliteJournal::builder`].
#[derive(Debug, Clone)]
#[must_use]
pub struct Builder {
    path: PathBuf,
    bodies: Bodies,
    retention: Duration,
    must_exist: bool,
}

impl Builder {
    pub(super) fn new(path: &Path) -> Self {
        Self {
            path: path.into(),
            bodies: Bodies::default(),
            retention: Duration::from_hours(7 * 24),
            must_exist: false,
        }
    }

    /// What becomes of the arguments, which may be personal data. By default they are [dropped](Bodies::DropAtClose) when nobody needs them any more.
    pub fn bodies(mut self, bodies: Bodies) -> Self {
        self.bodies = bodies;
        self
    }

    /// For how long intents stay on record after they were applied, rejected or not applied: 7 days by default, and never less than 24 hours.
    ///
    /// As long as an intent is on record, the same call gets its result instead of a second effect. Open ones and those that wait for a person stay for ever.
    pub fn retention(mut self, retention: Duration) -> Self {
        self.retention = retention.max(LEAST);
        self
    }

    /// Makes it an error if there is no file: for a program that has run before, where a missing file is a missing disk or a wrong path.
    pub fn must_exist(mut self) -> Self {
        self.must_exist = true;
        self
    }

    /// Opens the file to send by it; makes it if there is none. All of it is read and checked, so that a large file takes its time.
    ///
    /// # Errors
    /// Another process sends by it, or it is missing, damaged, newer than this program, not a journal, or encrypted otherwise. The error says what to do.
    pub fn open(&self) -> Result<SqliteJournal, OpenError> {
        SqliteJournal::start(self.opening(Role::Sender).open()?)
    }

    /// Opens the file for a person, whether or not a program sends by it. It needs the key, if the bodies are encrypted.
    ///
    /// # Errors
    /// As for [`open`](Self::open); it must be there, and of the newest format.
    pub fn desk(&self) -> Result<SqliteDesk, OpenError> {
        SqliteDesk::start(self.opening(Role::Desk).open()?)
    }

    fn opening(&self, role: Role) -> Opening<'_> {
        Opening { path: &self.path, role, bodies: &self.bodies, retention: self.retention, must_exist: self.must_exist }
    }
}
