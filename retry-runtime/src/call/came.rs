//! What came of one send.

use std::sync::Arc;

use crate::api::{Answer, Heard, Success, Usage};
use crate::clock::Moment;
use crate::decode::FromAnswer;
use crate::effect::Effect;
use crate::report::{Attempt, Outcome};
use crate::transport::{Loss, Wire};

use super::next::Next;

/// The end of one send: when it began, whether it left, what was answered.
pub(super) struct Came {
    pub(super) number: u32,
    pub(super) wire: Arc<Wire>,
    pub(super) started: Moment,
    pub(super) result: Result<Answer, Loss>,
    /// What the portal said of the operating time beside its result.
    pub(super) usage: Option<Usage>,
}

impl Came {
    /// Reads a success as the type of the stub; the error is that of reading, if it is one.
    ///
    /// Reading is how a success is told from what only begins like one: what can't be read is opened with care.
    pub(super) fn read<T: FromAnswer>(&mut self) -> Result<T, Option<serde_json::Error>> {
        if let Some((value, usage)) = self.success().and_then(|success| success.read().ok()) {
            self.usage = usage;
            return Ok(value);
        }
        self.open();
        match self.success() {
            Some(success) => success.read().map(|(value, _)| value).map_err(Some),
            None => Err(None),
        }
    }

    /// Makes sure that what looks like a success is one.
    pub(super) fn open(&mut self) {
        if let Ok(answer) = &mut self.result
            && let Heard::Success(success) = &answer.heard
        {
            let (heard, hint) = success.clone().opened();
            answer.heard = heard;
            answer.hint = answer.hint.max(hint);
        }
    }

    /// What follows if the result could not be read.
    pub(super) fn unread(&self, error: Option<serde_json::Error>) -> Next {
        // A success that says nothing may stand for a failure: some methods answer `false` where nothing was done.
        let effect = if self.success().is_none_or(Success::is_blank) { Effect::Unknown } else { Effect::Present };
        let error = self
            .success()
            .zip(error)
            .map_or_else(String::new, |(success, error)| format!(": {}", success.shown(&error)));
        Next::Unread {
            why: format!("success is reported, but the result does not read as the type of the stub{error}"),
            effect,
        }
    }

    fn success(&self) -> Option<&Success> {
        match &self.result {
            Ok(Answer { heard: Heard::Success(success), .. }) => Some(success),
            Ok(_) | Err(_) => None,
        }
    }

    /// The same for the report.
    pub(super) fn attempt(&self, now: Moment, next: Option<&Next>) -> Attempt {
        let answer = self.result.as_ref().ok();
        let sent_at = self.wire.sent_at().filter(|_| {
            !matches!(self.result, Err(Loss::NotSent { .. } | Loss::OutOfTime { .. } | Loss::NotRecorded { .. }))
        });
        Attempt {
            number: self.number,
            sent_at: sent_at.map(Moment::wall),
            waited: sent_at.unwrap_or(now).at_least_since(self.started),
            took: now.at_least_since(sent_at.unwrap_or(self.started)),
            outcome: match &self.result {
                Ok(answer) => Outcome::from(&answer.heard),
                Err(Loss::Unsendable { why }) => Outcome::Unsendable { why: why.clone() },
                Err(Loss::NotSent { why } | Loss::OutOfTime { why } | Loss::NotRecorded { why }) => {
                    Outcome::NotSent { why: why.clone() }
                }
                Err(Loss::Lost { why, .. }) => Outcome::Lost { why: why.clone() },
            },
            status: answer.and_then(|answer| answer.status),
            request_id: answer.and_then(|answer| answer.request_id.clone()),
            hint: answer.and_then(|answer| answer.hint),
            replayed: answer.is_some_and(|answer| answer.replayed),
            decision: next.map(Next::decision),
            pause: None,
        }
    }
}
