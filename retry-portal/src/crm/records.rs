//! The records and where they are kept.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use serde_json::{Map, Value};
use tokio::time::Instant;

/// What the portal keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Entity {
    Lead,
    Deal,
    Contact,
    Company,
    Quote,
    /// A record of a smart process; its type is in the record.
    Item,
    Comment,
    Message,
    Task,
    Activity,
    Product,
    ProductRow,
    Requisite,
    Status,
}

impl Entity {
    pub(crate) const ALL: [Self; 14] = [
        Self::Lead,
        Self::Deal,
        Self::Contact,
        Self::Company,
        Self::Quote,
        Self::Item,
        Self::Comment,
        Self::Message,
        Self::Task,
        Self::Activity,
        Self::Product,
        Self::ProductRow,
        Self::Requisite,
        Self::Status,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Lead => "lead",
            Self::Deal => "deal",
            Self::Contact => "contact",
            Self::Company => "company",
            Self::Quote => "quote",
            Self::Item => "item",
            Self::Comment => "comment",
            Self::Message => "message",
            Self::Task => "task",
            Self::Activity => "activity",
            Self::Product => "product",
            Self::ProductRow => "productrow",
            Self::Requisite => "requisite",
            Self::Status => "status",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|entity| entity.name().eq_ignore_ascii_case(name))
    }

    /// All names, for a message.
    pub(crate) fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }

    /// The name with a capital, for titles that are made up.
    pub(crate) fn title(self) -> String {
        let name = self.name();
        let (first, rest) = name.split_at(1);
        format!("{}{rest}", first.to_ascii_uppercase())
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

    /// The type's number. `None`: the entity has none, or each record says its own.
    pub(crate) fn type_id(self) -> Option<u64> {
        match self {
            Self::Lead => Some(1),
            Self::Deal => Some(2),
            Self::Contact => Some(3),
            Self::Company => Some(4),
            Self::Quote => Some(7),
            Self::Item
            | Self::Comment
            | Self::Message
            | Self::Task
            | Self::Activity
            | Self::Product
            | Self::ProductRow
            | Self::Requisite
            | Self::Status => None,
        }
    }
}

/// A record of the portal: a deal, a task, a comment and so on; [`Portal`](crate::Portal) lists the entities.
///
/// Through whatever API it came, the fields have the names of the old methods (`TITLE`, `ORIGIN_ID`, `UF_CRM_…`) and
/// the form in which those show them: numbers, amounts (`"100.00"`), flags (`"Y"`) and dates are texts, an empty field
/// is `null`. Comments have `ENTITY_ID`, `ENTITY_TYPE`, `COMMENT`, `AUTHOR_ID` and `CREATED`; messages `DIALOG_ID`,
/// `MESSAGE`, `AUTHOR_ID` and `DATE`; tasks `TITLE`, `DESCRIPTION`, `CREATED_BY`, `RESPONSIBLE_ID`, `XML_ID` and more;
/// product rows `OWNER_ID`, `PRODUCT_ID`, `PRICE` and `QUANTITY`.
#[derive(Debug, Clone)]
pub struct Record {
    pub(crate) id: u64,
    /// Its own ones, which win over those below.
    pub(crate) fields: Map<String, Value>,
    /// What it shares with others, so that a hundred thousand of them fit into memory.
    pub(crate) shared: Option<Arc<Map<String, Value>>>,
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
        self.fields.get(field).or_else(|| self.shared.as_ref()?.get(field))
    }

    /// The field as text. `None` if there is no such field, or if it is empty (`null`) or a list.
    pub fn text(&self, field: &str) -> Option<&str> {
        self.get(field).and_then(Value::as_str)
    }

    /// All fields, `ID` included.
    pub fn fields(&self) -> Cow<'_, Map<String, Value>> {
        match &self.shared {
            None => Cow::Borrowed(&self.fields),
            Some(_) => Cow::Owned(self.iter().map(|(name, value)| (name.clone(), value.clone())).collect()),
        }
    }

    /// All fields with their values.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&String, &Value)> {
        let shared = self.shared.iter().flat_map(|shared| shared.iter());
        self.fields.iter().chain(shared.filter(|(name, _)| !self.fields.contains_key(*name)))
    }
}

impl PartialEq for Record {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && self.born == other.born && self.fields() == other.fields()
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

    /// The last id that was taken.
    pub(crate) fn last_id(&self) -> u64 {
        self.last_id
    }

    pub(crate) fn count(&self) -> usize {
        self.rows.len()
    }

    /// Those whose ids lie in this span, in the order of their ids.
    pub(crate) fn span(&self, ids: Range<u64>) -> impl DoubleEndedIterator<Item = &Record> {
        let ids = if ids.is_empty() { 0..0 } else { ids };
        self.rows.range(ids).map(|(_, record)| record)
    }

    /// In the order of their ids.
    pub(crate) fn rows(&self) -> impl DoubleEndedIterator<Item = &Record> {
        self.rows.values()
    }
}

/// All records.
#[derive(Debug, Default)]
pub(crate) struct Store {
    tables: BTreeMap<Entity, Table>,
    last_multifield: u64,
}

static NO_ROWS: Table = Table { last_id: 0, rows: BTreeMap::new() };

impl Store {
    pub(crate) fn table(&self, entity: Entity) -> &Table {
        self.tables.get(&entity).unwrap_or(&NO_ROWS)
    }

    pub(crate) fn table_mut(&mut self, entity: Entity) -> &mut Table {
        self.tables.entry(entity).or_default()
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
