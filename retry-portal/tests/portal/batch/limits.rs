//! The operating limit, and the rates in portal time.

use std::time::Duration;

use retry_portal::{Outcome, Portal, PortalBuilder};
use serde_json::json;

use super::{batch, creates, effects, made, start};
use crate::client::{envelope, post};

/// Five creates fit into ten minutes.
fn dear() -> PortalBuilder {
    Portal::builder().operating_limit(Duration::from_secs(480)).operating_cost("crm.deal.add", Duration::from_secs(100))
}

#[tokio::test]
async fn a_method_over_the_operating_limit_is_refused_and_others_go_on() {
    let portal = start(dear()).await;
    for call in 1..=5 {
        let told = envelope(&portal, "crm.deal.add", &json!({"fields": {}})).await["time"].clone();
        assert_eq!(told["operating"], json!(f64::from(call) * 100.0), "the one that crosses the limit is carried out");
        assert!(told["operating_reset_at"].as_i64() > Some(0));
    }
    let refused = post(&portal, "crm.deal.add", &json!({"fields": {}})).await;
    assert_eq!((refused.status(), &refused.json()["error"]), (429, &json!("OPERATION_TIME_LIMIT")));
    assert!(refused.json().get("time").is_none(), "an error tells no time");
    assert_eq!(portal.requests().last().map(|request| request.effect), Some(Outcome::None));
    envelope(&portal, "crm.deal.list", &json!({})).await;
    assert_eq!((made(&portal).len(), portal.records("deal").len()), (0, 5));
    assert_eq!(portal.refused(), [("OPERATION_TIME_LIMIT".to_owned(), 1)].into());
    portal.clear_requests();
    assert!(portal.refused().is_empty());
}

#[tokio::test]
async fn the_commands_of_a_batch_count_one_by_one() {
    let portal = start(dear()).await;
    let seen = batch(&portal, creates(7)).await;
    assert_eq!(seen["result"], json!([1, 2, 3, 4, 5]));
    assert_eq!(seen["result_time"][4]["operating"], json!(500.0));
    let codes: Vec<_> = ["5", "6"].map(|key| seen["result_error"][key]["error"].clone()).into();
    assert_eq!(codes, [json!("OPERATION_TIME_LIMIT"), json!("OPERATION_TIME_LIMIT")]);
    assert_eq!(effects(&portal)[4..], [Outcome::Before, Outcome::NotRun, Outcome::NotRun]);
    assert_eq!(portal.refused(), [("OPERATION_TIME_LIMIT".to_owned(), 2)].into());
    let empty = envelope(&portal, "batch", &json!({"cmd": ["profile"]})).await;
    assert_eq!(empty["time"]["operating"], json!(0.0), "the batch itself counts for nothing");
}

#[tokio::test]
async fn a_bucket_that_falls_out_frees_the_method() {
    // Ten minutes are 0.6 s.
    let portal = start(dear().time_scale(0.001)).await;
    for _ in 0..5 {
        envelope(&portal, "crm.deal.add", &json!({"fields": {}})).await;
    }
    tokio::time::sleep(Duration::from_millis(700)).await;
    let told = envelope(&portal, "crm.deal.add", &json!({"fields": {}})).await["time"].clone();
    assert_eq!(told["operating"], json!(100.0));
}

#[tokio::test]
async fn the_gateway_remembers_the_operating_limit() {
    let portal = start(dear().vibe_operation_pause(Duration::from_secs(60))).await;
    let codes = super::vibe::codes(&portal, 7).await;
    assert_eq!(codes, ["", "", "", "", "", "OPERATION_TIME_LIMIT", "OPERATION_TIME_LIMIT"]);
    assert_eq!((portal.records("deal").len(), portal.refused().get("OPERATION_TIME_LIMIT")), (5, Some(&2)));
}

#[tokio::test]
async fn the_rate_is_one_of_portal_time() {
    // Two a second are two in 10 ms.
    let portal = start(Portal::builder().rate(2, 2.0).time_scale(0.01)).await;
    for _ in 0..2 {
        assert_eq!(post(&portal, "profile", &json!({})).await.status(), 200);
        assert_eq!(post(&portal, "profile", &json!({})).await.status(), 200);
        // A whole burst leaks away in 10 ms.
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let window = Portal::builder().vibe_rate(1, Duration::from_secs(60)).time_scale(0.005);
    let portal = start(window).await;
    for _ in 0..2 {
        assert_eq!(super::vibe::codes(&portal, 1).await, [""]);
        tokio::time::sleep(Duration::from_millis(350)).await;
    }
    assert!(portal.refused().is_empty());
}
