//! The part of `retry-runtime` by which a verifier of three lines is written.

use crate::method::Method;
use crate::words::{Action, Strength};

/// What of `retry-runtime` settles a lost write of a method, where its arguments and its read have the shape for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Helper {
    /// `Key`, spliced into the list: made by the function of this name, from the [keys](Method::keys) in their order. `field`
    /// and `item_field` take the name of each beside its value.
    Key(&'static str),
    /// `ReadBack::by_text`, over all that is under the parent: the marker stands in this field.
    Text(&'static str),
    /// `Change`: it is sent in place of the new values.
    Change,
    /// `Existing`, sent as the id, with this constant of `Gone`; `None` if there is none for the read.
    Gone(Option<&'static str>),
}

/// Keys of which `Key` makes filter, `select` and comparison.
const KEYS: [(&str, &str); 5] = [
    ("ORIGINATOR_ID, ORIGIN_ID", "origin"),
    ("originatorId, originId", "item_origin"),
    ("XML_ID", "xml_id"),
    ("xmlId", "item_xml_id"),
    ("UF_CRM_*", "field"),
];

/// Fields that people read, and a marker can stand in; the first that a method has is taken.
const TEXTS: [&str; 12] = [
    "description",
    "COMMENT",
    "COMMENT_TEXT",
    "POST_MESSAGE",
    "text",
    "TEXT",
    "note",
    "title",
    "TITLE",
    "name",
    "NAME",
    "LINE_NAME",
];

/// Reads, and how they say that a record is not there.
const GONE: [(&str, &str); 15] = [
    ("booking.v1.booking.get", "BOOKING"),
    ("crm.activity.get", "ACTIVITY"),
    ("crm.company.get", "CRM"),
    ("crm.contact.get", "CRM"),
    ("crm.deal.get", "CRM"),
    ("crm.item.get", "ITEM"),
    ("crm.item.productrow.get", "ITEM"),
    ("crm.lead.get", "CRM"),
    ("crm.quote.get", "CRM"),
    ("crm.timeline.comment.get", "CRM"),
    ("disk.file.get", "DISK"),
    ("disk.folder.get", "DISK"),
    ("documentgenerator.document.get", "DOCUMENT"),
    ("sale.order.get", "ORDER"),
    ("sale.payment.get", "PAYMENT"),
];

impl Method {
    /// The helper for a verifier of this method by REST 2; `None` if none fits, or nothing shows the effect.
    ///
    /// ```
    /// use retry_catalogue::{Helper, lookup};
    ///
    /// let helper = |name| lookup(name).and_then(|method| method.helper());
    /// assert_eq!(helper("crm.contact.add"), Some(Helper::Key("origin")));
    /// assert_eq!(helper("crm.timeline.comment.add"), Some(Helper::Text("COMMENT")));
    /// assert_eq!(helper("crm.deal.update"), Some(Helper::Change));
    /// assert_eq!(helper("crm.deal.delete"), Some(Helper::Gone(Some("CRM"))));
    /// // Its list takes no filter, but arguments of its own.
    /// assert_eq!(helper("lists.element.add"), None);
    /// ```
    pub fn helper(&self) -> Option<Helper> {
        let read = self.read_back_method()?;
        let last = read.name.rsplit('.').next()?;
        let under_a_parent = match self.strength? {
            Strength::Server | Strength::Exact => false,
            Strength::Parent => true,
            Strength::Nothing => return None,
        };
        let is_listed = read.action == Action::List;
        let is_one = last == "get" && !is_listed && !under_a_parent;
        match self.action {
            Action::Create if under_a_parent && is_listed => {
                TEXTS.into_iter().find(|text| self.key_fields().any(|key| key == *text)).map(Helper::Text)
            }
            Action::Create if last == "list" && !under_a_parent => self.key(read.name),
            Action::Update if is_one && self.name.rsplit('.').next()?.starts_with("update") => Some(Helper::Change),
            Action::Delete if is_one && self.says_that_it_is_gone() => {
                Some(Helper::Gone(GONE.iter().find(|(name, _)| *name == read.name).map(|(_, gone)| *gone)))
            }
            Action::Create
            | Action::Update
            | Action::Delete
            | Action::Send
            | Action::Act
            | Action::Get
            | Action::List
            | Action::Fields
            | Action::Search
            | Action::Count
            | Action::Other => None,
        }
    }

    /// Whether the read answers with an error of its own to a record that is gone, and to nothing else.
    fn says_that_it_is_gone(&self) -> bool {
        let otherwise = ["an empty list", "no row", "nothing there", "or that the rights"];
        self.hint.contains("means that it is gone") && !otherwise.iter().any(|words| self.hint.contains(words))
    }

    /// `Key`, where the list takes its filter as an object with a `select` beside it, and shows an id.
    fn key(&self, read: &str) -> Option<Helper> {
        let exact = KEYS.iter().find(|(keys, _)| *keys == self.keys).map(|(_, make)| *make);
        let newer = read == "crm.item.list" || read.starts_with("catalog.") || read.starts_with("sale.");
        match exact {
            Some(make) if make.starts_with("item_") == newer && (newer || read.starts_with("crm.")) => {
                Some(Helper::Key(make))
            }
            None if newer && self.key_fields().any(|key| key == "xmlId") => Some(Helper::Key("item_field")),
            Some(_) | None => None,
        }
    }

    /// Whether the read is asked for the [keys](Self::keys) alone, so that other rows mean that the filter was ignored. A read of all
    /// that is under a parent has keys as well, to be compared.
    ///
    /// The [hint](Self::hint) says it: `crm.deal.list` is filtered *by* its keys, `event.get` *has* them. A test holds every hint to
    /// one of the two.
    pub fn is_asked_by_key(&self) -> bool {
        self.strength != Some(Strength::Parent) && self.hint.contains(" by ")
    }
}
