//! The shapes of arguments and results, which the catalogue does not have: for the most used writes one by one, for the others
//! by the habits of their part of the API.

use retry_runtime::catalogue::{Action, Method, Strength};

use super::names::is_number;

/// One field that tells this call from others, by its name in each place; `None` where it is not.
#[derive(Debug, Clone)]
pub(super) struct Key {
    pub(super) sent: String,
    pub(super) filter: Option<String>,
    pub(super) row: Option<String>,
    pub(super) number: bool,
}

/// How the body is passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    /// As an object under this name.
    Named(&'static str),
    /// As arguments of their own.
    Flat,
}

/// What the write answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// The id alone.
    Id,
    /// `true`.
    Bool,
    /// An object with the id.
    Record,
    /// An object under this name, with the id in it.
    Object(&'static str),
    /// An object with the key.
    Key,
}

/// How the read takes what it looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ask {
    /// In an object under this name, with `select` beside it or not.
    Filter(&'static str, bool),
    /// As arguments of their own.
    Flat,
}

#[derive(Debug, Clone)]
pub(super) struct Shape {
    /// Arguments of their own, before the body; the read takes them as well.
    pub(super) outer: Vec<Key>,
    pub(super) body: Body,
    pub(super) answer: Answer,
    pub(super) ask: Ask,
    pub(super) keys: Vec<Key>,
    /// The name of the id in a row.
    pub(super) id: &'static str,
}

/// Name, arguments before the body, body, answer, how the read asks, keys; an empty cell is what the habits say.
/// A key is `sent:filter:row`, `-` where it is not, or one name for all; `#` says that it is a number.
const KNOWN: [(&str, &str, &str, &str, &str, &str); 36] = [
    (
        "calendar.event.add",
        "",
        "",
        "id",
        "flat",
        "type:type:- ownerId#:ownerId:- section#:section:- from:from:- to:to:- description:-:DESCRIPTION",
    ),
    ("catalog.price.add", "", "fields", "price", "filter select", "productId# catalogGroupId#"),
    ("catalog.product.add", "", "fields", "element", "filter select", "iblockId# xmlId:=xmlId:xmlId"),
    (
        "crm.activity.todo.add",
        "",
        "flat",
        "record",
        "filter select",
        "ownerTypeId#:OWNER_TYPE_ID:- ownerId#:OWNER_ID:- description:-:DESCRIPTION",
    ),
    ("crm.address.add", "", "fields", "true", "filter select", "TYPE_ID# ENTITY_TYPE_ID# ENTITY_ID#"),
    ("crm.company.contact.add", "id#", "fields", "true", "flat", "CONTACT_ID#:-:CONTACT_ID"),
    ("crm.contact.company.add", "id#", "fields", "true", "flat", "COMPANY_ID#:-:COMPANY_ID"),
    ("crm.deal.contact.add", "id#", "fields", "true", "flat", "CONTACT_ID#:-:CONTACT_ID"),
    (
        "crm.item.add",
        "entityTypeId#",
        "fields",
        "item",
        "filter select",
        "originatorId:=originatorId:originatorId originId:=originId:originId",
    ),
    ("crm.item.update", "entityTypeId# id#", "fields", "item", "", ""),
    ("crm.status.add", "", "fields", "id", "filter", "ENTITY_ID STATUS_ID"),
    (
        "crm.timeline.comment.add",
        "",
        "fields",
        "id",
        "filter select",
        "ENTITY_ID#:ENTITY_ID:- ENTITY_TYPE:ENTITY_TYPE:- COMMENT:-:COMMENT",
    ),
    ("crm.type.add", "", "fields", "type", "", "entityTypeId#"),
    ("department.add", "", "flat", "id", "flat", "NAME PARENT#"),
    ("disk.folder.addSubFolder", "id#", "data", "record", "filter", "NAME"),
    ("disk.folder.uploadFile", "id#", "data", "record", "filter", "NAME"),
    ("disk.storage.addFolder", "id#", "data", "record", "filter", "NAME"),
    ("disk.storage.uploadFile", "id#", "data", "record", "filter", "NAME"),
    ("documentgenerator.document.add", "", "flat", "document", "filter select", "templateId# value"),
    ("entity.item.add", "ENTITY", "flat", "id", "FILTER", "NAME"),
    ("event.bind", "", "flat", "true", "flat", "event:-:event handler:-:handler"),
    ("im.chat.add", "", "flat", "id", "flat", "ENTITY_TYPE:ENTITY_TYPE:- ENTITY_ID:ENTITY_ID:-"),
    ("im.message.add", "", "flat", "id", "flat", "DIALOG_ID:-:- MESSAGE:-:-"),
    ("im.notify", "", "flat", "id", "flat", "USER_ID#:-:- MESSAGE:-:- TAG:-:-"),
    (
        "lists.element.add",
        "",
        "flat",
        "id",
        "flat",
        "IBLOCK_TYPE_ID:IBLOCK_TYPE_ID:- IBLOCK_ID#:IBLOCK_ID:- ELEMENT_CODE:ELEMENT_CODE:CODE",
    ),
    ("lists.element.update", "IBLOCK_TYPE_ID IBLOCK_ID# ELEMENT_ID#", "FIELDS", "true", "flat", ""),
    ("log.blogpost.add", "", "flat", "id", "flat", "POST_MESSAGE:-:DETAIL_TEXT"),
    ("placement.bind", "", "flat", "true", "flat", "PLACEMENT:-:placement HANDLER:-:handler"),
    ("sale.basketitem.add", "", "fields", "basketItem", "filter select", "orderId# xmlId"),
    ("task.checklistitem.add", "TASKID#", "FIELDS", "id", "flat", "TITLE:-:TITLE"),
    ("task.commentitem.add", "TASKID#", "FIELDS", "id", "flat", "POST_MESSAGE:-:-"),
    ("task.elapseditem.add", "TASKID#", "ARFIELDS", "id", "flat", "COMMENT_TEXT:-:COMMENT_TEXT"),
    ("tasks.task.add", "", "fields", "item", "", "title:-:- creatorId#:-:- responsibleId#:-:-"),
    ("telephony.externalCall.finish", "", "flat", "key", "FILTER", "CALL_ID"),
    ("user.add", "", "flat", "id", "FILTER", "EMAIL"),
    ("user.update", "ID#", "flat", "true", "FILTER", ""),
];

/// Parts of the API that take an object `fields`; the others take their arguments one by one.
const WITH_FIELDS: [&str; 6] = ["crm.", "catalog.", "sale.", "tasks.", "booking.", "humanresources."];

/// Parts of the API that answer an object under the name of what they deal with.
const WITH_OBJECT: [(&str, &str); 14] = [
    ("booking.v1.booking.", "booking"),
    ("crm.item.payment.", ""),
    ("crm.item.productrow.", "productRow"),
    ("crm.item.", "item"),
    ("crm.category.", "category"),
    ("crm.type.", "type"),
    ("sale.order.", "order"),
    ("sale.payment.", "payment"),
    ("sale.shipment.", "shipment"),
    ("sale.basketitem.", "basketItem"),
    ("catalog.product.", "product"),
    ("catalog.section.", "section"),
    ("documentgenerator.document.", "document"),
    ("crm.documentgenerator.document.", "document"),
];

/// The object in the answer of a method of this part of the API.
pub(super) fn object(method: &str) -> Option<&'static str> {
    let found = WITH_OBJECT.iter().find(|(part, _)| method.starts_with(part));
    found.map(|(_, name)| *name).filter(|name| !name.is_empty())
}

impl Shape {
    /// The shape of a write.
    pub(super) fn of(method: &Method) -> Self {
        let by_habit = Self::by_habit(method);
        let Some((_, outer, body, answer, ask, keys)) = KNOWN.iter().find(|row| row.0 == method.name) else {
            return by_habit;
        };
        Self {
            outer: if outer.is_empty() { by_habit.outer } else { outer.split(' ').map(Key::parse).collect() },
            body: match *body {
                "" => by_habit.body,
                "flat" => Body::Flat,
                name => Body::Named(name),
            },
            answer: match *answer {
                "id" => Answer::Id,
                "true" => Answer::Bool,
                "record" => Answer::Record,
                "key" => Answer::Key,
                name => Answer::Object(name),
            },
            ask: match *ask {
                "" => by_habit.ask,
                "flat" => Ask::Flat,
                "filter select" => Ask::Filter("filter", true),
                name => Ask::Filter(name, false),
            },
            keys: if keys.is_empty() { by_habit.keys } else { keys.split(' ').map(Key::parse).collect() },
            id: by_habit.id,
        }
    }

    /// The keys that a row shows, beside its id, and their names there.
    pub(super) fn shown(&self) -> impl Iterator<Item = (&Key, &str)> {
        self.keys.iter().filter_map(|key| Some((key, key.row.as_deref()?))).filter(|(_, wire)| *wire != self.id)
    }

    fn by_habit(method: &Method) -> Self {
        let fields = WITH_FIELDS.iter().any(|part| method.name.starts_with(part));
        let makes = matches!(method.action, Action::Create | Action::Send);
        let capitals = method.key_fields().any(|key| !key.chars().any(|letter| letter.is_ascii_lowercase()))
            || ["disk.", "calendar.", "crm.deal.", "crm.activity.todo.", "lists.", "task.", "department."]
                .iter()
                .any(|part| method.name.starts_with(part));
        // Under a parent one reads to the end: nothing says that a list can be filtered by the text.
        let listed = makes && method.strength == Some(Strength::Parent);
        let keys = method.key_fields().map(|key| Key::of(key, method, listed));
        // What is made has keys in its body, but for the id of its owner; what is changed or removed is named by them.
        let (outer, keys) = keys.partition(|key| !makes || key.sent == "id");
        Self {
            outer,
            body: if fields { Body::Named("fields") } else { Body::Flat },
            answer: match (object(method.name), makes) {
                (Some(name), true) => Answer::Object(name),
                (None, true) => Answer::Id,
                (_, false) => Answer::Bool,
            },
            ask: if fields { Ask::Filter("filter", true) } else { Ask::Filter("FILTER", false) },
            keys,
            id: if capitals { "ID" } else { "id" },
        }
    }
}

impl Key {
    /// A key of the catalogue; where its hint has an equal sign before it, the filter wants one.
    fn of(name: &str, method: &Method, listed: bool) -> Self {
        let wire = name.rsplit('.').next().unwrap_or(name).replace("_*", "_YOUR_KEY");
        let number = is_number(&wire);
        let equal = format!("={wire}");
        let filter = if method.hint.contains(&format!("`{equal}`")) { equal } else { wire.clone() };
        Self {
            // Under a parent one filters by the parent alone, and looks at the rest.
            filter: (number || !listed).then_some(filter),
            row: (!number || !listed).then(|| wire.clone()),
            sent: wire,
            number,
        }
    }

    fn parse(spec: &str) -> Self {
        let mut parts = spec.split(':');
        let first = parts.next().unwrap_or_default();
        let sent = first.trim_end_matches('#');
        let mut place = || match parts.next() {
            None => Some(sent.to_owned()),
            Some("-") => None,
            Some(name) => Some(name.to_owned()),
        };
        Self { filter: place(), row: place(), sent: sent.to_owned(), number: first.ends_with('#') }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use retry_runtime::catalogue::{Kind, lookup};

    #[test]
    fn each_shape_is_that_of_a_write_and_each_once() {
        assert!(KNOWN.iter().is_sorted_by(|a, b| a.0 < b.0));
        for (name, ..) in KNOWN {
            assert_eq!(lookup(name).map(|method| (method.name, method.kind)), Some((name, Kind::Write)));
        }
    }
}
