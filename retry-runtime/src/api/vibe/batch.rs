//! Many calls in one request to the gateway: `POST /v1/batch`.

use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{envelope, route};
use crate::api::answer::{Heard, Success, View};
use crate::api::batch::{Item, Slots, contradiction, items, name, present_result};
use crate::api::json::{self, Around, Opened, is_blank, present};
use crate::code::Code;

/// The name its envelope goes by as a method.
pub(super) const BATCH: &str = crate::api::BATCH;

/// The gateway's code for a batch without one call that it could run.
const ALL_INVALID: &str = "INVALID_REQUEST";

/// The `data` of a batch: a map for each part of an answer. An empty map may be `[]`.
#[derive(Default, Deserialize)]
struct Maps<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    results: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    errors: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    totals: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    meta: Option<&'a RawValue>,
}

/// A call as an element of a batch, without its id; `None` if it has no such form.
pub(in crate::api) fn element(method: &str, arguments: &[u8]) -> Option<String> {
    let call = route::of(method, arguments).ok()?;
    let call = call.in_a_batch()?;
    let mut json = format!(r#""entity":"{}","action":"{}""#, call.entity, call.action);
    if let Some(id) = call.id {
        // Beside the parameters; among them the gateway does not see it.
        json.extend([r#","entityId":"#, &id.to_string()]);
    }
    if !call.params.is_empty() {
        json.extend([r#","params":"#, std::str::from_utf8(call.params).ok()?]);
    }
    Some(json)
}

/// The body of a batch.
pub(in crate::api) fn envelope<'a>(elements: impl Iterator<Item = &'a str>) -> String {
    let mut json = String::from(r#"{"calls":["#);
    for (place, element) in elements.enumerate() {
        json.extend([if place == 0 { "{" } else { ",{" }, r#""id":""#, &name(place), "\",", element, "}"]);
    }
    json + "]}"
}

/// What a batch says of each of these methods.
pub(in crate::api) fn split(data: &Bytes, methods: &[&str]) -> Vec<Item> {
    let maps: Maps<'_> = match data.trim_ascii().first() {
        Some(b'{') => serde_json::from_slice(data).unwrap_or_default(),
        _ => Maps::default(),
    };
    let slots = |map| Slots::read(map, methods.len());
    let (results, errors) = (slots(maps.results), slots(maps.errors));
    let (totals, meta) = (slots(maps.totals), slots(maps.meta));
    items(methods.len(), |place| {
        let views: &[View] = methods.get(place).map_or(&[View::Data], |method| route::reading(method).views);
        let error = errors.get(place).filter(|error| error.get() != "null");
        let said = match (error, results.get(place)) {
            (Some(_), Some(value)) if !is_blank(value) => Some(contradiction()),
            (None, Some(_)) if errors.are_nobodys() => Some(contradiction()),
            (Some(error), _) => failed(data, error),
            (None, value) => value
                .map(|value| present_result(data, value, envelope::beside(totals.get(place), meta.get(place)), views)),
        };
        Item { said, usage: None }
    })
}

/// The error of one call: an object around a code, or the code alone. `None` if it can't be read.
fn failed(data: &Bytes, error: &RawValue) -> Option<Opened> {
    let opened = if error.get().starts_with('{') {
        envelope::open(&data.slice_ref(error.get().as_bytes()), &[])
    } else {
        json::error(error, Around { text: None, retry_after: None, code_of: Code::of_gateway })
    };
    opened.filter(|opened| !matches!(opened.heard, Heard::Success(_)))
}

/// A refused batch that says of each call why: that is its answer, as if it had been carried out.
pub(super) fn each_refused(body: &Bytes) -> Option<Success> {
    #[derive(Deserialize)]
    struct Refused<'a> {
        #[serde(borrow)]
        data: &'a RawValue,
    }
    #[derive(Deserialize)]
    struct Data<'a> {
        #[serde(borrow)]
        errors: &'a RawValue,
    }
    let Heard::Code { code, .. } = envelope::open(body, &[])?.heard else { return None };
    let Refused { data } = serde_json::from_slice(json::without_bom(body)).ok()?;
    let Data { errors } = serde_json::from_str(data.get()).ok()?;
    // Nothing but the errors: a result in a body that is an error is none.
    let data = Success::new(format!("{{\"errors\":{}}}", errors.get()));
    (code.as_str() == ALL_INVALID).then_some(data)
}
