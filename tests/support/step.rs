//! What one request meets on the scripted portal.

use std::time::Duration;

use retry_runtime::transport::Success;
use retry_runtime::{Beside, Code};
use serde_json::Value;

/// What one request meets.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(super) effect: When,
    pub(super) reply: Reply,
    pub(super) claim: Claim,
    pub(super) waits: Duration,
    pub(super) takes: Duration,
    pub(super) hint: Option<Duration>,
    /// How long the portal means with its hint, however it says that.
    pub(super) means: Option<Duration>,
    /// How old records are before a list shows them.
    pub(super) lag: Duration,
    pub(super) text: &'static str,
    pub(super) status: u16,
    /// How many commands of a batch run; without it all or none, as the effect says.
    pub(super) first: Option<usize>,
}

/// When the effect of a write takes place.
#[derive(Debug, Clone, Copy)]
pub(super) enum When {
    BeforeTheReply,
    Never,
    /// So long after the reply.
    Late(Duration),
}

/// What comes back.
#[derive(Debug, Clone)]
pub(super) enum Reply {
    /// What the method really answers.
    Honest,
    Success(Success),
    Code(Code),
    NoEnvelope,
    Moved,
    Lost,
    NotSent,
    /// The token had expired and is new now.
    TokenRenewed,
    /// The token had expired and can't be renewed.
    NoToken {
        passing: bool,
    },
    /// Nothing, until the attempt timeout of 65 s.
    Silence,
    /// The transport itself panics.
    Panic,
    /// Within a batch: its answer has nothing for this call.
    Missing,
}

/// How the transport asks for the wire.
#[derive(Debug, Clone, Copy)]
pub(super) enum Claim {
    Once,
    /// And takes the second answer for its own.
    Twice,
    /// Against the contract.
    Never,
}

impl Step {
    const fn new(effect: When, reply: Reply) -> Self {
        Self {
            effect,
            reply,
            claim: Claim::Once,
            waits: Duration::ZERO,
            takes: Duration::from_millis(100),
            hint: None,
            means: None,
            lag: Duration::ZERO,
            text: "in a script",
            status: 200,
            first: None,
        }
    }

    /// The method does its work and says so.
    pub(crate) const fn honest() -> Self {
        Self::new(When::BeforeTheReply, Reply::Honest)
    }

    /// It is applied, and the answer is this result.
    pub(crate) fn result(value: &Value) -> Self {
        Self::page(value, None, None)
    }

    /// The answer is this result, with what stands beside that of a list.
    pub(crate) fn page(value: &Value, next: Option<u64>, total: Option<u64>) -> Self {
        let result = serde_json::to_vec(value).unwrap();
        Self::new(
            When::BeforeTheReply,
            Reply::Success(Success::new(result).beside(Beside { next, total, partial: false })),
        )
    }

    /// It is not applied, and the answer is this code.
    pub(crate) fn code(code: &str) -> Self {
        Self::new(When::Never, Reply::Code(Code::of(code)))
    }

    /// It is not applied, and the answer is lost.
    pub(crate) const fn lost() -> Self {
        Self::new(When::Never, Reply::Lost)
    }

    /// It is not applied, and a page of HTML comes back.
    pub(crate) const fn html() -> Self {
        Self::new(When::Never, Reply::NoEnvelope)
    }

    /// It is not applied, and the portal names its new address.
    pub(crate) const fn moved() -> Self {
        Self::new(When::Never, Reply::Moved)
    }

    /// No connection stands.
    pub(crate) const fn not_sent() -> Self {
        Self::new(When::Never, Reply::NotSent)
    }

    /// It is not applied, and nothing comes back for 65 s.
    pub(crate) const fn silence() -> Self {
        Self::new(When::Never, Reply::Silence)
    }

    /// It is not applied, and the transport panics when the answer is due.
    pub(crate) const fn panics() -> Self {
        Self::new(When::Never, Reply::Panic)
    }

    /// The token had expired, and the transport has renewed it.
    pub(crate) const fn token_renewed() -> Self {
        Self::new(When::Never, Reply::TokenRenewed)
    }

    /// The token had expired, and the transport could not renew it, for a passing reason or for good.
    pub(crate) const fn no_token(passing: bool) -> Self {
        Self::new(When::Never, Reply::NoToken { passing })
    }

    /// It is applied before the answer goes wrong.
    #[must_use]
    pub(crate) const fn applied(mut self) -> Self {
        self.effect = When::BeforeTheReply;
        self
    }

    /// Only so many commands of a batch run before its answer goes wrong.
    #[must_use]
    pub(crate) const fn applied_first(mut self, commands: usize) -> Self {
        self.first = Some(commands);
        self
    }

    /// It is applied, and the answer of its batch has neither a result nor an error for it.
    pub(crate) const fn missing() -> Self {
        Self::new(When::BeforeTheReply, Reply::Missing)
    }

    /// It is not applied, and the answer of its batch has neither a result nor an error for it.
    pub(crate) const fn passed_over() -> Self {
        Self::new(When::Never, Reply::Missing)
    }

    /// How many of the commands of a batch run.
    pub(super) fn runs(&self, commands: usize) -> usize {
        self.first.unwrap_or(if self.is_ever_applied() { commands } else { 0 })
    }

    /// How long after its arrival the effect of a command comes that this speaks for: in time to be feared.
    pub(super) fn effect_after(&self) -> Duration {
        let When::Late(after) = self.effect else { return Duration::ZERO };
        let feared = self.may_be_applied_for().unwrap_or(Duration::from_secs(149));
        (self.takes + after).min(feared.saturating_sub(Duration::from_millis(2)))
    }

    /// At once or late.
    pub(super) const fn is_ever_applied(&self) -> bool {
        !matches!(self.effect, When::Never)
    }

    /// It is applied so long after the answer went wrong.
    #[must_use]
    pub(crate) const fn applied_late(mut self, after: Duration) -> Self {
        self.effect = When::Late(after);
        self
    }

    /// The answer takes so long.
    #[must_use]
    pub(crate) const fn takes(mut self, time: Duration) -> Self {
        self.takes = time;
        self
    }

    /// The transport waits so long for its turn before it claims the wire.
    #[must_use]
    pub(crate) const fn waits(mut self, time: Duration) -> Self {
        self.waits = time;
        self
    }

    /// The answer asks to wait so long.
    #[must_use]
    pub(crate) const fn asks_to_wait(mut self, time: Duration) -> Self {
        self.hint = Some(time);
        self
    }

    /// The portal means that wait, whatever is read.
    #[must_use]
    pub(crate) const fn means(mut self, time: Duration) -> Self {
        self.means = Some(time);
        self
    }

    /// How long the answer is on its way.
    pub(crate) const fn way(&self) -> Duration {
        self.takes
    }

    /// The list does not show what is newer.
    #[must_use]
    pub(crate) const fn lags(mut self, by: Duration) -> Self {
        self.lag = by;
        self
    }

    /// The answer has this text beside its code.
    #[must_use]
    pub(crate) const fn says(mut self, text: &'static str) -> Self {
        self.text = text;
        self
    }

    /// The answer has this HTTP status.
    #[must_use]
    pub(crate) const fn status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// The transport never claims the wire, and sends all the same.
    #[must_use]
    pub(crate) const fn unclaimed(mut self) -> Self {
        self.claim = Claim::Never;
        self
    }

    /// The transport claims the wire twice, and obeys both answers.
    #[must_use]
    pub(crate) const fn claimed_twice(mut self) -> Self {
        self.claim = Claim::Twice;
        self
    }

    /// Whether the portal stores the effect of a request that meets this under its idempotency key: an error is not stored.
    pub(super) const fn is_stored(&self) -> bool {
        !matches!(self.reply, Reply::Code(_))
    }

    /// How long after its sending a request that meets this can still be applied, by the page of its answer; `None` is for ever.
    ///
    /// The cloud's figures: a send window of 5 s and 85 s behind the last byte, or 15 s behind an answer that ended the request.
    pub(crate) fn may_be_applied_for(&self) -> Option<Duration> {
        match &self.reply {
            Reply::Honest
            | Reply::Success(_)
            | Reply::Moved
            | Reply::NotSent
            | Reply::TokenRenewed
            | Reply::NoToken { .. } => Some(self.takes),
            Reply::NoEnvelope | Reply::Lost | Reply::Silence | Reply::Missing => Some(Duration::from_secs(90)),
            Reply::Panic => Some(self.takes + Duration::from_secs(85)),
            Reply::Code(code) => match code.as_str() {
                "BH_APP_STARTING" | "BH_APP_TIMEOUT" => None,
                "OPERATION_TIME_LIMIT" | "INTERNAL_SERVER_ERROR" | "ERROR_UNEXPECTED_ANSWER" => {
                    Some(self.takes + Duration::from_secs(15))
                }
                _ if code_is_clear(code) => Some(self.takes),
                _ => Some(Duration::from_secs(90)),
            },
        }
    }
}

/// Whether the code says what became of the request: never applied, refused, or a business error.
fn code_is_clear(code: &Code) -> bool {
    let safe = ["QUEUE_OVERFLOW", "QUEUE_TIMEOUT", "RATE_LIMITED", "QUERY_LIMIT_EXCEEDED", "TIMEOUT_QUARANTINE"];
    let fix = ["BITRIX_ERROR", "TOKEN_REFRESH_FAILED", "ERROR_LOOP_DETECTED", "ACCESS_DENIED", "ERROR_CORE"];
    safe.contains(&code.as_str()) || fix.contains(&code.as_str())
}
