//! What a request meets: its answer, and when it has its effect.

use std::fmt;
use std::time::Duration;

use serde_json::json;

use crate::story::Ms;
use crate::support::{Step, millis, secs};

/// Each class of answer; the codes stand for their rows of the decision table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    Honest,
    NotApplied,
    NotSent,
    Lost,
    Unclear,
    /// An unknown code.
    Unheard,
    Ended,
    Business,
    Refused,
    Html,
    Silence,
    /// The hosted app may go on at any later time.
    Hosted,
    Moved,
    /// Done, with a result that does not fit.
    Strange,
    TokenRenewed,
    NoToken,
    NoTokenForNow,
    /// In a batch: no answer for this call. Alone: lost.
    PassedOver,
}

/// When the effect comes of a request whose answer leaves that open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    Never,
    Before,
    /// After so many hundredths of the time in which it is to be feared.
    Late(u8),
}

/// How an answer names a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Said {
    InSeconds,
    /// As a date by the clock of the server, which stands in its `Date`.
    AsADate,
    /// As a date without a `Date` beside it.
    Undated,
}

/// What a write or a batch meets.
#[derive(Clone, Copy)]
pub(crate) struct Meets {
    pub(crate) answer: Answer,
    pub(crate) effect: Effect,
    pub(crate) takes: Ms,
    /// How long the transport waits before it sends.
    pub(crate) waits: Ms,
    /// How long the answer asks to wait.
    pub(crate) hint: Option<Ms>,
    /// How it says that.
    pub(crate) said: Said,
}

impl fmt::Debug for Meets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.answer)?;
        if self.answer.leaves_open() {
            write!(f, " (applied: {:?})", self.effect)?;
        }
        write!(f, " in {:?}", self.takes)?;
        if self.waits.0 > 0 {
            write!(f, " after a wait of {:?}", self.waits)?;
        }
        self.hint.map_or(Ok(()), |hint| write!(f, ", asks for {hint:?} ({:?})", self.said))
    }
}

impl Answer {
    /// Whether the request may have had its effect or have it later.
    const fn leaves_open(self) -> bool {
        match self {
            Self::Lost
            | Self::Unclear
            | Self::Unheard
            | Self::Ended
            | Self::Business
            | Self::Html
            | Self::Silence
            | Self::Hosted
            | Self::PassedOver => true,
            Self::Honest
            | Self::NotApplied
            | Self::NotSent
            | Self::Refused
            | Self::Moved
            | Self::Strange
            | Self::TokenRenewed
            | Self::NoToken
            | Self::NoTokenForNow => false,
        }
    }

    const fn is_error(self) -> bool {
        matches!(self, Self::Unclear | Self::Unheard | Self::Ended | Self::Business | Self::Hosted)
    }

    fn step(self) -> Step {
        match self {
            Self::Honest => Step::honest(),
            Self::NotApplied => Step::code("QUERY_LIMIT_EXCEEDED"),
            Self::NotSent => Step::not_sent(),
            Self::Lost => Step::lost(),
            Self::Unclear => Step::code("BITRIX_TIMEOUT"),
            Self::Unheard => Step::code("NEVER_HEARD_OF"),
            Self::Ended => Step::code("INTERNAL_SERVER_ERROR"),
            Self::Business => Step::code("ERROR_CORE"),
            Self::Refused => Step::code("ACCESS_DENIED"),
            Self::Html => Step::html(),
            Self::Silence => Step::silence(),
            Self::Hosted => Step::code("BH_APP_TIMEOUT"),
            Self::Moved => Step::moved(),
            Self::Strange => Step::result(&json!({"strange": true})),
            Self::TokenRenewed => Step::token_renewed(),
            Self::NoToken => Step::no_token(false),
            Self::NoTokenForNow => Step::no_token(true),
            Self::PassedOver => Step::passed_over(),
        }
    }
}

impl Meets {
    /// With lists that lag for so long: effects have to be there earlier, so that lists show them in time.
    pub(crate) fn step(self, lag: Duration) -> Step {
        let step = self.answer.step().takes(self.takes.time()).waits(self.waits.time());
        if !self.answer.leaves_open() {
            return step;
        }
        match self.effect {
            Effect::Never => step,
            Effect::Before => step.applied(),
            Effect::Late(hundredths) => {
                // Without bound: longer than any settle time, and not longer than is feared of a send that has not ended.
                let feared = step.may_be_applied_for().unwrap_or(secs(149));
                // "Exactly" counts as too late, and timers are exact to the millisecond.
                let most = feared.saturating_sub(self.takes.time() + lag + millis(2));
                step.applied_late(most * u32::from(hundredths) / 100)
            }
        }
    }

    /// The same where calls share an idempotency key: an error is not stored under it, so that one with an effect makes another call run.
    pub(crate) fn step_under_a_shared_key(self, lag: Duration) -> Step {
        let effect = if self.answer.is_error() { Effect::Never } else { self.effect };
        Self { effect, ..self }.step(lag)
    }
}

/// What a list does. It may fail and say too little, but it does not lie about a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shows {
    Truth,
    /// What was there when the request came, after a while.
    Slowly(Ms),
    /// Not what is newer than that: at the most the list lag of the settle time.
    Lagging(Ms),
    Nothing,
    NotApplied,
    Refused,
    Unheard,
    /// A page that goes on.
    Incomplete,
    /// The filter was ignored.
    Others,
    TokenRenewed,
    NoToken,
}

impl Shows {
    pub(crate) fn step(self) -> Step {
        match self {
            Self::Truth => Step::honest(),
            Self::Slowly(takes) => Step::honest().takes(takes.time()).lags(takes.time()),
            Self::Lagging(by) => Step::honest().lags(by.time()),
            Self::Nothing => Step::lost(),
            Self::NotApplied => Step::code("QUERY_LIMIT_EXCEEDED"),
            Self::Refused => Step::code("ACCESS_DENIED"),
            Self::Unheard => Step::code("NEVER_HEARD_OF"),
            Self::Incomplete => Step::page(&json!([]), Some(50), None),
            Self::Others => Step::page(&json!([{"ID": "9999", "ORIGIN_ID": "others", "title": "others"}]), None, None),
            Self::TokenRenewed => Step::token_renewed(),
            Self::NoToken => Step::no_token(false),
        }
    }
}

/// The longest wait of a transport before it sends, and the longest that a request goes on after that. The deadline cuts neither.
pub(crate) const TURN: Duration = secs(20);
pub(crate) const ON_ITS_WAY: Duration = secs(65);
