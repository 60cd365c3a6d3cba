//! REST 3.0: JSON only, tasks, and the header `Idempotency-Key`.

mod body;
mod filter;
mod idempotency;
mod tasks;

use http::HeaderMap;
use serde_json::{Map, Value, json};

pub(crate) use body::Body;
pub(crate) use idempotency::{Key, Scope, Stored, Successes};

use crate::crm::{Action, Context};
use crate::refusal::{Answered, Call, Refusal};
use crate::reply::Page;
use crate::rest2::envelope;
use crate::shape::Shape;
use crate::time::Time;

const PREFIX: &str = "BITRIX_REST_V3_EXCEPTION_";

/// What can be turned on a running portal.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rest3Switches {
    /// The form of what is refused before a method is called.
    pub(crate) system_errors: Shape,
    /// Whether a success is stored together with its effect.
    pub(crate) atomic: bool,
    /// Whether a token in the body counts when bodies are compared.
    pub(crate) auth_counts: bool,
}

impl Default for Rest3Switches {
    fn default() -> Self {
        Self { system_errors: Shape::Nested, atomic: true, auth_counts: false }
    }
}

/// A call as it came.
#[derive(Debug)]
pub(crate) struct Request {
    /// `None`: there is no such method.
    pub(crate) action: Option<Action>,
    pub(crate) body: Result<Body, Refusal>,
    pub(crate) key: Option<Result<Key, Refusal>>,
    /// Whether an application calls, not a webhook.
    pub(crate) by_token: bool,
}

impl Request {
    pub(crate) fn new(method: &str, headers: &HeaderMap, bytes: &[u8], by_token: bool) -> Self {
        let action = action(method);
        let key = headers.get("idempotency-key").filter(|_| action.is_some_and(Action::is_write));
        let key = key.map(|value| Key::of(value.as_bytes()));
        let content_type = headers.get(http::header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        Self { action, body: Body::read(content_type, bytes), key, by_token }
    }

    /// One of a batch.
    pub(crate) fn in_batch(method: &str, query: &Map<String, Value>, by_token: bool) -> Self {
        Self { action: action(method), body: Ok(Body::of(query)), key: None, by_token }
    }

    /// Understands it.
    pub(crate) fn call(&self, context: &Context<'_>) -> Result<Call, Refusal> {
        let Some(action) = self.action else {
            return Err(Refusal::new(404, "ERROR_METHOD_NOT_FOUND", "Method not found!"));
        };
        let body = self.body.as_ref().map_err(Refusal::clone)?;
        tasks::call(context, action, body)
    }

    /// The key that is in force; an unusable one is refused.
    pub(crate) fn key(&self) -> Result<Option<&Key>, Refusal> {
        self.key.as_ref().map(|key| key.as_ref().map_err(Refusal::clone)).transpose()
    }
}

/// Puts the outcome of a call into the envelope.
pub(crate) fn answer(switches: Rest3Switches, outcome: Result<Answered, Refusal>, time: &Time) -> Page {
    match outcome {
        Ok(answered) => Page::json(200, &envelope::body(answered, time)),
        Err(refusal) => page(switches, &refusal),
    }
}

/// A refusal in the envelope.
pub(crate) fn page(switches: Rest3Switches, refusal: &Refusal) -> Page {
    let of_method = refusal.code.as_str().is_some_and(|code| code.starts_with(PREFIX));
    let shape = if of_method { Shape::Nested } else { switches.system_errors };
    Page::json(refusal.status, &shape.body(refusal))
}

/// The methods of this API.
pub(crate) fn action(method: &str) -> Option<Action> {
    match Action::named(method.strip_prefix("tasks.task.")?)? {
        Action::Fields => None,
        action @ (Action::Add | Action::Get | Action::List | Action::Update | Action::Delete) => Some(action),
    }
}

/// A refusal of this API, by the end of its code.
pub(crate) fn refused(status: u16, code: &str, text: impl Into<String>) -> Refusal {
    Refusal::new(status, format!("{PREFIX}{code}"), text)
}

fn invalid(problems: Vec<(&str, String)>) -> Refusal {
    let validation: Vec<Value> =
        problems.into_iter().map(|(field, message)| json!({"message": message, "field": field})).collect();
    refused(400, "VALIDATION_REQUESTVALIDATIONEXCEPTION", "Error during request object validation")
        .with("validation", validation)
}

/// The result of a method that says yes.
fn yes() -> Value {
    json!({"result": true})
}

/// An empty object, for bodies that are not there.
fn nothing() -> Map<String, Value> {
    Map::new()
}
