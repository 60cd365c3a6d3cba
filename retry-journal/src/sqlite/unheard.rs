//! What was taken for a caller who went away before it could hear so.

use std::sync::{Arc, Mutex, PoisonError};

use retry_runtime::journal::{Change, Entry, Held, JournalError};

use super::error::Failure;
use super::thread::{Kind, Thread};
use super::work::Work;

/// A command that makes this process the holder of intents. Dropped before its answer is here, it has them let go of: nobody knows of
/// them, and this process would hold them for as long as it lives.
pub(super) struct Unheard<'a> {
    thread: &'a Thread,
    taken: Arc<Mutex<Vec<Held>>>,
    is_heard: bool,
}

impl<'a> Unheard<'a> {
    pub(super) fn new(thread: &'a Thread) -> Self {
        Self { thread, taken: Arc::default(), is_heard: false }
    }

    /// Asks for it, and waits until it is durable.
    pub(super) async fn ask<T: Send + 'static>(
        mut self,
        take: impl FnOnce(&mut Work<'_>) -> Result<T, Failure> + Send + 'static,
        taken_by: fn(&T) -> Vec<Held>,
    ) -> Result<T, JournalError> {
        let taken = Arc::clone(&self.taken);
        let noted = move |work: &mut Work<'_>| {
            let outcome = take(work)?;
            *taken.lock().unwrap_or_else(PoisonError::into_inner) = taken_by(&outcome);
            Ok(outcome)
        };
        let answer = self.thread.ask(Kind::Write, noted).await;
        self.is_heard = true;
        answer
    }
}

impl Drop for Unheard<'_> {
    fn drop(&mut self) {
        if self.is_heard {
            return;
        }
        // Commands are done in the order in which they are asked for: by then it is known what was taken.
        let taken = Arc::clone(&self.taken);
        drop(self.thread.send(Kind::Kept, move |work| {
            let taken = std::mem::take(&mut *taken.lock().unwrap_or_else(PoisonError::into_inner));
            for held in taken {
                let change = Change::Unknown { why: WHY.into(), let_go: true };
                work.record(&Entry { held, change, story: Vec::new() })?;
            }
            Ok(())
        }));
    }
}

const WHY: &str = "whoever asked for it went away before it was known to be on record";
