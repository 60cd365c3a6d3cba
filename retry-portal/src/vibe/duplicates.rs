//! `POST /v1/duplicates/find`: who has this phone or this e-mail address.

use serde_json::{Map, Value};

use super::Sight;
use super::codes::refusal;
use crate::crm::{Entity, Record, entries, text, visible};
use crate::params::Params;
use crate::refusal::{Answered, Refusal};

/// Values of one call, at most.
const MOST: usize = 20;

/// The ids of leads, contacts and companies, by the name of the entity; `[]` if there are none.
pub(super) fn find(sight: &Sight<'_>, params: &Params) -> Result<Answered, Refusal> {
    let given = |name: &str| params.get(name).and_then(text).map(|text| text.to_ascii_uppercase());
    let kind = given("type").filter(|kind| matches!(kind.as_str(), "PHONE" | "EMAIL"));
    let kind = kind.ok_or_else(|| refusal("INVALID_PARAMS", "type must be PHONE or EMAIL"))?;
    let values: Vec<String> = params.get("values").into_iter().flat_map(entries).filter_map(text).collect();
    if values.is_empty() || values.len() > MOST {
        return Err(refusal("INVALID_PARAMS", "values must hold 1 to 20 texts"));
    }
    let only = given("entityType").or_else(|| given("entity_type"));
    let values: Vec<String> = values.iter().map(|value| plain(&kind, value)).collect();
    let mut found = Map::new();
    for entity in [Entity::Lead, Entity::Contact, Entity::Company] {
        let name = entity.name().to_ascii_uppercase();
        if only.as_ref().is_some_and(|only| *only != name) {
            continue;
        }
        let rows = visible(&sight.context, entity);
        let ids: Vec<Value> =
            rows.into_iter().filter(|row| has(row, &kind, &values)).map(|row| row.id().into()).collect();
        if !ids.is_empty() {
            found.insert(name, Value::Array(ids));
        }
    }
    // PHP has one kind of array: nothing found is an empty list.
    Ok(Answered::plain(if found.is_empty() { Value::Array(Vec::new()) } else { Value::Object(found) }))
}

fn has(row: &Record, kind: &str, values: &[String]) -> bool {
    let kept = row.get(kind).into_iter().flat_map(entries);
    kept.filter_map(|entry| entry.get("VALUE").and_then(text)).any(|value| values.contains(&plain(kind, &value)))
}

/// A phone without its signs, an address without capitals.
fn plain(kind: &str, value: &str) -> String {
    if kind == "PHONE" { value.chars().filter(char::is_ascii_digit).collect() } else { value.trim().to_lowercase() }
}
