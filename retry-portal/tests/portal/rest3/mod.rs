//! REST 3.0.

mod idempotency;
mod lists;
mod tasks;

use retry_portal::Portal;
use serde_json::{Value, json};

use crate::client::{Seen, call, path_of};

const JSON: &str = "Content-Type: application/json";

/// Calls a method through the webhook, with more headers.
async fn with(portal: &Portal, method: &str, headers: &[&str], body: &Value) -> Seen {
    let path = path_of(portal, &portal.rest3_url());
    let headers: Vec<&str> = headers.iter().copied().chain([JSON]).collect();
    call(portal, "POST", &format!("{path}{method}"), &headers, &body.to_string()).await
}

async fn rest3(portal: &Portal, method: &str, body: &Value) -> Seen {
    with(portal, method, &[], body).await
}

/// Calls a method that must succeed, and gives its result.
async fn result(portal: &Portal, method: &str, body: Value) -> Value {
    let seen = rest3(portal, method, &body).await;
    assert_eq!(seen.status(), 200, "{}", seen.text());
    seen.json()["result"].clone()
}

/// Calls a method that must be refused: status, and the end of the code.
async fn refusal(portal: &Portal, method: &str, body: Value) -> (u16, String) {
    refused(&rest3(portal, method, &body).await)
}

fn refused(seen: &Seen) -> (u16, String) {
    let shown = seen.json();
    assert!(shown.get("result").is_none(), "{shown}");
    let code = shown["error"]["code"].as_str().unwrap_or_default();
    (seen.status(), code.strip_prefix("BITRIX_REST_V3_EXCEPTION_").unwrap_or(code).to_owned())
}

fn task(title: &str) -> Value {
    json!({"fields": {"title": title, "creatorId": 1, "responsibleId": 1}})
}

fn titles(portal: &Portal) -> Vec<String> {
    portal.records("task").iter().filter_map(|task| task.text("TITLE").map(str::to_owned)).collect()
}

async fn portal() -> Portal {
    Portal::builder().start().await.expect("a portal")
}
