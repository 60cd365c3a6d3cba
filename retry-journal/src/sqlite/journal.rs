//! The two handles: of the program that sends, and of the person beside it.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use retry_runtime::journal::{
    Beginning, Begun, Change, Claim, Entry, Epoch, Held, Intent, IntentId, Job, Journal, JournalError, Recorded,
};

use super::builder::Builder;
use super::error::OpenError;
use super::store::{Store, Suspicion};
use super::thread::{Kind, Thread};
use super::unheard::Unheard;
use crate::{Decided, Decision, Desk, DeskError, Page, Query, Shown, Signature, Stats, Work};

/// The write journal of one process, in a file. A clone is another handle of it; the last one that goes waits until all is on the disk and frees the file.
///
/// ```
/// use retry_journal::sqlite::SqliteJournal;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("writes.journal");
/// let journal = SqliteJournal::open(&path)?;
/// // Nobody else sends by it meanwhile.
/// assert!(SqliteJournal::open(&path).is_err());
/// drop(journal);
/// assert!(SqliteJournal::open(&path).is_ok());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct SqliteJournal {
    inner: Arc<Inner>,
}

/// The journal as a person sees it, while a program sends by it or not. A clone is another handle of it.
///
/// It looks and decides, and is no [`Journal`]: nothing can be sent by it.
#[derive(Clone)]
pub struct SqliteDesk {
    inner: Arc<Inner>,
}

struct Inner {
    thread: Thread,
    suspicion: Suspicion,
    path: Box<Path>,
}

impl Inner {
    fn start(store: Store) -> Result<Arc<Self>, OpenError> {
        let (path, suspicion) = (store.path.clone(), store.suspicion.clone());
        let thread = Thread::start(store).map_err(|source| OpenError::Io {
            path: path.to_path_buf(),
            doing: "its thread could not be started",
            source,
        })?;
        Ok(Arc::new(Self { thread, suspicion, path }))
    }
}

impl SqliteJournal {
    /// Opens the file with all defaults; makes it if there is none.
    ///
    /// # Errors
    /// As for [`Builder::open`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        Self::builder(path).open()
    }

    /// How it is to be opened.
    pub fn builder(path: impl AsRef<Path>) -> Builder {
        Builder::new(path.as_ref())
    }

    /// Opens the file for a person, also while a program sends by it.
    ///
    /// # Errors
    /// As for [`Builder::desk`].
    pub fn desk(path: impl AsRef<Path>) -> Result<SqliteDesk, OpenError> {
        Self::builder(path).desk()
    }

    pub(super) fn start(store: Store) -> Result<Self, OpenError> {
        Inner::start(store).map(|inner| Self { inner })
    }
}

impl SqliteDesk {
    pub(super) fn start(store: Store) -> Result<Self, OpenError> {
        Inner::start(store).map(|inner| Self { inner })
    }
}

impl fmt::Debug for SqliteJournal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteJournal").field("path", &self.inner.path).finish_non_exhaustive()
    }
}

impl fmt::Debug for SqliteDesk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteDesk").field("path", &self.inner.path).finish_non_exhaustive()
    }
}

impl Journal for SqliteJournal {
    fn look<'a>(&'a self, id: &'a IntentId) -> Job<'a, Option<Intent>> {
        Box::pin(async move {
            let id = id.clone();
            self.inner.thread.ask(Kind::Read, move |work| Ok(work.look(&id)?.map(|known| known.intent))).await
        })
    }

    fn begin<'a>(&'a self, beginning: &'a Beginning) -> Job<'a, Begun> {
        Box::pin(async move {
            let beginning = beginning.clone();
            let taken_by = |begun: &Begun| match begun {
                Begun::Yes(held) => vec![*held],
                Begun::Taken(_) => Vec::new(),
            };
            Unheard::new(&self.inner.thread).ask(move |work| work.begin(&beginning), taken_by).await
        })
    }

    fn record<'a>(&'a self, entry: &'a Entry) -> Job<'a, Recorded> {
        Box::pin(async move {
            let (first, later) = (entry.clone(), entry.clone());
            let recorded = self.inner.thread.ask(Kind::Write, move |work| work.record(&first)).await;
            // Else this process would hold the intent for as long as it lives, and nobody in it would know.
            if let Err(JournalError::Unavailable(_)) = &recorded {
                drop(self.inner.thread.send(Kind::Kept, move |work| work.record(&later)));
            }
            recorded
        })
    }

    fn claim<'a>(&'a self, claim: &'a Claim) -> Job<'a, Vec<Intent>> {
        Box::pin(async move {
            let claim = claim.clone();
            let taken_by = |claimed: &Vec<Intent>| claimed.iter().map(Intent::held).collect();
            Unheard::new(&self.inner.thread).ask(move |work| work.claim(&claim), taken_by).await
        })
    }

    fn release(&self, held: Held, why: &str) {
        let change = Change::Unknown { why: why.into(), let_go: true };
        let entry = Entry { held, change, story: Vec::new() };
        drop(self.inner.thread.send(Kind::Kept, move |work| work.record(&entry)));
    }

    fn flush(&self) -> Job<'_, ()> {
        // They are answered in the order in which they are asked.
        Box::pin(self.inner.thread.ask(Kind::Read, |_| Ok(())))
    }

    fn suspicion(&self) -> Option<Arc<str>> {
        self.inner.suspicion.get()
    }
}

impl Desk for Inner {
    fn list<'a>(&'a self, query: &'a Query) -> Work<'a, Page> {
        Box::pin(async move {
            let query = query.clone();
            Ok(self.thread.ask(Kind::Read, move |work| work.list(&query)).await?)
        })
    }

    fn show(&self, number: u64) -> Work<'_, Shown> {
        Box::pin(async move {
            let shown = self.thread.ask(Kind::Read, move |work| work.show(number)).await?;
            shown.ok_or(DeskError::NoSuch(number))
        })
    }

    fn decide<'a>(&'a self, number: u64, epoch: Epoch, decision: &'a Decision, by: &'a Signature) -> Work<'a, Decided> {
        Box::pin(async move {
            let (decision, by) = (decision.clone(), by.clone());
            let decide = move |work: &mut super::work::Work<'_>| work.decide(number, epoch, &decision, &by);
            self.thread.ask(Kind::Write, decide).await?.ok_or(DeskError::NoSuch(number))
        })
    }

    fn stats(&self) -> Work<'_, Stats> {
        Box::pin(async move { Ok(self.thread.ask(Kind::Read, |work| work.stats()).await?) })
    }

    fn suspicion(&self) -> Work<'_, Option<Box<str>>> {
        Box::pin(async move {
            let suspicion = self.thread.ask(Kind::Read, |work| Ok(work.guard.suspicion.clone())).await?;
            Ok(suspicion.map(Into::into))
        })
    }

    fn trust<'a>(&'a self, by: &'a Signature) -> Work<'a, ()> {
        Box::pin(async move {
            let by = by.clone();
            Ok(self.thread.ask(Kind::Write, move |work| work.trust(&by)).await?)
        })
    }
}

/// Both handles let a person look and decide alike.
macro_rules! desk {
    ($handle:ty) => {
        impl Desk for $handle {
            fn list<'a>(&'a self, query: &'a Query) -> Work<'a, Page> {
                self.inner.list(query)
            }

            fn show(&self, number: u64) -> Work<'_, Shown> {
                self.inner.show(number)
            }

            fn decide<'a>(
                &'a self,
                number: u64,
                epoch: Epoch,
                decision: &'a Decision,
                by: &'a Signature,
            ) -> Work<'a, Decided> {
                self.inner.decide(number, epoch, decision, by)
            }

            fn stats(&self) -> Work<'_, Stats> {
                self.inner.stats()
            }

            fn suspicion(&self) -> Work<'_, Option<Box<str>>> {
                Desk::suspicion(&*self.inner)
            }

            fn trust<'a>(&'a self, by: &'a Signature) -> Work<'a, ()> {
                self.inner.trust(by)
            }
        }
    };
}

desk!(SqliteJournal);
desk!(SqliteDesk);
