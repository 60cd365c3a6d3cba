//! The records, whatever API they come through: fields, filters, lists, changes.

mod change;
mod filter;
mod list;
mod names;
mod product_rows;
mod records;
mod schema;
mod seed;
mod values;
mod view;

use std::time::Duration;

use crate::clock::Clock;
use crate::refusal::Refusal;

pub(crate) use change::{Act, Change, Edits, One, Show};
pub(crate) use filter::{Filter, Refused, Resolve, parse, parse_known};
pub(crate) use list::{By, Page, Span, Wanted, descending, page, visible};
pub(crate) use names::{camel, capitals};
pub(crate) use product_rows::{Rows, of_owner};
pub use records::Record;
pub(crate) use records::{Entity, Store};
pub(crate) use schema::{Field, Kind, field, fields, has_custom, is_custom, kind};
pub use seed::InsertError;
pub(crate) use seed::{insert, insert_many, seeds};
pub(crate) use values::{ITEM, OLD, entries, float, id, keep, multi_edit, multi_edits, text};
pub(crate) use view::{multi_view, type_name, typed};

/// What the old lists (`crm.deal.list` and its like) and those of the gateway do with a filter field that does not
/// exist.
///
/// The pages of Bitrix24 do not say. `crm.item.list` and REST 3.0 refuse it in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum UnknownFilterField {
    /// The test is left out, so the list shows rows that have nothing to do with it. The default.
    #[default]
    Ignore,
    /// The list is refused: 400 with `ERROR_ARGUMENT`, by the gateway with `INVALID_FILTER_FIELD`.
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
    pub(crate) fn hidden(&self, entity: Entity) -> bool {
        self.hidden.contains(&entity)
    }
}

/// What a method sees of the portal.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) store: &'a Store,
    pub(crate) switches: &'a Switches,
    pub(crate) clock: Clock,
    /// The user who makes the call.
    pub(crate) user: u64,
}

/// What a method does with its records.
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
    pub(crate) fn named(name: &str) -> Option<Self> {
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

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Get => "get",
            Self::List => "list",
            Self::Update => "update",
            Self::Delete => "delete",
            Self::Fields => "fields",
        }
    }

    pub(crate) fn is_write(self) -> bool {
        match self {
            Self::Add | Self::Update | Self::Delete => true,
            Self::Get | Self::List | Self::Fields => false,
        }
    }
}

/// Refuses a new record that lacks a field which the portal's settings require, or has an e-mail address that is none.
pub(crate) fn check_new(context: &Context<'_>, entity: Entity, edits: &Edits) -> Result<(), Refusal> {
    let missing = context.switches.required.iter().find(|(of, field)| *of == entity && !edits.fills(field));
    if let Some((_, field)) = missing {
        return Err(Refusal::bad("ERROR_CORE", format!("Field {field} is required")));
    }
    check_addresses(edits)
}

pub(crate) fn check_addresses(edits: &Edits) -> Result<(), Refusal> {
    let mails = edits.multi.iter().filter(|(name, _)| name == "EMAIL").flat_map(|(_, edits)| edits);
    match mails.filter(|edit| !edit.delete).find(|edit| !edit.value.contains('@')) {
        Some(_) => Err(Refusal::bad("ERROR_CORE", "The E-mail field contains an invalid address")),
        None => Ok(()),
    }
}
