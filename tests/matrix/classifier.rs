//! The specification's `classifyRetry`, word for word in Rust, against `decide`.

use retry_runtime::OperationKind::{self, Read, Write};
use retry_runtime::{Code, Decision, decide};

use crate::rows::UNKNOWN;

const VERIFY_WRITE_STATE: [&str; 8] = [
    "OPERATION_TIME_LIMIT",
    "BITRIX_TIMEOUT",
    "BITRIX_UNAVAILABLE",
    "POOL_EXHAUSTED",
    "DB_TRANSIENT",
    "SERVICE_UNAVAILABLE",
    "BH_APP_STARTING",
    "BH_APP_TIMEOUT",
];

const FIX_BEFORE_RETRY: [&str; 3] = ["BITRIX_ERROR", "TOKEN_REFRESH_FAILED", "ERROR_LOOP_DETECTED"];

const SAFE_RETRY: [&str; 5] =
    ["QUEUE_OVERFLOW", "QUEUE_TIMEOUT", "RATE_LIMITED", "TIMEOUT_QUARANTINE", "LARGE_BODY_BACKEND_BUSY"];

fn classify_retry(code: &str, operation_kind: OperationKind) -> &'static str {
    if FIX_BEFORE_RETRY.contains(&code) {
        return "fix_before_retry";
    }
    if operation_kind == Write && VERIFY_WRITE_STATE.contains(&code) {
        return "state_verification_required";
    }
    if SAFE_RETRY.contains(&code) || operation_kind == Read {
        return "retry_with_limit";
    }
    "state_verification_required"
}

const fn name(decision: Decision) -> &'static str {
    match decision {
        Decision::Retry => "retry_with_limit",
        Decision::ReadBack => "state_verification_required",
        Decision::Fix => "fix_before_retry",
    }
}

#[test]
fn decide_is_the_specifications_function_for_its_three_sets() {
    for code in VERIFY_WRITE_STATE.iter().chain(&FIX_BEFORE_RETRY).chain(&SAFE_RETRY) {
        for kind in [Read, Write] {
            assert_eq!(name(decide(&Code::of(code), kind)), classify_retry(code, kind), "{code} on a {kind}");
        }
    }
}

#[test]
fn decide_is_the_specifications_function_for_unknown_codes() {
    let mut rng = fastrand::Rng::with_seed(7);
    let mut texts: Vec<String> = UNKNOWN.iter().map(|(code, _)| (*code).to_owned()).collect();
    texts.extend((0..1_000).map(|_| (0..rng.usize(12..24)).map(|_| rng.uppercase()).collect()));
    for text in texts {
        let code = Code::of(&text);
        assert_eq!(code, Code::Other(text.as_str().into()), "the row is no unknown code");
        for kind in [Read, Write] {
            assert_eq!(name(decide(&code, kind)), classify_retry(&text, kind), "{code} on a {kind}");
        }
    }
}

#[test]
fn the_named_extensions_are_the_only_differences() {
    let refusals = include_str!("../../retry-runtime/src/code/rest_refusals.txt").lines();
    let business = include_str!("../../retry-runtime/src/code/rest_business.txt").lines();
    let extensions: Vec<&str> = refusals.chain(business).chain(["expired_token"]).collect();
    for text in &extensions {
        assert!(VERIFY_WRITE_STATE.iter().chain(&FIX_BEFORE_RETRY).chain(&SAFE_RETRY).all(|code| code != text));
        for kind in [Read, Write] {
            assert_eq!(decide(&Code::of(text), kind), Decision::Fix, "{text}: an extension only forbids");
        }
    }
    assert_eq!(decide(&Code::QueryLimitExceeded, Write), decide(&Code::RateLimited, Write));
    for code in [Code::InternalServerError, Code::ErrorUnexpectedAnswer] {
        for kind in [Read, Write] {
            assert_eq!(name(decide(&code, kind)), classify_retry(code.as_str(), kind));
        }
    }
}
