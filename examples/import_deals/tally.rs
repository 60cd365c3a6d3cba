//! What became of the rows, told by the reports of their calls.

use std::sync::{Arc, Mutex, PoisonError};

use retry_runtime::report::{Attempt, Ending};
use retry_runtime::{Decision, Observer, OperationKind, Report};

/// How the writes of a run ended that gave a deal or a task.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Counts {
    /// An answer came, at once or after a retry that was safe.
    pub(crate) created: u32,
    /// The answer was lost, and the record was there.
    pub(crate) found: u32,
    /// The answer was lost, and another send made the record: its absence was proved, or its idempotency key allowed it.
    pub(crate) resent: u32,
    /// The record was there before anything was sent.
    pub(crate) already_there: u32,
    /// The journal had the result.
    pub(crate) on_record: u32,
    /// Calls that were sent, again and for read-backs included.
    pub(crate) calls: usize,
}

/// Counts while the import runs. A clone is another handle of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tally(Arc<Mutex<Counts>>);

impl Tally {
    pub(crate) fn counts(&self) -> Counts {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on rows are counted: what recovery has settled becomes rows that are on record.
    pub(crate) fn begin(&self) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *counts = Counts { calls: counts.calls, ..Counts::default() };
    }
}

impl Observer for Tally {
    fn finished(&self, report: &Report) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.calls += sent(report);
        if report.kind() == OperationKind::Read {
            return;
        }
        let (found, done) = (report.ending() == Ending::Found, report.ending() == Ending::Done);
        // The portal has answered with what it had stored for the idempotency key.
        let replayed = report.attempts().last().is_some_and(|attempt| attempt.replayed);
        let lost = was_in_doubt(report);
        if report.ending() == Ending::Recalled {
            counts.on_record += 1;
        } else if found && report.attempts().is_empty() || replayed && !lost {
            counts.already_there += 1;
        } else if found || replayed {
            counts.found += 1;
        } else if done && lost {
            counts.resent += 1;
        } else if done {
            counts.created += 1;
        }
        // Any other ending is an error, which the caller has and counts.
    }
}

/// Whether a send of it had an unknown outcome. A further send then was a safe one.
fn was_in_doubt(report: &Report) -> bool {
    report.attempts().iter().any(|attempt| attempt.decision == Some(Decision::ReadBack))
}

fn sent(report: &Report) -> usize {
    let reads = report.checks().iter().flat_map(|check| &check.reads);
    report.attempts().iter().chain(reads).filter(|attempt| left(attempt)).count()
}

fn left(attempt: &Attempt) -> bool {
    attempt.sent_at.is_some()
}
