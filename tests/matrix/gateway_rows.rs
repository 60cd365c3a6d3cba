//! The rows of the Vibecode gateway: its own codes, and what a text means there that means something else to Bitrix24.

use crate::rows::Class::{self, Business, Refused, Unclear};
use crate::rows::{CLASSIFIER, UNKNOWN};

/// What the gateway refuses by itself: keys, schema, billing.
pub(crate) const REFUSALS: [(&str, Class); 54] = [
    ("ACCOUNT_FROZEN", Refused),
    ("ACTION_NOT_SUPPORTED", Refused),
    ("AUTH_REQUIRED", Refused),
    ("BATCH_LIMIT_EXCEEDED", Refused),
    ("BILLING_EXHAUSTED", Refused),
    ("COMMERCIAL_PLAN_REQUIRED", Refused),
    ("ENTITY_CUSTOM_ROUTES", Refused),
    ("INCLUDE_LIMIT_EXCEEDED", Refused),
    ("INFRA_SCOPE_REQUIRED", Refused),
    ("INVALID_API_KEY", Refused),
    ("INVALID_APP_KEY", Refused),
    ("INVALID_CALL", Refused),
    ("INVALID_DYNAMIC_PARAM", Refused),
    ("INVALID_FILTER", Refused),
    ("INVALID_FILTER_FIELD", Refused),
    ("INVALID_FILTER_OPERATOR", Refused),
    ("INVALID_INCLUDE", Refused),
    ("INVALID_REQUEST", Refused),
    ("INVALID_SESSION", Refused),
    ("INVALID_SORT_DIRECTION", Refused),
    ("INVALID_SORT_TYPE", Refused),
    ("IP_NOT_ALLOWED", Refused),
    ("KEY_EXPIRED", Refused),
    ("KEY_INACTIVE", Refused),
    ("KEY_POLICY_READONLY_REQUIRED", Refused),
    ("MANAGEMENT_KEY_NO_ENTITY_ACCESS", Refused),
    ("MANAGEMENT_KEY_READ_ONLY", Refused),
    ("MANAGEMENT_SCOPE_REQUIRED", Refused),
    ("MISSING_API_KEY", Refused),
    ("MISSING_DYNAMIC_PARAM", Refused),
    ("MISSING_ENTITY_ID", Refused),
    ("MISSING_PARAMS", Refused),
    ("MISSING_REQUIRED_FILTER", Refused),
    ("OAUTH_REQUIRED", Refused),
    ("PLAN_NOT_ALLOWED_ON_TRIAL", Refused),
    ("READONLY_FIELD", Refused),
    ("RESERVED_ENTITY_TYPE", Refused),
    ("ROUTE_NOT_FOUND", Refused),
    ("SCOPE_DENIED", Refused),
    ("SCOPE_NOT_ALLOWED", Refused),
    ("SESSION_APP_MISMATCH", Refused),
    ("TOKEN_EXPIRED", Refused),
    ("TOKEN_MISSING", Refused),
    ("TRIAL_EXPIRED", Refused),
    ("TRIAL_PORTAL_LIMIT", Refused),
    ("TRIAL_USER_LIMIT", Refused),
    ("UNKNOWN_ENTITY", Refused),
    ("UNKNOWN_SORT_FIELD", Refused),
    ("UNSTABLE_OFFSET_PAGINATION", Refused),
    ("USE_DEDICATED_ENTITY", Refused),
    ("VALIDATION_ERROR", Refused),
    ("WAITLIST_PENDING", Refused),
    ("WRITE_BLOCKED_READONLY_KEY", Refused),
    ("WRONG_KEY_TYPE", Refused),
];

/// What it passes on from Bitrix24.
pub(crate) const METHODS: [(&str, Class); 9] = [
    ("ACCESS_DENIED", Business),
    ("AGGREGATION_LIMIT_EXCEEDED", Business),
    ("ALREADY_EXISTS", Business),
    ("B24_TARIFF_RESTRICTION", Business),
    ("BITRIX_ACCESS_DENIED", Business),
    ("CONFLICT", Business),
    ("ENTITY_NOT_FOUND", Business),
    ("INVALID_PARAMS", Business),
    ("NOT_FOUND", Business),
];

/// What it says and nobody explains, and what Bitrix24 says that the gateway never passes on as it is.
pub(crate) const UNEXPLAINED: [(&str, Class); 12] = [
    ("INTERNAL_ERROR", Unclear),
    ("GATEWAY_CONNECTION_TERMINATED", Unclear),
    ("WINDOWED_SEARCH_FAILED", Unclear),
    ("AUTO_PAGINATION_FAILED", Unclear),
    ("BH_SERVER_WAKING", Unclear),
    ("RATE_LIMIT_EXCEEDED", Unclear),
    ("ERROR_CORE", Unclear),
    ("INVALID_CREDENTIALS", Unclear),
    ("insufficient_scope", Unclear),
    ("", Unclear),
    ("0", Unclear),
    ("100", Unclear),
];

pub(crate) fn all() -> impl Iterator<Item = (&'static str, Class)> {
    [&CLASSIFIER[..], &REFUSALS, &METHODS, &UNEXPLAINED, &UNKNOWN].concat().into_iter()
}
