//! What makes a reader the reader of a verifier.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::proof::Stub;
use crate::clock::Moment;
use crate::report::Attempt;

/// Ties the reads of a verifier to their write: its deadline, and a place in its report.
#[derive(Debug, Default)]
pub(crate) struct ReadBackMark {
    deadline: OnceLock<Moment>,
    /// The stub of the write.
    stub: OnceLock<Stub>,
    reads: Mutex<Vec<Attempt>>,
}

impl ReadBackMark {
    pub(super) fn set_deadline(&self, deadline: Moment) {
        let _ = self.deadline.set(deadline);
    }

    pub(super) fn deadline(&self) -> Option<Moment> {
        self.deadline.get().copied()
    }

    pub(super) fn name(&self, stub: Stub) {
        let _ = self.stub.set(stub);
    }

    pub(super) fn stub(&self) -> Option<Stub> {
        self.stub.get().copied()
    }

    pub(super) fn add(&self, mut reads: Vec<Attempt>) {
        self.reads.lock().unwrap_or_else(PoisonError::into_inner).append(&mut reads);
    }

    pub(super) fn take(&self) -> Vec<Attempt> {
        std::mem::take(&mut self.reads.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
