//! REST 2: its methods, what they are called with, and its envelope.

mod chat;
mod classic;
pub(crate) mod envelope;
mod item;
mod person;
mod start;
mod timeline;

use serde_json::{Map, Value};

use crate::crm::{Action, Context, Entity};
use crate::params::Params;
use crate::refusal::{Call, Refusal};

pub(crate) use timeline::check_comment;

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
            Self::Classic(_, action) | Self::Item(action) => action.is_write(),
            Self::CommentAdd | Self::MessageAdd => true,
            Self::CommentList | Self::MessagesGet | Self::Profile | Self::ServerTime => false,
        }
    }
}

/// Understands a call: a read is answered, a write is ready to be carried out.
pub(crate) fn call(context: &Context<'_>, method: Method, params: &Params) -> Result<Call, Refusal> {
    match method {
        Method::Classic(entity, action) => classic::call(context, entity, action, params),
        Method::Item(action) => item::call(context, action, params),
        Method::CommentAdd => timeline::add(context, params).map(Call::change),
        Method::CommentList => timeline::list(context, params).map(Call::Answer),
        Method::MessageAdd => chat::add(context, params).map(Call::change),
        Method::MessagesGet => chat::messages(context, params).map(Call::Answer),
        Method::Profile => Ok(Call::Answer(person::profile(context))),
        Method::ServerTime => Ok(Call::Answer(person::server_time())),
    }
}

/// A parameter that must be an object, or `None` where it is missing. PHP has one kind of array: an empty list is an
/// empty object.
fn object<'a>(value: Option<&'a Value>, name: &str) -> Result<Option<&'a Map<String, Value>>, Refusal> {
    static EMPTY: std::sync::LazyLock<Map<String, Value>> = std::sync::LazyLock::new(Map::new);
    let not_array = || Refusal::bad("", format!("Parameter '{name}' must be array."));
    match value {
        None => Ok(None),
        Some(Value::Object(map)) => Ok(Some(map)),
        Some(Value::Array(list)) if list.is_empty() => Ok(Some(&EMPTY)),
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_)) => Err(not_array()),
    }
}
