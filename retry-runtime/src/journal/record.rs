//! The record of one call: what puts its attempts down before they leave.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::{Beginning, Begun, Event, Held, Journal, JournalError};
use crate::clock::{Clock, Moment};
use crate::transport::{Loss, Wire};

/// Puts each attempt of one call on record, right before it leaves.
pub(crate) struct Record {
    journal: Arc<dyn Journal>,
    /// For how long after it was put down an attempt may leave.
    window: Duration,
    /// The time between two requests of the portal, where the journal keeps a line for several processes.
    every: Option<Duration>,
    now: Mutex<Now>,
    /// Held while an attempt is put down: its caller may stop waiting meanwhile, and must not end the intent as if it were not there.
    under_way: tokio::sync::Mutex<()>,
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
        Self {
            journal,
            window,
            every,
            now: Mutex::new(Now { beginning, held, is_taken: false }),
            under_way: tokio::sync::Mutex::default(),
        }
    }

    /// Waits for the turn of one request in the line of all processes.
    ///
    /// # Errors
    /// Its turn comes too late, or the line can't be seen.
    pub(crate) async fn turn(&self, send_by: Moment, clock: &dyn Clock) -> Result<(), Loss> {
        let Some(every) = self.every else { return Ok(()) };
        let portal = self.now().beginning.id.portal.clone();
        let wait = self.journal.turn(&portal, every).await?;
        if wait > send_by.instant().saturating_duration_since(clock.now().instant()) {
            return Err(Loss::OutOfTime { why: OUT_OF_TURN.into() });
        }
        tokio::time::sleep(wait).await;
        Ok(())
    }

    /// Puts the attempt down. Only then, and only soon, may it leave.
    ///
    /// # Errors
    /// It is not on record: nothing of it may leave.
    pub(crate) async fn begin(&self, wire: &Wire, clock: &dyn Clock) -> Result<(), Loss> {
        let _under_way = self.under_way.lock().await;
        if !wire.is_waiting() {
            return Err(Loss::NotSent { why: "its caller had stopped waiting before it was on record".into() });
        }
        let beginning = self.now().beginning.clone();
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

    /// Waits for an attempt that is being put down.
    pub(crate) async fn at_rest(&self) {
        drop(self.under_way.lock().await);
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

const OUT_OF_TURN: &str = "its turn among the processes that share the journal would come after its deadline";

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
