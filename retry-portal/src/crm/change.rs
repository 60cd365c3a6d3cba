//! A write that has been understood but has not happened: it can be carried out now, later or never.

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::product_rows::{self, Rows};
use super::records::{Entity, Record, Store};
use super::schema::{self, Start};
use super::values::{MultiEdit, merge_multi};
use crate::clock::{now, unix_seconds, wall};
use crate::dates;
use crate::refusal::Refusal;

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

/// What the answer shows of the record.
#[derive(Clone)]
pub(crate) struct Show(Arc<dyn Fn(&Record) -> Value + Send + Sync>);

impl Show {
    pub(crate) fn new(view: impl Fn(&Record) -> Value + Send + Sync + 'static) -> Self {
        Self(Arc::new(view))
    }

    pub(crate) fn id() -> Self {
        Self::new(|record| record.id.into())
    }

    /// The same, whatever the record.
    pub(crate) fn always(value: Value) -> Self {
        Self::new(move |_| value.clone())
    }
}

impl fmt::Debug for Show {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Show")
    }
}

/// A change of the records.
#[derive(Debug)]
pub(crate) enum Change {
    One(One),
    Rows(Rows),
}

impl Change {
    pub(crate) fn promise(&mut self, store: &mut Store) -> Result<Value, Refusal> {
        match self {
            Self::One(one) => one.promise(store),
            Self::Rows(rows) => rows.promise(store),
        }
    }

    pub(crate) fn commit(&mut self, store: &mut Store) -> Result<Value, Refusal> {
        match self {
            Self::One(one) => one.commit(store),
            Self::Rows(rows) => rows.commit(store),
        }
    }
}

/// A change of one record.
#[derive(Debug, Clone)]
pub(crate) struct One {
    pub(crate) entity: Entity,
    pub(crate) act: Act,
    pub(crate) edits: Edits,
    pub(crate) user: u64,
    pub(crate) show: Show,
    /// What the answer is if the record is gone by then.
    pub(crate) gone: Refusal,
}

impl One {
    /// What the answer would be, with nothing changed but the ids that are used up.
    pub(crate) fn promise(&mut self, store: &mut Store) -> Result<Value, Refusal> {
        let record = self.outcome(store)?;
        Ok((self.show.0)(&record))
    }

    /// Carries it out.
    pub(crate) fn commit(&mut self, store: &mut Store) -> Result<Value, Refusal> {
        let mut record = self.outcome(store)?;
        let shown = (self.show.0)(&record);
        let table = store.table_mut(self.entity);
        match self.act {
            Act::Add { .. } => {
                record.born = Some(now());
                table.put(record);
            }
            Act::Update { .. } => table.put(record),
            Act::Delete { id } => {
                table.remove(id);
                product_rows::remove_all(store, self.entity, id);
            }
        }
        Ok(shown)
    }

    fn outcome(&mut self, store: &mut Store) -> Result<Record, Refusal> {
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
}

/// A record as it starts, before the client's fields.
pub(crate) fn blank(entity: Entity, id: u64, user: u64) -> Record {
    let moment = unix_seconds(wall());
    let mut fields = Map::new();
    for field in schema::fields(entity) {
        let value: Value = match field.start {
            Start::Empty => Value::Null,
            Start::Fixed(text) => text.into(),
            Start::User => user.to_string().into(),
            Start::Now if field.kind == schema::Kind::Date => dates::iso_date(moment).into(),
            Start::Now => dates::iso(moment).into(),
            Start::Title => format!("{} #{id}", entity.title()).into(),
        };
        fields.insert(field.name.to_owned(), value);
    }
    fields.insert("ID".to_owned(), id.to_string().into());
    Record { id, fields, shared: None, born: None }
}

pub(crate) fn apply(record: &mut Record, edits: &Edits, store: &mut Store) {
    for (name, value) in &edits.values {
        // A title that is sent empty is made up, as if it had not been sent.
        if name == "TITLE" && value.as_str().is_none_or(str::is_empty) {
            continue;
        }
        record.fields.insert(name.clone(), value.clone());
    }
    for (name, edits) in &edits.multi {
        let before = record.get(name).cloned().unwrap_or(Value::Null);
        record.fields.insert(name.clone(), merge_multi(store, name, &before, edits));
    }
}

fn touch(record: &mut Record, user: u64) {
    let mut put = |names: &[&str], value: String| {
        for name in names.iter().copied() {
            if record.get(name).is_some() {
                record.fields.insert(name.to_owned(), value.clone().into());
            }
        }
    };
    put(&["DATE_MODIFY", "CHANGED_DATE", "LAST_UPDATED"], dates::iso(unix_seconds(wall())));
    put(&["MODIFY_BY_ID", "CHANGED_BY"], user.to_string());
}
