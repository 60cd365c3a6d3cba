//! One call under way: its limits, its report, and the guard that reports it if its caller goes away.

mod end;
mod send;

use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use tokio::time::timeout_at;

use crate::call::Call;
use crate::call::exchange::Exchange;
use crate::call::keys::Lease;
use crate::call::proof::Stub;
use crate::call::read_back::ReadBackMark;
use crate::call::standing::Standing;
use crate::client::{Reader, Shared};
use crate::clock::{Moment, sleep_until};
use crate::code::Code;
use crate::effect::Effect;
use crate::error::CallError;
use crate::idempotency::IdempotencyKey;
use crate::journal::{Intent, Record};
use crate::policy::Policy;
use crate::report::{Attempt, Check, Ending, Outcome, Report, span};
use crate::transport::Request;

/// For how long a key is relied on: an hour less than the documented 24 hours.
const KEY_IS_KNOWN_FOR: Duration = Duration::from_hours(23);

/// A call from its arguments to its end. Dropped before its end, it tells the observer what was known.
pub(super) struct Flight {
    reader: Reader,
    /// What the reads of the verifier are tied to this write by.
    verifier: Option<Arc<ReadBackMark>>,
    request: Request,
    report: Report,
    began: Moment,
    deadline: Moment,
    sends: u32,
    /// When it first went out.
    first_sent: Option<Moment>,
    /// Until when the server asked to wait in its last answer.
    hint: Option<Moment>,
    standing: Standing,
    lease: Option<Lease>,
    exchange: Option<Exchange>,
    armed: bool,
}

impl Flight {
    /// Starts a call.
    ///
    /// # Errors
    /// `Invalid`, if its arguments are no request or no runtime is there to carry it.
    pub(super) fn open(reader: &Reader, call: Call) -> Result<Box<Self>, CallError> {
        let began = reader.shared.clock.now();
        let own = began.after(reader.policy.time_limit());
        let mark = reader.read_back.as_ref();
        let deadline = mark
            .and_then(|mark| mark.deadline())
            .map_or(own, |writes| if writes.instant() < own.instant() { writes } else { own });
        let (arguments, invalid) = match call.arguments {
            Ok(arguments) => (arguments, None),
            Err(why) => (Bytes::new(), Some(why)),
        };
        let flight = Box::new(Self {
            report: Report {
                key: call.key,
                idempotency_key: call.idempotency_key.clone(),
                request: arguments.clone(),
                ..Report::new(call.method, call.kind, began.wall())
            },
            request: Request {
                method: call.method,
                kind: call.kind,
                version: call.version,
                arguments,
                idempotency_key: call.idempotency_key,
                credentials: None,
                token_renewed: false,
                read_back: mark.is_some(),
                send_by: deadline,
                record: None,
            },
            reader: reader.clone(),
            verifier: None,
            began,
            deadline,
            sends: 0,
            first_sent: None,
            hint: None,
            standing: Standing::Settled,
            lease: None,
            exchange: None,
            armed: true,
        });
        if let Some(why) = invalid {
            return Err(flight.invalid(String::from(why)));
        }
        if tokio::runtime::Handle::try_current().is_err() {
            return Err(flight.invalid("calls need a tokio runtime around them"));
        }
        Ok(flight)
    }

    pub(super) const fn shared(&self) -> &Arc<Shared> {
        &self.reader.shared
    }

    pub(super) fn now(&self) -> Moment {
        self.shared().clock.now()
    }

    pub(super) const fn began(&self) -> Moment {
        self.began
    }

    pub(super) const fn policy(&self) -> &Policy {
        &self.reader.policy
    }

    pub(super) const fn deadline(&self) -> Moment {
        self.deadline
    }

    pub(super) const fn standing(&self) -> Standing {
        self.standing
    }

    /// Whether it has not been sent yet.
    pub(super) const fn is_fresh(&self) -> bool {
        self.sends == 0
    }

    /// What is left until the deadline; the monotonic clock counts.
    pub(super) fn left(&self) -> Duration {
        self.deadline.instant().saturating_duration_since(self.now().instant())
    }

    /// Ties the reads of the verifier to this write.
    pub(super) fn verify_with(&mut self, mark: &Arc<ReadBackMark>) {
        mark.set_deadline(self.deadline);
        self.verifier = Some(Arc::clone(mark));
    }

    /// The stub whose verifier settles this write, and what ties the reads of it to the write.
    pub(super) fn verifier(&self) -> Option<(Stub, &Arc<ReadBackMark>)> {
        let mark = self.verifier.as_ref()?;
        Some((mark.stub()?, mark))
    }

    /// Has each of its sends put on record before it leaves.
    pub(super) fn put_on_record(&mut self, record: Arc<Record>) {
        self.request.record = Some(record);
    }

    /// Its sends are those on record: the same bytes under the same idempotency key.
    pub(super) fn send_as(&mut self, intent: &Intent) {
        if let Some(arguments) = intent.arguments.clone() {
            self.report.request = arguments.clone();
            self.request.arguments = arguments;
        }
        let key = intent.idempotency_key.as_deref().and_then(|key| IdempotencyKey::new(key).ok());
        self.report.idempotency_key.clone_from(&key);
        self.request.idempotency_key = key;
    }

    /// Another process has sent it, first at that time of the wall clock; until now it may have been on its way.
    pub(super) fn take_over(&mut self, began: SystemTime) {
        let now = self.now();
        self.first_sent = Some(Moment::new(now.instant(), began));
        self.set_standing(Standing::until(now, self.shared().settle_time()));
    }

    pub(super) const fn report(&self) -> &Report {
        &self.report
    }

    /// Whether an unknown outcome of the write can be settled: by reading it back, or by its idempotency key.
    pub(super) const fn can_be_settled(&self) -> bool {
        self.verifier.is_some() || self.request.idempotency_key.is_some()
    }

    /// Why the last send can't be repeated under its idempotency key; the portal keeps what it knows of a key for 24 hours.
    pub(super) fn no_replay(&self) -> Option<&'static str> {
        let known_for = self.first_sent.map(|first| self.now().at_most_since(first));
        if self.request.idempotency_key.is_none() {
            Some("it has no idempotency key")
        } else if known_for.is_none_or(|time| time >= KEY_IS_KNOWN_FOR) {
            Some("its idempotency key may be forgotten by the portal")
        } else {
            None
        }
    }

    /// Sends of this call must be the same bytes from now on.
    pub(super) const fn keep_credentials(&mut self, credentials: Option<u64>) {
        self.request.credentials = credentials;
    }

    /// What the verifier has read since this was asked last.
    pub(super) fn reads_of_the_check(&self) -> Vec<Attempt> {
        self.verifier.as_ref().map(|mark| mark.take()).unwrap_or_default()
    }

    /// Waits for the right to write under the key of this call.
    pub(super) async fn take_key(mut self: Box<Self>) -> Result<Box<Self>, CallError> {
        let own = self.report.key.clone();
        let Some(key) = own.or_else(|| Some(self.request.idempotency_key.as_ref()?.as_str().into())) else {
            return Ok(self);
        };
        let keys = Arc::clone(&self.shared().keys);
        let lease = timeout_at(self.deadline.instant(), keys.acquire(self.request.method, &key, self.began)).await;
        match lease {
            Ok(lease) => {
                self.standing = lease.standing();
                self.lease = Some(lease);
                Ok(self)
            }
            Err(_) => Err(CallError::Exhausted(self.end(
                Ending::Exhausted,
                Effect::Absent,
                "another write with the same key was still open at the deadline",
            ))),
        }
    }

    pub(super) fn set_standing(&mut self, standing: Standing) {
        self.standing = standing;
        if let Some(lease) = &mut self.lease {
            lease.fear(standing);
        }
    }

    /// Allows a send without a pause: the last one was refused for its token, which is new now, or for its batch.
    pub(super) fn resend_at_once(&self) -> Result<(), Cow<'static, str>> {
        if self.sends >= self.policy().max_attempts() { Err(self.used_up()) } else { Ok(()) }
    }

    fn used_up(&self) -> Cow<'static, str> {
        format!("all its {} attempts are used up", self.policy().max_attempts()).into()
    }

    /// The pause before the next send; why there is none, if the call has to end instead.
    ///
    /// `spare` is the time that the next send needs after it, for its settle time and a read-back.
    pub(super) fn next_pause(&mut self, spare: Duration) -> Result<Duration, Cow<'static, str>> {
        if self.sends >= self.policy().max_attempts() {
            return Err(self.used_up());
        }
        let backoff = self.shared().backoff(self.policy(), self.sends);
        let asked = self.hint.map(|until| self.now().left_until(until)).unwrap_or_default();
        let pause = asked.max(backoff);
        if pause.saturating_add(spare) > self.left() {
            return Err(if asked.saturating_add(spare) > self.left() && !asked.is_zero() {
                format!("the server asks to wait {}, for which the deadline leaves no room", span(asked)).into()
            } else {
                "the deadline leaves no room for another attempt".into()
            });
        }
        if self.reader.read_back.is_none() && !self.shared().budget.spend(self.now(), self.reader.together) {
            return Err("the retry budget of the client is empty".into());
        }
        tracing::debug!(pause_ms = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX), "sends again after a pause");
        if let Some(last) = self.report.attempts.last_mut() {
            last.pause = Some(pause);
        }
        Ok(pause)
    }

    pub(super) async fn sleep(&self, pause: Duration) {
        self.sleep_until(self.now().after(pause)).await;
    }

    /// Sleeps until then, or until the deadline: a wall clock that is set back must not hold a call for longer.
    pub(super) async fn sleep_until(&self, until: Moment) {
        let sleeping = sleep_until(&*self.shared().clock, until);
        let _ = timeout_at(self.deadline.instant(), sleeping).await;
    }

    /// The code of the last answer, if it had one.
    pub(super) fn last_code(&self) -> Option<&Code> {
        code_of(self.report.attempts.last())
    }

    /// Whether the last send was answered with the same unrecognised code as an earlier one.
    pub(super) fn repeats_an_unrecognised_code(&self) -> bool {
        let Some((last, earlier)) = self.report.attempts.split_last() else {
            return false;
        };
        let code = code_of(Some(last));
        matches!(code, Some(Code::Other(_))) && earlier.iter().any(|attempt| code_of(Some(attempt)) == code)
    }

    /// Puts a read-back into the report.
    pub(super) fn note_check(&mut self, check: Check) {
        tracing::debug!(finding = %check.finding, proves = check.proves, "read back");
        self.report.checks.push(check);
    }
}

fn code_of(attempt: Option<&Attempt>) -> Option<&Code> {
    match &attempt?.outcome {
        Outcome::Code { code, .. } => Some(code),
        Outcome::Success
        | Outcome::Moved { .. }
        | Outcome::TokenRenewed
        | Outcome::NotInBatch
        | Outcome::NoToken { .. }
        | Outcome::Unsendable { .. }
        | Outcome::NoEnvelope { .. }
        | Outcome::NotSent { .. }
        | Outcome::Lost { .. } => None,
    }
}
