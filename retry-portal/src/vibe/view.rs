//! Records as the gateway shows them.

use serde_json::{Map, Value};

use super::gateway::GatewaySwitches;
use super::names::{custom, in_capitals, shown, survives};
use crate::crm::{self, Entity, Kind, Record, is_custom, multi_view, typed};
use crate::dates;

/// A whole record.
pub(super) fn view(entity: Entity, switches: &GatewaySwitches, record: &Record) -> Map<String, Value> {
    let mut object = Map::new();
    let mut multi = Vec::new();
    for field in crm::fields(entity).filter(|field| survives(entity, switches, field)) {
        let value = record.get(field.name).unwrap_or(&Value::Null);
        let name = shown(entity, field).to_owned();
        if field.kind == Kind::Multi {
            multi.extend(value.as_array().into_iter().flatten().map(multi_view));
            // The values are in `fm`; the name itself is there and empty.
            object.insert(name, Value::Null);
        } else {
            object.insert(name, shown_value(entity, field.kind, value));
        }
    }
    for (name, value) in record.iter().filter(|(name, _)| is_custom(name) && crm::field(entity, name).is_none()) {
        object.extend(custom(switches, name).into_iter().map(|name| (name, value.clone())));
    }
    if crm::fields(entity).any(|field| field.kind == Kind::Multi) {
        object.insert("fm".to_owned(), Value::Array(multi));
    }
    if let Some(type_id) = entity.type_id() {
        object.insert("entityTypeId".to_owned(), type_id.into());
    }
    object
}

fn shown_value(entity: Entity, kind: Kind, value: &Value) -> Value {
    // Where names are in capitals, values are those of the old methods, but the id.
    if in_capitals(entity) && kind != Kind::Int {
        return value.clone();
    }
    match kind {
        Kind::Date | Kind::Time => value.as_str().and_then(dates::parse).map(dates::utc).into(),
        Kind::Flag => value.as_str().map(|flag| flag == "Y").into(),
        Kind::Int | Kind::Money | Kind::Text | Kind::Multi | Kind::Custom => typed(kind, value),
    }
}

/// The fields that are asked for, and the id; all of them without a selection.
pub(super) fn selected(entity: Entity, switches: &GatewaySwitches, record: &Record, select: &[String]) -> Value {
    let mut object = view(entity, switches, record);
    if !select.is_empty() {
        let wanted: Vec<&str> = crm::fields(entity)
            .filter(|field| select.iter().any(|name| name == field.item || name == field.name))
            .map(|field| shown(entity, field))
            .collect();
        object.retain(|name, _| {
            matches!(name.as_str(), "id" | "ID")
                || wanted.contains(&name.as_str())
                || select.iter().any(|wanted| wanted == name || same_custom(wanted, name))
        });
    }
    Value::Object(object)
}

/// Two names of one custom field.
fn same_custom(one: &str, other: &str) -> bool {
    let original = |name: &str| if is_custom(name) { Some(name.to_owned()) } else { crm::capitals(name) };
    original(one).is_some_and(|one| original(other).as_deref() == Some(one.as_str()))
}
