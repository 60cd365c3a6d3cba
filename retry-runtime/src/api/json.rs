//! What all envelopes are read with: values that may have any shape, codes, texts.

use std::fmt::Write as _;
use std::time::Duration;

use serde::{Deserialize, Deserializer, de};
use serde_json::value::RawValue;

use super::answer::{Heard, excerpt};
use crate::code::Code;
use crate::hint;

/// How much of a server's text is kept, in bytes.
const TEXT_LIMIT: usize = 500;

/// What an envelope says, and the pause it asks for.
pub(super) struct Opened {
    pub(super) heard: Heard,
    pub(super) hint: Option<Duration>,
}

/// `error` where it is an object.
#[derive(Deserialize)]
struct ErrorObject<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    code: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    message: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present", rename = "retryAfter")]
    retry_after: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    validation: Option<&'a RawValue>,
}

/// One field that a validation found at fault.
#[derive(Deserialize)]
struct FieldError {
    #[serde(default)]
    field: String,
    #[serde(default)]
    message: String,
}

/// Tells a `null` that is there from a key that is not.
pub(super) fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// Refuses a key by its presence.
pub(super) fn forbidden<'de, D: Deserializer<'de>>(_: D) -> Result<(), D::Error> {
    Err(de::Error::custom("there is an `error` beside the result"))
}

/// What stands around an error, whichever of the shapes it has.
#[derive(Clone, Copy)]
pub(super) struct Around<'a> {
    pub(super) text: Option<&'a RawValue>,
    pub(super) retry_after: Option<&'a RawValue>,
    /// How the service reads a code.
    pub(super) code_of: fn(&str) -> Code,
}

/// Reads an error: a code as string or number, or an object that has one. `None` if it is neither.
pub(super) fn error(error: &RawValue, around: Around<'_>) -> Option<Opened> {
    if let Some(code) = code_text(error) {
        return Some(refused(&code, &shown(around.text), &[], around.retry_after, around.code_of));
    }
    if !error.get().starts_with('{') {
        return None;
    }
    let object: ErrorObject<'_> = serde_json::from_str(error.get()).ok()?;
    let code = object.code.and_then(code_text)?;
    let fields: Vec<FieldError> =
        object.validation.and_then(|list| serde_json::from_str(list.get()).ok()).unwrap_or_default();
    let text = shown(object.message.or(around.text));
    Some(refused(&code, &text, &fields, object.retry_after.or(around.retry_after), around.code_of))
}

fn refused(
    code: &str,
    text: &str,
    fields: &[FieldError],
    pause: Option<&RawValue>,
    code_of: fn(&str) -> Code,
) -> Opened {
    let mut text = excerpt(text, TEXT_LIMIT);
    let mut at_fault = String::new();
    for FieldError { field, message } in fields {
        let gap = if text.is_empty() && at_fault.is_empty() { "" } else { "; " };
        let _ = write!(at_fault, "{gap}{}: {}", excerpt(field, 80), excerpt(message, 200));
        if at_fault.len() > TEXT_LIMIT {
            at_fault = excerpt(&at_fault, TEXT_LIMIT);
            break;
        }
    }
    text.push_str(&at_fault);
    let code = code_of(code);
    Opened { heard: Heard::Code { code, text: text.into() }, hint: pause.and_then(hint::from_body) }
}

/// A code is a string or a number; the empty string is one too.
fn code_text(value: &RawValue) -> Option<String> {
    match value.get().as_bytes().first()? {
        b'"' => serde_json::from_str(value.get()).ok(),
        b'-' | b'0'..=b'9' => Some(value.get().to_owned()),
        _ => None,
    }
}

/// A text for people: a string as it reads, nothing for `null`, anything else as it stands.
fn shown(value: Option<&RawValue>) -> String {
    match value.map(RawValue::get) {
        None | Some("null") => String::new(),
        Some(json) => serde_json::from_str(json).unwrap_or_else(|_| json.to_owned()),
    }
}

/// A count as a number or as its text.
pub(super) fn number(value: &RawValue) -> Option<u64> {
    value.get().trim_matches('"').parse().ok()
}

/// Whether a value says nothing, as one may that stands beside an error.
pub(super) fn is_blank(value: &RawValue) -> bool {
    matches!(value.get(), "false" | "null" | "\"\"" | "[]" | "{}")
}

pub(super) fn without_bom(body: &[u8]) -> &[u8] {
    body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body)
}
