//! The specification's matrix: what to do after an answer, by code and kind.

use crate::code::Code;
use crate::effect::OperationKind;

/// What to do after an answer that is not a success.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Decision {
    /// Send again after the pause, within the limits: nothing was applied, or nothing is changed by a read.
    Retry,
    /// Locate the effect on the portal first; send again only after its absence is proved.
    ReadBack,
    /// Never send again: the cause has to be fixed.
    Fix,
}

/// Decides by code and kind, and by nothing else.
///
/// This is the specification's `classifyRetry` for its three sets and for unknown codes, with three extensions:
/// refusals that are documented as given before the call ran (`Fix`; step 2 of the specification's algorithm for reads),
/// codes that single methods document (`Fix`: a business error is never sent again), and the direct API's
/// `QUERY_LIMIT_EXCEEDED` and server errors, which take the place of `RATE_LIMITED` and `BITRIX_UNAVAILABLE` there.
///
/// ```
/// use retry_runtime::{Code, Decision, OperationKind, decide};
///
/// assert_eq!(decide(&Code::BitrixTimeout, OperationKind::Read), Decision::Retry);
/// assert_eq!(decide(&Code::BitrixTimeout, OperationKind::Write), Decision::ReadBack);
/// ```
pub const fn decide(code: &Code, kind: OperationKind) -> Decision {
    match code {
        Code::QueueOverflow
        | Code::QueueTimeout
        | Code::RateLimited
        | Code::QueryLimitExceeded
        | Code::TimeoutQuarantine
        | Code::LargeBodyBackendBusy => Decision::Retry,
        Code::OperationTimeLimit
        | Code::InternalServerError
        | Code::ErrorUnexpectedAnswer
        | Code::BitrixTimeout
        | Code::BitrixUnavailable
        | Code::PoolExhausted
        | Code::DbTransient
        | Code::ServiceUnavailable
        | Code::BhAppStarting
        | Code::BhAppTimeout
        | Code::Other(_) => decide_unknown(kind),
        Code::BitrixError
        | Code::TokenRefreshFailed
        | Code::ErrorLoopDetected
        | Code::ExpiredToken
        | Code::Refusal(_)
        | Code::Business(_) => Decision::Fix,
    }
}

/// Decides for an unknown outcome: a lost answer, one without an envelope, an unclear code.
pub(crate) const fn decide_unknown(kind: OperationKind) -> Decision {
    match kind {
        OperationKind::Read => Decision::Retry,
        OperationKind::Write => Decision::ReadBack,
    }
}

/// How a call travels to Bitrix24.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Route {
    /// Straight to the portal.
    Direct,
    /// Through the Vibecode gateway, which may hand the call on after it has answered.
    Gateway,
}

/// Until when the request behind an answer may still be applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Horizon {
    /// It was not and will not be applied.
    Never,
    /// It has run its course: only the lag of lists hides its effect.
    Ended,
    /// For the settle time.
    SettleTime,
    /// At any later time: a hosted app may call Bitrix24 whenever it likes.
    Unbounded,
}

/// Until when the request may still be applied that was answered with this code on this route.
pub const fn horizon(code: &Code, route: Route) -> Horizon {
    match code {
        Code::QueueOverflow
        | Code::QueueTimeout
        | Code::RateLimited
        | Code::QueryLimitExceeded
        | Code::TimeoutQuarantine
        | Code::LargeBodyBackendBusy
        | Code::TokenRefreshFailed
        | Code::ErrorLoopDetected
        | Code::ExpiredToken
        | Code::Refusal(_) => Horizon::Never,
        Code::BitrixError | Code::Business(_) => Horizon::Ended,
        Code::OperationTimeLimit | Code::InternalServerError | Code::ErrorUnexpectedAnswer => match route {
            Route::Direct => Horizon::Ended,
            Route::Gateway => Horizon::SettleTime,
        },
        Code::BitrixTimeout
        | Code::BitrixUnavailable
        | Code::PoolExhausted
        | Code::DbTransient
        | Code::ServiceUnavailable
        | Code::Other(_) => Horizon::SettleTime,
        Code::BhAppStarting | Code::BhAppTimeout => Horizon::Unbounded,
    }
}
