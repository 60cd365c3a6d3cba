//! How a value that a client sends becomes the value that is kept.

use serde_json::{Map, Value, json};

use super::records::Store;
use super::schema::Kind;
use crate::dates;

/// The text of a scalar, as PHP would have it. `None`: null, a list or an object.
pub(crate) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(if *flag { "1" } else { "0" }.to_owned()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// A positive whole number, as a number or as text.
pub(crate) fn id(value: &Value) -> Option<u64> {
    text(value)?.trim().parse().ok().filter(|id| *id > 0)
}

/// The value that a field of this kind keeps. Multi-fields have [`merge_multi`].
pub(crate) fn keep(kind: Kind, value: &Value) -> Value {
    let scalar = text(value);
    match kind {
        Kind::Int => scalar.filter(|text| !text.is_empty()).map(|text| whole(&text)).into(),
        Kind::Money => scalar.map(|text| format!("{:.2}", float(&text).unwrap_or(0.0))).into(),
        Kind::Flag => scalar.map(|text| if matches!(text.as_str(), "Y" | "1" | "true") { "Y" } else { "N" }).into(),
        Kind::Text => scalar.into(),
        Kind::Date => scalar.and_then(|text| dates::parse(&text)).map(dates::iso_date).into(),
        Kind::Time => scalar.and_then(|text| dates::parse(&text)).map(dates::iso).into(),
        Kind::Multi => Value::Null,
        Kind::Custom => custom(value),
    }
}

/// A finite number in a text.
pub(crate) fn float(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|number| number.is_finite())
}

/// As PHP's `intval`: the digits at the start, else 0.
fn whole(text: &str) -> String {
    let text = text.trim();
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let end = digits.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(digits.len());
    let digits = digits.get(..end).unwrap_or("").trim_start_matches('0');
    if digits.is_empty() { "0".to_owned() } else { format!("{sign}{digits}") }
}

fn custom(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(custom).collect(),
        Value::Null | Value::Object(_) => value.clone(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => text(value).into(),
    }
}

/// One value of a multi-field as a client sends it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MultiEdit {
    pub(crate) id: Option<u64>,
    pub(crate) value: String,
    pub(crate) value_type: Option<String>,
    pub(crate) delete: bool,
}

/// Reads the values of a multi-field; the names of the keys differ between the old and the new style.
pub(crate) fn multi_edits(value: &Value, style: MultiNames) -> Vec<MultiEdit> {
    entries(value).filter_map(|entry| multi_edit(entry, style)).collect()
}

/// PHP sends a list as an object when its keys are not 0, 1, 2.
pub(crate) fn entries(value: &Value) -> impl Iterator<Item = &Value> {
    let list = value.as_array().into_iter().flatten();
    let map = value.as_object().into_iter().flat_map(Map::values);
    list.chain(map)
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct MultiNames {
    id: &'static str,
    value: &'static str,
    value_type: &'static str,
    delete: &'static str,
}

pub(crate) const OLD: MultiNames = MultiNames { id: "ID", value: "VALUE", value_type: "VALUE_TYPE", delete: "DELETE" };
pub(crate) const ITEM: MultiNames = MultiNames { id: "id", value: "value", value_type: "valueType", delete: "delete" };

pub(crate) fn multi_edit(entry: &Value, names: MultiNames) -> Option<MultiEdit> {
    let entry = entry.as_object()?;
    let read = |key: &str| entry.get(key).and_then(text);
    let id = entry.get(names.id).and_then(id);
    let value = read(names.value);
    let delete = read(names.delete).as_deref() == Some("Y") || (id.is_some() && value.as_deref() == Some(""));
    let value = value.unwrap_or_default();
    let empty = value.is_empty() && id.is_none();
    (!empty).then(|| MultiEdit { id, value, value_type: read(names.value_type), delete })
}

/// What a multi-field holds after these edits: a value without an id is one more, with an id it replaces or deletes.
pub(crate) fn merge_multi(store: &mut Store, type_id: &str, before: &Value, edits: &[MultiEdit]) -> Value {
    let mut rows: Vec<Value> = before.as_array().cloned().unwrap_or_default();
    for edit in edits {
        let same = |row: &Value| row.get("ID").and_then(id) == edit.id && edit.id.is_some();
        if edit.delete {
            rows.retain(|row| !same(row));
        } else if let Some(row) = rows.iter_mut().find(|row| same(row)) {
            let kept = row.get("VALUE_TYPE").cloned();
            *row = multi_row(edit.id, edit.value_type.clone().map(Value::from).or(kept), &edit.value, type_id);
        } else if edit.id.is_none() {
            let new = store.multifield_id();
            rows.push(multi_row(Some(new), edit.value_type.clone().map(Value::from), &edit.value, type_id));
        }
    }
    if rows.is_empty() { Value::Null } else { Value::Array(rows) }
}

fn multi_row(id: Option<u64>, value_type: Option<Value>, value: &str, type_id: &str) -> Value {
    json!({
        "ID": id.map(|id| id.to_string()),
        "VALUE_TYPE": value_type.unwrap_or_else(|| "WORK".into()),
        "VALUE": value,
        "TYPE_ID": type_id,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{OLD, keep, merge_multi, multi_edits};
    use crate::crm::records::Store;
    use crate::crm::schema::Kind;

    #[test]
    fn values_are_kept_as_the_old_methods_show_them() {
        let kept = |kind, value: Value| keep(kind, &value);
        assert_eq!(kept(Kind::Int, json!(17)), json!("17"));
        assert_eq!(kept(Kind::Int, json!("007x")), json!("7"));
        assert_eq!(kept(Kind::Int, json!("")), Value::Null);
        assert_eq!(kept(Kind::Money, json!(100)), json!("100.00"));
        assert_eq!(kept(Kind::Money, json!("1e999")), json!("0.00"));
        assert_eq!(kept(Kind::Flag, json!(true)), json!("Y"));
        assert_eq!(kept(Kind::Flag, json!("no")), json!("N"));
        assert_eq!(kept(Kind::Text, json!(5)), json!("5"));
        assert_eq!(kept(Kind::Text, json!(["a"])), Value::Null);
        assert_eq!(kept(Kind::Date, json!("11.11.2001")), json!("2001-11-11T03:00:00+03:00"));
        assert_eq!(kept(Kind::Custom, json!([1, "b"])), json!(["1", "b"]));
    }

    #[test]
    fn a_phone_without_an_id_is_one_more() {
        let mut store = Store::default();
        let one = multi_edits(&json!([{"VALUE": "+7", "VALUE_TYPE": "HOME"}]), OLD);
        let first = merge_multi(&mut store, "PHONE", &Value::Null, &one);
        let both = merge_multi(&mut store, "PHONE", &first, &one);
        assert_eq!(both.as_array().map(Vec::len), Some(2));
        let gone = multi_edits(&json!([{"ID": "1", "DELETE": "Y"}, {"ID": 2, "VALUE": "+8"}]), OLD);
        let last = merge_multi(&mut store, "PHONE", &both, &gone);
        assert_eq!(last, json!([{"ID": "2", "VALUE": "+8", "VALUE_TYPE": "HOME", "TYPE_ID": "PHONE"}]));
    }
}
