//! Records that are there without a request.

use std::fmt;

use serde_json::{Map, Value};

use super::change::{Act, Edits, One, Show};
use super::records::{Entity, Store};
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
