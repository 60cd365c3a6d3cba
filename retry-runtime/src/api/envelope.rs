//! The JSON around a result or an error, as the portal really writes it.

use std::fmt::Write as _;
use std::time::Duration;

use bytes::Bytes;
use serde::{Deserialize, Deserializer, de};
use serde_json::value::RawValue;

use super::answer::{Heard, excerpt};
use super::success::Success;
use crate::code::Code;
use crate::decode::{Beside, FromAnswer};
use crate::hint;

/// How much of a server's text is kept, in bytes.
const TEXT_LIMIT: usize = 500;

/// The top level of an answer; what is not needed is passed over.
///
/// Nothing but the presence of `result` and `error` is taken on trust: an odd field at the side must not turn a success into an error.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    error: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    error_description: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    code: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    message: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present", rename = "retryAfter")]
    retry_after: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    next: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    total: Option<&'a RawValue>,
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
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// An envelope whose result is read as it comes.
#[derive(Deserialize)]
#[serde(bound = "R: Deserialize<'de>")]
struct Carrying<'a, R> {
    result: R,
    #[serde(default, deserialize_with = "no_error", rename = "error")]
    _error: (),
    #[serde(borrow, default, deserialize_with = "present")]
    next: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    total: Option<&'a RawValue>,
}

/// An `error` beside the result, whatever its value, makes it none.
fn no_error<'de, D: Deserializer<'de>>(_: D) -> Result<(), D::Error> {
    Err(de::Error::custom("there is an `error` beside the result"))
}

/// Whether a body begins as a success does; most do.
pub(super) fn begins_as_success(body: &[u8]) -> bool {
    body.starts_with(b"{\"result\":")
}

/// Reads a success into the type of a stub, in one pass.
pub(super) fn read<T: FromAnswer>(body: &[u8]) -> Result<T, serde_json::Error> {
    let carrying: Carrying<'_, T::Result> = serde_json::from_slice(body)?;
    let beside = Beside { next: carrying.next.and_then(number), total: carrying.total.and_then(number) };
    Ok(T::from_result(carrying.result, beside))
}

/// What an envelope says, and the pause it asks for.
pub(super) struct Opened {
    pub(super) heard: Heard,
    pub(super) hint: Option<Duration>,
}

/// Opens an envelope; `None` when the body is none.
pub(super) fn open(body: &Bytes) -> Option<Opened> {
    let text = without_bom(body).trim_ascii();
    // A derived struct would read a JSON array by position.
    if text.first() != Some(&b'{') {
        return None;
    }
    let envelope: Envelope<'_> = serde_json::from_slice(text).ok()?;
    if let Some(error) = envelope.error {
        return open_error(error, &envelope);
    }
    if let Some(result) = envelope.result {
        let success = Success::new(body.slice_ref(result.get().as_bytes()))
            .beside(envelope.next.and_then(number), envelope.total.and_then(number));
        return Some(Opened { heard: Heard::Success(success), hint: None });
    }
    let code = envelope.code.and_then(code_text)?;
    Some(refused(&code, &shown(envelope.message), &[], envelope.retry_after))
}

fn open_error(error: &RawValue, envelope: &Envelope<'_>) -> Option<Opened> {
    if let Some(code) = code_text(error) {
        return Some(refused(&code, &shown(envelope.error_description), &[], envelope.retry_after));
    }
    if !error.get().starts_with('{') {
        return None;
    }
    let object: ErrorObject<'_> = serde_json::from_str(error.get()).ok()?;
    let code = object.code.and_then(code_text)?;
    let fields: Vec<FieldError> =
        object.validation.and_then(|list| serde_json::from_str(list.get()).ok()).unwrap_or_default();
    let text = shown(object.message.or(envelope.error_description));
    Some(refused(&code, &text, &fields, object.retry_after.or(envelope.retry_after)))
}

fn refused(code: &str, text: &str, fields: &[FieldError], pause: Option<&RawValue>) -> Opened {
    let mut text = excerpt(text, TEXT_LIMIT);
    for FieldError { field, message } in fields {
        let gap = if text.is_empty() { "" } else { "; " };
        let _ = write!(text, "{gap}{}: {}", excerpt(field, 80), excerpt(message, 200));
    }
    Opened { heard: Heard::Code { code: Code::of(code), text: text.into() }, hint: pause.and_then(hint::from_body) }
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
fn number(value: &RawValue) -> Option<u64> {
    value.get().trim_matches('"').parse().ok()
}

fn without_bom(body: &[u8]) -> &[u8] {
    body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body)
}
