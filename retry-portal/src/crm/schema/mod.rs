//! The fields of each entity: their names in both styles, what they hold, and what a new record starts with.

mod crm;
mod more;

use super::records::Entity;

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Int,
    Money,
    Text,
    Flag,
    Date,
    Time,
    /// Phones, e-mail addresses and the like: a list of values with server ids.
    Multi,
    /// A custom field: whatever is given.
    Custom,
}

/// What a new record starts with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    Empty,
    Fixed(&'static str),
    /// The user of the webhook.
    User,
    Now,
    /// `Deal #17`.
    Title,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Field {
    /// The name in the old methods.
    pub(crate) name: &'static str,
    /// The name in `crm.item.*`; of a task, in REST 3.0.
    pub(crate) item: &'static str,
    pub(crate) kind: Kind,
    pub(crate) start: Start,
    /// Set by the server alone; what a client sends is dropped.
    pub(crate) read_only: bool,
}

const fn open(name: &'static str, item: &'static str, kind: Kind, start: Start) -> Field {
    Field { name, item, kind, start, read_only: false }
}

const fn fixed(name: &'static str, item: &'static str, kind: Kind, start: Start) -> Field {
    Field { name, item, kind, start, read_only: true }
}

/// All fields of the entity but the custom ones.
pub(crate) fn fields(entity: Entity) -> impl Iterator<Item = &'static Field> {
    let (common, origin, own): (&[Field], &[Field], &'static [Field]) = match entity {
        Entity::Lead => (crm::COMMON, crm::ORIGIN, crm::LEAD),
        Entity::Deal => (crm::COMMON, crm::ORIGIN, crm::DEAL),
        Entity::Contact => (crm::COMMON, crm::ORIGIN, crm::CONTACT),
        Entity::Company => (crm::COMMON, crm::ORIGIN, crm::COMPANY),
        Entity::Quote => (crm::COMMON, &[], crm::QUOTE),
        Entity::Item => (crm::COMMON, &[], crm::ITEM),
        Entity::Comment => (&[], &[], more::COMMENT),
        Entity::Message => (&[], &[], more::MESSAGE),
        Entity::Task => (&[], &[], more::TASK),
        Entity::Activity => (&[], &[], more::ACTIVITY),
        Entity::Product => (&[], &[], more::PRODUCT),
        Entity::ProductRow => (&[], &[], more::PRODUCT_ROW),
        Entity::Requisite => (&[], &[], more::REQUISITE),
        Entity::Status => (&[], &[], more::STATUS),
    };
    common.iter().chain(origin).chain(own)
}

/// The field of this old name.
pub(crate) fn field(entity: Entity, name: &str) -> Option<&'static Field> {
    fields(entity).find(|field| field.name == name)
}

/// A custom field's name in the old style.
pub(crate) fn is_custom(name: &str) -> bool {
    name.strip_prefix("UF_CRM_").is_some_and(|rest| {
        !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
    })
}

/// What the field of this old name holds; `None`: there is no such field.
pub(crate) fn kind(entity: Entity, name: &str) -> Option<Kind> {
    let known = field(entity, name).map(|field| field.kind);
    known.or_else(|| (has_custom(entity) && is_custom(name)).then_some(Kind::Custom))
}

/// Whether the entity takes custom fields.
pub(crate) fn has_custom(entity: Entity) -> bool {
    match entity {
        Entity::Lead | Entity::Deal | Entity::Contact | Entity::Company | Entity::Quote | Entity::Item => true,
        Entity::Comment
        | Entity::Message
        | Entity::Task
        | Entity::Activity
        | Entity::Product
        | Entity::ProductRow
        | Entity::Requisite
        | Entity::Status => false,
    }
}
