//! Lists: which rows they have, and whether they are complete.

use bytes::Bytes;
use serde_json::Value;

use super::top::{Top, plain};
use super::{Message, request, rest, vibe};
use crate::api::Heard;
use crate::effect::OperationKind;
use crate::page::Page;
use crate::read_back::ReadBack;
use crate::transport::Version;

/// The body of an answer to a list, of either API.
pub fn page(data: &[u8]) {
    let message = Message { status: http::StatusCode::OK, headers: http::HeaderMap::new(), body: data, rest: "" };
    let request = request("crm.deal.list", OperationKind::Read, Version::Two, Bytes::from_static(b"{}"));
    for (api, inside) in [(rest(), "result"), (vibe(), "data")] {
        let Some(api) = api else { continue };
        let first = message.answer(&api, &request, data);
        let opened = first.clone().opened();
        // Whichever way it is read, it is the same page.
        let mut pages = [first, opened].into_iter().filter_map(|answer| {
            if let Heard::Success(success) = &answer.heard { success.read::<Page<Value>>().ok() } else { None }
        });
        let (one, other) = (pages.next(), pages.next());
        let Some((page, _)) = one else { continue };
        if let Some((other, _)) = other {
            assert_eq!(page, other, "read in one pass and opened first");
        }
        judge(&page, data, inside);
    }
}

fn judge(page: &Page<Value>, body: &[u8], inside: &str) {
    assert!(Top::of(body).is_some_and(|top| top.has(inside)), "rows out of nothing");
    let Some(value) = plain(body) else { return };
    let complete = page.is_complete();
    // Of a key that is there twice a `Value` has the last, so that lists may seem fewer.
    if let Some(list) = value.get(inside).and_then(rows)
        && value.get(inside).is_some_and(Value::is_array)
    {
        assert_eq!(&page.rows, list, "other rows than in the body");
    }
    let count = |value: Option<&Value>| {
        let value = value?;
        value.as_u64().or_else(|| value.as_str()?.parse().ok())
    };
    let meta = value.get("meta").filter(|_| inside == "data");
    let total =
        count(value.get("total")).or_else(|| count(meta?.get("total")).filter(|_| value.get("total").is_none()));
    let more = total.is_some_and(|total| total > page.rows.len() as u64);
    let next = inside == "result" && count(value.get("next")).is_some();
    let partial = ["hasMore", "truncated", "windowErrors"].iter().any(|name| meta.is_some_and(|meta| says(meta, name)));
    assert!(!(complete && (more || next || partial || page.rows.len() >= 50)), "complete: {page:?}");
    let absent_by_marker = ReadBack::<u8>::by_marker(page.clone(), |_| None) == ReadBack::Absent;
    let absent_by_key = ReadBack::<u8>::by_key(page.clone(), |_| None) == ReadBack::Absent;
    assert_eq!(absent_by_marker, complete);
    assert_eq!(absent_by_key, complete && page.rows.is_empty());
}

/// An array, or the one array in an object.
fn rows(value: &Value) -> Option<&Vec<Value>> {
    if let Value::Array(list) = value {
        return Some(list);
    }
    let mut lists = value.as_object()?.values().filter_map(Value::as_array);
    match (lists.next(), lists.next()) {
        (Some(list), None) => Some(list),
        (Some(_), Some(_)) | (None, _) => None,
    }
}

/// Whether a part of `meta` is anything but a no.
fn says(meta: &Value, name: &str) -> bool {
    meta.get(name).is_some_and(|value| match value {
        Value::Null => false,
        Value::Bool(yes) => *yes,
        Value::Number(number) => number.as_u64() != Some(0),
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(map) => !map.is_empty(),
    })
}
