//! What became of the rows, told by the reports of their calls.

use std::sync::{Arc, Mutex, PoisonError};

use retry_runtime::report::{Attempt, Ending};
use retry_runtime::{Decision, Observer, OperationKind, Report};

/// How the writes of a run ended that gave a deal.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Counts {
    /// An answer came, at once or after a retry that was safe.
    pub(crate) created: u32,
    /// The answer was lost, and the deal was there.
    pub(crate) found: u32,
    /// The answer was lost, the deal was proved not to be there, and another send made it.
    pub(crate) resent: u32,
    /// The deal was there before anything was sent.
    pub(crate) already_there: u32,
    /// HTTP requests, those of the read-backs included.
    pub(crate) requests: usize,
}

/// Counts while the import runs. A clone is another handle of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tally(Arc<Mutex<Counts>>);

impl Tally {
    pub(crate) fn counts(&self) -> Counts {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Tally {
    fn finished(&self, report: &Report) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.requests += requests(report);
        if report.kind() == OperationKind::Read {
            return;
        }
        let (found, done) = (report.ending() == Ending::Found, report.ending() == Ending::Done);
        if found && report.attempts().is_empty() {
            counts.already_there += 1;
        } else if found {
            counts.found += 1;
        } else if done && was_in_doubt(report) {
            counts.resent += 1;
        } else if done {
            counts.created += 1;
        }
        // Any other ending is an error, which the caller has and counts.
    }
}

/// Whether a send of it had an unknown outcome. A further send then means that its absence was proved.
fn was_in_doubt(report: &Report) -> bool {
    report.attempts().iter().any(|attempt| attempt.decision == Some(Decision::ReadBack))
}

fn requests(report: &Report) -> usize {
    let reads = report.checks().iter().flat_map(|check| &check.reads);
    report.attempts().iter().chain(reads).filter(|attempt| left(attempt)).count()
}

fn left(attempt: &Attempt) -> bool {
    attempt.sent_at.is_some()
}
