//! What one task puts on record, and when.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use super::{Got, Outcome, Ran, Settlement, Went, close, story};
use crate::effect::Effect;
use crate::error::CallError;
use crate::journal::{Change, Entry, How, Intent, Record, Recorded, State};
use crate::report::{Report, span};

/// For how long after its first attempt the absence of a record counts as proof to one who did not send it (our choice): later somebody may have
/// deleted it, or changed its key.
const ABSENCE_COUNTS_FOR: Duration = Duration::from_hours(1);

/// The journal of one call. Dropped before the call has ended, it lets go of the intent, for recovery to settle.
pub(super) struct Log {
    record: Arc<Record>,
    /// What the story has by now: attempts and checks of the report.
    told: (usize, usize),
    taken_over: Option<TakenOver>,
    armed: bool,
}

/// An intent that somebody else has left open.
pub(super) struct TakenOver {
    /// How old it is, by the wall clock.
    pub(super) age: Duration,
    /// Whether nobody waits for it here.
    pub(super) by_recovery: bool,
}

/// Why a write that is not there must not be sent here.
pub(super) enum No {
    /// It is for its next caller to send.
    Left(&'static str),
    /// It may have been there.
    Aged(String),
}

impl Log {
    pub(super) const fn new(record: Arc<Record>, taken_over: Option<TakenOver>) -> Self {
        Self { record, told: (0, 0), taken_over, armed: true }
    }

    /// Why no attempt may follow the proof that the ones before were not applied.
    pub(super) fn forbids(&mut self, resend: bool) -> Option<No> {
        let TakenOver { age, by_recovery } = self.taken_over.as_ref()?;
        if *age > ABSENCE_COUNTS_FOR {
            return Some(No::Aged(format!(
                "it is not there {} after it was first sent: somebody may have deleted it by now, or changed its key",
                span(Duration::from_secs(age.as_secs()))
            )));
        }
        if *by_recovery && !resend {
            return Some(No::Left(
                "it was not applied; its next call sends it (a stub that says `resend` leaves that to recovery)",
            ));
        }
        self.taken_over = None;
        None
    }

    /// What is known by now goes on record with the next attempt.
    pub(super) fn tell_next(&mut self, report: &Report) {
        let story = story::since(&mut self.told, report);
        self.record.tell_next(story);
    }

    /// An attempt has ended without a proof.
    pub(super) async fn in_doubt(&mut self, report: &Report) {
        let why = report.attempts().last().map(|attempt| attempt.outcome.to_string());
        if let (Some(why), true) = (why, report.attempts().len() > self.told.0) {
            self.put(Change::Unknown { why: why.into(), let_go: false }, report).await;
        }
    }

    /// The write has its effect.
    pub(super) async fn applied(&mut self, how: How, result: Bytes, report: &Report) {
        self.put(Change::Applied { how, result }, report).await;
        self.armed = false;
    }

    /// The call ends without a result.
    pub(super) async fn ended(mut self, error: CallError) -> Went {
        self.record.at_rest().await;
        if self.record.is_taken() {
            // Ours were not applied; what the other one does nobody knows here.
            self.armed = false;
            return Went::Taken(in_other_hands(error));
        }
        let (change, settlement) = close::change(&error);
        let taken = self.put(change, error.report()).await;
        self.armed = false;
        match taken.map(|intent| intent.state) {
            None => Went::Over(Ran { result: Err(error), settlement }),
            // Ours were not applied, and the other one's was.
            Some(State::Applied { result, .. }) => {
                Went::Over(Ran { result: Ok(Got::Recalled(result)), settlement: Settlement::Applied })
            }
            Some(
                State::Sending
                | State::Unknown { .. }
                | State::Ready { .. }
                | State::Rejected { .. }
                | State::Manual { .. },
            ) => Went::Taken(in_other_hands(error)),
        }
    }

    /// Puts a change on record; gives back the intent as it is if another worker has it.
    async fn put(&mut self, change: Change, report: &Report) -> Option<Box<Intent>> {
        self.record.at_rest().await;
        let held = self.record.held()?;
        let entry = Entry { held, change, story: story::since(&mut self.told, report) };
        match self.record.journal().record(&entry).await {
            Ok(Recorded::Yes) => None,
            Ok(Recorded::Taken(intent)) => {
                tracing::warn!(intent = held.number, "an intent that was taken over came to an end here as well");
                intent
            }
            Err(error) => {
                tracing::error!(intent = held.number, %error, "what became of an intent is not on record: recovery will read it back");
                None
            }
        }
    }
}

/// The result as it goes on record.
pub(super) fn on_record<T: Outcome>(value: &T) -> Bytes {
    match serde_json::to_vec(value) {
        Ok(json) => json.into(),
        Err(error) => {
            tracing::warn!(%error, "the result of a write can't be put on record as JSON");
            Bytes::from_static(b"null")
        }
    }
}

/// It is not over, as another worker goes on with it.
fn in_other_hands(error: CallError) -> CallError {
    match error {
        CallError::Invalid(failure)
        | CallError::Refused(failure)
        | CallError::Exhausted(failure)
        | CallError::InDoubt(failure)
        | CallError::Duplicated(failure)
        | CallError::Undecodable(failure) => CallError::InDoubt(failure.with_effect(Effect::Unknown)),
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        if let (true, Some(held)) = (self.armed, self.record.held()) {
            self.record.journal().release(held, "the task that made the call was dropped");
        }
    }
}
