//! Many calls in one request to Bitrix24 itself: `batch` of REST 2, and of REST 3.0 for reads.

use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::envelope;
use crate::api::answer::{Heard, View};
use crate::api::batch::{Item, Slots, contradiction, items, name, present_result};
use crate::api::json::{self, Around, Opened, is_blank, number, present};
use crate::api::usage::Usage;
use crate::code::Code;
use crate::decode::Beside;

/// The result of a REST 2 batch: a map for each part of an answer. An empty map is `[]`.
#[derive(Default, Deserialize)]
struct Maps<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    result_error: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    result_total: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    result_next: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    result_time: Option<&'a RawValue>,
}

/// The arguments of a REST 2 batch. It goes on after an error: its commands have nothing to do with each other.
pub(in crate::api) fn envelope_2<'a>(commands: impl Iterator<Item = &'a str>) -> String {
    let mut json = String::from(r#"{"halt":0,"cmd":{"#);
    for (place, command) in commands.enumerate() {
        // A command is plain ASCII without quotes: its query is percent-encoded.
        json.extend([if place == 0 { "\"" } else { ",\"" }, &name(place), "\":\"", command, "\""]);
    }
    json + "}}"
}

/// A call as an element of a REST 3.0 batch.
pub(in crate::api) fn element(method: &str, arguments: &Bytes) -> Option<String> {
    let arguments = std::str::from_utf8(arguments).ok()?;
    Some(format!(r#"{{"method":{},"query":{arguments}}}"#, serde_json::to_string(method).ok()?))
}

/// The body of a REST 3.0 batch, an array.
pub(in crate::api) fn envelope_3<'a>(elements: impl Iterator<Item = &'a str>) -> String {
    let elements: Vec<&str> = elements.collect();
    format!("[{}]", elements.join(","))
}

/// What a REST 2 batch says of each of its commands.
pub(in crate::api) fn split_2(result: &Bytes, count: usize) -> Vec<Item> {
    let maps: Maps<'_> = match result.trim_ascii().first() {
        Some(b'{') => serde_json::from_slice(result).unwrap_or_default(),
        _ => Maps::default(),
    };
    let slots = |map| Slots::read(map, count);
    let (results, errors) = (slots(maps.result), slots(maps.result_error));
    let (totals, nexts, times) = (slots(maps.result_total), slots(maps.result_next), slots(maps.result_time));
    items(count, |place| {
        let count_of = |slots: &Slots<'_>| slots.get(place).and_then(number);
        let beside = Beside { next: count_of(&nexts), total: count_of(&totals), partial: false };
        let error = errors.get(place).filter(|error| error.get() != "null");
        let said = match (error, results.get(place)) {
            (Some(_), Some(value)) if !is_blank(value) => Some(contradiction()),
            (None, Some(_)) if errors.are_nobodys() => Some(contradiction()),
            (Some(error), _) => failed(result, error),
            (None, value) => value.map(|value| present_result(result, value, beside, &[View::Data])),
        };
        Item { said, usage: times.get(place).and_then(Usage::read) }
    })
}

/// What a REST 3.0 batch says of each of its elements, which come in the order of the calls.
///
/// The documentation is silent about one that failed: it is taken for an error where it has the shape of one.
pub(in crate::api) fn split_3(result: &Bytes, count: usize) -> Vec<Item> {
    // With fewer or more, nothing says whose is whose.
    let elements: Vec<&RawValue> = serde_json::from_slice(result).unwrap_or_default();
    let elements = if elements.len() == count { elements } else { Vec::new() };
    items(count, |place| {
        let said = elements.get(place).and_then(|element| {
            if has_error(element) {
                failed(result, element)
            } else {
                Some(present_result(result, element, Beside::default(), &[View::Data]))
            }
        });
        Item { said, usage: None }
    })
}

fn has_error(element: &RawValue) -> bool {
    #[derive(Deserialize)]
    struct Element<'a> {
        #[serde(borrow, default, deserialize_with = "present")]
        error: Option<&'a RawValue>,
    }
    let is_object = element.get().starts_with('{');
    is_object && serde_json::from_str(element.get()).is_ok_and(|Element { error }| error.is_some())
}

/// The error of one call: an object around a code, or the code alone. `None` if it can't be read.
fn failed(body: &Bytes, error: &RawValue) -> Option<Opened> {
    let opened = if error.get().starts_with('{') {
        envelope::open(&body.slice_ref(error.get().as_bytes()))
    } else {
        json::error(error, Around { text: None, retry_after: None, code_of: Code::of })
    };
    opened.filter(|opened| !matches!(opened.heard, Heard::Success(_)))
}
