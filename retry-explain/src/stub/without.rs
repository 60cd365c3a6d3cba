//! Writes without a verifier: those that REST 3.0 guards, and those that nothing can settle but a person.

use retry_runtime::catalogue::{Action, Strength};

use super::parts::Parts;
use super::shape::{Answer, Body};
use super::text::{Member, Struct, kind, literal};

/// A write with an idempotency key.
pub(super) fn idempotent(parts: &Parts<'_>) -> String {
    let makes = parts.method.action == Action::Create;
    let mut parts = Parts::new(parts.method, parts.shape.clone());
    parts.shape.answer = Answer::Object("item");
    parts.shape.body = if makes || parts.method.action == Action::Update { Body::Named("fields") } else { Body::Flat };
    let mut parameters = Vec::new();
    let removes = parts.method.action == Action::Delete;
    if removes || parts.method.action == Action::Update {
        parameters.push("id: Id".to_owned());
    }
    if !removes {
        parameters.push(parts.body_parameter());
    }
    parameters.push("key: &IdempotencyKey".to_owned());
    // Keys of REST 2 say nothing of REST 3.0; what is neither filtered by nor shown is there because it has to be sent.
    let needed = parts.shape.keys.iter().filter(|key| key.filter.is_none() && key.row.is_none());
    let mut fields: Vec<Member> = needed.map(|key| Member::new(&key.sent, kind(key.number, "String"))).collect();
    if makes && fields.is_empty() {
        fields.push(Member::new("title", "String"));
    }
    let sent = Struct {
        doc: "What is sent.",
        derive: "Debug, Serialize",
        name: &parts.sent,
        fields,
        more: "whatever you fill",
    };
    let doc = "With the same key and the same content it happens once, for 24 hours: make the key before the first send,\n\
               /// `IdempotencyKey::of_business(\"order\", \"1017\")`.";
    let answer = if makes { parts.answer() } else { "serde_json::Value".to_owned() };
    [
        if removes { String::new() } else { sent.text() },
        if makes { parts.answer_types() } else { String::new() },
        parts.write(doc, "idempotency_key = key", &parameters, &answer),
    ]
    .concat()
}

/// A write that a person settles.
pub(super) fn unverifiable(parts: &Parts<'_>) -> String {
    let removes = parts.method.action == Action::Delete;
    let mut parameters = parts.outer_parameters();
    if !removes {
        parameters.push(parts.body_parameter());
    }
    let fields = parts.shape.keys.iter().map(|key| Member::new(&key.sent, kind(key.number, "String"))).collect();
    let sent = Struct {
        doc: "What is sent.",
        derive: "Debug, Serialize",
        name: &parts.sent,
        fields,
        more: "whatever you fill",
    };
    let known = parts.shape.answer == Answer::Id && !parts.shape.keys.is_empty();
    let answer = if known { "Id" } else { "serde_json::Value" };
    let outcome = format!("unverifiable = \"{}\"", literal(&reason(parts)));
    let doc = format!("A second call {}.", parts.method.again);
    let sent = if removes { String::new() } else { sent.text() };
    sent + &parts.write(&doc, &outcome, &parameters, answer)
}

/// Why nothing can settle it, in a few words.
fn reason(parts: &Parts<'_>) -> String {
    let method = parts.method;
    match method.strength {
        Some(Strength::Nothing) => {
            let first = method.hint.split([':', ';']).next().unwrap_or_default();
            first.trim_end_matches(", so `unverifiable` is the honest answer").to_owned()
        }
        Some(Strength::Parent) => "equal ones are legal, and nothing tells this one from them".to_owned(),
        Some(Strength::Server | Strength::Exact) | None => {
            format!("no read shows it, and a second call {}", method.again)
        }
    }
}
