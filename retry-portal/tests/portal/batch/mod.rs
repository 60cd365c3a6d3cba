//! Several calls in one request.

mod commands;
mod faults;
mod limits;
mod rest3;
mod seeded;
mod vibe;

use retry_portal::{Outcome, Portal, PortalBuilder};
use serde_json::{Value, json};

use crate::client::{Seen, envelope, post};

async fn start(builder: PortalBuilder) -> Portal {
    builder.start().await.expect("a portal")
}

/// A batch of REST 2 that must be answered: the inner `result`.
async fn batch(portal: &Portal, cmd: Value) -> Value {
    envelope(portal, "batch", &json!({"halt": 0, "cmd": cmd})).await["result"].clone()
}

/// The same, however it goes.
async fn lost(portal: &Portal, cmd: Value) -> Seen {
    post(portal, "batch", &json!({"halt": 0, "cmd": cmd})).await
}

/// So many creates, each with its number as `ORIGIN_ID`.
fn creates(count: usize) -> Value {
    (0..count).map(|number| Value::from(format!("crm.deal.add?fields[ORIGIN_ID]={number}"))).collect()
}

/// The `ORIGIN_ID` of all deals, in the order in which they came to be.
fn made(portal: &Portal) -> Vec<String> {
    portal.records("deal").iter().filter_map(|deal| deal.text("ORIGIN_ID").map(str::to_owned)).collect()
}

/// What became of the commands of the last request.
fn effects(portal: &Portal) -> Vec<Outcome> {
    portal.requests().last().expect("a request").commands.iter().map(|command| command.effect).collect()
}
