//! The product rows of a record, which are set all at once.

use serde_json::Value;

use super::change::{Edits, apply, blank};
use super::records::{Entity, Record, Store};
use crate::clock::now;
use crate::refusal::Refusal;

/// How the rows are shown.
type View = fn(&[Record]) -> Value;

/// Replaces all rows of one owner.
#[derive(Debug)]
pub(crate) struct Rows {
    pub(crate) owner: Entity,
    pub(crate) id: u64,
    pub(crate) new: Vec<Edits>,
    pub(crate) user: u64,
    pub(crate) view: View,
    /// What the answer is if the owner is gone by then.
    pub(crate) gone: Refusal,
    /// The new records, made when they are first needed.
    made: Option<Vec<Record>>,
}

impl Rows {
    pub(crate) fn new(owner: Entity, id: u64, new: Vec<Edits>, user: u64, view: View, gone: Refusal) -> Self {
        Self { owner, id, new, user, view, gone, made: None }
    }

    pub(crate) fn promise(&mut self, store: &mut Store) -> Result<Value, Refusal> {
        let made = self.make(store)?;
        let shown = (self.view)(&made);
        self.made = Some(made);
        Ok(shown)
    }

    pub(crate) fn commit(&mut self, store: &mut Store) -> Result<Value, Refusal> {
        let made = self.make(store)?;
        let shown = (self.view)(&made);
        remove_all(store, self.owner, self.id);
        let table = store.table_mut(Entity::ProductRow);
        for mut row in made {
            row.born = Some(now());
            table.put(row);
        }
        Ok(shown)
    }

    fn make(&mut self, store: &mut Store) -> Result<Vec<Record>, Refusal> {
        if store.table(self.owner).get(self.id).is_none() {
            return Err(self.gone.clone());
        }
        if let Some(made) = self.made.take() {
            return Ok(made);
        }
        let rows = self.new.iter().map(|edits| {
            let id = store.table_mut(Entity::ProductRow).reserve();
            let mut row = blank(Entity::ProductRow, id, self.user);
            apply(&mut row, edits, store);
            row.fields.insert("OWNER_ID".to_owned(), self.id.to_string().into());
            row.fields.insert("OWNER_TYPE".to_owned(), letter(self.owner).into());
            row
        });
        Ok(rows.collect())
    }
}

/// The rows of this owner, in the order of their ids.
pub(crate) fn of_owner(store: &Store, owner: Entity, id: u64) -> impl Iterator<Item = &Record> {
    let id = id.to_string();
    let rows = store.table(Entity::ProductRow).rows();
    rows.filter(move |row| row.text("OWNER_ID") == Some(id.as_str()) && row.text("OWNER_TYPE") == Some(letter(owner)))
}

/// Removes all rows of this owner, who may be gone already.
pub(crate) fn remove_all(store: &mut Store, owner: Entity, id: u64) {
    let rows: Vec<u64> = of_owner(store, owner, id).map(|row| row.id).collect();
    let table = store.table_mut(Entity::ProductRow);
    for row in rows {
        table.remove(row);
    }
}

/// The short name of a type, as the field `OWNER_TYPE` has it.
fn letter(owner: Entity) -> &'static str {
    match owner {
        Entity::Lead => "L",
        Entity::Deal => "D",
        Entity::Quote => "Q",
        Entity::Contact
        | Entity::Company
        | Entity::Item
        | Entity::Comment
        | Entity::Message
        | Entity::Task
        | Entity::Activity
        | Entity::Product
        | Entity::ProductRow
        | Entity::Requisite
        | Entity::Status => "",
    }
}
