//! How a call ends, and what is told when its caller goes away.

use std::borrow::Cow;
use std::sync::Arc;

use super::Flight;
use crate::call::exchange::Orphan;
use crate::call::standing::Standing;
use crate::client::Shared;
use crate::effect::{Effect, OperationKind};
use crate::error::{CallError, Failure};
use crate::report::{Ending, Outcome, Report};

impl Flight {
    /// The last send did not have its effect, and no send can have it any more.
    pub(in crate::call) fn exhausted(self: Box<Self>, why: impl Into<Cow<'static, str>>) -> CallError {
        let hint = self.hint.map(|until| self.now().left_until(until)).filter(|left| !left.is_zero());
        CallError::Exhausted(self.end(Ending::Exhausted, Effect::Absent, why).with_hint(hint))
    }

    /// The last send was refused: why it says so itself.
    pub(in crate::call) fn refused(self: Box<Self>, effect: Effect) -> CallError {
        let why = match self.report.attempts.last().map(|attempt| &attempt.outcome) {
            Some(Outcome::Moved { host }) => {
                format!("the portal has moved to {host}: use its new address")
            }
            Some(outcome) => outcome.to_string(),
            None => String::new(),
        };
        CallError::Refused(self.end(Ending::Refused, effect, why))
    }

    /// The API has no form for the call: why it says so itself.
    pub(in crate::call) fn unsendable(self: Box<Self>) -> CallError {
        let why = self.report.attempts.last().map(|attempt| attempt.outcome.to_string()).unwrap_or_default();
        self.invalid(why)
    }

    pub(in crate::call) fn invalid(self: Box<Self>, why: impl Into<Cow<'static, str>>) -> CallError {
        CallError::Invalid(self.end(Ending::Invalid, Effect::Absent, why))
    }

    /// The call has given its result. The report is that which was told.
    pub(in crate::call) fn done(mut self: Box<Self>, ending: Ending) -> Report {
        self.succeed(ending);
        self.take_report()
    }

    /// The same where nobody asks for the report.
    pub(in crate::call) fn done_unreported(mut self: Box<Self>, ending: Ending) {
        self.succeed(ending);
    }

    fn succeed(&mut self, ending: Ending) {
        if self.reader.read_back.is_none() {
            self.shared().budget.succeeded();
        }
        if self.request.kind == OperationKind::Write {
            // A list need not show it yet to the next one with the key.
            self.set_standing(Standing::Applied(self.now().after(self.shared().settle.after_end())));
        }
        self.close(ending);
    }

    /// The call ends without a result.
    pub(in crate::call) fn end(
        mut self: Box<Self>,
        ending: Ending,
        effect: Effect,
        why: impl Into<Cow<'static, str>>,
    ) -> Failure {
        let why = why.into();
        self.close(ending);
        let level_is_warn = effect == Effect::Unknown || ending == Ending::Duplicated;
        if level_is_warn {
            tracing::warn!(ending = ending.as_str(), effect = %effect, %why, "call ended, a person has to look");
        } else {
            tracing::debug!(ending = ending.as_str(), effect = %effect, %why, "call ended");
        }
        let code = self.last_code().cloned();
        Failure::new(effect, why, self.take_report()).with_code(code)
    }

    fn take_report(&mut self) -> Report {
        let blank = Report::new(self.request.method, self.request.kind, self.began.wall());
        std::mem::replace(&mut self.report, blank)
    }

    fn close(&mut self, ending: Ending) {
        self.armed = false;
        self.lease = None;
        let is_heard_of = self.reader.read_back.is_some() || self.shared().watch.is_on();
        if is_heard_of || ending != Ending::Done || self.request.kind == OperationKind::Write {
            self.finish_report(ending);
        }
        match &self.reader.read_back {
            Some(mark) => mark.add(self.report.attempts.clone()),
            None => self.shared().watch.tell(|observer| observer.finished(&self.report)),
        }
    }

    fn finish_report(&mut self, ending: Ending) {
        let now = self.now();
        self.report.ending = ending;
        self.report.elapsed = now.at_least_since(self.began);
        self.report.may_be_applied = self.standing.shown(now);
    }
}

impl Drop for Flight {
    /// The caller went away: take back what has not left, and let what has left report for itself.
    fn drop(&mut self) {
        if !self.armed {
            return;
        }
        let shared = Arc::clone(self.shared());
        if let Some(exchange) = self.exchange.take() {
            // It may have waited long for its turn: what is feared counts from when it left, not from when it was handed over.
            let left = exchange.sent_at().unwrap_or_else(|| self.now());
            self.set_standing(shared.standing_of_an_open_send(left));
            self.finish_report(Ending::Dropped);
            let orphan = Orphan { report: self.report.clone(), lease: self.lease.take() };
            let Some((orphan, came)) = exchange.abandon(orphan, self.now(), |report| tell(&shared, report)) else {
                return;
            };
            self.lease = orphan.lease;
            self.note(&came, true);
        }
        self.finish_report(Ending::Dropped);
        if self.reader.read_back.is_none() {
            tell(&shared, &self.report);
        }
    }
}

fn tell(shared: &Shared, report: &Report) {
    tracing::debug!(may_be_applied = %report.may_be_applied, "the caller dropped the call");
    shared.watch.tell(|observer| observer.dropped(report));
}
