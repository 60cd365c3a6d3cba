//! The records and where they are kept.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use tokio::time::Instant;

/// What the portal keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entity {
    Lead,
    Deal,
    Contact,
    Company,
    Comment,
    Message,
}

impl Entity {
    pub(crate) const ALL: [Self; 6] =
        [Self::Lead, Self::Deal, Self::Contact, Self::Company, Self::Comment, Self::Message];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Lead => "lead",
            Self::Deal => "deal",
            Self::Contact => "contact",
            Self::Company => "company",
            Self::Comment => "comment",
            Self::Message => "message",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|entity| entity.name().eq_ignore_ascii_case(name))
    }

    /// The four that `crm.item.*` knows.
    pub(crate) fn of_type_id(id: u64) -> Option<Self> {
        match id {
            1 => Some(Self::Lead),
            2 => Some(Self::Deal),
            3 => Some(Self::Contact),
            4 => Some(Self::Company),
            _ => None,
        }
    }

    pub(crate) fn type_id(self) -> u64 {
        match self {
            Self::Lead => 1,
            Self::Deal => 2,
            Self::Contact => 3,
            Self::Company => 4,
            Self::Comment | Self::Message => 0,
        }
    }
}

/// A record of the portal: a deal, a lead, a contact, a company, a comment or a message.
///
/// The fields have the names of the old methods (`TITLE`, `ORIGIN_ID`, `UF_CRM_…`) and the form in which those show
/// them: numbers, amounts (`"100.00"`), flags (`"Y"`) and dates are texts, an empty field is `null`. Comments have
/// `ENTITY_ID`, `ENTITY_TYPE`, `COMMENT`, `AUTHOR_ID` and `CREATED`; messages `DIALOG_ID`, `MESSAGE`, `AUTHOR_ID` and
/// `DATE`.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    pub(crate) id: u64,
    pub(crate) fields: Map<String, Value>,
    /// When it came to be; `None`: it was always there.
    pub(crate) born: Option<Instant>,
}

impl Record {
    /// The id, unique within the entity.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The field of this name, which is written in capitals. `None` if the record has no such field.
    pub fn get(&self, field: &str) -> Option<&Value> {
        self.fields.get(field)
    }

    /// The field as text. `None` if there is no such field, or if it is empty (`null`) or a list.
    pub fn text(&self, field: &str) -> Option<&str> {
        self.get(field).and_then(Value::as_str)
    }

    /// All fields, `ID` included.
    pub fn fields(&self) -> &Map<String, Value> {
        &self.fields
    }
}

/// All records of one entity.
#[derive(Debug, Default)]
pub(crate) struct Table {
    last_id: u64,
    rows: BTreeMap<u64, Record>,
}

impl Table {
    /// An id that no record has had or will have.
    pub(crate) fn reserve(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    pub(crate) fn get(&self, id: u64) -> Option<&Record> {
        self.rows.get(&id)
    }

    pub(crate) fn put(&mut self, record: Record) {
        self.rows.insert(record.id, record);
    }

    /// From now on lists show it whatever the index lag.
    pub(crate) fn make_ageless(&mut self, id: u64) {
        if let Some(record) = self.rows.get_mut(&id) {
            record.born = None;
        }
    }

    pub(crate) fn remove(&mut self, id: u64) {
        self.rows.remove(&id);
    }

    /// In the order of their ids.
    pub(crate) fn rows(&self) -> impl DoubleEndedIterator<Item = &Record> {
        self.rows.values()
    }
}

/// All records.
#[derive(Debug, Default)]
pub(crate) struct Store {
    tables: [Table; 6],
    last_multifield: u64,
}

impl Store {
    pub(crate) fn table(&self, entity: Entity) -> &Table {
        let [lead, deal, contact, company, comment, message] = &self.tables;
        match entity {
            Entity::Lead => lead,
            Entity::Deal => deal,
            Entity::Contact => contact,
            Entity::Company => company,
            Entity::Comment => comment,
            Entity::Message => message,
        }
    }

    pub(crate) fn table_mut(&mut self, entity: Entity) -> &mut Table {
        let [lead, deal, contact, company, comment, message] = &mut self.tables;
        match entity {
            Entity::Lead => lead,
            Entity::Deal => deal,
            Entity::Contact => contact,
            Entity::Company => company,
            Entity::Comment => comment,
            Entity::Message => message,
        }
    }

    /// The id of one more phone, e-mail address or the like.
    pub(crate) fn multifield_id(&mut self) -> u64 {
        self.last_multifield += 1;
        self.last_multifield
    }

    /// The values of a field that more than one record has, with how many have it, in the order of the values.
    /// Empty fields do not count.
    pub(crate) fn duplicates(&self, entity: Entity, field: &str) -> Vec<(String, usize)> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for text in self.table(entity).rows().filter_map(|row| row.text(field)).filter(|text| !text.is_empty()) {
            *counts.entry(text).or_default() += 1;
        }
        counts.into_iter().filter(|(_, count)| *count > 1).map(|(text, count)| (text.to_owned(), count)).collect()
    }
}
