//! Who is let in.

use retry_portal::Portal;
use serde_json::{Value, json};

use super::{data, portal};
use crate::client::{Seen, call};

async fn with(portal: &Portal, verb: &str, path: &str, headers: &[&str]) -> (u16, String) {
    let seen: Seen = call(portal, verb, path, headers, "").await;
    (seen.status(), seen.json()["error"]["code"].as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn a_request_needs_a_known_key() {
    let portal = portal().await;
    assert_eq!(with(&portal, "GET", "/v1/deals", &[]).await, (401, "MISSING_API_KEY".to_owned()));
    let unknown = with(&portal, "GET", "/v1/deals", &["X-Api-Key: vibe_api_other"]).await;
    assert_eq!(unknown, (401, "INVALID_API_KEY".to_owned()));
    let bearer = format!("Authorization: Bearer {}", portal.vibe_key());
    assert_eq!(with(&portal, "GET", "/v1/deals", &[&bearer]).await, (200, String::new()));
    assert!(portal.vibe_key().starts_with("vibe_api_"));
}

#[tokio::test]
async fn the_key_of_an_application_needs_a_session() {
    let portal = portal().await;
    let (key, session) = portal.vibe_application();
    let key = format!("X-Api-Key: {key}");
    assert_eq!(with(&portal, "GET", "/v1/deals", &[&key]).await, (401, "TOKEN_MISSING".to_owned()));
    assert_eq!(with(&portal, "GET", "/v1/me", &[&key]).await, (200, String::new()));
    let session = format!("Authorization: Bearer {session}");
    assert_eq!(with(&portal, "GET", "/v1/deals", &[&key, &session]).await, (200, String::new()));
    let other = with(&portal, "GET", "/v1/deals", &[&key, "Authorization: Bearer vibe_session_other"]).await;
    assert_eq!(other, (401, "INVALID_SESSION".to_owned()));
}

#[tokio::test]
async fn a_key_that_may_only_read_does_not_write() {
    let portal = portal().await;
    let key = format!("X-Api-Key: {}", portal.vibe_readonly_key());
    assert_eq!(with(&portal, "POST", "/v1/deals/search", &[&key]).await, (200, String::new()));
    for (verb, path) in
        [("POST", "/v1/deals"), ("PATCH", "/v1/deals/1"), ("DELETE", "/v1/deals/1"), ("PUT", "/v1/deals/1/products")]
    {
        assert_eq!(with(&portal, verb, path, &[&key]).await, (403, "WRITE_BLOCKED_READONLY_KEY".to_owned()), "{verb}");
    }
    assert!(portal.records("deal").is_empty());
}

#[tokio::test]
async fn me_tells_what_the_key_is_good_for() {
    let portal = portal().await;
    let me = data(&portal, "GET", "me", Value::Null).await;
    assert_eq!(me["rateLimit"]["requestsPerSecond"], json!(10));
    assert_eq!(me["api"]["entityApi"]["entities"]["deals"], json!("/v1/deals"));
}

#[tokio::test]
async fn the_key_can_be_given_and_is_shown_by_no_debug() {
    let portal = Portal::builder().vibe_api_key("vibe_api_mine").start().await.expect("a portal");
    assert_eq!(portal.vibe_key(), "vibe_api_mine");
    data(&portal, "GET", "me", Value::Null).await;
    let shown = format!("{:?} {portal:?}", portal.requests());
    assert!(!shown.contains("vibe_api_mine"), "{shown}");
    assert_eq!(portal.requests()[0].header("x-api-key"), Some("vibe_api_mine"));
    assert!(Portal::builder().vibe_api_key("a b").start().await.is_err());
}
