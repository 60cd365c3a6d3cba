//! How a call fails: six endings, each with its report and the answer to "did it happen?".

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use crate::code::Code;
use crate::effect::{Effect, OperationKind};
use crate::report::{MayBeApplied, Report};

/// The end of a call that gave no result.
///
/// Its `Display` is several lines for a person: what happened, whether it happened on the portal, what to do now, and the whole story.
///
/// ```
/// # use retry_runtime::{CallError, Effect};
/// fn after(error: &CallError) -> &'static str {
///     match error.effect() {
///         Effect::Absent => "it did not happen: send it again whenever you like",
///         Effect::Present => "it happened",
///         Effect::Unknown => "look at the portal before you send it again",
///     }
/// }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum CallError {
    /// The call could not be made from its arguments. Nothing was sent.
    Invalid(Failure),
    /// The portal refused it: the cause has to be fixed. Usually nothing happened; after a business error on a write nobody can be sure.
    Refused(Failure),
    /// Attempts, time or retry budget ran out. Nothing happened.
    Exhausted(Failure),
    /// It may have happened, and could not be settled. A person has to look.
    InDoubt(Failure),
    /// It happened, more than once, or somebody else has made the same.
    Duplicated(Failure),
    /// It happened, but its result does not read as the type of the stub; or a list can't be read by its pages as the stub says.
    Undecodable(Failure),
}

/// What a [`CallError`] knows.
pub struct Failure(Box<Inner>);

struct Inner {
    effect: Effect,
    code: Option<Code>,
    why: Cow<'static, str>,
    hint: Option<Duration>,
    report: Report,
}

impl Failure {
    pub(crate) fn new(effect: Effect, why: impl Into<Cow<'static, str>>, report: Report) -> Self {
        Self(Box::new(Inner { effect, code: None, why: why.into(), hint: None, report }))
    }

    pub(crate) fn with_code(mut self, code: Option<Code>) -> Self {
        self.0.code = code;
        self
    }

    pub(crate) fn with_hint(mut self, hint: Option<Duration>) -> Self {
        self.0.hint = hint;
        self
    }

    /// Whether the call had its effect on the portal.
    pub fn effect(&self) -> Effect {
        self.0.effect
    }

    /// The code that decided, if an answer had one.
    pub fn code(&self) -> Option<&Code> {
        self.0.code.as_ref()
    }

    /// Why, in a sentence.
    pub fn why(&self) -> &str {
        &self.0.why
    }

    /// The pause the server asked for and that the deadline did not allow.
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.hint
    }

    /// The same with another answer to "did it happen?".
    pub(crate) fn with_effect(mut self, effect: Effect) -> Self {
        self.0.effect = effect;
        self
    }

    /// The whole story.
    pub fn report(&self) -> &Report {
        &self.0.report
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Failure")
            .field("effect", &self.0.effect)
            .field("code", &self.0.code)
            .field("why", &self.0.why)
            .field("retry_after", &self.0.hint)
            .field("report", &self.0.report)
            .finish()
    }
}

impl CallError {
    /// What it knows.
    pub const fn failure(&self) -> &Failure {
        match self {
            Self::Invalid(failure)
            | Self::Refused(failure)
            | Self::Exhausted(failure)
            | Self::InDoubt(failure)
            | Self::Duplicated(failure)
            | Self::Undecodable(failure) => failure,
        }
    }

    /// The answer to "did it happen?".
    pub fn effect(&self) -> Effect {
        self.failure().effect()
    }

    /// The code that decided, if an answer had one.
    pub fn code(&self) -> Option<&Code> {
        self.failure().code()
    }

    /// The whole story.
    pub fn report(&self) -> &Report {
        self.failure().report()
    }

    /// The pause the server asked for and that the deadline did not allow.
    pub fn retry_after(&self) -> Option<Duration> {
        self.failure().retry_after()
    }

    const fn headline(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "was not sent",
            Self::Refused(_) => "was refused",
            Self::Exhausted(_) => "was given up",
            Self::InDoubt(_) => "is in doubt",
            Self::Duplicated(_) => "is there more than once",
            Self::Undecodable(_) => "answered something unexpected",
        }
    }

    fn did_it_happen(&self) -> Cow<'static, str> {
        match (self.effect(), self.report().may_be_applied()) {
            (Effect::Absent, _) => "no".into(),
            (Effect::Present, _) => "yes".into(),
            (Effect::Unknown, MayBeApplied::No) => "unknown".into(),
            (Effect::Unknown, until) => format!("unknown; it may still be applied {until}").into(),
        }
    }

    fn what_to_do(&self) -> &'static str {
        match (self, self.report().kind()) {
            (Self::Invalid(_), _) => "fix the call; nothing was sent",
            (Self::Refused(failure), _) => match failure.effect() {
                Effect::Absent => "fix the cause, then make a new call",
                Effect::Present | Effect::Unknown => {
                    "look at the portal, then fix the cause and make a new call if it is not there"
                }
            },
            (Self::Exhausted(failure), _) if failure.retry_after().is_some() => {
                "call again after the pause the server asks for"
            }
            (Self::Exhausted(_), _) => {
                "call again later, or with a longer deadline; if it goes on, give the times and ids below to the \
                 vendor's support"
            }
            (Self::InDoubt(_), _) => {
                "look for it on the portal; send it again by hand only if it is not there and can't be applied any more"
            }
            (Self::Duplicated(_), _) => "compare the records below on the portal and keep one",
            (Self::Undecodable(_), OperationKind::Read) => {
                "correct the type that the stub returns, or how it says that its pages are read"
            }
            (Self::Undecodable(_), OperationKind::Write) => {
                "correct the type that the stub returns; do not send it again"
            }
        }
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let failure = self.failure();
        write!(f, "{} {}: {}", failure.report().method(), self.headline(), failure.why())?;
        write!(f, "\n  did it happen: {}", self.did_it_happen())?;
        write!(f, "\n  what to do: {}", self.what_to_do())?;
        if let Some(pause) = failure.retry_after() {
            write!(f, "\n  the server asks to wait: {}", crate::report::span(pause))?;
        }
        write!(f, "\n{}", failure.report())
    }
}

impl std::error::Error for CallError {}
