//! The gateway's envelope: `success` and `data`, and an error in any of three shapes.

use bytes::Bytes;
use serde::{Deserialize, Deserializer, de};
use serde_json::value::RawValue;

use crate::api::answer::{Form, Heard, Success, View};
use crate::api::json::{self, Around, Opened, forbidden, number, present, without_bom};
use crate::api::read::WithId;
use crate::code::Code;
use crate::decode::{Beside, FromAnswer};

/// A code that may come under HTTP 200 and says that the work goes on without us: no answer at all.
const CONNECTION_TERMINATED: &str = "GATEWAY_CONNECTION_TERMINATED";

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    success: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    data: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    error: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    code: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    message: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present", rename = "retryAfter")]
    retry_after: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    total: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    meta: Option<&'a RawValue>,
}

/// An envelope whose data is read as it comes.
#[derive(Deserialize)]
#[serde(bound = "R: Deserialize<'de>")]
struct Carrying<'a, R> {
    #[serde(deserialize_with = "carried_out", rename = "success")]
    _success: (),
    data: R,
    #[serde(default, deserialize_with = "forbidden", rename = "error")]
    _error: (),
    #[serde(borrow, default, deserialize_with = "present")]
    total: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    meta: Option<&'a RawValue>,
}

/// What a list says of itself. A value of an odd shape counts as saying that rows are missing.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Meta<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    total: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    has_more: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    truncated: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    window_errors: Option<&'a RawValue>,
}

fn carried_out<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    if bool::deserialize(deserializer)? { Ok(()) } else { Err(de::Error::custom("`success` is false")) }
}

/// Whether a body begins as a success does.
pub(super) fn begins_as_success(body: &[u8]) -> bool {
    body.starts_with(b"{\"success\":true,\"data\":")
}

/// Reads a success into the type of a stub in one pass, if its first view allows that.
pub(in crate::api) fn read<T: FromAnswer>(body: &[u8], views: &[View]) -> Result<T, serde_json::Error> {
    match views.first() {
        Some(View::Data) => {
            let carrying: Carrying<'_, T::Result> = serde_json::from_slice(body)?;
            Ok(T::from_result(carrying.data, beside(carrying.total, carrying.meta)))
        }
        Some(View::Id) => {
            let carrying: Carrying<'_, WithId<T::Result>> = serde_json::from_slice(body)?;
            Ok(T::from_result(carrying.data.id, beside(carrying.total, carrying.meta)))
        }
        Some(View::Done | View::Under(_)) | None => Err(de::Error::custom("its data must be taken out first")),
    }
}

/// Opens an envelope; `None` when the body is none.
pub(in crate::api) fn open(body: &Bytes, views: &'static [View]) -> Option<Opened> {
    let text = without_bom(body).trim_ascii();
    if text.first() != Some(&b'{') {
        return None;
    }
    let envelope: Envelope<'_> = serde_json::from_slice(text).ok()?;
    let around = Around { text: envelope.message, retry_after: envelope.retry_after, code_of: Code::of_gateway };
    let refused = match (envelope.error, envelope.code) {
        // Beside a success it proves nothing, whatever its code.
        (Some(_), _) if envelope.success.is_some_and(|success| success.get() == "true") => return None,
        (Some(error), _) => json::error(error, around),
        (None, Some(code)) if envelope.data.is_none() => json::error(code, around),
        (None, _) => return succeeded(body, &envelope, views),
    };
    refused.filter(|opened| !is_no_answer(&opened.heard))
}

fn succeeded(body: &Bytes, envelope: &Envelope<'_>, views: &'static [View]) -> Option<Opened> {
    if envelope.success?.get() != "true" {
        return None;
    }
    let form = Form::Result(beside(envelope.total, envelope.meta), views);
    let success = Success::of(body.slice_ref(envelope.data?.get().as_bytes()), form);
    Some(Opened { heard: Heard::Success(success), hint: None })
}

fn is_no_answer(heard: &Heard) -> bool {
    matches!(heard, Heard::Code { code: Code::Other(text), .. } if &**text == CONNECTION_TERMINATED)
}

pub(super) fn beside(total: Option<&RawValue>, meta: Option<&RawValue>) -> Beside {
    let meta = meta.filter(|meta| meta.get() != "null").map(|meta| serde_json::from_str::<Meta<'_>>(meta.get()));
    let (inner, partial) = match &meta {
        None => (None, false),
        Some(Ok(meta)) => {
            (meta.total, [meta.has_more, meta.truncated, meta.window_errors].into_iter().flatten().any(says_yes))
        }
        Some(Err(_)) => (None, true),
    };
    Beside { next: None, total: total.or(inner).and_then(number), partial }
}

fn says_yes(value: &RawValue) -> bool {
    !matches!(value.get(), "false" | "0" | "null" | "\"\"" | "[]" | "{}")
}
