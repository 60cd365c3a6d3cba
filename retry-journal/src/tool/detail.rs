//! The details of an event, and the records that it names.

use retry_runtime::journal::{Event, Intent};
use serde_json::Value;

use super::link;
use super::plain::plain;

/// What is told beside an event: names and values, as they may be shown. What is not known (`null`) is left out.
pub(crate) fn pairs(event: &Event) -> Vec<(String, String)> {
    match serde_json::from_str(&event.detail) {
        Ok(Value::Object(object)) => object.iter().flat_map(|(name, value)| lines(name, value)).collect(),
        Ok(Value::Null) => Vec::new(),
        Ok(Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_)) | Err(_) => {
            if event.detail.trim().is_empty() { Vec::new() } else { vec![("detail".to_owned(), plain(&event.detail))] }
        }
    }
}

/// One member of the details. A list of objects, such as the requests of a read-back, has a line for each.
fn lines(name: &str, value: &Value) -> Vec<(String, String)> {
    match value {
        Value::Null => Vec::new(),
        Value::Array(values) if values.iter().any(Value::is_object) => {
            values.iter().map(|value| (readable(name), plain(&written(value)))).collect()
        }
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            vec![(readable(name), plain(&written(value)))]
        }
    }
}

fn readable(name: &str) -> String {
    plain(&name.replace('_', " "))
}

/// The records that a story names: members `candidates` (several) and `record` of the details, each once, in their order.
pub(crate) fn candidates(story: &[Event]) -> Vec<String> {
    let mut found = Vec::new();
    for event in story {
        let Ok(Value::Object(object)) = serde_json::from_str(&event.detail) else { continue };
        for name in ["candidates", "record"] {
            let values = match object.get(name) {
                Some(Value::Array(values)) => values.as_slice(),
                Some(one) => std::slice::from_ref(one),
                None => &[],
            };
            for value in values {
                let record = written(value);
                if !record.is_empty() && !found.contains(&record) {
                    found.push(record);
                }
            }
        }
    }
    found
}

/// The records that a story names, with their links.
pub(crate) fn linked_candidates(intent: &Intent, story: &[Event]) -> Vec<(String, Option<String>)> {
    let with_link = |record: String| (plain(&record), link::to(intent, &record));
    candidates(story).into_iter().map(with_link).collect()
}

fn written(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(written).collect::<Vec<_>>().join(", "),
        Value::Object(object) => {
            let known = object.iter().filter(|(_, value)| !value.is_null());
            known
                .map(|(name, value)| format!("{} {}", name.replace('_', " "), written(value)))
                .collect::<Vec<_>>()
                .join("; ")
        }
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use retry_runtime::journal::EventKind;

    use super::*;

    fn event(detail: &str) -> Event {
        Event { at: SystemTime::UNIX_EPOCH, kind: EventKind::Check, text: "read back".into(), detail: detail.into() }
    }

    #[test]
    fn details_are_names_and_values_whatever_is_in_them() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let detail = r#"{"request_id":"a\u001b[1m","found":[1,"2"],"more":{"x":1},"none":null,"reads":[{"http_status":200,"outcome":"done","decision":null},{"http_status":503}]}"#;
        assert_eq!(
            pairs(&event(detail)),
            [
                pair("found", "1, 2"),
                pair("more", "x 1"),
                pair("reads", "http status 200; outcome done"),
                pair("reads", "http status 503"),
                pair("request id", "a\\u{1b}[1m"),
            ]
        );
        for nothing in ["", " ", "{}", "null"] {
            assert_eq!(pairs(&event(nothing)), []);
        }
        for odd in ["no json", "[1]", "17"] {
            assert_eq!(pairs(&event(odd)), [pair("detail", odd)]);
        }
    }

    #[test]
    fn candidates_are_told_once_and_in_order() {
        let story = [event(r#"{"candidates":[17,"18"]}"#), event("no json"), event(r#"{"record":17,"candidates":19}"#)];
        assert_eq!(candidates(&story), ["17", "18", "19"]);
    }
}
