//! The status of an answer decides nothing: each code of the gateway under every status, and in every shape.

use std::collections::BTreeSet;
use std::time::Duration;

use retry_portal::{Answer, Coded, Fault, Portal, Shape};
use retry_runtime::clock::SystemClock;
use retry_runtime::report::Ending;
use retry_runtime::{CallError, Client, Decision, Effect, Id, Policy};

use crate::setting::{ending, portal, scaled};
use crate::stubs::{NewDeal, add_blind_deal, get_deal};

use Decision::{Fix, ReadBack, Retry};

const STATUSES: [u16; 17] = [200, 201, 202, 400, 401, 402, 403, 404, 409, 413, 422, 429, 500, 502, 503, 504, 530];

/// Each code of the specification, some refusals and business errors, and one that nobody knows: read and write.
const CODES: [(&str, Decision, Decision); 24] = [
    ("QUEUE_OVERFLOW", Retry, Retry),
    ("QUEUE_TIMEOUT", Retry, Retry),
    ("RATE_LIMITED", Retry, Retry),
    ("TIMEOUT_QUARANTINE", Retry, Retry),
    ("LARGE_BODY_BACKEND_BUSY", Retry, Retry),
    ("OPERATION_TIME_LIMIT", Retry, ReadBack),
    ("BITRIX_TIMEOUT", Retry, ReadBack),
    ("BITRIX_UNAVAILABLE", Retry, ReadBack),
    ("POOL_EXHAUSTED", Retry, ReadBack),
    ("DB_TRANSIENT", Retry, ReadBack),
    ("SERVICE_UNAVAILABLE", Retry, ReadBack),
    ("BH_APP_STARTING", Retry, ReadBack),
    ("BH_APP_TIMEOUT", Retry, ReadBack),
    ("BITRIX_ERROR", Fix, Fix),
    ("TOKEN_REFRESH_FAILED", Fix, Fix),
    ("ERROR_LOOP_DETECTED", Fix, Fix),
    ("INVALID_API_KEY", Fix, Fix),
    ("TOKEN_EXPIRED", Fix, Fix),
    ("VALIDATION_ERROR", Fix, Fix),
    ("BILLING_EXHAUSTED", Fix, Fix),
    ("ENTITY_NOT_FOUND", Fix, Fix),
    ("ACCESS_DENIED", Fix, Fix),
    ("INTERNAL_ERROR", Retry, ReadBack),
    ("NEVER_HEARD_OF", Retry, ReadBack),
];

/// What one call of each kind came to.
type End = (Decision, Ending, Effect);

fn end<T: std::fmt::Debug>(result: Result<T, CallError>, status: u16) -> End {
    let end = ending(&result);
    let error = result.unwrap_err();
    let attempt = &error.report().attempts()[0];
    assert_eq!(attempt.status, Some(status), "the portal answers what it was told to: {error}");
    (attempt.decision.expect("a decision"), end, error.effect())
}

/// After these a client keeps its calls back for a while.
const REMEMBERED: [&str; 7] = [
    "QUEUE_OVERFLOW",
    "QUEUE_TIMEOUT",
    "RATE_LIMITED",
    "TIMEOUT_QUARANTINE",
    "LARGE_BODY_BACKEND_BUSY",
    "OPERATION_TIME_LIMIT",
    "ERROR_LOOP_DETECTED",
];

/// A client that remembers nothing and tells no other.
fn fresh(portal: &Portal) -> Client {
    let builder = Client::builder().vibe(&portal.vibe_key()).vibe_base(&portal.vibe_url());
    scaled(builder).clock(SystemClock).policy(Policy::new().attempts(1)).build().unwrap()
}

async fn ends(portal: &Portal, client: &Client, code: &str, status: u16) -> (End, End) {
    portal.vibe_status(code, status);
    let fault = || [Fault::never(Answer::Coded(Coded::of(code)))];
    portal.script("crm.deal.get", fault());
    portal.script("crm.deal.add", fault());
    let read = end(get_deal(client, Id(1)).await, status);
    let write = end(add_blind_deal(client, &NewDeal::of("7")).await, status);
    (read, write)
}

#[tokio::test]
async fn no_status_changes_a_decision() {
    let quiet = portal().vibe_error_loop(None).vibe_operation_pause(Duration::ZERO).vibe_quarantine(Duration::ZERO);
    let portal = quiet.start().await.unwrap();
    let client = fresh(&portal);
    // Every status in the documented shape, some in the others: the test would take too long.
    for (shape, step) in [(Shape::Nested, 1), (Shape::TopLevel, 4), (Shape::Text, 4)] {
        portal.vibe_error_shape(shape);
        for (code, read, write) in CODES {
            let mut seen = BTreeSet::new();
            for status in STATUSES.into_iter().step_by(step) {
                let client = if REMEMBERED.contains(&code) { &fresh(&portal) } else { &client };
                let (of_read, of_write) = ends(&portal, client, code, status).await;
                assert_eq!((of_read.0, of_write.0), (read, write), "{code} under {status}, {shape:?}");
                seen.insert(format!("{of_read:?} {of_write:?}"));
            }
            assert_eq!(seen.len(), 1, "{code}, {shape:?}: {seen:?}");
        }
    }
    assert!(portal.records("deal").is_empty());
}
