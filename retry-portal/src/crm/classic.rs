//! `crm.deal.*`, `crm.lead.*`, `crm.contact.*`, `crm.company.*`: names in capitals, values as texts.

use serde_json::{Map, Value, json};

use super::change::{Act, Change, Edits, Show};
use super::filter::{self, Filter, Refused};
use super::list::{self, By, Start};
use super::records::{Entity, Record};
use super::schema::{self, Kind};
use super::values::{self, OLD, multi_edits};
use super::{Action, Call, Context, UnknownFilterField, change, check_addresses, check_new, object};
use crate::envelope::{Answered, RestError};
use crate::params::Params;

pub(crate) fn call(context: &Context<'_>, entity: Entity, action: Action, params: &Params) -> Result<Call, RestError> {
    match action {
        Action::Add => add(context, entity, params).map(change),
        Action::Update => update(context, entity, params).map(change),
        Action::Delete => delete(context, entity, params).map(change),
        Action::Get => get(context, entity, params).map(Call::Answer),
        Action::List => list(context, entity, params).map(Call::Answer),
        Action::Fields => Ok(Call::Answer(fields(entity))),
    }
}

fn add(context: &Context<'_>, entity: Entity, params: &Params) -> Result<Change, RestError> {
    let edits = edits(entity, sent_fields(params)?);
    object(params.either("params"), "params")?;
    check_new(context, entity, &edits)?;
    Ok(Change { entity, act: Act::Add { id: None }, edits, user: context.user, show: Show::Id, gone: not_found() })
}

fn update(context: &Context<'_>, entity: Entity, params: &Params) -> Result<Change, RestError> {
    let id = wanted_id(params)?;
    let edits = edits(entity, sent_fields(params)?);
    check_addresses(&edits)?;
    known(context, entity, id, not_found)?;
    Ok(Change { entity, act: Act::Update { id }, edits, user: context.user, show: Show::True, gone: not_found() })
}

fn delete(context: &Context<'_>, entity: Entity, params: &Params) -> Result<Change, RestError> {
    let id = wanted_id(params)?;
    let gone = || match entity {
        Entity::Contact => RestError::bad("ERROR_CORE", "Element not found"),
        Entity::Company => RestError::bad("", "Company is not found"),
        Entity::Lead | Entity::Deal | Entity::Comment | Entity::Message => not_found(),
    };
    known(context, entity, id, gone)?;
    let edits = Edits::default();
    Ok(Change { entity, act: Act::Delete { id }, edits, user: context.user, show: Show::True, gone: gone() })
}

fn get(context: &Context<'_>, entity: Entity, params: &Params) -> Result<Answered, RestError> {
    let id = wanted_id(params)?;
    known(context, entity, id, not_found).map(|record| Answered::plain(Value::Object(shown(entity, record))))
}

/// A whole record: what is multiple and empty is left out.
fn shown(entity: Entity, record: &Record) -> Map<String, Value> {
    let empty_multi = |name: &str, value: &Value| value.is_null() && schema::kind(entity, name) == Some(Kind::Multi);
    let fields = record.fields().iter().filter(|(name, value)| !empty_multi(name, value));
    fields.map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn list(context: &Context<'_>, entity: Entity, params: &Params) -> Result<Answered, RestError> {
    let filter = filter_of(context, entity, params.either("filter"))?;
    let order: Vec<By> = params
        .order()
        .iter()
        .filter_map(|(name, direction)| {
            let kind = schema::kind(entity, name)?;
            Some(By { field: name.clone(), kind, descending: list::descending(direction)? })
        })
        .collect();
    let page = list::page(context, entity, &filter, &order, Start::of(params));
    let select = select_of(params.either("select"));
    let rows: Vec<Value> = page.rows.iter().map(|row| Value::Object(selected(entity, row, &select))).collect();
    Ok(Answered { result: Value::Array(rows), total: Some(page.total), next: page.next })
}

fn filter_of(context: &Context<'_>, entity: Entity, filter: Option<&Value>) -> Result<Filter, RestError> {
    let resolve = |name: &str| schema::kind(entity, name).map(|kind| (name.to_owned(), kind));
    let filter = filter.unwrap_or(&Value::Null);
    match context.switches.unknown_filter_field {
        UnknownFilterField::Ignore => Ok(filter::parse_known(filter, &resolve)),
        UnknownFilterField::Refuse => filter::parse(filter, &resolve).map_err(|refused| match refused {
            Refused::UnknownField(field) => RestError::bad("ERROR_ARGUMENT", format!("Unknown filter field '{field}'")),
            Refused::BadValue(field) => {
                RestError::bad("ERROR_ARGUMENT", format!("Filter field '{field}' has an invalid value"))
            }
        }),
    }
}

/// The names to show. Without a selection these are all but the multiple ones.
fn select_of(select: Option<&Value>) -> Vec<String> {
    let named: Vec<String> = select.into_iter().flat_map(values::entries).filter_map(values::text).collect();
    if named.is_empty() { vec!["*".to_owned(), "UF_*".to_owned()] } else { named }
}

fn selected(entity: Entity, record: &Record, select: &[String]) -> Map<String, Value> {
    let wanted = |name: &str| {
        name == "ID"
            || select.iter().any(|wanted| match wanted.as_str() {
                "*" => !schema::is_custom(name) && schema::kind(entity, name) != Some(Kind::Multi),
                "UF_*" => schema::is_custom(name),
                exact => exact == name,
            })
    };
    let fields = record.fields().iter().filter(|(name, _)| wanted(name));
    fields.map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn fields(entity: Entity) -> Answered {
    let described = schema::fields(entity).map(|field| {
        let about = json!({
            "type": type_name(field.kind),
            "isRequired": false,
            "isReadOnly": field.read_only,
            "isImmutable": false,
            "isMultiple": field.kind == Kind::Multi,
            "isDynamic": false,
            "title": field.name,
        });
        (field.name.to_owned(), about)
    });
    Answered::plain(Value::Object(described.collect()))
}

pub(crate) fn type_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Int => "integer",
        Kind::Money => "double",
        Kind::Text | Kind::Custom => "string",
        Kind::Flag => "char",
        Kind::Date => "date",
        Kind::Time => "datetime",
        Kind::Multi => "crm_multifield",
    }
}

fn sent_fields(params: &Params) -> Result<&Map<String, Value>, RestError> {
    object(params.either("fields"), "fields")?.ok_or_else(|| RestError::bad("", "Parameter 'fields' must be array."))
}

/// What the client may set; a name that does not exist is dropped without a word, as Bitrix24 does.
pub(crate) fn edits(entity: Entity, fields: &Map<String, Value>) -> Edits {
    let mut edits = Edits::default();
    for (name, value) in fields {
        let read_only = schema::fields(entity).any(|field| field.name == name && field.read_only);
        match schema::kind(entity, name) {
            Some(Kind::Multi) => edits.multi.push((name.clone(), multi_edits(value, OLD))),
            Some(kind) if !read_only => edits.values.push((name.clone(), values::keep(kind, value))),
            Some(_) | None => {}
        }
    }
    edits
}

fn wanted_id(params: &Params) -> Result<u64, RestError> {
    let invalid = || RestError::bad("", "ID is not defined or invalid.");
    params.either("id").and_then(values::id).ok_or_else(invalid)
}

fn not_found() -> RestError {
    RestError::bad("", "Not found")
}

/// The record of this id, if the user may see it.
fn known<'a>(
    context: &Context<'a>,
    entity: Entity,
    id: u64,
    gone: impl FnOnce() -> RestError,
) -> Result<&'a Record, RestError> {
    if context.switches.hidden(entity) {
        return Err(RestError::bad("", "Access denied."));
    }
    context.store.table(entity).get(id).ok_or_else(gone)
}
