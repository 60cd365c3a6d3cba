//! `export`.

use retry_runtime::journal::{Event, How, Intent, State};
use retry_runtime::transport::Version;
use serde_json::{Value, json};

use super::Ended;
use super::options::Export;
use super::output::Output;
use super::plain::plain_json;
use super::times::fine_stamp;
use crate::desk::{Desk, Query};

/// How many intents are asked for at once.
const PAGE: u32 = 500;

/// Everything, the newest first, one JSON object a line.
pub(crate) async fn export(desk: &dyn Desk, options: &Export, output: &mut Output<'_>) -> Result<(), Ended> {
    let mut query = Query { limit: PAGE, ..Query::default() };
    loop {
        let page = desk.list(&query).await?;
        for intent in &page.intents {
            let shown = desk.show(intent.number).await?;
            let line = json!({
                "intent": written(&shown.intent, options.with_arguments),
                "story": shown.story.iter().map(told).collect::<Vec<_>>(),
            });
            writeln!(output.out, "{}", plain_json(&line.to_string()))?;
        }
        match page.next {
            Some(next) => query.before = Some(next),
            None => return Ok(()),
        }
    }
}

fn written(intent: &Intent, with_arguments: bool) -> Value {
    let (how, result) = match &intent.state {
        State::Applied { how, result } => (Some(how_name(*how)), Some(read(result))),
        State::Sending
        | State::Unknown { .. }
        | State::Ready { .. }
        | State::Rejected { .. }
        | State::Manual { .. } => (None, None),
    };
    let mut object = json!({
        "number": intent.number,
        "portal": intent.id.portal,
        "method": intent.id.method,
        "key": intent.id.key,
        "stub": intent.stub,
        "rest": match intent.version {
            Version::Two => 2,
            Version::Three => 3,
        },
        "digest": intent.digest.to_string(),
        "idempotency_key": intent.idempotency_key,
        "state": intent.state.as_str(),
        "why": intent.state.why(),
        "how": how,
        "result": result,
        "attempt": intent.attempt,
        "epoch": intent.epoch.0,
        "owner": intent.owner,
        "began": fine_stamp(intent.began),
        "sent": fine_stamp(intent.sent),
        "closed": intent.closed.map(fine_stamp),
    });
    if with_arguments {
        object["arguments"] = intent.arguments.as_deref().map_or(Value::Null, read);
    }
    object
}

fn told(event: &Event) -> Value {
    json!({
        "at": fine_stamp(event.at),
        "kind": event.kind.as_str(),
        "text": event.text,
        "detail": read(event.detail.as_bytes()),
    })
}

/// JSON as such; what is none, as a text.
fn read(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap_or_else(|_| Value::from(String::from_utf8_lossy(bytes)))
}

const fn how_name(how: How) -> &'static str {
    match how {
        How::Answer => "answer",
        How::ReadBack => "read-back",
        How::Person => "person",
    }
}
