//! What requests read and change: records and tokens.

use serde_json::Value;

use crate::crm::{Change, One, Rows, Store};
use crate::oauth::{Issue, Tokens};
use crate::refusal::Refusal;

/// All that an effect can change.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) store: Store,
    pub(crate) tokens: Tokens,
}

/// An effect that has been understood but has not happened: it can be carried out now, later or never.
#[derive(Debug)]
pub(crate) enum Deed {
    Records(Change),
    Tokens(Issue),
}

impl From<One> for Deed {
    fn from(one: One) -> Self {
        Self::Records(Change::One(one))
    }
}

impl From<Rows> for Deed {
    fn from(rows: Rows) -> Self {
        Self::Records(Change::Rows(rows))
    }
}

impl From<Issue> for Deed {
    fn from(issue: Issue) -> Self {
        Self::Tokens(issue)
    }
}

impl Deed {
    /// What the answer would be, with nothing changed but the ids that are used up.
    pub(crate) fn promise(&mut self, memory: &mut Memory) -> Result<Value, Refusal> {
        match self {
            Self::Records(change) => change.promise(&mut memory.store),
            Self::Tokens(issue) => Ok(issue.promise()),
        }
    }

    /// Carries it out.
    pub(crate) fn commit(&mut self, memory: &mut Memory) -> Result<Value, Refusal> {
        match self {
            Self::Records(change) => change.commit(&mut memory.store),
            Self::Tokens(issue) => issue.commit(&mut memory.tokens),
        }
    }
}
