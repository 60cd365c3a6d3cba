//! The envelope of the gateway, and the headers of its answers.

use serde_json::Value;

use super::codes::Statuses;
use super::gateway::GatewaySwitches;
use super::rate::Standing;
use super::route::{Act, Route};
use crate::refusal::{Answered, Refusal};
use crate::reply::Page;

/// Puts the outcome of a call into the envelope.
pub(crate) fn page(switches: &GatewaySwitches, route: Route, outcome: Result<Answered, Refusal>) -> Page {
    let answered = match outcome {
        Ok(answered) => answered,
        Err(refusal) => return refused(switches, &refusal),
    };
    let status = match route {
        Route::Entity(_, Act::Delete(_)) => return Page::empty(204),
        Route::Entity(_, Act::Create) => 201,
        Route::Entity(_, Act::Get(_) | Act::Update(_) | Act::List | Act::Search | Act::Fields)
        | Route::RowsGet(_)
        | Route::RowsSet(_)
        | Route::Duplicates
        | Route::Me
        | Route::Batch => 200,
    };
    // In the order of the documentation, which a map of `serde_json` would not keep.
    let beside = answered.beside.iter().map(|(name, value)| format!(",{}:{value}", Value::from(name.as_str())));
    let beside: String = beside.collect();
    Page::json_text(status, format!("{{\"success\":true,\"data\":{}{beside}}}", answered.result))
}

/// A refusal in the envelope, with the status that its code has here. What the gateway asks to wait is told twice.
pub(crate) fn refused(switches: &GatewaySwitches, refusal: &Refusal) -> Page {
    let status = status(&switches.statuses, refusal);
    let mut page = Page::json(status, &switches.shape.gateway_body(refusal));
    if let Some(seconds) = refusal.more.get("retryAfter") {
        page.headers.push(("Retry-After".to_owned(), seconds.to_string()));
    }
    page
}

/// The same with one more member beside the error.
pub(crate) fn refused_with(switches: &GatewaySwitches, refusal: &Refusal, name: &str, beside: Value) -> Page {
    let mut body = switches.shape.gateway_map(&refusal.code, Some(&refusal.text), refusal.more.clone());
    body.insert(name.to_owned(), beside);
    Page::json(status(&switches.statuses, refusal), &Value::Object(body))
}

fn status(statuses: &Statuses, refusal: &Refusal) -> u16 {
    refusal.code.as_str().map_or(refusal.status, |code| statuses.of(code))
}

/// The headers of every answer that the gateway itself gives.
pub(crate) fn dress(page: &mut Page, request_id: &str, standing: Option<Standing>) {
    let mut put = |name: &str, value: String| {
        if !page.has(name) {
            page.headers.push((name.to_owned(), value));
        }
    };
    put("X-Request-Id", request_id.to_owned());
    if let Some(standing) = standing {
        put("X-RateLimit-Limit", standing.limit.to_string());
        put("X-RateLimit-Remaining", standing.remaining.to_string());
        put("X-RateLimit-Reset", standing.reset_seconds().to_string());
    }
}
