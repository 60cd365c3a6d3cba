//! Records that are there without a request.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::change::{Act, Edits, One, Show, apply, blank};
use super::records::{Entity, Record, Store};
use super::schema::{self, Kind};
use super::values::{self, OLD, multi_edits};
use crate::refusal::Refusal;

/// Why [`Portal::insert`](crate::Portal::insert) refuses a record.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum InsertError {
    /// There is no such entity.
    UnknownEntity(String),
    /// The fields are not a JSON object.
    NotAnObject,
    /// The entity has no such field, or the field is `ID`.
    UnknownField(String),
}

impl fmt::Display for InsertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownEntity(name) => {
                write!(f, "there is no entity \"{name}\": use one of {}", Entity::names())
            }
            Self::NotAnObject => f.write_str("the fields of a record must be a JSON object"),
            Self::UnknownField(name) => {
                write!(
                    f,
                    "the entity has no field \"{name}\" that can be set: use the names of the old methods (TITLE, ORIGIN_ID, UF_CRM_...)"
                )
            }
        }
    }
}

impl std::error::Error for InsertError {}

/// Puts a record into the store.
pub(crate) fn insert(store: &mut Store, entity: &str, fields: Value, user: u64) -> Result<u64, InsertError> {
    let entity = Entity::named(entity).ok_or_else(|| InsertError::UnknownEntity(entity.to_owned()))?;
    let Value::Object(fields) = fields else { return Err(InsertError::NotAnObject) };
    let edits = edits(entity, &fields)?;
    let id = store.table_mut(entity).reserve();
    let gone = Refusal::bad("", "Not found");
    let mut change = One { entity, act: Act::Add { id: Some(id) }, edits, user, show: Show::id(), gone };
    // A new record cannot be gone.
    drop(change.commit(store));
    store.table_mut(entity).make_ageless(id);
    Ok(id)
}

/// Records that are understood but not there yet.
#[derive(Debug)]
pub(crate) struct Seeds {
    entity: Entity,
    edits: Vec<Edits>,
}

/// Understands so many records; `fields` says those of each, the first one is 1.
pub(crate) fn seeds(entity: &str, count: u64, fields: impl Fn(u64) -> Value) -> Result<Seeds, InsertError> {
    let entity = Entity::named(entity).ok_or_else(|| InsertError::UnknownEntity(entity.to_owned()))?;
    let edits = (1..=count).map(|number| match fields(number) {
        Value::Object(fields) => edits(entity, &fields),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Err(InsertError::NotAnObject)
        }
    });
    Ok(Seeds { entity, edits: edits.collect::<Result<_, _>>()? })
}

/// Puts them into the store. What is the same in all of them is there once.
pub(crate) fn insert_many(store: &mut Store, seeds: Seeds, user: u64) -> Range<u64> {
    let Seeds { entity, edits } = seeds;
    let mut fields = blank(entity, 0, user).fields;
    let titled = fields.get("TITLE").is_some_and(Value::is_string);
    if titled {
        fields.remove("TITLE");
    }
    fields.remove("ID");
    let shared = Arc::new(fields);
    let first = store.table(entity).last_id().saturating_add(1);
    let end = first.saturating_add(u64::try_from(edits.len()).unwrap_or(u64::MAX));
    for edits in edits {
        let id = store.table_mut(entity).reserve();
        let mut own = Map::new();
        own.insert("ID".to_owned(), id.to_string().into());
        if titled {
            own.insert("TITLE".to_owned(), format!("{} #{id}", entity.title()).into());
        }
        let mut record = Record { id, fields: own, shared: Some(Arc::clone(&shared)), born: None };
        apply(&mut record, &edits, store);
        store.table_mut(entity).put(record);
    }
    first..end
}

fn edits(entity: Entity, fields: &Map<String, Value>) -> Result<Edits, InsertError> {
    let mut edits = Edits::default();
    for (name, value) in fields {
        match schema::kind(entity, name).filter(|_| name != "ID") {
            None => return Err(InsertError::UnknownField(name.clone())),
            Some(Kind::Multi) => edits.multi.push((name.clone(), multi_edits(value, OLD))),
            Some(kind) => edits.values.push((name.clone(), values::keep(kind, value))),
        }
    }
    Ok(edits)
}
