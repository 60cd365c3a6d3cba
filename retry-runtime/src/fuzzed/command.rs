//! Calls as pieces of a batch: what arrives on the portal is what was meant.

use bytes::Bytes;
use serde_json::{Map, Value, json};

use super::php::{self, parse_str};
use super::request;
use super::top::plain;
use crate::api::BatchForm;
use crate::effect::OperationKind;

/// The methods that arguments are tried with; the gateway has a place of its own for those of each.
const METHODS: [&str; 5] =
    ["crm.deal.add", "crm.deal.update", "crm.deal.list", "crm.deal.delete", "crm.duplicate.findbycomm"];

/// The arguments of a call, a JSON object.
pub fn command(data: &[u8]) {
    // A call's arguments are written by ourselves: an object from its first to its last byte.
    if data.first() != Some(&b'{') || data.last() != Some(&b'}') {
        return;
    }
    let Some(arguments) = plain(data) else { return };
    for method in METHODS {
        let of = |form: BatchForm| {
            let kind = OperationKind::Read;
            let call = request(method, kind, form.version(), Bytes::copy_from_slice(data));
            form.piece(&call).inspect(|piece| in_envelope(form, piece))
        };
        if let Some(command) = of(BatchForm::Rest2) {
            arrives(&command, method, &arguments);
        }
        if let Some(element) = of(BatchForm::Rest3) {
            let read: Option<Value> = serde_json::from_str(&element).ok();
            assert_eq!(read, Some(json!({"method": method, "query": arguments})));
        }
        let _ = of(BatchForm::Vibe);
    }
}

/// The query that PHP reads again.
fn arrives(command: &str, method: &str, arguments: &Value) {
    let Some(query) = command.strip_prefix(method) else { unreachable!("{command}") };
    assert!(query.is_empty() || query.starts_with('?'), "{query}");
    assert!(query.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"?&=%-._~".contains(&byte)), "{query}");
    let read = parse_str(query.strip_prefix('?').unwrap_or_default());
    assert_eq!(read, Some(as_texts(arguments)), "{query}");
}

/// Everything as the text that it has in PHP. What has none there must not have become a command.
fn as_texts(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(php::number(number)),
        Value::Array(items) => items.iter().map(as_texts).collect(),
        Value::Object(members) => {
            Value::Object(members.iter().map(|(key, value)| (key.clone(), as_texts(value))).collect::<Map<_, _>>())
        }
        Value::Null | Value::Bool(_) | Value::String(_) => value.clone(),
    }
}

/// Beside another one, each piece is what it was.
fn in_envelope(form: BatchForm, piece: &str) {
    let other = match form {
        BatchForm::Rest2 => "profile",
        BatchForm::Rest3 => r#"{"method":"m","query":{}}"#,
        BatchForm::Vibe => r#""entity":"deals","action":"fields""#,
    };
    let whole = form.envelope([piece, other, piece].into_iter());
    assert!(whole.len() <= 64 + 2 * BatchForm::room(piece) + BatchForm::room(other), "larger than counted");
    let Ok(value) = serde_json::from_slice::<Value>(&whole) else { unreachable!("no JSON: {whole:?}") };
    let (first, last, count) = match form {
        BatchForm::Rest2 => {
            assert_eq!(value.pointer("/cmd/c0"), Some(&json!(piece)));
            (
                value.pointer("/cmd/c0"),
                value.pointer("/cmd/c2"),
                value.get("cmd").and_then(Value::as_object).map(Map::len),
            )
        }
        BatchForm::Rest3 => (value.get(0), value.get(2), value.as_array().map(Vec::len)),
        BatchForm::Vibe => {
            let calls = value.get("calls");
            assert_eq!(calls.and_then(|calls| calls.pointer("/0/id")), Some(&json!("c0")));
            let without_id = |place: usize| calls?.get(place)?.get("entity");
            (without_id(0), without_id(2), calls.and_then(Value::as_array).map(Vec::len))
        }
    };
    assert!(first.is_some() && first == last && count == Some(3), "{whole:?}");
}
