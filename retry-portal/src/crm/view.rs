//! Values with their types, as all but the old methods show them.

use serde_json::{Value, json};

use super::schema::Kind;
use super::values::{float, id};

/// A value with its type: numbers in place of the texts that are kept.
pub(crate) fn typed(kind: Kind, value: &Value) -> Value {
    let text = value.as_str();
    match kind {
        Kind::Int => text.and_then(|text| text.parse::<i64>().ok()).into(),
        Kind::Money => text.and_then(float).into(),
        Kind::Text | Kind::Flag | Kind::Date | Kind::Time | Kind::Multi | Kind::Custom => value.clone(),
    }
}

/// One value of a multi-field as `fm` shows it.
pub(crate) fn multi_view(row: &Value) -> Value {
    json!({
        "id": row.get("ID").and_then(id),
        "valueType": row.get("VALUE_TYPE"),
        "value": row.get("VALUE"),
        "typeId": row.get("TYPE_ID"),
    })
}

pub(crate) fn type_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Int => "integer",
        Kind::Money => "double",
        Kind::Text | Kind::Custom => "string",
        Kind::Flag => "char",
        Kind::Date => "date",
        Kind::Time => "datetime",
        Kind::Multi => "crm_multifield",
    }
}
