//! What an answer or a loss means for the loop.

use crate::api::{Answer, Heard};
use crate::decision::{Decision, Horizon, Route, decide, decide_unknown, horizon};
use crate::effect::{Effect, OperationKind};
use crate::transport::Loss;

/// What follows a send that gave no result.
#[derive(Debug)]
pub(super) enum Next {
    /// It was not applied, or it is a read: send again within the limits.
    Resend,
    /// Nothing was applied and the cause is gone, an expired token or a batch: send again at once.
    ResendAtOnce,
    /// The outcome is unknown: read back. If the answer itself was lost, an idempotency key can settle it too.
    ReadBack { answer_lost: bool },
    /// Not sent, and it can't be: its time is over before, or the journal does not take it down.
    OutOfTime { why: Box<str> },
    /// Never sent: the API has no form for the call.
    Unsendable,
    /// Never again: it was refused before it could have an effect.
    Refused,
    /// Never again: a business error, which does not prove that nothing happened.
    Business,
    /// Never again: a success that does not read as the type of the stub.
    Unread { why: String, effect: Effect },
}

impl Next {
    /// `None` is a success.
    pub(super) fn after(result: &Result<Answer, Loss>, kind: OperationKind, route: Route) -> Option<Self> {
        let decision = match result {
            Ok(answer) => match &answer.heard {
                Heard::Success(_) => return None,
                Heard::TokenRenewed | Heard::NotInBatch => return Some(Self::ResendAtOnce),
                Heard::NoToken { passing: true, .. } => Decision::Retry,
                Heard::Moved { .. } | Heard::NoToken { passing: false, .. } => Decision::Fix,
                Heard::NoEnvelope { .. } => decide_unknown(kind),
                Heard::Code { code, .. } => decide(code, kind),
            },
            Err(Loss::Unsendable { .. }) => return Some(Self::Unsendable),
            Err(Loss::OutOfTime { why } | Loss::NotRecorded { why }) => {
                return Some(Self::OutOfTime { why: why.clone() });
            }
            Err(Loss::NotSent { .. }) => Decision::Retry,
            Err(Loss::Lost { .. }) => decide_unknown(kind),
        };
        Some(match decision {
            Decision::Retry => Self::Resend,
            Decision::ReadBack => Self::ReadBack { answer_lost: is_lost(result) },
            Decision::Fix => Self::fix(result, kind, route),
        })
    }

    /// A business error on a write does not prove that nothing happened; any other refusal does.
    fn fix(result: &Result<Answer, Loss>, kind: OperationKind, route: Route) -> Self {
        let Ok(Answer { heard: Heard::Code { code, .. }, .. }) = result else { return Self::Refused };
        match (kind, horizon(code, route)) {
            (OperationKind::Read, _) | (OperationKind::Write, Horizon::Never) => Self::Refused,
            (OperationKind::Write, Horizon::Ended | Horizon::SettleTime | Horizon::Unbounded) => Self::Business,
        }
    }

    /// The decision as the report names it.
    pub(super) const fn decision(&self) -> Decision {
        match self {
            Self::Resend | Self::ResendAtOnce | Self::OutOfTime { .. } => Decision::Retry,
            Self::ReadBack { .. } => Decision::ReadBack,
            Self::Unsendable | Self::Refused | Self::Business | Self::Unread { .. } => Decision::Fix,
        }
    }
}

/// Whether no answer came at all. One with a code was an error to the portal, which does not store those under a key.
fn is_lost(result: &Result<Answer, Loss>) -> bool {
    matches!(result, Err(Loss::Lost { .. }) | Ok(Answer { heard: Heard::NoEnvelope { .. }, .. }))
}
