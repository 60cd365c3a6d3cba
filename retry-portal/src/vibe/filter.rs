//! The three ways to write a filter, which may be mixed, as the one that Bitrix24 has.

use serde_json::{Map, Value};

use super::Sight;
use super::codes::refusal;
use super::names::resolve;
use super::route::Whose;
use crate::crm::{self, Filter, Refused, UnknownFilterField};
use crate::refusal::Refusal;

/// Operators as keys of an object, and their signs before a name.
const OPERATORS: [(&str, &str); 17] = [
    ("$gt", ">"),
    ("$gte", ">="),
    ("$lt", "<"),
    ("$lte", "<="),
    ("$ne", "!"),
    ("$contains", "%"),
    ("$in", "@"),
    (">", ">"),
    (">=", ">="),
    ("<", "<"),
    ("<=", "<="),
    ("!", "!"),
    ("!=", "!"),
    ("%", "%"),
    ("!%", "!%"),
    ("@", "@"),
    ("=", "="),
];

/// Reads a filter. What it does with an unknown field is a switch.
pub(super) fn parse(sight: &Sight<'_>, whose: Whose, filter: Option<&Value>) -> Result<Filter, Refusal> {
    let native = match filter {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(filter)) => native(filter)?,
        Some(Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_)) => {
            return Err(refusal("INVALID_FILTER", "The filter must be an object"));
        }
    };
    let native = Value::Object(native);
    let resolve = |name: &str| resolve(whose.entity, sight.switches, name);
    match sight.context.switches.unknown_filter_field {
        UnknownFilterField::Ignore => Ok(crm::parse_known(&native, &resolve)),
        UnknownFilterField::Refuse => crm::parse(&native, &resolve).map_err(|refused| match refused {
            Refused::UnknownField(field) => refusal("INVALID_FILTER_FIELD", format!("Unknown filter field: {field}")),
            Refused::BadValue(field) => refusal("INVALID_PARAMS", format!("The filter field {field} has a bad value")),
        }),
    }
}

fn native(filter: &Map<String, Value>) -> Result<Map<String, Value>, Refusal> {
    let mut native = Map::new();
    for (name, value) in filter {
        let Value::Object(tests) = value else {
            native.insert(name.clone(), value.clone());
            continue;
        };
        for (operator, value) in tests {
            let Some((_, sign)) = OPERATORS.iter().find(|(known, _)| known == operator) else {
                return Err(refusal("INVALID_FILTER_OPERATOR", format!("Unknown operator {operator} for {name}")));
            };
            native.insert(format!("{sign}{name}"), value.clone());
        }
    }
    Ok(native)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::native;

    #[test]
    fn the_three_ways_can_be_mixed() {
        let filter =
            json!({"amount": {"$gte": 1, "$lte": 9}, "!stageId": "LOST", "createdAt": {">=": "2026"}, "title": "x"});
        let read = native(filter.as_object().unwrap()).unwrap();
        let wanted = json!({">=amount": 1, "<=amount": 9, "!stageId": "LOST", ">=createdAt": "2026", "title": "x"});
        assert_eq!(json!(read), wanted);
    }

    #[test]
    fn an_unknown_operator_is_refused() {
        let filter = json!({"amount": {"$near": 1}});
        assert_eq!(native(filter.as_object().unwrap()).unwrap_err().code, json!("INVALID_FILTER_OPERATOR"));
    }
}
