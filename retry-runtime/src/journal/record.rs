//! The record of one call: what puts its attempts down before they leave.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::{Beginning, Begun, Event, Held, Journal, JournalError};
use crate::clock::Clock;
use crate::transport::{Loss, Wire};

/// Puts each attempt of one call on record, right before it leaves.
pub(crate) struct Record {
    journal: Arc<dyn Journal>,
    /// For how long after it was put down an attempt may leave.
    window: Duration,
    /// The time between two requests of the portal, where the journal keeps a line for several processes.
    every: Option<Duration>,
    now: Mutex<Now>,
}

struct Now {
    beginning: Beginning,
    held: Option<Held>,
    is_taken: bool,
}

impl Record {
    pub(crate) fn new(
        journal: Arc<dyn Journal>,
        window: Duration,
        every: Option<Duration>,
        beginning: Beginning,
        held: Option<Held>,
    ) -> Self {
        Self { journal, window, every, now: Mutex::new(Now { beginning, held, is_taken: false }) }
    }

    /// Puts the attempt down. Only then, and only soon, may it leave.
    ///
    /// # Errors
    /// It is not on record: nothing of it may leave.
    pub(crate) async fn begin(&self, wire: &Wire, clock: &dyn Clock) -> Result<(), Loss> {
        let beginning = self.now().beginning.clone();
        if let Some(every) = self.every {
            let wait = self.journal.turn(&beginning.id.portal, every).await?;
            tokio::time::sleep(wait).await;
        }
        let began = clock.now();
        match self.journal.begin(&beginning).await? {
            Begun::Yes(held) => {
                wire.good_for(began, self.window);
                let mut now = self.now();
                now.held = Some(held);
                now.beginning.expected = Some(held.epoch);
                now.beginning.story.clear();
                Ok(())
            }
            Begun::Taken(_) => {
                self.now().is_taken = true;
                Err(Loss::NotRecorded { why: TAKEN.into() })
            }
        }
    }

    /// The right to change the intent, if an attempt of it is on record.
    pub(crate) fn held(&self) -> Option<Held> {
        self.now().held
    }

    /// Whether somebody else was seen to have the intent.
    pub(crate) fn is_taken(&self) -> bool {
        self.now().is_taken
    }

    /// What is to be put down with the next attempt.
    pub(crate) fn tell_next(&self, story: impl IntoIterator<Item = Event>) {
        self.now().beginning.story.extend(story);
    }

    pub(crate) fn journal(&self) -> &Arc<dyn Journal> {
        &self.journal
    }

    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

const TAKEN: &str = "another worker has taken this intent of the journal over";

impl From<JournalError> for Loss {
    /// Nothing leaves that the journal did not take down.
    fn from(error: JournalError) -> Self {
        Self::NotRecorded { why: error.to_string().into() }
    }
}

impl PartialEq for Record {
    /// Two calls have two records, however alike they are.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Record {}

impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Record").field("journal", &self.journal).field("held", &self.held()).finish_non_exhaustive()
    }
}
