//! The rows: each code with what its page says.

/// What a code means for the call that met it. The words are the specification's and the design's, section 4.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// Never applied: retry for both kinds.
    NotApplied,
    /// Unknown for a write, but the portal itself has answered, so that the request has ended; straight from Bitrix24 only.
    Ended,
    /// Unknown for a write, and for the settle time.
    Unclear,
    /// Unknown for a write, and without bound: a hosted app may call Bitrix24 later.
    Hosted,
    /// Refused before it could have an effect: fix for both kinds, absent.
    Refused,
    /// A business error: fix for both kinds, and on a write no proof that nothing happened.
    Business,
}

use Class::{Business, Ended, Hosted, NotApplied, Refused, Unclear};

/// The 16 codes of the specification's classifier.
pub(crate) const CLASSIFIER: [(&str, Class); 16] = [
    ("OPERATION_TIME_LIMIT", Ended),
    ("BITRIX_TIMEOUT", Unclear),
    ("BITRIX_UNAVAILABLE", Unclear),
    ("POOL_EXHAUSTED", Unclear),
    ("DB_TRANSIENT", Unclear),
    ("SERVICE_UNAVAILABLE", Unclear),
    ("BH_APP_STARTING", Hosted),
    ("BH_APP_TIMEOUT", Hosted),
    ("BITRIX_ERROR", Business),
    ("TOKEN_REFRESH_FAILED", Refused),
    ("ERROR_LOOP_DETECTED", Refused),
    ("QUEUE_OVERFLOW", NotApplied),
    ("QUEUE_TIMEOUT", NotApplied),
    ("RATE_LIMITED", NotApplied),
    ("TIMEOUT_QUARANTINE", NotApplied),
    ("LARGE_BODY_BACKEND_BUSY", NotApplied),
];

/// The direct API's own.
pub(crate) const DIRECT: [(&str, Class); 3] =
    [("QUERY_LIMIT_EXCEEDED", NotApplied), ("INTERNAL_SERVER_ERROR", Ended), ("ERROR_UNEXPECTED_ANSWER", Ended)];

/// The system errors that say "no" before the call runs, those of REST 3.0 included.
pub(crate) const REFUSALS: [(&str, Class); 31] = [
    ("ACCESS_DENIED", Refused),
    ("BITRIX_REST_V3_EXCEPTION_ACCESSDENIEDEXCEPTION", Refused),
    ("BITRIX_REST_V3_EXCEPTION_ENTITYNOTFOUNDEXCEPTION", Refused),
    ("BITRIX_REST_V3_EXCEPTION_INSUFFICIENTSCOPEEXCEPTION", Refused),
    ("BITRIX_REST_V3_EXCEPTION_INVALIDFILTEREXCEPTION", Refused),
    ("BITRIX_REST_V3_EXCEPTION_INVALIDIDEMPOTENCYKEYEXCEPTION", Refused),
    ("BITRIX_REST_V3_EXCEPTION_INVALIDJSONEXCEPTION", Refused),
    ("BITRIX_REST_V3_EXCEPTION_INVALIDORDEREXCEPTION", Refused),
    ("BITRIX_REST_V3_EXCEPTION_INVALIDPAGINATIONEXCEPTION", Refused),
    ("BITRIX_REST_V3_EXCEPTION_INVALIDSELECTEXCEPTION", Refused),
    ("BITRIX_REST_V3_EXCEPTION_UNKNOWNDTOPROPERTYEXCEPTION", Refused),
    ("BITRIX_REST_V3_EXCEPTION_UNKNOWNFILTEROPERATOREXCEPTION", Refused),
    ("BITRIX_REST_V3_EXCEPTION_VALIDATION_DTOVALIDATIONEXCEPTION", Refused),
    ("BITRIX_REST_V3_EXCEPTION_VALIDATION_REQUESTFILTERVALIDATIONEXCEPTION", Refused),
    ("BITRIX_REST_V3_EXCEPTION_VALIDATION_REQUESTVALIDATIONEXCEPTION", Refused),
    ("BITRIX_REST_V3_REALISATION_EXCEPTION_FIELDNOTFOUNDEXCEPTION", Refused),
    ("ERROR_BATCH_LENGTH_EXCEEDED", Refused),
    ("ERROR_BATCH_METHOD_NOT_ALLOWED", Refused),
    ("ERROR_MANIFEST_IS_NOT_AVAILABLE", Refused),
    ("ERROR_METHOD_NOT_FOUND", Refused),
    ("INVALID_CREDENTIALS", Refused),
    ("INVALID_REQUEST", Refused),
    ("METHOD_CONFIRM_DENIED", Refused),
    ("METHOD_CONFIRM_WAITING", Refused),
    ("NO_AUTH_FOUND", Refused),
    ("OVERLOAD_LIMIT", Refused),
    ("PORTAL_DELETED", Refused),
    ("WRONG_AUTH_TYPE", Refused),
    ("allowed_only_intranet_user", Refused),
    ("insufficient_scope", Refused),
    ("user_access_error", Refused),
];

/// Without an OAuth application nobody can renew the token: a refusal like any other.
pub(crate) const TOKEN: [(&str, Class); 1] = [("expired_token", Refused)];

/// Catch-alls, and a sample of what single methods document.
pub(crate) const METHODS: [(&str, Class); 17] = [
    ("", Business),
    ("0", Business),
    ("100", Business),
    ("ERROR_CORE", Business),
    ("ERROR_ARGUMENT", Business),
    ("NOT_FOUND", Business),
    ("ERROR_NOT_FOUND", Business),
    ("ACCESS_ERROR", Business),
    ("INVALID_ARG_VALUE", Business),
    ("200040300020", Business),
    ("1048582", Business),
    ("1048584", Business),
    ("FIELD_IS_REQUIRED", Business),
    ("CODE_IS_NOT_UNIQUE", Business),
    // Some call with this key has succeeded, and perhaps it was ours.
    ("IDEMPOTENCYKEYREUSEDEXCEPTION", Business),
    ("BITRIX_REST_V3_EXCEPTION_IDEMPOTENCYKEYREUSEDEXCEPTION", Business),
    // Two methods of Bitrix24 document it. The gateway has one of its own, which is unknown there.
    ("INTERNAL_ERROR", Business),
];

/// What nobody documents, other spellings of known codes included.
pub(crate) const UNKNOWN: [(&str, Class); 8] = [
    ("NEVER_HEARD_OF", Unclear),
    ("queue_timeout", Unclear),
    ("RATE_LIMIT", Unclear),
    ("QUEUE_TIMEOUT ", Unclear),
    ("EXPIRED_TOKEN", Unclear),
    ("-1", Unclear),
    ("00", Unclear),
    ("код", Unclear),
];

pub(crate) fn all() -> impl Iterator<Item = (&'static str, Class)> {
    [&CLASSIFIER[..], &DIRECT, &REFUSALS, &TOKEN, &METHODS, &UNKNOWN].concat().into_iter()
}
