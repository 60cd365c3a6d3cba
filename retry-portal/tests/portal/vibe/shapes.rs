//! Statuses and forms of errors.

use retry_portal::{Answer, Coded, Fault, Portal, RetryAfter, Shape};
use serde_json::{Value, json};

use super::{portal, refusal, vibe};
use crate::client::post;

#[tokio::test]
async fn the_usual_statuses_are_those_of_the_documentation_or_guesses() {
    for (code, status) in [
        ("QUEUE_OVERFLOW", 503),
        ("QUEUE_TIMEOUT", 504),
        ("RATE_LIMITED", 429),
        ("TIMEOUT_QUARANTINE", 429),
        ("LARGE_BODY_BACKEND_BUSY", 503),
        ("OPERATION_TIME_LIMIT", 429),
        ("BITRIX_TIMEOUT", 504),
        ("BITRIX_UNAVAILABLE", 502),
        ("POOL_EXHAUSTED", 503),
        ("DB_TRANSIENT", 503),
        ("SERVICE_UNAVAILABLE", 503),
        ("BH_APP_STARTING", 503),
        ("BH_APP_TIMEOUT", 504),
        ("BITRIX_ERROR", 422),
        ("TOKEN_REFRESH_FAILED", 401),
        ("ERROR_LOOP_DETECTED", 429),
    ] {
        let portal = portal().await;
        portal.script("crm.deal.add", [Fault::never(Answer::Coded(Coded::of(code)))]);
        assert_eq!(refusal(&portal, "POST", "deals", json!({"title": "x"})).await, (status, code.to_owned()));
        assert!(portal.records("deal").is_empty());
    }
}

#[tokio::test]
async fn a_status_can_be_any_other_for_what_is_refused_and_for_what_is_made_up() {
    for status in [200, 400, 418, 503] {
        let portal = Portal::builder()
            .vibe_status("QUEUE_OVERFLOW", status)
            .vibe_status("ENTITY_NOT_FOUND", status)
            .script("crm.deal.add", [Fault::never(Answer::Coded(Coded::of("QUEUE_OVERFLOW")))])
            .start()
            .await
            .expect("a portal");
        assert_eq!(
            refusal(&portal, "POST", "deals", json!({"title": "x"})).await,
            (status, "QUEUE_OVERFLOW".to_owned())
        );
        assert_eq!(refusal(&portal, "GET", "deals/9", Value::Null).await, (status, "ENTITY_NOT_FOUND".to_owned()));
        portal.vibe_status("ENTITY_NOT_FOUND", 404);
        assert_eq!(refusal(&portal, "GET", "deals/9", Value::Null).await.0, 404);
    }
}

#[tokio::test]
async fn errors_come_in_each_of_three_forms() {
    let portal = portal().await;
    let error = |body: Value| body;
    for (shape, wanted) in [
        (
            Shape::Nested,
            error(json!({"success": false, "error": {"code": "ENTITY_NOT_FOUND", "message": "Element not found"}})),
        ),
        (Shape::TopLevel, error(json!({"code": "ENTITY_NOT_FOUND", "message": "Element not found"}))),
        (Shape::Text, error(json!({"success": false, "error": "ENTITY_NOT_FOUND", "message": "Element not found"}))),
    ] {
        portal.vibe_error_shape(shape);
        let seen = vibe(&portal, "GET", "deals/9", &Value::Null).await;
        assert_eq!((seen.status(), seen.json()), (404, wanted));
    }
    assert!(portal.requests().iter().all(|request| request.code.as_deref() == Some("ENTITY_NOT_FOUND")));
}

#[tokio::test]
async fn a_fault_speaks_the_language_of_the_api_that_was_called() {
    let coded = || Coded::new(503, "POOL_EXHAUSTED").description("busy").retry_after_in_body(3);
    let portal = portal().await;
    portal.script("crm.deal.add", vec![Fault::never(Answer::Coded(coded())); 2]);
    let by_rest = post(&portal, "crm.deal.add", &json!({"fields": {}})).await.json();
    assert_eq!(by_rest, json!({"error": "POOL_EXHAUSTED", "error_description": "busy", "retryAfter": 3}));
    let by_vibe = vibe(&portal, "POST", "deals", &json!({"title": "x"})).await.json();
    let nested = json!({"success": false, "error": {"code": "POOL_EXHAUSTED", "message": "busy", "retryAfter": 3}});
    assert_eq!(by_vibe, nested);
}

#[tokio::test]
async fn a_fault_can_have_a_form_of_its_own() {
    let portal = portal().await;
    let coded =
        |shape| Fault::never(Answer::Coded(Coded::new(429, "RATE_LIMITED").shape(shape).retry_after_in_body(2)));
    portal.script("crm.deal.add", [coded(Shape::Text), coded(Shape::TopLevel), coded(Shape::Flat)]);
    let bodies = [
        json!({"success": false, "error": "RATE_LIMITED", "retryAfter": 2}),
        json!({"code": "RATE_LIMITED", "retryAfter": 2}),
        json!({"success": false, "error": "RATE_LIMITED", "retryAfter": 2}),
    ];
    for body in bodies {
        assert_eq!(vibe(&portal, "POST", "deals", &json!({"title": "x"})).await.json(), body);
    }
}

#[tokio::test]
async fn the_hint_comes_in_the_body_and_in_the_header() {
    let portal = portal().await;
    let coded = Coded::of("BH_APP_STARTING").retry_after(RetryAfter::Seconds(4)).retry_after_in_body(9);
    portal.script("crm.deal.add", [Fault::never(Answer::Coded(coded.header("X-Request-Id", "mine")))]);
    let seen = vibe(&portal, "POST", "deals", &json!({"title": "x"})).await;
    assert_eq!((seen.header("Retry-After").as_deref(), &seen.json()["error"]["retryAfter"]), (Some("4"), &json!(9)));
    assert_eq!(seen.header("X-Request-Id").as_deref(), Some("mine"));
}
