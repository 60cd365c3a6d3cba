//! Faults: when the effect of a request happens, times how its answer goes.

mod answer;
mod defaults;
mod hash;
mod script;
mod seeded;
mod show;

use std::time::Duration;

pub use answer::{Answer, Coded, Cut, Framing, Raw, RetryAfter};
pub(crate) use hash::Hash;
pub(crate) use script::{Scripted, Scripts};
pub use seeded::Faults;
pub(crate) use seeded::{Api, Draw, lateness};

/// What happens to one request: when its effect takes place, and how its answer goes.
///
/// The two are independent. A deal can be created and the connection reset, the connection can be closed
/// with nothing created, or the deal can appear only while the client already looks for it.
///
/// ```
/// use std::time::Duration;
/// use retry_portal::{Answer, Coded, Effect, Fault};
///
/// let lost = Fault::before(Answer::Reset);
/// let refused = Fault::never(Answer::Coded(Coded::new(503, "QUERY_LIMIT_EXCEEDED")));
/// let late = Fault::late(Duration::from_secs(8), Answer::Close);
/// assert_eq!(late.effect, Effect::Late(Duration::from_secs(8)));
/// # let _ = (lost, refused);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// When the effect takes place. Without meaning for a read and for a request that the portal refuses by itself.
    pub effect: Effect,
    /// How the answer goes.
    pub answer: Answer,
}

impl Fault {
    /// The fault with this effect and this answer.
    pub fn new(effect: Effect, answer: Answer) -> Self {
        Self { effect, answer }
    }

    /// No fault: the effect happens and the answer arrives. Fills a place in a script.
    pub fn none() -> Self {
        Self::new(Effect::Before, Answer::Normal)
    }

    /// The effect happens, then the answer goes this way.
    pub fn before(answer: Answer) -> Self {
        Self::new(Effect::Before, answer)
    }

    /// The effect never happens, and the answer goes this way.
    pub fn never(answer: Answer) -> Self {
        Self::new(Effect::Never, answer)
    }

    /// The answer goes this way, and the effect happens so much later (portal time).
    pub fn late(after: Duration, answer: Answer) -> Self {
        Self::new(Effect::Late(after), answer)
    }

    /// For a batch: its first `k` commands are carried out, the others are never run, and the answer goes this way. For
    /// any other request: its effect happens, unless `k` is 0.
    ///
    /// ```
    /// use retry_portal::{Answer, Fault};
    ///
    /// // For the script of "batch": 20 of its commands happen, then the connection is reset.
    /// let cut = Fault::after_commands(20, Answer::Reset);
    /// # let _ = cut;
    /// ```
    pub fn after_commands(k: usize, answer: Answer) -> Self {
        Self::new(Effect::AfterCommands(k), answer)
    }

    pub(crate) fn is_slow(&self) -> bool {
        matches!(self.answer, Answer::Slow(_))
    }

    /// Whether the gateway refuses the method for a while after it.
    pub(crate) fn pauses_the_method(&self) -> bool {
        let Answer::Coded(coded) = &self.answer else { return false };
        matches!(coded.error.as_str(), Some("OPERATION_TIME_LIMIT" | "BITRIX_TIMEOUT" | "TIMEOUT_QUARANTINE"))
    }
}

/// When the effect of a write takes place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Effect {
    /// Just before the first byte of the answer (or before the answer is lost). With [`Answer::Slow`] that is at the
    /// end of the slow work.
    Before,
    /// Not at all. An answer that shows a result shows what it would have been, with an id that no record gets.
    Never,
    /// So long after the answer was due, in portal time. The client may read back in the meantime and find nothing.
    Late(Duration),
    /// Of a batch only so many commands, before the answer; the others are never run.
    AfterCommands(usize),
}

impl Effect {
    /// The same for one command or for a request that is no batch.
    pub(crate) fn of_one(self) -> Self {
        match self {
            Self::AfterCommands(0) => Self::Never,
            Self::AfterCommands(_) => Self::Before,
            other @ (Self::Before | Self::Never | Self::Late(_)) => other,
        }
    }

    /// What comes of a command that has one effect by itself and one as a part of its batch.
    pub(crate) fn within(self, batch: Self) -> Self {
        match (self.of_one(), batch.of_one()) {
            (Self::Never, _) | (_, Self::Never) => Self::Never,
            (Self::Late(own), Self::Late(batch)) => Self::Late(own.saturating_add(batch)),
            (Self::Late(after), _) | (_, Self::Late(after)) => Self::Late(after),
            (Self::Before | Self::AfterCommands(_), Self::Before | Self::AfterCommands(_)) => Self::Before,
        }
    }
}
