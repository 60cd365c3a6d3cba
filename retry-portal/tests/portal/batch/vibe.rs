//! `POST /v1/batch`.

use std::time::Duration;

use retry_portal::{Answer, Coded, Fault, Outcome, Portal};
use serde_json::{Value, json};

use super::{effects, start};
use crate::client::{Seen, call};

async fn with_key(portal: &Portal, key: &str, calls: Value) -> Seen {
    let headers = [&format!("X-Api-Key: {key}"), "Content-Type: application/json"];
    call(portal, "POST", "/v1/batch", &headers, &json!({"calls": calls}).to_string()).await
}

async fn batch(portal: &Portal, calls: Value) -> Seen {
    with_key(portal, &portal.vibe_key(), calls).await
}

fn create(title: &str) -> Value {
    json!({"id": title, "entity": "deals", "action": "create", "params": {"title": title}})
}

/// The codes of so many creates in one batch, empty for a success.
pub(super) async fn codes(portal: &Portal, count: usize) -> Vec<String> {
    let calls = (0..count).map(|number| create(&number.to_string())).collect();
    let seen = batch(portal, calls).await;
    assert_eq!(seen.status(), 200, "{}", seen.text());
    let errors = seen.json()["data"]["errors"].clone();
    let code = |number: usize| errors[number.to_string()]["code"].as_str().unwrap_or_default().to_owned();
    (0..count).map(code).collect()
}

#[tokio::test]
async fn results_and_errors_come_by_id() {
    let portal = start(Portal::builder()).await;
    portal.insert("deal", json!({"TITLE": "old"})).expect("a deal");
    let calls = json!([
        {"entity": "deals", "action": "create", "params": {"title": "new"}},
        {"id": "g", "entity": "deals", "action": "get", "entityId": 1},
        {"id": "u", "entity": "deals", "action": "update", "entityId": "1", "params": {"title": "newer"}},
        {"id": "l", "entity": "deals", "action": "list", "params": {"limit": 1}},
        {"id": "s", "entity": "deals", "action": "search", "params": {"filter": {"title": "newer"}}},
        {"id": "f", "entity": "contacts", "action": "fields"},
        {"id": "d", "entity": "deals", "action": "delete", "entityId": 1},
        {"id": "i", "entity": "items", "action": "create", "params": {"entityTypeId": 1030, "title": "x"}},
        {"id": "gone", "entity": "deals", "action": "get", "entityId": 1},
    ]);
    let seen = batch(&portal, calls).await;
    assert_eq!(seen.status(), 200);
    let data = seen.json()["data"].clone();
    let results = &data["results"];
    assert_eq!((&results["0"]["id"], &results["0"]["title"]), (&json!(2), &json!("new")));
    assert_eq!((&results["g"]["title"], &results["u"]["title"]), (&json!("old"), &json!("newer")));
    assert_eq!(results["l"].as_array().map(Vec::len), Some(1));
    assert_eq!(data["totals"], json!({"l": 2, "s": 1}));
    assert_eq!(data["meta"]["l"], json!({"total": 2, "returned": 1, "hasMore": true, "truncated": false}));
    assert!(results["f"]["fields"].is_object() && results["d"] == json!(true) && results["i"]["id"] == json!(1));
    assert_eq!(data["errors"], json!({"gone": {"code": "ENTITY_NOT_FOUND", "message": "Element not found"}}));
    assert_eq!(data["summary"], json!({"total": 9, "succeeded": 8, "failed": 1}));
    assert_eq!((portal.count("batch"), portal.count("crm.deal.add"), portal.count("crm.item.add")), (1, 1, 1));
    assert!(seen.header("X-Request-Id").is_some());
}

#[tokio::test]
async fn no_errors_are_an_object_or_a_list() {
    let portal = start(Portal::builder()).await;
    assert_eq!(batch(&portal, json!([create("x")])).await.json()["data"]["errors"], json!({}));
    let portal = start(Portal::builder().vibe_empty_errors_as_list(true)).await;
    assert_eq!(batch(&portal, json!([create("x")])).await.json()["data"]["errors"], json!([]));
}

#[tokio::test]
async fn a_call_that_cannot_be_made_has_a_code_of_its_own() {
    let portal = start(Portal::builder()).await;
    let invalid = [
        (json!({"entity": "deal", "action": "list"}), "UNKNOWN_ENTITY"),
        (json!({"entity": "me", "action": "list"}), "UNKNOWN_ENTITY"),
        (json!({"entity": "deals/1", "action": "list"}), "UNKNOWN_ENTITY"),
        (json!({"entity": "deals", "action": "merge"}), "ACTION_NOT_SUPPORTED"),
        (json!({"entity": "deals", "action": "get", "params": {"id": 1}}), "MISSING_ENTITY_ID"),
        (json!({"entity": "items", "action": "list"}), "MISSING_DYNAMIC_PARAM"),
        (json!({"entity": "items", "action": "list", "params": {"entityTypeId": "x"}}), "INVALID_DYNAMIC_PARAM"),
        (json!({"entity": "items/2", "action": "list"}), "USE_DEDICATED_ENTITY"),
        (json!({"action": "list"}), "INVALID_CALL"),
        (json!("list"), "INVALID_CALL"),
        (json!({"id": "x".repeat(65), "entity": "deals", "action": "list"}), "INVALID_CALL"),
    ];
    for (one, code) in &invalid {
        let seen = batch(&portal, json!([create("x"), one])).await.json();
        let errors = seen["data"]["errors"].as_object().cloned().unwrap_or_default();
        let codes: Vec<&Value> = errors.values().map(|error| &error["code"]).collect();
        assert_eq!((codes, &seen["data"]["summary"]["succeeded"]), (vec![&json!(code)], &json!(1)), "{one}");
    }
    let made = portal.records("deal").len();
    let all = batch(&portal, invalid.iter().map(|(one, _)| one.clone()).collect()).await;
    assert_eq!((all.status(), &all.json()["error"]["code"]), (400, &json!("INVALID_REQUEST")));
    assert_eq!(all.json()["data"]["errors"]["3"]["code"], json!("ACTION_NOT_SUPPORTED"));
    for calls in [json!([]), json!({}), (0..51).map(|_| create("x")).collect()] {
        let seen = batch(&portal, calls).await;
        assert_eq!((seen.status(), &seen.json()["error"]["code"]), (400, &json!("INVALID_REQUEST")));
    }
    assert_eq!(portal.records("deal").len(), made, "nothing was sent");
}

#[tokio::test]
async fn a_batch_weighs_one_and_has_one_place_in_the_queue() {
    let portal = start(Portal::builder().vibe_rate(1, Duration::from_secs(60)).vibe_queue(1, 0, Duration::ZERO)).await;
    let seen = batch(&portal, (0..50).map(|number| create(&number.to_string())).collect()).await;
    assert_eq!((seen.status(), seen.header("X-RateLimit-Remaining").as_deref()), (200, Some("0")));
    assert_eq!(portal.records("deal").len(), 50);
    assert_eq!(batch(&portal, json!([create("x")])).await.status(), 429);
    assert_eq!(portal.refused(), [("RATE_LIMITED".to_owned(), 1)].into());
}

#[tokio::test]
async fn a_key_that_may_only_read_is_refused_call_by_call() {
    let portal = start(Portal::builder()).await;
    let calls = json!([create("x"), {"id": "l", "entity": "deals", "action": "list"}]);
    let seen = with_key(&portal, &portal.vibe_readonly_key(), calls).await.json();
    assert_eq!(seen["data"]["errors"]["x"]["code"], json!("WRITE_BLOCKED_READONLY_KEY"));
    assert_eq!((&seen["data"]["results"]["l"], portal.records("deal").len()), (&json!([]), 0));
}

#[tokio::test]
async fn faults_are_inside_and_around() {
    let limited = Coded::of("RATE_LIMITED").description("slow down").retry_after_in_body(7);
    let inside = [
        Fault::never(Answer::Coded(limited)),
        Fault::before(Answer::Coded(Coded::of("BITRIX_TIMEOUT"))),
        Fault::before(Answer::Close),
    ];
    let around = [Fault::none(), Fault::after_commands(1, Answer::Coded(Coded::of("BITRIX_UNAVAILABLE")))];
    let builder = Portal::builder().vibe_quarantine(Duration::ZERO).script("batch", around);
    let portal = start(builder.script("crm.deal.add", inside)).await;
    let seen = batch(&portal, json!([create("a"), create("b"), create("c"), create("d")])).await.json();
    let data = &seen["data"];
    assert_eq!(data["errors"]["a"], json!({"code": "RATE_LIMITED", "message": "slow down", "retryAfter": 7}));
    assert_eq!(data["errors"]["b"]["code"], json!("BITRIX_TIMEOUT"));
    assert_eq!(data["results"].as_object().map(|map| map.keys().cloned().collect()), Some(vec!["d".to_owned()]));
    assert_eq!(data["summary"], json!({"total": 4, "succeeded": 1, "failed": 2}));
    assert_eq!(effects(&portal), [Outcome::Never, Outcome::Before, Outcome::Before, Outcome::Before]);
    let cut = batch(&portal, json!([create("e"), create("f")])).await;
    assert_eq!((cut.status(), &cut.json()["error"]["code"]), (502, &json!("BITRIX_UNAVAILABLE")));
    assert_eq!(effects(&portal), [Outcome::Before, Outcome::NotRun]);
    assert_eq!(portal.records("deal").len(), 4);
}

#[tokio::test]
async fn a_pause_holds_the_calls_of_its_method() {
    let timeout = Fault::before(Answer::Coded(Coded::of("BITRIX_TIMEOUT")));
    let portal = start(Portal::builder().script("crm.deal.add", [timeout])).await;
    assert_eq!(codes(&portal, 2).await, ["BITRIX_TIMEOUT", "TIMEOUT_QUARANTINE"]);
    assert_eq!(portal.records("deal").len(), 1);
}

#[tokio::test]
async fn a_batch_beyond_the_patience_of_the_gateway_is_a_timeout() {
    let slow = Fault::before(Answer::Slow(Duration::from_secs(40)));
    let portal = start(Portal::builder().time_scale(0.01).script("crm.deal.add", vec![slow; 3])).await;
    let seen = batch(&portal, json!([create("a"), create("b"), create("c")])).await;
    assert_eq!((seen.status(), &seen.json()["error"]["code"]), (504, &json!("BITRIX_TIMEOUT")));
    assert_eq!(effects(&portal), [Outcome::Before, Outcome::Before, Outcome::NotRun]);
}
