//! OAuth: the token server, and calls with its tokens.

mod calls;
mod server;

use retry_portal::Portal;
use serde_json::{Value, json};

use crate::client::{Seen, call};

async fn portal() -> Portal {
    Portal::builder().start().await.expect("a portal")
}

/// Asks the token server.
async fn ask(portal: &Portal, query: &str) -> Seen {
    call(portal, "GET", &format!("/oauth/token/?{query}"), &[], "").await
}

/// The query that turns a grant into tokens.
fn query(portal: &Portal, kind: &str, name: &str, value: &str) -> String {
    let (id, secret) = portal.oauth_application();
    format!("grant_type={kind}&client_id={id}&client_secret={secret}&{name}={value}")
}

async fn refresh(portal: &Portal, token: &str) -> Seen {
    ask(portal, &query(portal, "refresh_token", "refresh_token", token)).await
}

/// The code of a refusal.
fn refused(seen: &Seen) -> (u16, Value) {
    (seen.status(), seen.json()["error"].clone())
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// Calls a REST 2 method with a token in the body.
async fn rest2(portal: &Portal, method: &str, token: &str, mut body: Value) -> Seen {
    body["auth"] = json!(token);
    call(portal, "POST", &format!("/rest/{method}"), &["Content-Type: application/json"], &body.to_string()).await
}
