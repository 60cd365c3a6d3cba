//! The rate, the queue, pauses, and the breaker.

use std::time::Duration;

use retry_portal::{Answer, Coded, Fault, Outcome, Portal, PortalBuilder};
use serde_json::{Value, json};

use super::{data, refusal, vibe};
use crate::client::Seen;

async fn start(builder: PortalBuilder) -> Portal {
    builder.start().await.expect("a portal")
}

fn coded(code: &str) -> Answer {
    Answer::Coded(Coded::of(code))
}

fn code(seen: &Seen) -> String {
    seen.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn a_key_has_so_many_requests_and_each_answer_counts_them() {
    let portal = start(Portal::builder().vibe_rate(2, Duration::from_millis(700))).await;
    let first = vibe(&portal, "GET", "deals", &Value::Null).await;
    let told = |seen: &Seen, name: &str| seen.header(name).and_then(|text| text.parse::<u64>().ok());
    assert_eq!((told(&first, "X-RateLimit-Limit"), told(&first, "X-RateLimit-Remaining")), (Some(2), Some(1)));
    assert_eq!(told(&first, "X-RateLimit-Reset"), Some(1));
    vibe(&portal, "GET", "deals", &Value::Null).await;
    let refused = vibe(&portal, "POST", "deals", &json!({"title": "x"})).await;
    assert_eq!((refused.status(), code(&refused).as_str()), (429, "RATE_LIMITED"));
    assert_eq!(
        (refused.header("Retry-After").as_deref(), &refused.json()["error"]["retryAfter"]),
        (Some("1"), &json!(1))
    );
    assert_eq!(told(&refused, "X-RateLimit-Remaining"), Some(0));
    assert!(refused.header("X-Request-Id").is_some());
    assert!(portal.records("deal").is_empty());
    tokio::time::sleep(Duration::from_millis(750)).await;
    assert_eq!(vibe(&portal, "POST", "deals", &json!({"title": "x"})).await.status(), 201);
}

#[tokio::test]
async fn every_answer_has_a_request_id_and_the_journal_knows_it() {
    let portal = start(Portal::builder().script("crm.deal.get", [Fault::never(coded("POOL_EXHAUSTED"))])).await;
    let seen = [
        vibe(&portal, "POST", "deals", &json!({"title": "x"})).await,
        vibe(&portal, "GET", "deals/1", &Value::Null).await,
        vibe(&portal, "GET", "deals/2", &Value::Null).await,
        vibe(&portal, "DELETE", "deals/1", &Value::Null).await,
        vibe(&portal, "GET", "nothing", &Value::Null).await,
    ];
    let ids: Vec<String> = seen.iter().filter_map(|seen| seen.header("X-Request-Id")).collect();
    let noted: Vec<String> = portal.requests().into_iter().filter_map(|request| request.request_id).collect();
    assert_eq!((ids.len(), &ids), (5, &noted));
    let mut unique = ids.clone();
    unique.dedup();
    assert_eq!(unique, ids);
}

/// Slow creates at once: the status and code of each, in the order in which they were sent.
async fn at_once(portal: &Portal, count: usize) -> Vec<String> {
    let mut calls = Vec::new();
    for number in 0..count {
        let portal = portal.clone();
        calls.push(tokio::spawn(
            async move { vibe(&portal, "POST", "deals", &json!({"title": number.to_string()})).await },
        ));
        tokio::time::sleep(Duration::from_millis(15)).await;
    }
    let mut outcomes = Vec::new();
    for call in calls {
        let seen = call.await.expect("an answer");
        outcomes.push(format!("{} {}", seen.status(), code(&seen)));
    }
    outcomes
}

fn slow(seconds: u64, count: usize) -> Vec<Fault> {
    vec![Fault::before(Answer::Slow(Duration::from_secs(seconds))); count]
}

#[tokio::test]
async fn two_calls_run_and_the_others_wait() {
    let portal = start(Portal::builder().time_scale(0.02).script("crm.deal.add", slow(10, 4))).await;
    assert_eq!(at_once(&portal, 4).await, ["201 ", "201 ", "201 ", "201 "]);
    let ends = portal.requests();
    assert!(ends.iter().all(|request| request.effect == Outcome::Before));
    let created: Vec<u64> = portal.records("deal").iter().map(retry_portal::Record::id).collect();
    assert_eq!(created, [1, 2, 3, 4]);
}

#[tokio::test]
async fn who_waits_too_long_or_finds_no_place_is_sent_away_before_anything_happens() {
    // 50 s of work is 0.5 s here, 5 s of waiting are 0.05 s.
    let builder = Portal::builder().time_scale(0.01).vibe_queue(2, 1, Duration::from_secs(20));
    let portal = start(builder.script("crm.deal.add", slow(50, 2))).await;
    let outcomes = at_once(&portal, 4).await;
    assert_eq!(outcomes, ["201 ", "201 ", "504 QUEUE_TIMEOUT", "503 QUEUE_OVERFLOW"]);
    assert_eq!(portal.records("deal").len(), 2);
    let effects: Vec<Outcome> = portal.requests().iter().map(|request| request.effect).collect();
    assert_eq!(effects, [Outcome::Before, Outcome::Before, Outcome::None, Outcome::None]);
    assert_eq!(portal.max_lateness(), Duration::from_millis(700), "50 s of work and 20 s in the queue");
}

#[tokio::test]
async fn a_call_in_the_queue_is_pending() {
    let portal = start(
        Portal::builder()
            .time_scale(0.01)
            .vibe_queue(1, 50, Duration::from_secs(30))
            .script("crm.deal.add", slow(20, 2)),
    )
    .await;
    let calls = {
        let portal = portal.clone();
        tokio::spawn(async move { at_once(&portal, 2).await })
    };
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(portal.requests()[1].effect, Outcome::Pending);
    portal.settled().await;
    assert_eq!(portal.records("deal").len(), 2);
    calls.await.expect("answers");
}

#[tokio::test]
async fn the_longest_lateness_holds_behind_the_queue() {
    let slow_reads_too = vec![Fault::never(Answer::Slow(Duration::from_secs(10))); 4];
    let builder = Portal::builder().time_scale(0.02).no_rate_limit().script("crm.deal.list", slow_reads_too);
    let portal = start(builder.script("crm.deal.add", slow(10, 12))).await;
    let seen = {
        let portal = portal.clone();
        tokio::spawn(async move { appearances(&portal).await })
    };
    for _ in 0..2 {
        let portal = portal.clone();
        tokio::spawn(async move { vibe(&portal, "POST", "deals/search", &json!({})).await });
    }
    let outcomes = at_once(&portal, 12).await;
    portal.settled().await;
    let made = outcomes.iter().filter(|outcome| *outcome == "201 ").count();
    assert!(made < 12 && made > 2, "{outcomes:?}");
    let latest = seen.await.expect("it looks");
    assert!(latest > Duration::from_millis(350), "behind the queue: {latest:?}");
    // All arrived within 0.2 s.
    assert!(latest < portal.max_lateness() + Duration::from_millis(400), "{latest:?}, {:?}", portal.max_lateness());
    assert_eq!(portal.max_lateness(), Duration::from_millis(800));
}

/// When the last deal has appeared, counted from now.
async fn appearances(portal: &Portal) -> Duration {
    let mut looks = tokio::time::interval(Duration::from_millis(5));
    looks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let begun = looks.tick().await;
    let (mut count, mut latest, mut passed) = (0, Duration::ZERO, Duration::ZERO);
    while passed < Duration::from_millis(1800) {
        passed = looks.tick().await.saturating_duration_since(begun);
        let seen = portal.records("deal").len();
        if seen > count {
            (count, latest) = (seen, passed);
        }
    }
    latest
}

#[tokio::test]
async fn work_longer_than_the_gateway_waits_is_a_timeout_and_goes_on() {
    let builder = Portal::builder().time_scale(0.01).vibe_upstream_timeout(Duration::from_secs(10));
    let portal = start(builder.script("crm.deal.add", slow(40, 1))).await;
    assert_eq!(refusal(&portal, "POST", "deals", json!({"title": "x"})).await, (504, "BITRIX_TIMEOUT".to_owned()));
    assert_eq!((portal.records("deal").len(), portal.requests()[0].effect), (0, Outcome::Pending));
    portal.settled().await;
    assert_eq!(portal.records("deal").len(), 1);
    let Outcome::Late(after) = portal.requests()[0].effect else { panic!("{:?}", portal.requests()[0].effect) };
    assert!(after >= Duration::from_millis(400) && after <= portal.max_lateness(), "{after:?}");
}

#[tokio::test]
async fn work_beyond_the_execution_limit_is_a_timeout_too() {
    let portal = start(Portal::builder().time_scale(0.005).script("crm.deal.add", slow(70, 1))).await;
    assert_eq!(refusal(&portal, "POST", "deals", json!({"title": "x"})).await, (504, "BITRIX_TIMEOUT".to_owned()));
    assert_eq!(portal.records("deal").len(), 1);
}

#[tokio::test]
async fn a_timeout_puts_its_method_in_quarantine() {
    let builder = Portal::builder().time_scale(0.02).vibe_quarantine(Duration::from_secs(20));
    let portal = start(builder.script("crm.deal.add", [Fault::before(coded("BITRIX_TIMEOUT"))])).await;
    assert_eq!(refusal(&portal, "POST", "deals", json!({"title": "1"})).await, (504, "BITRIX_TIMEOUT".to_owned()));
    let held = vibe(&portal, "POST", "deals", &json!({"title": "2"})).await;
    assert_eq!((held.status(), code(&held).as_str()), (429, "TIMEOUT_QUARANTINE"));
    assert_eq!((held.header("Retry-After").as_deref(), &held.json()["error"]["retryAfter"]), (Some("1"), &json!(1)));
    assert_eq!(
        data(&portal, "POST", "deals/search", json!({})).await.as_array().map(Vec::len),
        Some(1),
        "other methods go on"
    );
    tokio::time::sleep(Duration::from_millis(450)).await;
    data(&portal, "POST", "deals", json!({"title": "3"})).await;
    assert_eq!(portal.records("deal").len(), 2);
}

#[tokio::test]
async fn a_time_limit_of_bitrix24_is_remembered() {
    for (effect, made) in [(Fault::before as fn(Answer) -> Fault, 1), (Fault::never, 0)] {
        let builder = Portal::builder().vibe_operation_pause(Duration::from_secs(60));
        let portal = start(builder.script("crm.deal.add", [effect(coded("OPERATION_TIME_LIMIT"))])).await;
        for _ in 0..2 {
            let refused = refusal(&portal, "POST", "deals", json!({"title": "x"})).await;
            assert_eq!(refused, (429, "OPERATION_TIME_LIMIT".to_owned()));
        }
        assert_eq!(portal.records("deal").len(), made);
        let own = &portal.requests()[1];
        assert_eq!((own.fault.clone(), own.effect), (None, Outcome::None), "the gateway's own");
        assert!(vibe(&portal, "POST", "deals", &json!({})).await.json()["error"]["retryAfter"].as_u64() >= Some(59));
    }
    let off = start(
        Portal::builder()
            .vibe_operation_pause(Duration::ZERO)
            .script("crm.deal.add", [Fault::never(coded("OPERATION_TIME_LIMIT"))]),
    )
    .await;
    refusal(&off, "POST", "deals", json!({"title": "x"})).await;
    data(&off, "POST", "deals", json!({"title": "x"})).await;
}

#[tokio::test]
async fn equal_refusals_close_the_method() {
    let portal = start(Portal::builder().vibe_error_loop(Some(3)).require("deal", "UF_CRM_KEY")).await;
    for _ in 0..3 {
        assert_eq!(refusal(&portal, "POST", "deals", json!({"title": "x"})).await, (422, "BITRIX_ERROR".to_owned()));
    }
    let closed = vibe(&portal, "POST", "deals", &json!({"UF_CRM_KEY": "1"})).await;
    assert_eq!((closed.status(), code(&closed).as_str()), (429, "ERROR_LOOP_DETECTED"));
    assert_eq!(closed.json()["error"]["retryAfter"], json!(60));
    assert_eq!(closed.json()["error"]["message"], json!("3 failures on crm.deal.add in the last hour"));
    for _ in 0..48 {
        assert_eq!(refusal(&portal, "POST", "deals", json!({"UF_CRM_KEY": "1"})).await.1, "ERROR_LOOP_DETECTED");
    }
    data(&portal, "POST", "deals", json!({"UF_CRM_KEY": "1"})).await;
    data(&portal, "POST", "deals", json!({"UF_CRM_KEY": "2"})).await;
    assert_eq!(portal.records("deal").len(), 2, "the fiftieth was a probe and opened the method");
}

#[tokio::test]
async fn other_errors_are_no_loop() {
    let portal = start(
        Portal::builder()
            .vibe_error_loop(Some(2))
            .vibe_quarantine(Duration::ZERO)
            .script("crm.deal.add", vec![Fault::never(coded("BITRIX_TIMEOUT")); 5]),
    )
    .await;
    for _ in 0..5 {
        assert_eq!(refusal(&portal, "POST", "deals", json!({"title": "x"})).await.1, "BITRIX_TIMEOUT");
    }
    for _ in 0..5 {
        assert_eq!(refusal(&portal, "GET", "deals/9", Value::Null).await.1, "ENTITY_NOT_FOUND");
    }
}
