//! A write that has been understood but has not happened: it can be carried out now, later or never.

use serde_json::{Map, Value};

use super::item;
use super::records::{Entity, Record, Store};
use super::schema::{self, Start};
use super::values::{MultiEdit, merge_multi};
use crate::clock::{now, unix_seconds, wall};
use crate::dates;
use crate::envelope::RestError;

/// The fields that a client sets, under their old names and in the form in which they are kept.
#[derive(Debug, Clone, Default)]
pub(crate) struct Edits {
    pub(crate) values: Vec<(String, Value)>,
    pub(crate) multi: Vec<(String, Vec<MultiEdit>)>,
}

impl Edits {
    /// Whether the field gets a value.
    pub(crate) fn fills(&self, name: &str) -> bool {
        let empty = |value: &Value| value.is_null() || value.as_str() == Some("");
        self.values.iter().any(|(field, value)| field == name && !empty(value))
            || self.multi.iter().any(|(field, edits)| field == name && !edits.is_empty())
    }
}

#[derive(Debug, Clone)]
pub(crate) enum Act {
    /// The id is taken when the result is first needed.
    Add {
        id: Option<u64>,
    },
    Update {
        id: u64,
    },
    Delete {
        id: u64,
    },
}

/// What the answer shows of the outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Show {
    Id,
    True,
    EmptyList,
    Item(item::Names),
}

#[derive(Debug, Clone)]
pub(crate) struct Change {
    pub(crate) entity: Entity,
    pub(crate) act: Act,
    pub(crate) edits: Edits,
    pub(crate) user: u64,
    pub(crate) show: Show,
    /// What the answer is if the record is gone by then.
    pub(crate) gone: RestError,
}

impl Change {
    /// What the answer would be, with nothing changed but the ids that are used up.
    pub(crate) fn promise(&mut self, store: &mut Store) -> Result<Value, RestError> {
        let record = self.outcome(store)?;
        Ok(self.shown(&record))
    }

    /// Carries it out.
    pub(crate) fn commit(&mut self, store: &mut Store) -> Result<Value, RestError> {
        let mut record = self.outcome(store)?;
        let shown = self.shown(&record);
        let table = store.table_mut(self.entity);
        match self.act {
            Act::Add { .. } => {
                record.born = Some(now());
                table.put(record);
            }
            Act::Update { .. } => table.put(record),
            Act::Delete { id } => table.remove(id),
        }
        Ok(shown)
    }

    fn outcome(&mut self, store: &mut Store) -> Result<Record, RestError> {
        match &mut self.act {
            Act::Add { id } => {
                let id = *id.get_or_insert_with(|| store.table_mut(self.entity).reserve());
                let mut record = blank(self.entity, id, self.user);
                apply(&mut record, &self.edits, store);
                Ok(record)
            }
            Act::Update { id } => {
                let mut record = store.table(self.entity).get(*id).cloned().ok_or_else(|| self.gone.clone())?;
                apply(&mut record, &self.edits, store);
                touch(&mut record, self.user);
                Ok(record)
            }
            Act::Delete { id } => store.table(self.entity).get(*id).cloned().ok_or_else(|| self.gone.clone()),
        }
    }

    fn shown(&self, record: &Record) -> Value {
        match self.show {
            Show::Id => record.id.into(),
            Show::True => true.into(),
            Show::EmptyList => Value::Array(Vec::new()),
            Show::Item(names) => serde_json::json!({"item": item::view(self.entity, record, names)}),
        }
    }
}

/// A record as it starts, before the client's fields.
fn blank(entity: Entity, id: u64, user: u64) -> Record {
    let moment = unix_seconds(wall());
    let mut fields = Map::new();
    for field in schema::fields(entity) {
        let value: Value = match field.start {
            Start::Empty => Value::Null,
            Start::Fixed(text) => text.into(),
            Start::User => user.to_string().into(),
            Start::Now if field.kind == schema::Kind::Date => dates::iso_date(moment).into(),
            Start::Now => dates::iso(moment).into(),
            Start::Title => format!("{} #{id}", title_of(entity)).into(),
        };
        fields.insert(field.name.to_owned(), value);
    }
    fields.insert("ID".to_owned(), id.to_string().into());
    Record { id, fields, born: None }
}

fn title_of(entity: Entity) -> &'static str {
    match entity {
        Entity::Lead => "Lead",
        Entity::Deal => "Deal",
        Entity::Contact => "Contact",
        Entity::Company => "Company",
        Entity::Comment => "Comment",
        Entity::Message => "Message",
    }
}

fn apply(record: &mut Record, edits: &Edits, store: &mut Store) {
    for (name, value) in &edits.values {
        // A title that is sent empty is made up, as if it had not been sent.
        if name == "TITLE" && value.as_str().is_none_or(str::is_empty) {
            continue;
        }
        record.fields.insert(name.clone(), value.clone());
    }
    for (name, edits) in &edits.multi {
        let before = record.fields.get(name).cloned().unwrap_or(Value::Null);
        record.fields.insert(name.clone(), merge_multi(store, name, &before, edits));
    }
}

fn touch(record: &mut Record, user: u64) {
    if let Some(modified) = record.fields.get_mut("DATE_MODIFY") {
        *modified = dates::iso(unix_seconds(wall())).into();
    }
    if let Some(by) = record.fields.get_mut("MODIFY_BY_ID") {
        *by = user.to_string().into();
    }
}
