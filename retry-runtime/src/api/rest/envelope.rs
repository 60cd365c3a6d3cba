//! The JSON around a result or an error, as the portal really writes it.

use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::api::answer::{Heard, Success};
use crate::api::json::{self, Around, Opened, forbidden, is_blank, number, present, without_bom};
use crate::api::usage::{Time, Usage};
use crate::code::Code;
use crate::decode::{Beside, FromAnswer};

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

/// An envelope whose result is read as it comes.
#[derive(Deserialize)]
#[serde(bound = "R: Deserialize<'de>")]
struct Carrying<'a, R> {
    result: R,
    #[serde(default, deserialize_with = "forbidden", rename = "error")]
    _error: (),
    #[serde(borrow, default, deserialize_with = "present")]
    next: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    total: Option<&'a RawValue>,
    #[serde(default)]
    time: Time,
}

/// Whether a body begins as a success does; most do.
pub(super) fn begins_as_success(body: &[u8]) -> bool {
    body.starts_with(b"{\"result\":")
}

/// Reads a success into the type of a stub, in one pass.
pub(in crate::api) fn read<T: FromAnswer>(body: &[u8]) -> Result<(T, Option<Usage>), serde_json::Error> {
    // One look at the whole text costs less than one at each string in it.
    let carrying: Carrying<'_, T::Result> = match str::from_utf8(body) {
        Ok(text) => serde_json::from_str(text)?,
        Err(_) => serde_json::from_slice(body)?,
    };
    let value = T::from_result(carrying.result, beside(carrying.next, carrying.total));
    Ok((value, carrying.time.0))
}

/// Opens an envelope; `None` when the body is none.
pub(in crate::api) fn open(body: &Bytes) -> Option<Opened> {
    let text = without_bom(body).trim_ascii();
    // A derived struct would read a JSON array by position.
    if text.first() != Some(&b'{') {
        return None;
    }
    let envelope: Envelope<'_> = serde_json::from_slice(text).ok()?;
    let around = Around { text: envelope.error_description, retry_after: envelope.retry_after, code_of: Code::of };
    if let Some(error) = envelope.error {
        // Beside a result that says something it proves nothing, whatever its code.
        return if envelope.result.is_none_or(is_blank) { json::error(error, around) } else { None };
    }
    if let Some(result) = envelope.result {
        let success = Success::new(body.slice_ref(result.get().as_bytes()));
        let heard = Heard::Success(success.beside(beside(envelope.next, envelope.total)));
        return Some(Opened { heard, hint: None });
    }
    json::error(envelope.code?, Around { text: envelope.message, ..around })
}

fn beside(next: Option<&RawValue>, total: Option<&RawValue>) -> Beside {
    Beside { next: next.and_then(number), total: total.and_then(number), partial: false }
}
