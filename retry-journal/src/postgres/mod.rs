//! A journal in PostgreSQL, for many processes.
//!
//! # What it needs
//!
//! PostgreSQL 13 or newer, and a role that may make a schema the first time. Connections are made directly or through a pooler in session mode: one
//! in transaction mode loses the settings that make a commit durable.
//!
//! A connection that leaves the machine is encrypted and the certificate checked, against the store of the operating system or the file in
//! `SSL_CERT_FILE`; `sslmode=disable` in the address switches that off. On a unix socket or the loopback address it is the other way round: plain unless the address
//! says `sslmode=require`.
//!
//! # What may be forgotten, and who notices
//!
//! What was acknowledged is on the server's disk. Beyond that the journal notices one thing: with [`must_exist`](PostgresBuilder::must_exist), that there were no
//! tables where there must be some (another database, a dropped schema). It is then under [suspicion](retry_runtime::journal::Journal::suspicion), which the tables keep and
//! every worker sees at once or with its next heartbeat, until a person [trusts](crate::Desk::trust) it: each intent without a record is read back before its first send.
//!
//! Not noticed, since a restored table looks from inside like one that never was ahead: an older dump, a file copy or a point in time that was restored; rows that
//! somebody deleted; a standby that took over without having had everything (asynchronous replication). Use synchronous replication. After a
//! restore, put the journal under suspicion before the first worker starts, in the schema of the journal:
//! `UPDATE guard SET suspicion = 'restored from the dump of Monday'`. `bitrix-journal trust` ends it, once nothing that is missing can be sent again: after the time in which
//! orders are handed in once more.
//!
//! # Who holds what
//!
//! Each handle is a worker with a heartbeat. What a worker holds is [claimed](retry_runtime::journal::Journal::claim) by others once it was not seen for its
//! [lease](PostgresBuilder::lease), by the clock of the database. The lease only saves work: each change is checked against the epoch of the intent.

mod builder;
mod core;
mod desk;
mod error;
mod guard;
mod pool;
mod rows;
mod schema;
mod seal;
mod sql;
mod tasks;
mod tls;
mod write;

use std::fmt;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use retry_runtime::journal::{
    Beginning, Begun, Change, Claim, Entry, Held, Intent, IntentId, Job, Journal, JournalError, Recorded,
};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

pub use builder::PostgresBuilder;
pub use error::ConnectError;

pub use crate::bodies::{Bodies, BodyKey};

use self::core::Core;
use self::tasks::Errand;

/// A journal in PostgreSQL. A clone is another handle of the same worker.
///
/// With the last handle the heartbeat ends, and others may claim what this worker held.
///
/// While the server can't be reached nothing begins. What became of attempts that are under way is kept in memory and put on record when the server is back,
/// if nobody has taken the intent over by then.
///
/// ```no_run
/// use retry_journal::postgres::PostgresJournal;
///
/// # async fn run() -> Result<(), retry_journal::postgres::ConnectError> {
/// let journal = PostgresJournal::connect("postgres://fleet:secret@db.example/journal").await?;
/// # drop(journal);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct PostgresJournal {
    core: Arc<Core>,
    errands: UnboundedSender<Errand>,
    /// Ends after the last handle.
    heart: Arc<Mutex<Option<JoinHandle<()>>>>,
}

impl PostgresJournal {
    /// Opens it with the defaults of [`PostgresBuilder`].
    ///
    /// # Errors
    /// See [`ConnectError`].
    pub async fn connect(address: &str) -> Result<Self, ConnectError> {
        Self::builder().connect(address).await
    }

    /// What can be set before it is opened.
    pub fn builder() -> PostgresBuilder {
        PostgresBuilder::default()
    }

    /// The name of this worker, as it is in the rows that it holds.
    pub fn worker(&self) -> &str {
        &self.core.me
    }

    /// Waits until everything is on record, and lets go of it at once instead of after the lease. Other handles of the worker keep it alive.
    pub async fn close(self) {
        let _ = self.flush().await;
        let Self { core, errands, heart } = self;
        drop((core, errands));
        let heart = Arc::into_inner(heart).and_then(|heart| heart.into_inner().unwrap_or_else(PoisonError::into_inner));
        if let Some(heart) = heart {
            // It ends by itself; a panic in it has been told by the runtime.
            let _ = heart.await;
        }
    }

    fn put_down_later(&self, entry: Entry) {
        self.core.waiting.fetch_add(1, Ordering::Relaxed);
        if self.errands.send(Errand::Record(entry)).is_err() {
            self.core.waiting.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl Journal for PostgresJournal {
    fn look<'a>(&'a self, id: &'a IntentId) -> Job<'a, Option<Intent>> {
        Box::pin(self.core.look(id))
    }

    fn begin<'a>(&'a self, beginning: &'a Beginning) -> Job<'a, Begun> {
        Box::pin(self.core.begin(beginning))
    }

    fn record<'a>(&'a self, entry: &'a Entry) -> Job<'a, Recorded> {
        Box::pin(async move {
            let recorded = self.core.record(entry).await;
            if let Err(JournalError::Unavailable(_)) = &recorded {
                self.put_down_later(entry.clone());
            }
            recorded
        })
    }

    fn claim<'a>(&'a self, claim: &'a Claim) -> Job<'a, Vec<Intent>> {
        Box::pin(self.core.claim(claim))
    }

    fn release(&self, held: Held, why: &str) {
        let change = Change::Unknown { why: why.into(), let_go: true };
        self.put_down_later(Entry { held, change, story: Vec::new() });
    }

    fn flush(&self) -> Job<'_, ()> {
        Box::pin(async move {
            let (done, told) = oneshot::channel();
            let is_sent = self.errands.send(Errand::Flush(done)).is_ok();
            if is_sent && told.await.is_ok() {
                return Ok(());
            }
            Err(JournalError::Unavailable("the runtime of its connections has ended".into()))
        })
    }

    fn suspicion(&self) -> Option<Arc<str>> {
        core::lock(&self.core.suspicion).clone()
    }

    fn turn<'a>(&'a self, portal: &'a str, every: Duration) -> Job<'a, Duration> {
        Box::pin(self.core.turn(portal, every))
    }
}

impl fmt::Debug for PostgresJournal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresJournal").field("worker", &self.core.me).finish_non_exhaustive()
    }
}
