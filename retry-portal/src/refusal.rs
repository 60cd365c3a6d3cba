//! What a call comes to, before any API has put it into words.

use serde_json::{Map, Value};

use crate::memory::Deed;

/// A refusal with its status.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) code: Value,
    pub(crate) text: String,
    /// What stands next to the code: `retryAfter`, `validation` and the like.
    pub(crate) more: Map<String, Value>,
}

impl Refusal {
    pub(crate) fn new(status: u16, code: impl Into<Value>, text: impl Into<String>) -> Self {
        Self { status, code: code.into(), text: text.into(), more: Map::new() }
    }

    /// Status 400.
    pub(crate) fn bad(code: impl Into<Value>, text: impl Into<String>) -> Self {
        Self::new(400, code, text)
    }

    pub(crate) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.more.insert(name.to_owned(), value.into());
        self
    }
}

/// A result with what stands beside it in the envelope: `total`, `next`, `meta`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answered {
    pub(crate) result: Value,
    pub(crate) beside: Map<String, Value>,
}

impl Answered {
    pub(crate) fn plain(result: impl Into<Value>) -> Self {
        Self { result: result.into(), beside: Map::new() }
    }

    pub(crate) fn beside(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.beside.insert(name.to_owned(), value.into());
        self
    }
}

/// A call that has been understood.
#[derive(Debug)]
pub(crate) enum Call {
    Answer(Answered),
    Change(Box<Deed>),
}

impl Call {
    pub(crate) fn change(deed: impl Into<Deed>) -> Self {
        Self::Change(Box::new(deed.into()))
    }
}
