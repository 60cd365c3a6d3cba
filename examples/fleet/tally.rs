//! What became of the rows of one worker.

use std::sync::{Arc, Mutex, PoisonError};

use retry_runtime::report::Ending;
use retry_runtime::{Decision, Observer, OperationKind, Report};
use serde::{Deserialize, Serialize};

/// How the calls of a worker ended. It goes to the parent as one line of JSON.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Counts {
    /// An answer came, at once or after a retry that was safe.
    pub(crate) created: u32,
    /// The answer was lost, and the deal was there.
    pub(crate) found: u32,
    /// The answer was lost, the deal was proved not to be there, and another send made it.
    pub(crate) resent: u32,
    /// The result was on record: another worker, or this row once more.
    pub(crate) attached: u32,
    /// What the loop of recovery has settled beside the rows.
    pub(crate) recovered: usize,
    /// The lines that gave no deal, and why.
    pub(crate) failed: Vec<(usize, String)>,
}

/// Counts while the worker runs. A clone is another handle of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tally(Arc<Mutex<Counts>>);

impl Tally {
    pub(crate) fn counts(&self) -> Counts {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Observer for Tally {
    fn finished(&self, report: &Report) {
        if report.kind() == OperationKind::Read {
            return;
        }
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let was_in_doubt = report.attempts().iter().any(|attempt| attempt.decision == Some(Decision::ReadBack));
        let ending = report.ending();
        if ending == Ending::Recalled {
            counts.attached += 1;
        } else if ending == Ending::Found {
            counts.found += 1;
        } else if ending == Ending::Done && was_in_doubt {
            counts.resent += 1;
        } else if ending == Ending::Done {
            counts.created += 1;
        }
        // Any other ending is an error, which the caller has and tells.
    }
}
