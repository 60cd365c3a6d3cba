//! `$result[key][field]` in a command: what an earlier command has answered.

use serde_json::{Map, Value};

const SIGN: &str = "$result[";

/// Whether a text may hold a reference.
pub(super) fn may_refer(text: &str) -> bool {
    text.contains('$') || text.contains("%24")
}

/// Puts results in the place of their references. One that leads nowhere stays as it is written.
///
/// A text that is one reference and nothing else takes lists and objects too (our choice); within a longer text only a
/// scalar has a place.
pub(super) fn resolve(text: &str, results: &Map<String, Value>) -> Value {
    let mut resolved = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(SIGN) {
        let (before, from) = rest.split_at(at);
        resolved.push_str(before);
        let (path, length) = path_of(from);
        let found = walk(&path, results);
        let alone = resolved.is_empty() && length == text.len();
        match found {
            Some(value) if alone && (value.is_array() || value.is_object()) => return value.clone(),
            Some(value) if scalar(value).is_some() => resolved.push_str(&scalar(value).unwrap_or_default()),
            Some(_) | None => resolved.push_str(from.get(..length).unwrap_or(from)),
        }
        rest = from.get(length..).unwrap_or("");
    }
    resolved.push_str(rest);
    resolved.into()
}

/// The names in brackets behind `$result`, and how long the reference is.
fn path_of(from: &str) -> (Vec<&str>, usize) {
    let mut path = Vec::new();
    let mut length = SIGN.len() - 1;
    while let Some(inner) = from.get(length..).and_then(|rest| rest.strip_prefix('[')) {
        let Some(end) = inner.find(']') else { break };
        path.push(inner.get(..end).unwrap_or(""));
        length += end + 2;
    }
    (path, length)
}

fn walk<'a>(path: &[&str], results: &'a Map<String, Value>) -> Option<&'a Value> {
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(results.get(*first)?, |value, name| match value {
        Value::Array(items) => name.parse::<usize>().ok().and_then(|at| items.get(at)),
        Value::Object(map) => map.get(*name),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    })
}

/// As PHP writes it into a text; `null` is as good as not there.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(if *flag { "1" } else { "" }.to_owned()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::resolve;

    #[test]
    fn a_reference_is_replaced_and_one_that_leads_nowhere_stays() {
        let results = json!({"p0": [{"ID": "17"}, {"ID": 18}], "add": 5, "u": {"HEADS": [1, 2], "NONE": null}});
        let results = results.as_object().cloned().unwrap_or_default();
        let resolved = |text: &str| resolve(text, &results);
        assert_eq!(resolved("$result[p0][0][ID]"), json!("17"));
        assert_eq!(resolved("$result[p0][1][ID]"), json!("18"));
        assert_eq!(resolved("deal $result[add], once"), json!("deal 5, once"));
        assert_eq!(resolved("$result[u][HEADS]"), json!([1, 2]));
        for nowhere in [
            "$result[p0][2][ID]",
            "$result[x]",
            "$result[",
            "$result",
            "$result[u][NONE]",
            "a $result[u][HEADS]",
            "$result_total[p0]",
        ] {
            assert_eq!(resolved(nowhere), Value::from(nowhere));
        }
    }
}
