//! The Vibecode gateway.

mod faults;
mod keys;
mod limits;
mod lists;
mod other;
mod records;
mod shapes;

use retry_portal::Portal;
use serde_json::Value;

use crate::client::{Seen, call};

/// Calls a route with the key that may do everything.
async fn vibe(portal: &Portal, verb: &str, path: &str, body: &Value) -> Seen {
    let key = format!("X-Api-Key: {}", portal.vibe_key());
    let body = if body.is_null() { String::new() } else { body.to_string() };
    call(portal, verb, &format!("/v1/{path}"), &[&key, "Content-Type: application/json"], &body).await
}

/// Calls a route that must succeed, and gives its `data`.
async fn data(portal: &Portal, verb: &str, path: &str, body: Value) -> Value {
    let seen = vibe(portal, verb, path, &body).await;
    assert!((200..300).contains(&seen.status()), "{}", seen.text());
    assert_eq!(seen.json()["success"], Value::Bool(true));
    seen.json()["data"].clone()
}

/// Calls a route that must be refused: status and code.
async fn refusal(portal: &Portal, verb: &str, path: &str, body: Value) -> (u16, String) {
    let seen = vibe(portal, verb, path, &body).await;
    let shown = seen.json();
    assert_eq!(shown["success"], Value::Bool(false), "{shown}");
    assert!(shown.get("data").is_none(), "{shown}");
    (seen.status(), shown["error"]["code"].as_str().unwrap_or_default().to_owned())
}

async fn portal() -> Portal {
    Portal::builder().start().await.expect("a portal")
}
