//! Filters of REST 3.0: `["id", ">", 10]`, `["id", 10]`, lists of these, and groups.

use serde_json::{Map, Value, json};

use super::{invalid, refused};
use crate::crm::{self, Filter, Kind};
use crate::refusal::Refusal;

/// How deep groups may lie in each other.
const DEPTH: usize = 16;

/// Reads a filter. Tasks can be filtered by `id` alone.
pub(super) fn parse(filter: Option<&Value>) -> Result<Filter, Refusal> {
    match filter {
        None => Ok(Filter::All(Vec::new())),
        Some(Value::Array(parts)) if parts.first().is_some_and(Value::is_string) => condition(parts),
        Some(Value::Array(parts)) => all(parts, DEPTH).map(Filter::All),
        Some(group @ Value::Object(_)) => one(group, DEPTH),
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => Err(unreadable()),
    }
}

fn all(parts: &[Value], depth: usize) -> Result<Vec<Filter>, Refusal> {
    parts.iter().map(|part| one(part, depth)).collect()
}

fn one(part: &Value, depth: usize) -> Result<Filter, Refusal> {
    if depth == 0 {
        return Err(unreadable());
    }
    match part {
        Value::Array(parts) if parts.first().is_some_and(Value::is_string) => condition(parts),
        Value::Array(parts) => all(parts, depth - 1).map(Filter::All),
        Value::Object(group) => {
            let conditions = group.get("conditions").and_then(Value::as_array).ok_or_else(unreadable)?;
            let inner = all(conditions, depth - 1)?;
            let any = group.get("logic").and_then(Value::as_str).is_some_and(|logic| logic.eq_ignore_ascii_case("or"));
            Ok(if any { Filter::Any(inner) } else { Filter::All(inner) })
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Err(unreadable()),
    }
}

fn condition(parts: &[Value]) -> Result<Filter, Refusal> {
    let (field, operator, value) = match parts {
        [Value::String(field), value] => (field, "=", value),
        [Value::String(field), Value::String(operator), value] => (field, operator.as_str(), value),
        _ => return Err(unreadable()),
    };
    if crm::fields(crm::Entity::Task).all(|known| known.item != field) {
        return Err(refused(
            400,
            "UNKNOWNDTOPROPERTYEXCEPTION",
            format!("Unknown field `{field}` for entity `TaskDto`"),
        ));
    }
    if field != "id" {
        let text =
            format!("In DTO `TaskDto`, the `{field}` field requires the `Filterable` attribute for such a request");
        return Err(invalid(vec![(field, text)]));
    }
    let sign = match operator {
        "=" | "!=" | ">" | ">=" | "<" | "<=" => operator,
        "in" => "@",
        "between" => return between(value),
        _ => {
            let text = format!("Unknown filter operator `{operator}`");
            return Err(refused(400, "UNKNOWNFILTEROPERATOREXCEPTION", text));
        }
    };
    test(sign, value)
}

fn between(value: &Value) -> Result<Filter, Refusal> {
    match value.as_array().map(Vec::as_slice) {
        Some([from, to]) => Ok(Filter::All(vec![test(">=", from)?, test("<=", to)?])),
        Some(_) | None => Err(unreadable()),
    }
}

fn test(sign: &str, value: &Value) -> Result<Filter, Refusal> {
    let mut filter = Map::new();
    filter.insert(format!("{sign}ID"), value.clone());
    let resolve = |name: &str| Some((name.to_owned(), Kind::Int));
    crm::parse(&json!(filter), &resolve).map_err(|_| {
        refused(400, "VALIDATION_REQUESTFILTERVALIDATIONEXCEPTION", "Field `id` requires data type `int` in a filter")
    })
}

fn unreadable() -> Refusal {
    refused(400, "INVALIDFILTEREXCEPTION", "Unable to recognize the filter")
}
