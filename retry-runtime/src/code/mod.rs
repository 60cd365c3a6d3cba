//! The codes of an answer, as a closed list and everything else.

use std::fmt;
use std::sync::LazyLock;

/// The codes of one service that have no variant of their own, each list sorted, one code a line.
struct Known {
    /// They say "no" before anything could have an effect: what the documentation marks as "did not run".
    refusals: LazyLock<Vec<&'static str>>,
    /// Single methods document them.
    business: LazyLock<Vec<&'static str>>,
}

/// Bitrix24 itself, REST 2 and 3.
static REST: Known = Known {
    refusals: LazyLock::new(|| lines(include_str!("rest_refusals.txt"))),
    business: LazyLock::new(|| lines(include_str!("rest_business.txt"))),
};

/// The Vibecode gateway: its own refusals (keys, schema, billing), and what it passes on from Bitrix24.
static VIBE: Known = Known {
    refusals: LazyLock::new(|| lines(include_str!("vibe_refusals.txt"))),
    business: LazyLock::new(|| lines(include_str!("vibe_business.txt"))),
};

fn lines(list: &'static str) -> Vec<&'static str> {
    list.lines().collect()
}

fn find(list: &[&'static str], text: &str) -> Option<&'static str> {
    list.binary_search(&text).ok().map(|at| list[at])
}

/// What an answer says in its `error` field (or `error.code`).
///
/// The HTTP status takes no part: one status comes with codes of every kind.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Code {
    /// The gateway's queue was full.
    QueueOverflow,
    /// The call waited too long in the gateway's queue and left it unsent.
    QueueTimeout,
    /// Refused by rate, by the gateway or by Bitrix24; known sources never apply such a call.
    RateLimited,
    /// The direct API's `RateLimited`: the portal refused the request by its rate.
    QueryLimitExceeded,
    /// Stopped by a local pause after an earlier timeout; says nothing about that earlier call.
    TimeoutQuarantine,
    /// The gateway had no room for a large body and did not take it.
    LargeBodyBackendBusy,
    /// The method used up its execution time, found out by a method that was already called.
    OperationTimeLimit,
    /// The portal failed inside while it worked on the call.
    InternalServerError,
    /// The portal could not make sense of its own answer.
    ErrorUnexpectedAnswer,
    /// The gateway waited for Bitrix24 in vain.
    BitrixTimeout,
    /// The gateway got a server error or nothing from Bitrix24.
    BitrixUnavailable,
    /// A pool inside the gateway was empty, before or after the call.
    PoolExhausted,
    /// The gateway's database rolled back, which undoes nothing at Bitrix24.
    DbTransient,
    /// The gateway was not available.
    ServiceUnavailable,
    /// No frame came from the hosted app; its code may still have seen the request.
    BhAppStarting,
    /// The hosted app did not answer in time; it may call Bitrix24 later.
    BhAppTimeout,
    /// Bitrix24 refused for a business reason.
    BitrixError,
    /// The gateway could not renew its token, so that the call was not made.
    TokenRefreshFailed,
    /// The gateway's circuit breaker is open for this method.
    ErrorLoopDetected,
    /// The OAuth token has expired; the call did not run.
    ExpiredToken,
    /// A code that is documented as a refusal before the call ran (rights, scope, address, plan).
    Refusal(&'static str),
    /// A code that a single method documents, catch-alls such as `0`, `100` and the empty one included.
    Business(&'static str),
    /// Any other text. A read may be repeated after it, a write is read back.
    Other(Box<str>),
}

/// The codes that have a variant of their own.
const NAMED: [Code; 20] = [
    Code::QueueOverflow,
    Code::QueueTimeout,
    Code::RateLimited,
    Code::QueryLimitExceeded,
    Code::TimeoutQuarantine,
    Code::LargeBodyBackendBusy,
    Code::OperationTimeLimit,
    Code::InternalServerError,
    Code::ErrorUnexpectedAnswer,
    Code::BitrixTimeout,
    Code::BitrixUnavailable,
    Code::PoolExhausted,
    Code::DbTransient,
    Code::ServiceUnavailable,
    Code::BhAppStarting,
    Code::BhAppTimeout,
    Code::BitrixError,
    Code::TokenRefreshFailed,
    Code::ErrorLoopDetected,
    Code::ExpiredToken,
];

impl Code {
    /// The code of this text, compared letter by letter: a spelling nobody documents is `Other`.
    ///
    /// ```
    /// use retry_runtime::Code;
    ///
    /// assert_eq!(Code::of("QUEUE_TIMEOUT"), Code::QueueTimeout);
    /// assert_eq!(Code::of("insufficient_scope"), Code::Refusal("insufficient_scope"));
    /// assert_eq!(Code::of(""), Code::Business(""));
    /// assert_eq!(Code::of("NEWS"), Code::Other("NEWS".into()));
    /// ```
    pub fn of(text: &str) -> Self {
        Self::known_to(&REST, text)
    }

    /// The code of this text where the Vibecode gateway says it: some texts mean something else there.
    ///
    /// ```
    /// use retry_runtime::Code;
    ///
    /// assert_eq!(Code::of("ACCESS_DENIED"), Code::Refusal("ACCESS_DENIED"));
    /// assert_eq!(Code::of_gateway("ACCESS_DENIED"), Code::Business("ACCESS_DENIED"));
    /// ```
    pub fn of_gateway(text: &str) -> Self {
        Self::known_to(&VIBE, text)
    }

    fn known_to(service: &'static Known, text: &str) -> Self {
        if let Some(code) = NAMED.iter().find(|code| code.as_str() == text) {
            code.clone()
        } else if let Some(known) = find(&service.refusals, text) {
            Self::Refusal(known)
        } else if let Some(known) = find(&service.business, text) {
            Self::Business(known)
        } else {
            Self::Other(text.into())
        }
    }

    /// The text on the wire.
    pub fn as_str(&self) -> &str {
        match self {
            Self::QueueOverflow => "QUEUE_OVERFLOW",
            Self::QueueTimeout => "QUEUE_TIMEOUT",
            Self::RateLimited => "RATE_LIMITED",
            Self::QueryLimitExceeded => "QUERY_LIMIT_EXCEEDED",
            Self::TimeoutQuarantine => "TIMEOUT_QUARANTINE",
            Self::LargeBodyBackendBusy => "LARGE_BODY_BACKEND_BUSY",
            Self::OperationTimeLimit => "OPERATION_TIME_LIMIT",
            Self::InternalServerError => "INTERNAL_SERVER_ERROR",
            Self::ErrorUnexpectedAnswer => "ERROR_UNEXPECTED_ANSWER",
            Self::BitrixTimeout => "BITRIX_TIMEOUT",
            Self::BitrixUnavailable => "BITRIX_UNAVAILABLE",
            Self::PoolExhausted => "POOL_EXHAUSTED",
            Self::DbTransient => "DB_TRANSIENT",
            Self::ServiceUnavailable => "SERVICE_UNAVAILABLE",
            Self::BhAppStarting => "BH_APP_STARTING",
            Self::BhAppTimeout => "BH_APP_TIMEOUT",
            Self::BitrixError => "BITRIX_ERROR",
            Self::TokenRefreshFailed => "TOKEN_REFRESH_FAILED",
            Self::ErrorLoopDetected => "ERROR_LOOP_DETECTED",
            Self::ExpiredToken => "expired_token",
            Self::Refusal(text) | Self::Business(text) => text,
            Self::Other(text) => text,
        }
    }
}

impl fmt::Display for Code {
    /// The text on the wire; the empty code shows as `""`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_str() {
            "" => f.write_str("\"\""),
            text => f.write_str(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_named_code_reads_back_as_itself() {
        for code in NAMED {
            assert_eq!(Code::of(code.as_str()), code);
        }
    }

    #[test]
    fn the_lists_are_sorted_and_share_nothing() {
        for Known { refusals, business } in [&REST, &VIBE] {
            for list in [refusals, business] {
                assert!(list.is_sorted_by(|a, b| a < b), "sorted and unique");
                assert!(NAMED.iter().all(|code| find(list, code.as_str()).is_none()));
            }
            assert!(business.iter().all(|code| find(refusals, code).is_none()), "a code is in both lists");
        }
    }
}
