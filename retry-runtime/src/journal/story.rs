//! What is told of an intent, for the person who has to look.

use std::time::SystemTime;

/// One line in the story of an intent. No secret is in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// When it was, by the wall clock of who tells it.
    pub at: SystemTime,
    /// What it is about.
    pub kind: EventKind,
    /// What happened, in a sentence.
    pub text: Box<str>,
    /// The details as one JSON object: codes, request ids, times in milliseconds.
    pub detail: Box<str>,
}

/// What an event is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// A send and how it ended.
    Attempt,
    /// A read-back and what it found.
    Check,
    /// A change of hands or of state.
    Change,
    /// What a person did, with name and note.
    Person,
}

impl EventKind {
    /// Its name on record.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Attempt => "attempt",
            Self::Check => "check",
            Self::Change => "change",
            Self::Person => "person",
        }
    }

    /// The kind of this name.
    pub fn of(name: &str) -> Option<Self> {
        [Self::Attempt, Self::Check, Self::Change, Self::Person].into_iter().find(|kind| kind.as_str() == name)
    }
}
