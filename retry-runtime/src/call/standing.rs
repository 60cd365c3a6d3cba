//! Until when the sends of a call may still be applied.

use crate::api::{Answer, Heard};
use crate::clock::Moment;
use crate::decision::{Horizon, Route, horizon};
use crate::report::MayBeApplied;
use crate::settle::Settle;
use crate::transport::Loss;

/// Until when anything that was sent may still be applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Nothing can be applied any more.
    Settled,
    /// Nothing can be applied any more, but lists may show what was only from then on.
    Applied(Moment),
    /// Until then.
    Until(Moment),
    /// At any time.
    Unbounded,
}

impl Standing {
    /// Where a send stands after this.
    pub(crate) fn after(result: &Result<Answer, Loss>, now: Moment, settle: &Settle, route: Route) -> Self {
        let settling = |last_byte_by: Moment| Self::until(last_byte_by, settle.after_loss());
        match result {
            Ok(answer) => match &answer.heard {
                Heard::Success(_) => Self::Applied(now.after(settle.after_end())),
                Heard::Moved { .. } | Heard::TokenRenewed | Heard::NotInBatch | Heard::NoToken { .. } => Self::Settled,
                Heard::NoEnvelope { .. } => settling(answer.last_byte_by),
                Heard::Code { code, .. } => match horizon(code, route) {
                    Horizon::Never => Self::Settled,
                    Horizon::Ended => Self::Until(now.after(settle.after_end())),
                    Horizon::SettleTime => settling(answer.last_byte_by),
                    Horizon::Unbounded => Self::until(answer.last_byte_by, settle.after_hosted_app()),
                },
            },
            Err(Loss::NotSent { .. } | Loss::OutOfTime { .. } | Loss::NotRecorded { .. } | Loss::Unsendable { .. }) => {
                Self::Settled
            }
            Err(Loss::Lost { last_byte_by, .. }) => settling(*last_byte_by),
        }
    }

    /// So long after a moment; `None` is for ever.
    pub(crate) fn until(from: Moment, time: Option<std::time::Duration>) -> Self {
        time.map_or(Self::Unbounded, |time| Self::Until(from.after(time)))
    }

    /// Whether it was over at this moment, on both clocks: nothing stands against another send.
    pub(crate) fn is_over(self, at: Moment) -> bool {
        match self {
            Self::Settled | Self::Applied(_) => true,
            Self::Until(until) => at.is_past(until),
            Self::Unbounded => false,
        }
    }

    /// Whether lists showed all at this moment, on both clocks: a check that began then proves absence.
    pub(crate) fn is_shown(self, at: Moment) -> bool {
        match self {
            Self::Applied(shown) => at.is_past(shown),
            Self::Settled | Self::Until(_) | Self::Unbounded => self.is_over(at),
        }
    }

    /// When it is over, if that is in the future at all.
    pub(crate) const fn end(self) -> Option<Moment> {
        match self {
            Self::Until(until) => Some(until),
            Self::Settled | Self::Applied(_) | Self::Unbounded => None,
        }
    }

    /// Whether it will be over.
    pub(crate) const fn is_bounded(self) -> bool {
        match self {
            Self::Settled | Self::Applied(_) | Self::Until(_) => true,
            Self::Unbounded => false,
        }
    }

    /// The same for the report.
    pub(crate) fn shown(self, now: Moment) -> MayBeApplied {
        match self {
            Self::Settled | Self::Applied(_) => MayBeApplied::No,
            Self::Until(until) if now.is_past(until) => MayBeApplied::No,
            Self::Until(until) => MayBeApplied::Until(until.wall()),
            Self::Unbounded => MayBeApplied::Unbounded,
        }
    }
}
