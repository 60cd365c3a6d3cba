//! Several calls in one request: how each API writes them, in which order they run, and how each of them is answered.

mod answer;
mod references;
mod rest2;
mod rest3;
mod run;
mod vibe;

pub(crate) use rest2::read as read_rest2;
pub(crate) use rest3::read as read_rest3;
pub(crate) use run::run;
pub(crate) use vibe::{all_invalid, read as read_vibe};

use crate::operation::Operation;
use crate::params::Params;
use crate::refusal::Refusal;

/// The name of the method in all APIs.
pub(crate) const METHOD: &str = "batch";

/// So many commands run; REST 3.0 is silent about a limit and has none here.
const MOST: usize = 50;

/// The commands of a request.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) form: Form,
    /// Whether the first error is the end.
    pub(crate) halt: bool,
    pub(crate) items: Vec<Item>,
}

/// Whose words the batch is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Rest2,
    Rest3,
    Vibe,
}

/// One command as it was read.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) key: String,
    /// In lower case.
    pub(crate) method: String,
    pub(crate) params: Params,
    /// The text of the parameters, where the results of earlier commands may have a place in it.
    pub(crate) query: Option<String>,
    /// What is to be done, or why this command is refused before anything is.
    pub(crate) operation: Result<Operation, Refusal>,
}
