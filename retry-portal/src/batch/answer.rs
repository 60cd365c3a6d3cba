//! The answer of a batch, in the words of its API.

use serde_json::{Map, Value, json};

use super::Form;
use crate::refusal::{Answered, Refusal};
use crate::reply::Page;
use crate::shape::Shape;
use crate::time::Time;

/// How a command that ran has ended.
#[derive(Debug)]
pub(super) enum End {
    Done(Answered, Time),
    Refused(Refusal),
    /// It has run, and nothing is said of it.
    Lost,
}

/// The page that tells these ends by the keys of their commands.
pub(super) fn page(form: Form, total: usize, ends: &[(String, End)], errors_as_list: bool, time: &Time) -> Page {
    match form {
        Form::Rest2 => Page::json(200, &json!({"result": rest2(ends), "time": time.block()})),
        Form::Rest3 => {
            let told: Vec<Value> = ends.iter().map(|(_, end)| rest3(end)).collect();
            Page::json(200, &json!({"result": told, "time": time.block()}))
        }
        Form::Vibe => {
            let data = vibe(total, ends, errors_as_list);
            Page::json_text(200, format!("{{\"success\":true,\"data\":{data}}}"))
        }
    }
}

fn rest2(ends: &[(String, End)]) -> Value {
    let done = |value: &dyn Fn(&Answered, &Time) -> Option<Value>| {
        told(ends, &|end| match end {
            End::Done(answered, time) => value(answered, time),
            End::Refused(_) | End::Lost => None,
        })
    };
    let refused = told(ends, &|end| match end {
        End::Refused(refusal) => Some(Shape::Flat.body(refusal)),
        End::Done(..) | End::Lost => None,
    });
    json!({
        "result": php(done(&|answered, _| Some(answered.result.clone()))),
        "result_error": php(refused),
        "result_total": php(done(&|answered, _| answered.beside.get("total").cloned())),
        "result_next": php(done(&|answered, _| answered.beside.get("next").cloned())),
        "result_time": php(done(&|_, time| Some(time.block()))),
    })
}

/// A failed element is a guess: the pages of Bitrix24 show none.
fn rest3(end: &End) -> Value {
    match end {
        End::Done(answered, _) => answered.result.clone(),
        End::Refused(refusal) => Shape::Nested.body(refusal),
        End::Lost => Value::Null,
    }
}

fn vibe(total: usize, ends: &[(String, End)], errors_as_list: bool) -> Value {
    let done = |value: &dyn Fn(&Answered) -> Option<Value>| {
        let told = told(ends, &|end| match end {
            End::Done(answered, _) => value(answered),
            End::Refused(_) | End::Lost => None,
        });
        Value::Object(told.into_iter().collect())
    };
    let results = done(&|answered| {
        // What stands there for a delete is not documented.
        Some(if answered.result.is_null() { true.into() } else { answered.result.clone() })
    });
    let meta = done(&|answered| {
        let meta = answered.beside.get("meta")?.as_object()?;
        let names = ["total", "returned", "hasMore", "truncated"];
        Some(
            meta.iter()
                .filter(|(name, _)| names.contains(&name.as_str()))
                .map(|(k, v)| (k.clone(), v.clone()))
                .collect(),
        )
    });
    let totals = done(&|answered| answered.beside.get("total").cloned());
    let errors = errors(ends);
    let failed = errors.len();
    let succeeded = results.as_object().map_or(0, Map::len);
    let errors = if errors.is_empty() && errors_as_list { json!([]) } else { Value::Object(errors) };
    json!({
        "results": results,
        "totals": totals,
        "errors": errors,
        "summary": {"total": total, "succeeded": succeeded, "failed": failed},
        "meta": meta,
    })
}

/// The refusals of a batch through the gateway by their ids.
pub(super) fn errors(ends: &[(String, End)]) -> Map<String, Value> {
    let told = told(ends, &|end| match end {
        End::Refused(refusal) => {
            let body = Shape::Nested.map(&refusal.code, Some(&refusal.text), refusal.more.clone());
            body.get("error").cloned()
        }
        End::Done(..) | End::Lost => None,
    });
    told.into_iter().collect()
}

fn told(ends: &[(String, End)], value: &dyn Fn(&End) -> Option<Value>) -> Vec<(String, Value)> {
    ends.iter().filter_map(|(key, end)| Some((key.clone(), value(end)?))).collect()
}

/// PHP has one kind of array: a list where the keys are 0, 1, 2 in this order, so that an empty one is a list too.
fn php(members: Vec<(String, Value)>) -> Value {
    let list = members.iter().enumerate().all(|(at, (key, _))| *key == at.to_string());
    if list {
        members.into_iter().map(|(_, value)| value).collect()
    } else {
        Value::Object(members.into_iter().collect())
    }
}
