//! The CRM: methods, records, filters, lists.

mod change;
mod chat;
mod classic;
mod filter;
mod item;
mod list;
mod names;
mod person;
mod records;
mod schema;
mod seed;
mod timeline;
mod values;

use std::time::Duration;

use serde_json::{Map, Value};

use crate::clock::Clock;
use crate::envelope::{Answered, RestError};
use crate::params::Params;

pub(crate) use change::Change;
pub use records::Record;
pub(crate) use records::{Entity, Store};
pub use seed::InsertError;
pub(crate) use seed::insert;

/// What the old lists (`crm.deal.list` and its like) do with a filter field that does not exist.
///
/// The pages of Bitrix24 do not say. `crm.item.list` refuses it in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum UnknownFilterField {
    /// The test is left out, so the list shows rows that have nothing to do with it. The default.
    #[default]
    Ignore,
    /// The list is refused with `ERROR_ARGUMENT`, 400.
    Refuse,
}

/// What can be turned on a running portal.
#[derive(Debug, Clone, Default)]
pub(crate) struct Switches {
    pub(crate) index_lag: Duration,
    pub(crate) ignore_filters: bool,
    pub(crate) unknown_filter_field: UnknownFilterField,
    pub(crate) hidden: Vec<Entity>,
    pub(crate) required: Vec<(Entity, String)>,
}

impl Switches {
    fn hidden(&self, entity: Entity) -> bool {
        self.hidden.contains(&entity)
    }
}

/// What a method sees of the portal.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) store: &'a Store,
    pub(crate) switches: &'a Switches,
    pub(crate) clock: Clock,
    /// The user of the webhook.
    pub(crate) user: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    Add,
    Get,
    List,
    Update,
    Delete,
    Fields,
}

impl Action {
    fn named(name: &str) -> Option<Self> {
        match name {
            "add" => Some(Self::Add),
            "get" => Some(Self::Get),
            "list" => Some(Self::List),
            "update" => Some(Self::Update),
            "delete" => Some(Self::Delete),
            "fields" => Some(Self::Fields),
            _ => None,
        }
    }
}

/// The methods that the portal knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    /// `crm.deal.*` and its like.
    Classic(Entity, Action),
    /// `crm.item.*`.
    Item(Action),
    CommentAdd,
    CommentList,
    MessageAdd,
    MessagesGet,
    Profile,
    ServerTime,
}

impl Method {
    /// The method of this name, which is in lower case.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "crm.timeline.comment.add" => return Some(Self::CommentAdd),
            "crm.timeline.comment.list" => return Some(Self::CommentList),
            "im.message.add" => return Some(Self::MessageAdd),
            "im.dialog.messages.get" => return Some(Self::MessagesGet),
            "profile" => return Some(Self::Profile),
            "server.time" => return Some(Self::ServerTime),
            _ => {}
        }
        let (entity, action) = name.strip_prefix("crm.")?.split_once('.')?;
        let action = Action::named(action)?;
        match entity {
            "item" => Some(Self::Item(action)),
            "lead" => Some(Self::Classic(Entity::Lead, action)),
            "deal" => Some(Self::Classic(Entity::Deal, action)),
            "contact" => Some(Self::Classic(Entity::Contact, action)),
            "company" => Some(Self::Classic(Entity::Company, action)),
            _ => None,
        }
    }

    pub(crate) fn is_write(self) -> bool {
        match self {
            Self::Classic(_, action) | Self::Item(action) => match action {
                Action::Add | Action::Update | Action::Delete => true,
                Action::Get | Action::List | Action::Fields => false,
            },
            Self::CommentAdd | Self::MessageAdd => true,
            Self::CommentList | Self::MessagesGet | Self::Profile | Self::ServerTime => false,
        }
    }
}

/// A call that has been understood.
#[derive(Debug)]
pub(crate) enum Call {
    Answer(Answered),
    Change(Box<Change>),
}

/// Understands a call: a read is answered, a write is ready to be carried out.
pub(crate) fn call(context: &Context<'_>, method: Method, params: &Params) -> Result<Call, RestError> {
    match method {
        Method::Classic(entity, action) => classic::call(context, entity, action, params),
        Method::Item(action) => item::call(context, action, params),
        Method::CommentAdd => timeline::add(context, params).map(change),
        Method::CommentList => timeline::list(context, params).map(Call::Answer),
        Method::MessageAdd => chat::add(context, params).map(change),
        Method::MessagesGet => chat::messages(context, params).map(Call::Answer),
        Method::Profile => Ok(Call::Answer(person::profile(context))),
        Method::ServerTime => Ok(Call::Answer(person::server_time())),
    }
}

fn change(change: Change) -> Call {
    Call::Change(Box::new(change))
}

/// A parameter that must be an object, or `None` where it is missing. PHP has one kind of array: an empty list is an
/// empty object.
fn object<'a>(value: Option<&'a Value>, name: &str) -> Result<Option<&'a Map<String, Value>>, RestError> {
    static EMPTY: std::sync::LazyLock<Map<String, Value>> = std::sync::LazyLock::new(Map::new);
    let not_array = || RestError::bad("", format!("Parameter '{name}' must be array."));
    match value {
        None => Ok(None),
        Some(Value::Object(map)) => Ok(Some(map)),
        Some(Value::Array(list)) if list.is_empty() => Ok(Some(&EMPTY)),
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_)) => Err(not_array()),
    }
}

/// Refuses a new record that lacks a field which the portal's settings require, or has an e-mail address that is none.
fn check_new(context: &Context<'_>, entity: Entity, edits: &change::Edits) -> Result<(), RestError> {
    let missing = context.switches.required.iter().find(|(of, field)| *of == entity && !edits.fills(field));
    if let Some((_, field)) = missing {
        return Err(RestError::bad("ERROR_CORE", format!("Field {field} is required")));
    }
    check_addresses(edits)
}

fn check_addresses(edits: &change::Edits) -> Result<(), RestError> {
    let mails = edits.multi.iter().filter(|(name, _)| name == "EMAIL").flat_map(|(_, edits)| edits);
    match mails.filter(|edit| !edit.delete).find(|edit| !edit.value.contains('@')) {
        Some(_) => Err(RestError::bad("ERROR_CORE", "The E-mail field contains an invalid address")),
        None => Ok(()),
    }
}
