//! `Idempotency-Key`.

use std::time::Duration;

use retry_portal::{Answer, Coded, Effect, Fault, Outcome, Portal, PortalBuilder};
use serde_json::{Value, json};

use super::{portal, refused, task, titles, with};
use crate::client::{Ended, Seen, call, deal, path_of};

async fn keyed(portal: &Portal, key: &str, body: &Value) -> Seen {
    with(portal, "tasks.task.add", &[&format!("Idempotency-Key: {key}")], body).await
}

async fn start(builder: PortalBuilder) -> Portal {
    builder.start().await.expect("a portal")
}

fn replayed(seen: &Seen) -> bool {
    seen.header("Idempotent-Replayed").as_deref() == Some("true")
}

#[tokio::test]
async fn the_first_success_is_given_again() {
    let portal = portal().await;
    let first = keyed(&portal, "k-1", &task("a")).await;
    assert_eq!((first.status(), first.header("Idempotency-Key").as_deref()), (200, Some("k-1")));
    assert!(!replayed(&first));
    // The same content in another order of its keys.
    let again = json!({"fields": {"responsibleId": 1, "creatorId": 1, "title": "a"}});
    let second = keyed(&portal, "k-1", &again).await;
    assert!(replayed(&second));
    assert_eq!((second.json(), second.header("Idempotency-Key").as_deref()), (first.json(), Some("k-1")));
    assert_eq!(titles(&portal), ["a"]);
    let requests = portal.requests();
    assert_eq!((requests[0].replayed, requests[0].effect), (false, Outcome::Before));
    assert_eq!((requests[1].replayed, requests[1].effect), (true, Outcome::None));
}

#[tokio::test]
async fn another_body_with_the_same_key_is_refused() {
    let portal = portal().await;
    keyed(&portal, "k-1", &task("a")).await;
    let other = keyed(&portal, "k-1", &task("b")).await;
    assert_eq!(refused(&other), (422, "IDEMPOTENCYKEYREUSEDEXCEPTION".to_owned()));
    keyed(&portal, "k-2", &task("b")).await;
    assert_eq!(titles(&portal), ["a", "b"]);
}

#[tokio::test]
async fn a_key_has_1_to_255_printable_characters() {
    let portal = portal().await;
    for bad in ["", "ключ", "a\tb", &"x".repeat(256)] {
        let seen = keyed(&portal, bad, &task("a")).await;
        assert_eq!(refused(&seen), (400, "INVALIDIDEMPOTENCYKEYEXCEPTION".to_owned()), "{bad}");
    }
    assert_eq!(titles(&portal), [""; 0]);
    assert_eq!(keyed(&portal, &"x".repeat(255), &task("a")).await.status(), 200);
    assert_eq!(keyed(&portal, "a b ~!", &task("b")).await.status(), 200);
}

#[tokio::test]
async fn a_key_is_of_one_method() {
    let portal = portal().await;
    keyed(&portal, "k-1", &task("a")).await;
    let update = json!({"id": 1, "fields": {"title": "b"}});
    let header = ["Idempotency-Key: k-1"];
    assert!(!replayed(&with(&portal, "tasks.task.update", &header, &update).await));
    assert_eq!(titles(&portal), ["b"]);
    assert!(replayed(&with(&portal, "tasks.task.update", &header, &update).await));
}

#[tokio::test]
async fn reads_do_not_look_at_the_header() {
    let portal = portal().await;
    keyed(&portal, "k-1", &task("a")).await;
    for _ in 0..2 {
        let seen = with(&portal, "tasks.task.get", &["Idempotency-Key: k-1"], &json!({"id": 1})).await;
        assert_eq!((seen.status(), seen.header("Idempotency-Key")), (200, None));
    }
}

#[tokio::test]
async fn the_old_version_does_not_look_at_the_header() {
    let portal = portal().await;
    let path = format!("{}crm.deal.add", path_of(&portal, &portal.webhook_url()));
    let headers = ["Content-Type: application/json", "Idempotency-Key: k-1"];
    for _ in 0..2 {
        let seen = call(&portal, "POST", &path, &headers, &deal("A-1").to_string()).await;
        assert_eq!((seen.status(), seen.header("Idempotency-Key")), (200, None));
    }
    assert_eq!(portal.records("deal").len(), 2);
}

#[tokio::test]
async fn a_success_whose_answer_was_lost_is_stored() {
    for lost in [Answer::Reset, Answer::Close, Answer::Html(502), Answer::Raw(retry_portal::Raw::new(504))] {
        let portal = portal().await;
        portal.script("tasks.task.add", [Fault::before(lost)]);
        keyed(&portal, "k-1", &task("a")).await;
        let again = keyed(&portal, "k-1", &task("a")).await;
        assert!(replayed(&again) && again.json()["result"]["item"]["id"] == json!(1));
        assert_eq!(titles(&portal), ["a"]);
    }
}

#[tokio::test]
async fn an_error_is_not_stored_whatever_it_has_done() {
    let portal = portal().await;
    let error = Answer::Coded(Coded::new(500, "INTERNAL_SERVER_ERROR"));
    portal.script("tasks.task.add", [Fault::before(error.clone()), Fault::never(error)]);
    for _ in 0..3 {
        keyed(&portal, "k-1", &task("a")).await;
    }
    assert_eq!(titles(&portal), ["a", "a"], "the first by the error, the second by the third");
    keyed(&portal, "k-2", &json!({"fields": {"title": "b"}})).await;
    assert_eq!(keyed(&portal, "k-2", &task("b")).await.status(), 200, "a refusal leaves the key free");
}

#[tokio::test]
async fn a_fault_that_keeps_the_effect_away_keeps_the_success_away() {
    let portal = portal().await;
    portal.script("tasks.task.add", [Fault::never(Answer::Close)]);
    keyed(&portal, "k-1", &task("a")).await;
    assert!(!replayed(&keyed(&portal, "k-1", &task("a")).await));
    assert_eq!(titles(&portal), ["a"]);
}

#[tokio::test]
async fn two_in_flight_both_run() {
    let slow = Fault::before(Answer::Slow(Duration::from_secs(30)));
    let portal = start(Portal::builder().time_scale(0.01).script("tasks.task.add", [slow])).await;
    let first = {
        let portal = portal.clone();
        tokio::spawn(async move { keyed(&portal, "k-1", &task("a")).await })
    };
    tokio::time::sleep(Duration::from_millis(100)).await;
    let second = keyed(&portal, "k-1", &task("a")).await;
    assert!(!replayed(&second) && !replayed(&first.await.expect("an answer")));
    assert_eq!(titles(&portal), ["a", "a"]);
    let third = keyed(&portal, "k-1", &task("a")).await;
    assert!(replayed(&third));
    assert_eq!(third.json(), second.json(), "the one that was stored first stays");
}

#[tokio::test]
async fn a_late_effect_is_stored_when_it_comes() {
    let late = Fault::late(Duration::from_secs(20), Answer::Close);
    let portal = start(Portal::builder().time_scale(0.01).script("tasks.task.add", [late])).await;
    assert_eq!(keyed(&portal, "k-1", &task("a")).await.ended, Ended::Closed);
    portal.settled().await;
    let again = keyed(&portal, "k-1", &task("a")).await;
    assert!(replayed(&again));
    assert_eq!((titles(&portal), &again.json()["result"]["item"]["id"]), (vec!["a".to_owned()], &json!(1)));
}

#[tokio::test]
async fn after_24_hours_the_key_is_free() {
    // A day is 86 ms here.
    let portal = start(Portal::builder().time_scale(0.000_001)).await;
    keyed(&portal, "k-1", &task("a")).await;
    assert!(replayed(&keyed(&portal, "k-1", &task("a")).await));
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(!replayed(&keyed(&portal, "k-1", &task("a")).await));
    assert_eq!(titles(&portal), ["a", "a"]);
}

#[tokio::test]
async fn a_success_that_is_stored_after_its_effect_can_be_lost_between_the_two() {
    for (answer, made) in [(Answer::Reset, 2), (Answer::Slow(Duration::from_secs(70)), 2), (Answer::Normal, 1)] {
        let builder = Portal::builder().idempotency_atomic(false).time_scale(0.002);
        let fault = Fault::new(Effect::Before, answer.clone());
        let portal = start(builder.script("tasks.task.add", [fault])).await;
        keyed(&portal, "k-1", &task("a")).await;
        keyed(&portal, "k-1", &task("a")).await;
        assert_eq!(titles(&portal).len(), made, "{answer:?}");
    }
}
