//! The rate limit.

use std::time::Duration;

use retry_portal::{Answer, Fault, Outcome, Portal};
use serde_json::json;

use crate::client::post;

#[tokio::test]
async fn above_the_burst_requests_are_refused_without_effect() {
    let portal = Portal::builder().rate(5, 0.5).start().await.expect("a portal");
    let mut statuses = Vec::new();
    for number in 0..8 {
        let seen = post(&portal, "crm.deal.add", &json!({"fields": {"ORIGIN_ID": format!("A-{number}")}})).await;
        statuses.push(seen.status());
        if seen.status() == 503 {
            assert_eq!(seen.json()["error"], json!("QUERY_LIMIT_EXCEEDED"));
        }
    }
    assert_eq!(statuses, [200, 200, 200, 200, 200, 503, 503, 503]);
    assert_eq!(portal.records("deal").len(), 5);
    let refused = &portal.requests()[7];
    assert_eq!((refused.effect, refused.code.as_deref()), (Outcome::None, Some("QUERY_LIMIT_EXCEEDED")));
}

#[tokio::test]
async fn the_bucket_leaks_steadily() {
    let portal = Portal::builder().rate(2, 1.0).start().await.expect("a portal");
    let passed = async || {
        let mut passed = 0;
        for _ in 0..4 {
            passed += usize::from(post(&portal, "profile", &json!({})).await.status() == 200);
        }
        passed
    };
    assert_eq!(passed().await, 2);
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    assert_eq!(passed().await, 1);
}

#[tokio::test]
async fn the_default_is_fifty_at_once() {
    let portal = Portal::builder().start().await.expect("a portal");
    let mut clients = tokio::task::JoinSet::new();
    for _ in 0..80 {
        let portal = portal.clone();
        clients.spawn(async move { post(&portal, "profile", &json!({})).await.status() });
    }
    let statuses = clients.join_all().await;
    let passed = statuses.iter().filter(|status| **status == 200).count();
    // Two more a second while they come in.
    assert!((50..=54).contains(&passed), "{passed}");
    assert!(statuses.iter().all(|status| matches!(status, 200 | 503)));
}

#[tokio::test]
async fn a_refused_request_uses_up_no_script() {
    let portal = Portal::builder()
        .rate(1, 2.0)
        .script("profile", [Fault::none(), Fault::never(Answer::Html(502))])
        .start()
        .await
        .expect("a portal");
    assert_eq!(post(&portal, "profile", &json!({})).await.status(), 200);
    assert_eq!(post(&portal, "profile", &json!({})).await.status(), 503);
    tokio::time::sleep(Duration::from_millis(550)).await;
    assert_eq!(post(&portal, "profile", &json!({})).await.status(), 502);
}

#[tokio::test]
async fn without_a_limit_nothing_is_refused() {
    let portal = Portal::builder().no_rate_limit().start().await.expect("a portal");
    for _ in 0..100 {
        assert_eq!(post(&portal, "profile", &json!({})).await.status(), 200);
    }
}
