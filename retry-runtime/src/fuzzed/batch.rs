//! Answers to many calls in one request.

use std::fmt::Debug;

use bytes::Bytes;
use serde_json::{Map, Value, json};

use super::text;
use super::top::{Top, plain};
use super::{Message, cuts, request, rest, vibe};
use crate::api::{Answer, Api, BATCH, BatchForm, Heard};
use crate::effect::OperationKind;
use crate::page::Page;
use crate::transport::Request;

/// The calls of a batch, by the letters that an input names them with. The small ones are writes.
const CALLS: [(char, &str); 8] = [
    ('a', "crm.deal.add"),
    ('u', "crm.lead.update"),
    ('d', "crm.deal.delete"),
    ('t', "tasks.task.update"),
    ('A', "crm.deal.list"),
    ('G', "crm.contact.get"),
    ('F', "crm.deal.fields"),
    ('T', "tasks.task.get"),
];

/// The parts of a batch's answer that have an entry for each call.
const PARTS: [&str; 9] =
    ["result", "result_error", "result_total", "result_next", "result_time", "results", "errors", "totals", "meta"];

/// `STATUS FORM CALLS` (`200 rest2 aaG`), headers, an empty line and the body of the answer to a batch.
pub fn batch(data: &[u8]) {
    let Some(message) = Message::read(data) else { return };
    let (name, letters) = message.rest.split_once(' ').unwrap_or((message.rest, "aG"));
    let (form, api) = match name {
        "rest2" => (BatchForm::Rest2, rest()),
        "rest3" => (BatchForm::Rest3, rest()),
        "vibe" => (BatchForm::Vibe, vibe()),
        _ => return,
    };
    let Some(api) = api else { return };
    let calls: Vec<Request> = letters.chars().take(50).filter_map(|letter| call(form, letter)).collect();
    if calls.is_empty() {
        return;
    }
    let batch = Batch { form, api, message, calls };
    let whole = batch.parts(batch.message.body);
    batch.judge(&whole);
    if whole.iter().any(|part| matches!(part.heard, Heard::Success(_))) {
        for cut in cuts(batch.message.body) {
            for part in batch.parts(cut) {
                assert!(matches!(part.heard, Heard::NoEnvelope { .. }), "of a cut batch is {part:?}");
            }
        }
    }
    batch.each_by_itself();
}

fn call(form: BatchForm, letter: char) -> Option<Request> {
    let (letter, method) = CALLS.into_iter().find(|(known, _)| *known == letter)?;
    let kind = if letter.is_ascii_uppercase() || form == BatchForm::Rest3 {
        OperationKind::Read
    } else {
        OperationKind::Write
    };
    Some(request(method, kind, form.version(), Bytes::from_static(b"{}")))
}

struct Batch<'a> {
    form: BatchForm,
    api: Api,
    message: Message<'a>,
    calls: Vec<Request>,
}

impl Batch<'_> {
    /// What each call hears if the body is this.
    fn parts(&self, body: &[u8]) -> Vec<Answer> {
        let envelope = request(BATCH, OperationKind::Write, self.form.version(), Bytes::from_static(b"{}"));
        let whole = self.message.answer(&self.api, &envelope, body).opened();
        text::answer(&whole);
        let calls: Vec<&Request> = self.calls.iter().collect();
        let parts = self.form.split(&whole, &calls);
        assert_eq!(parts.len(), calls.len(), "answers for calls");
        for part in &parts {
            text::answer(&part.answer);
            assert_eq!((&part.answer.request_id, part.answer.last_byte_by), (&whole.request_id, whole.last_byte_by));
            if let Heard::Success(success) = &part.answer.heard {
                for error in [success.read::<u64>().err(), success.read::<Page<bool>>().err()].into_iter().flatten() {
                    text::shown(&success.shown(&error), 400);
                }
            }
        }
        parts.into_iter().map(|part| part.answer).collect()
    }

    /// Holds each success to a body that allows one and has an entry, and no error, for that call.
    fn judge(&self, parts: &[Answer]) {
        let body = self.message.body;
        let success = |answer: &Answer| matches!(answer.heard, Heard::Success(_));
        if !parts.iter().any(success) {
            return;
        }
        let Some(top) = Top::of(body) else { unreachable!("a success out of what is no object") };
        let inside = if self.form == BatchForm::Vibe { "data" } else { "result" };
        let succeeded = self.form != BatchForm::Vibe || top.success;
        assert!(succeeded && top.has(inside) && !top.has("error"), "a success out of a body that is none");
        let Some(value) = plain(body) else { return };
        let maps = value.get(inside);
        for (place, answer) in parts.iter().enumerate().filter(|(_, answer)| success(answer)) {
            let of = |map: &str| entry(maps?.get(map)?, place);
            let (result, error) = match self.form {
                BatchForm::Rest2 => (of("result"), of("result_error")),
                BatchForm::Vibe => (of("results"), of("errors")),
                BatchForm::Rest3 => {
                    let element = maps.and_then(|list| list.get(place));
                    (element, element.and_then(|element| element.get("error")))
                }
            };
            assert!(result.is_some(), "{place} has no result: {answer:?}");
            let harmless = error.is_none_or(Value::is_null) && !(self.form == BatchForm::Rest3 && error.is_some());
            assert!(harmless, "{place} has an error: {answer:?}");
        }
    }

    /// What a call hears depends on nothing that is there for the others.
    fn each_by_itself(&self) {
        let Some(value) = plain(self.message.body) else { return };
        let all = self.parts(value.to_string().as_bytes());
        for (place, with_all) in all.iter().enumerate() {
            let mut alone = value.clone();
            let Some(maps) = ["result", "data"].into_iter().find_map(|name| alone.get_mut(name).map(Value::take))
            else {
                return;
            };
            let inside = if alone.get("result").is_some() { "result" } else { "data" };
            if let Some(slot) = alone.get_mut(inside) {
                *slot = without_others(maps, place);
            }
            let parts = self.parts(alone.to_string().as_bytes());
            let with_none = parts.get(place);
            assert_eq!(
                shape(with_all),
                with_none.map_or(Value::Null, shape),
                "{place} depends on others\n{value}\n{alone}"
            );
        }
    }
}

/// The entry of a call in a map by name or a list in order.
fn entry(map: &Value, place: usize) -> Option<&Value> {
    if map.is_array() { map.get(place) } else { map.get(format!("c{place}")) }
}

fn without_others(maps: Value, place: usize) -> Value {
    match maps {
        Value::Object(maps) => maps
            .into_iter()
            .map(|(name, map)| {
                let map = if PARTS.contains(&&*name) { only(map, place) } else { map };
                (name, map)
            })
            .collect(),
        list @ Value::Array(_) => only(list, place),
        other @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => other,
    }
}

fn only(map: Value, place: usize) -> Value {
    match map {
        Value::Array(list) => {
            list.into_iter().enumerate().map(|(at, value)| if at == place { value } else { Value::Null }).collect()
        }
        Value::Object(map) => {
            map.into_iter().filter(|(name, _)| *name == format!("c{place}")).collect::<Map<_, _>>().into()
        }
        other @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => other,
    }
}

/// What counts of an answer, for a comparison.
fn shape(answer: &Answer) -> Value {
    let text = |value: &dyn Debug| format!("{value:?}");
    let heard = match &answer.heard {
        Heard::Success(success) => {
            let value = success.read::<Value>().ok().map(|(value, _)| value);
            let page = success.read::<Page<Value>>().ok().map(|(page, _)| text(&page));
            json!({"value": value, "page": page, "blank": success.is_blank()})
        }
        // It quotes the body, which is another one.
        Heard::NoEnvelope { .. } => json!("nothing"),
        other @ (Heard::Code { .. }
        | Heard::Moved { .. }
        | Heard::TokenRenewed
        | Heard::NotInBatch
        | Heard::NoToken { .. }) => json!(text(other)),
    };
    json!([heard, text(&answer.hint)])
}
