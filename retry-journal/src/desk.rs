//! What a person does with a journal: look, decide, count.

use std::time::{Duration, SystemTime};

use retry_runtime::journal::{Epoch, Event, Intent, JournalError};
use retry_runtime::transport::BoxFuture;

/// What a desk answers with.
pub type Work<'a, T> = BoxFuture<'a, Result<T, DeskError>>;

/// A journal as people see it. Every store is one; it may be asked while the program that sends is running.
pub trait Desk: Send + Sync {
    /// Intents, the newest first.
    fn list<'a>(&'a self, query: &'a Query) -> Work<'a, Page>;

    /// One intent with its story, oldest event first.
    fn show(&self, number: u64) -> Work<'_, Shown>;

    /// Takes down what a person has decided. It counts only if the intent still has this epoch, as it had when the person looked at it.
    fn decide<'a>(&'a self, number: u64, epoch: Epoch, decision: &'a Decision, by: &'a Signature) -> Work<'a, Decided>;

    /// How many there are of each state, and how old the oldest open and manual ones are.
    fn stats(&self) -> Work<'_, Stats>;

    /// Why the journal may have forgotten something, if it may.
    fn suspicion(&self) -> Work<'_, Option<Box<str>>>;

    /// Ends the suspicion: a person has made sure that nothing is missing.
    fn trust<'a>(&'a self, by: &'a Signature) -> Work<'a, ()>;
}

/// Which intents are asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query {
    /// Only those in these states, by their names ([`State::as_str`](retry_runtime::journal::State::as_str)); empty: all.
    pub states: Vec<Box<str>>,
    /// Only those of which method, key, portal or stub contains this, in whatever case.
    pub text: Option<Box<str>>,
    /// Only those with a smaller number: where the page before ended.
    pub before: Option<u64>,
    /// At most so many; 0 is 50.
    pub limit: u32,
}

/// A page of intents.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Page {
    /// The intents, the newest first.
    pub intents: Vec<Intent>,
    /// [`Query::before`] of the next page, if there is one.
    pub next: Option<u64>,
}

/// One intent and all that is told of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The intent.
    pub intent: Intent,
    /// Its story.
    pub story: Vec<Event>,
}

/// What a person decides about an intent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// The effect is there, as this record (a number, or a text): `applied`. Of an open or manual intent.
    Adopt(Box<str>),
    /// It is not there and is not wanted any more: `rejected`. Of an open, manual or ready intent.
    Reject,
    /// It is not there, and may be sent once more by the next call with its key: `not applied`. Of a manual or rejected intent.
    AllowOnce,
    /// Let the next recovery read it back with the verifier of its stub: `unknown`, held by nobody. Of a manual intent.
    Verify,
}

impl Decision {
    /// Its name on record.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Adopt(_) => "adopt",
            Self::Reject => "reject",
            Self::AllowOnce => "allow-once",
            Self::Verify => "verify",
        }
    }
}

/// Who decides, and why. Both are on record for good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    name: Box<str>,
    note: Box<str>,
}

impl Signature {
    /// A name and a note.
    ///
    /// # Errors
    /// One of them is empty or longer than 500 letters.
    pub fn new(name: &str, note: &str) -> Result<Self, DeskError> {
        for (what, text) in [("name", name), ("note", note)] {
            let length = text.trim().chars().count();
            if length == 0 || length > 500 {
                return Err(DeskError::Unsigned(what));
            }
        }
        Ok(Self { name: name.trim().into(), note: note.trim().into() })
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The note.
    pub fn note(&self) -> &str {
        &self.note
    }
}

/// What became of a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decided {
    /// It is on record; this is the intent now.
    Yes(Box<Intent>),
    /// The intent has changed since the person looked; this is how it is now.
    Changed(Box<Intent>),
    /// In its state there is nothing to decide that way.
    NotNow(Box<Intent>),
}

/// What a journal holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stats {
    /// How many are in each state, by its name.
    pub states: Vec<(&'static str, u64)>,
    /// How long ago the oldest open intent began.
    pub oldest_open: Option<Duration>,
    /// How long ago the oldest manual intent began.
    pub oldest_manual: Option<Duration>,
    /// When this was counted, by the wall clock of the journal.
    pub at: Option<SystemTime>,
}

impl Stats {
    /// How many are in the state of this name.
    pub fn count(&self, name: &str) -> u64 {
        self.states.iter().filter(|(state, _)| *state == name).map(|(_, count)| count).sum()
    }
}

/// Why a desk could not do it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeskError {
    /// No intent has this number.
    #[error("there is no intent {0} in this journal")]
    NoSuch(u64),
    /// A decision needs a name and a note.
    #[error("a decision needs a {0} of 1 to 500 letters: it stays on record")]
    Unsigned(&'static str),
    /// The journal itself.
    #[error(transparent)]
    Journal(#[from] JournalError),
}
