//! The write journal: an intent is on record before its first byte leaves, and its outcome before the caller hears of it.
//!
//! A write is safe while its process lives. After a crash, a deploy or a power cut nobody would know of a request that was on its way, and
//! the next run would send it again. A stub that says `journal` is taken down by the [`Journal`] of its client: what is open after a
//! crash is found there, waited for, read back by the very verifier of the stub, and ended once, by one worker, or kept for a person.
//!
//! This crate has the trait, the [recovery](crate::Client::recover) and a [journal in memory](MemoryJournal) for tests. `retry-journal` has the
//! stores that outlive a process: a file for one process, a server for many.
//!
//! # The states of an intent
//!
//! | state | what it means |
//! |---|---|
//! | [`Sending`](State::Sending) | an attempt may have been sent |
//! | [`Unknown`](State::Unknown) | an attempt ended without a proof, or its process died |
//! | [`Ready`](State::Ready) | no attempt was applied, or can be any more |
//! | [`Applied`](State::Applied) | it has its effect, and the result is on record |
//! | [`Rejected`](State::Rejected) | it was refused, and had no effect |
//! | [`Manual`](State::Manual) | a person has to look: see `bitrix-journal` |
//!
//! Each change is made by who holds the intent's [`Epoch`], and by nobody else; only the news that it was applied is taken from anybody.

mod begin;
mod change;
mod digest;
mod intent;
mod memory;
mod record;
mod story;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

pub use begin::{Beginning, Begun};
pub use change::{Change, Claim, Entry, Recorded};
pub use digest::Digest;
pub use intent::{Epoch, Held, How, Intent, IntentId, State};
pub use memory::MemoryJournal;
pub(crate) use record::Record;
pub use story::{Event, EventKind};

pub use crate::call::{Recovered, Recovery, Settled, Settlement};
use crate::transport::BoxFuture;

/// What a journal answers with.
pub type Job<'a, T> = BoxFuture<'a, Result<T, JournalError>>;

/// Where intents are kept.
///
/// The contract: what is answered with `Ok` is durable; each operation happens whole or not at all; a change of an intent is made only
/// if its epoch is the one that was named. After a failed write the state of the record is unknown, so that a store which can't tell stops: it answers every
/// further write with [`JournalError::Stopped`].
///
/// An intent whose holder may still be alive is never given to another by [`claim`](Self::claim).
pub trait Journal: fmt::Debug + Send + Sync + 'static {
    /// What is known of an intent.
    fn look<'a>(&'a self, id: &'a IntentId) -> Job<'a, Option<Intent>>;

    /// Takes down that an attempt is about to be sent. Nothing of it may leave before this is answered.
    fn begin<'a>(&'a self, beginning: &'a Beginning) -> Job<'a, Begun>;

    /// Takes down what became of it.
    fn record<'a>(&'a self, entry: &'a Entry) -> Job<'a, Recorded>;

    /// Gives intents that are open and that nobody holds to the caller, each with a new epoch.
    fn claim<'a>(&'a self, claim: &'a Claim) -> Job<'a, Vec<Intent>>;

    /// Lets go of an intent without waiting for anything: its task was dropped, and an attempt of it may be under way.
    fn release(&self, held: Held, why: &str);

    /// Waits until everything that was let go of is on record.
    fn flush(&self) -> Job<'_, ()>;

    /// Why intents that are not on record may have been sent all the same: the file is new although one was expected, or an older copy came back.
    ///
    /// While it says so, each intent without a record is waited for and read back before its first send.
    fn suspicion(&self) -> Option<Arc<str>> {
        None
    }

    /// Takes a turn in the line of all processes that share this journal and call from the same address; says how long to wait for it.
    ///
    /// `every` is the time between two requests of the portal. By default each process has a line of its own, which the client keeps by itself.
    fn turn<'a>(&'a self, portal: &'a str, every: Duration) -> Job<'a, Duration> {
        let _ = (portal, every);
        Box::pin(std::future::ready(Ok(Duration::ZERO)))
    }
}

/// Why a journal could not do it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// It could not write, and writes nothing more until it is opened anew.
    #[error(
        "the journal has stopped, as it could not write: {0}. See to its disk, then start again: what was under way is read back then"
    )]
    Stopped(Box<str>),
    /// It can't be reached now.
    #[error("the journal can't be reached: {0}")]
    Unavailable(Box<str>),
    /// It has something that does not read as a journal.
    #[error("the journal is damaged: {0}")]
    Damaged(Box<str>),
}

impl<J: Journal + ?Sized> Journal for Arc<J> {
    fn look<'a>(&'a self, id: &'a IntentId) -> Job<'a, Option<Intent>> {
        (**self).look(id)
    }

    fn begin<'a>(&'a self, beginning: &'a Beginning) -> Job<'a, Begun> {
        (**self).begin(beginning)
    }

    fn record<'a>(&'a self, entry: &'a Entry) -> Job<'a, Recorded> {
        (**self).record(entry)
    }

    fn claim<'a>(&'a self, claim: &'a Claim) -> Job<'a, Vec<Intent>> {
        (**self).claim(claim)
    }

    fn release(&self, held: Held, why: &str) {
        (**self).release(held, why);
    }

    fn flush(&self) -> Job<'_, ()> {
        (**self).flush()
    }

    fn suspicion(&self) -> Option<Arc<str>> {
        (**self).suspicion()
    }

    fn turn<'a>(&'a self, portal: &'a str, every: Duration) -> Job<'a, Duration> {
        (**self).turn(portal, every)
    }
}
