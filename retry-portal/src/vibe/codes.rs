//! The codes of the gateway, the statuses they come with, and what native errors become.

use std::collections::BTreeMap;

use crate::refusal::Refusal;

/// Documented statuses, and guesses where nothing is documented.
const STATUSES: [(&str, u16); 36] = [
    ("MISSING_API_KEY", 401),
    ("INVALID_API_KEY", 401),
    ("INVALID_APP_KEY", 401),
    ("TOKEN_MISSING", 401),
    ("TOKEN_EXPIRED", 401),
    ("TOKEN_REFRESH_FAILED", 401),
    ("INVALID_SESSION", 401),
    ("WRITE_BLOCKED_READONLY_KEY", 403),
    ("SCOPE_DENIED", 403),
    ("ACCESS_DENIED", 403),
    ("BITRIX_ACCESS_DENIED", 403),
    ("VALIDATION_ERROR", 400),
    ("INVALID_REQUEST", 400),
    ("INVALID_PARAMS", 400),
    ("INVALID_FILTER", 400),
    ("INVALID_FILTER_FIELD", 400),
    ("INVALID_FILTER_OPERATOR", 400),
    ("UNKNOWN_SORT_FIELD", 400),
    ("INVALID_SORT_TYPE", 400),
    ("INVALID_SORT_DIRECTION", 400),
    ("RESERVED_ENTITY_TYPE", 400),
    ("ENTITY_NOT_FOUND", 404),
    ("ROUTE_NOT_FOUND", 404),
    ("BITRIX_ERROR", 422),
    ("RATE_LIMITED", 429),
    ("OPERATION_TIME_LIMIT", 429),
    ("ERROR_LOOP_DETECTED", 429),
    ("TIMEOUT_QUARANTINE", 429),
    ("INTERNAL_ERROR", 500),
    ("BITRIX_UNAVAILABLE", 502),
    ("QUEUE_OVERFLOW", 503),
    ("LARGE_BODY_BACKEND_BUSY", 503),
    ("POOL_EXHAUSTED", 503),
    ("DB_TRANSIENT", 503),
    ("SERVICE_UNAVAILABLE", 503),
    ("BH_APP_STARTING", 503),
];
const TIMEOUTS: [&str; 3] = ["QUEUE_TIMEOUT", "BITRIX_TIMEOUT", "BH_APP_TIMEOUT"];

/// Which status a code comes with.
#[derive(Debug, Clone, Default)]
pub(crate) struct Statuses(BTreeMap<String, u16>);

impl Statuses {
    pub(crate) fn set(&mut self, code: &str, status: u16) {
        self.0.insert(code.to_owned(), status);
    }

    pub(crate) fn of(&self, code: &str) -> u16 {
        self.0.get(code).copied().unwrap_or_else(|| usual(code))
    }
}

fn usual(code: &str) -> u16 {
    if TIMEOUTS.contains(&code) {
        return 504;
    }
    STATUSES.iter().find(|(known, _)| *known == code).map_or(500, |(_, status)| *status)
}

/// A refusal with its usual status.
pub(super) fn refusal(code: &str, text: impl Into<String>) -> Refusal {
    Refusal::new(usual(code), code, text)
}

pub(super) fn not_found() -> Refusal {
    refusal("ENTITY_NOT_FOUND", "Element not found")
}

/// What the gateway makes of an error of the native API.
pub(crate) fn of_native(refusal: Refusal) -> Refusal {
    let code = match refusal.code.as_str().unwrap_or_default() {
        "QUERY_LIMIT_EXCEEDED" => "RATE_LIMITED",
        "OPERATION_TIME_LIMIT" => "OPERATION_TIME_LIMIT",
        "INTERNAL_SERVER_ERROR" | "ERROR_UNEXPECTED_ANSWER" | "OVERLOAD_LIMIT" => "BITRIX_UNAVAILABLE",
        "ACCESS_DENIED" => "BITRIX_ACCESS_DENIED",
        "NOT_FOUND" => "ENTITY_NOT_FOUND",
        "INVALID_ARG_VALUE" => "INVALID_PARAMS",
        "expired_token" | "NO_AUTH_FOUND" => "TOKEN_REFRESH_FAILED",
        _ => "BITRIX_ERROR",
    };
    self::refusal(code, refusal.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_a_switch() {
        let mut statuses = Statuses::default();
        assert_eq!((statuses.of("QUEUE_TIMEOUT"), statuses.of("BITRIX_ERROR"), statuses.of("NEW")), (504, 422, 500));
        statuses.set("BITRIX_ERROR", 200);
        assert_eq!(statuses.of("BITRIX_ERROR"), 200);
    }

    #[test]
    fn native_errors_become_codes_of_the_gateway() {
        let code = |native: &str| of_native(Refusal::bad(native, "x")).code;
        assert_eq!(code("QUERY_LIMIT_EXCEEDED"), "RATE_LIMITED");
        assert_eq!(code("INTERNAL_SERVER_ERROR"), "BITRIX_UNAVAILABLE");
        assert_eq!(code("ERROR_CORE"), "BITRIX_ERROR");
        assert_eq!(of_native(Refusal::bad(100, "x")).code, "BITRIX_ERROR");
    }
}
