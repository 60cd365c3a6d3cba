//! One command of a REST 2 batch: the method and its arguments as a query.

use std::fmt::Write as _;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};

/// What ends or splits a query is escaped.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.');

/// The beginning of a reference to what an earlier command has answered.
const REFERENCE: &str = "$result[";

/// The command; `None` if an argument would not arrive as what it is: a query has texts alone.
///
/// `reference` is a text that the portal is to replace by what it refers to. Any other that looks like one has no form here.
pub(super) fn of(method: &str, arguments: &Map<String, Value>, reference: Option<&str>) -> Option<String> {
    let mut command = format!("{method}?");
    let start = command.len();
    for (name, value) in arguments {
        put(&mut command, start, &utf8_percent_encode(name, ESCAPED).to_string(), value, reference)?;
    }
    Some(command)
}

fn put(command: &mut String, start: usize, name: &str, value: &Value, reference: Option<&str>) -> Option<()> {
    let text = match value {
        Value::Null | Value::Bool(_) => return None,
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Array(items) if !items.is_empty() => {
            return items
                .iter()
                .enumerate()
                .try_for_each(|(index, item)| put(command, start, &format!("{name}[{index}]"), item, reference));
        }
        Value::Object(fields) if !fields.is_empty() => {
            return fields.iter().try_for_each(|(field, value)| {
                put(command, start, &format!("{name}[{}]", utf8_percent_encode(field, ESCAPED)), value, reference)
            });
        }
        Value::Array(_) | Value::Object(_) => return None,
    };
    if command.len() > start {
        command.push('&');
    }
    // As it is documented: not escaped.
    if reference == Some(text.as_str()) {
        write!(command, "{name}={text}").ok()
    } else if text.contains(REFERENCE) {
        None
    } else {
        write!(command, "{name}={}", utf8_percent_encode(&text, ESCAPED)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn command(arguments: Value) -> Option<String> {
        let Value::Object(arguments) = arguments else { return None };
        of("crm.deal.list", &arguments, Some("$result[p0][49][ID]"))
    }

    #[test]
    fn arguments_become_a_query() {
        let arguments =
            json!({"filter": {">ID": "$result[p0][49][ID]", "TITLE": "a&b=c+d %ё"}, "select": ["ID"], "start": -1});
        assert_eq!(
            command(arguments).unwrap(),
            "crm.deal.list?filter[%3EID]=$result[p0][49][ID]&filter[TITLE]=a%26b%3Dc%2Bd%20%25%D1%91&select[0]=ID&start=-1"
        );
        assert_eq!(command(json!({})).unwrap(), "crm.deal.list?");
    }

    #[test]
    fn what_a_query_can_not_carry_has_no_command() {
        for value in [json!(null), json!(true), json!([]), json!({}), json!("$result[x]"), json!([[null]])] {
            assert_eq!(command(json!({"filter": {"A": value}})), None);
        }
    }
}
