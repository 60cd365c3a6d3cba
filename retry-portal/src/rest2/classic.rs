//! `crm.deal.*`, `crm.lead.*`, `crm.contact.*`, `crm.company.*`: names in capitals, values as texts.

use serde_json::{Map, Value, json};

use super::object;
use super::start::listed;
use crate::crm::{
    self, Act, Action, By, Context, Edits, Entity, Filter, Kind, OLD, One, Record, Refused, Show, UnknownFilterField,
    check_addresses, check_new, descending, entries, field, id, is_custom, keep, kind, multi_edits, parse, parse_known,
    text, type_name,
};
use crate::params::Params;
use crate::refusal::{Answered, Call, Refusal};

pub(crate) fn call(context: &Context<'_>, entity: Entity, action: Action, params: &Params) -> Result<Call, Refusal> {
    match action {
        Action::Add => add(context, entity, params).map(Call::change),
        Action::Update => update(context, entity, params).map(Call::change),
        Action::Delete => delete(context, entity, params).map(Call::change),
        Action::Get => get(context, entity, params).map(Call::Answer),
        Action::List => list(context, entity, params).map(Call::Answer),
        Action::Fields => Ok(Call::Answer(fields(entity))),
    }
}

fn add(context: &Context<'_>, entity: Entity, params: &Params) -> Result<One, Refusal> {
    let edits = edits(entity, sent_fields(params)?);
    object(params.either("params"), "params")?;
    check_new(context, entity, &edits)?;
    Ok(One { entity, act: Act::Add { id: None }, edits, user: context.user, show: Show::id(), gone: not_found() })
}

fn update(context: &Context<'_>, entity: Entity, params: &Params) -> Result<One, Refusal> {
    let id = wanted_id(params)?;
    let edits = edits(entity, sent_fields(params)?);
    check_addresses(&edits)?;
    known(context, entity, id, not_found)?;
    Ok(One {
        entity,
        act: Act::Update { id },
        edits,
        user: context.user,
        show: Show::always(true.into()),
        gone: not_found(),
    })
}

fn delete(context: &Context<'_>, entity: Entity, params: &Params) -> Result<One, Refusal> {
    let id = wanted_id(params)?;
    let gone = || {
        if entity == Entity::Contact {
            Refusal::bad("ERROR_CORE", "Element not found")
        } else if entity == Entity::Company {
            Refusal::bad("", "Company is not found")
        } else {
            not_found()
        }
    };
    known(context, entity, id, gone)?;
    let edits = Edits::default();
    Ok(One {
        entity,
        act: Act::Delete { id },
        edits,
        user: context.user,
        show: Show::always(true.into()),
        gone: gone(),
    })
}

fn get(context: &Context<'_>, entity: Entity, params: &Params) -> Result<Answered, Refusal> {
    let id = wanted_id(params)?;
    known(context, entity, id, not_found).map(|record| Answered::plain(Value::Object(shown(entity, record))))
}

/// A whole record: what is multiple and empty is left out.
fn shown(entity: Entity, record: &Record) -> Map<String, Value> {
    let empty_multi = |name: &str, value: &Value| value.is_null() && kind(entity, name) == Some(Kind::Multi);
    let fields = record.iter().filter(|(name, value)| !empty_multi(name, value));
    fields.map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn list(context: &Context<'_>, entity: Entity, params: &Params) -> Result<Answered, Refusal> {
    let filter = filter_of(context, entity, params.either("filter"))?;
    let order: Vec<By> = params
        .order()
        .iter()
        .filter_map(|(name, direction)| {
            Some(By { field: name.clone(), kind: kind(entity, name)?, descending: descending(direction)? })
        })
        .collect();
    let select = select_of(params.either("select"));
    Ok(listed(context, entity, &filter, &order, params, |rows| {
        rows.iter().map(|row| Value::Object(selected(entity, row, &select))).collect()
    }))
}

fn filter_of(context: &Context<'_>, entity: Entity, filter: Option<&Value>) -> Result<Filter, Refusal> {
    let resolve = |name: &str| kind(entity, name).map(|kind| (name.to_owned(), kind));
    let filter = filter.unwrap_or(&Value::Null);
    match context.switches.unknown_filter_field {
        UnknownFilterField::Ignore => Ok(parse_known(filter, &resolve)),
        UnknownFilterField::Refuse => parse(filter, &resolve).map_err(|refused| match refused {
            Refused::UnknownField(field) => Refusal::bad("ERROR_ARGUMENT", format!("Unknown filter field '{field}'")),
            Refused::BadValue(field) => {
                Refusal::bad("ERROR_ARGUMENT", format!("Filter field '{field}' has an invalid value"))
            }
        }),
    }
}

/// The names to show. Without a selection these are all but the multiple ones.
fn select_of(select: Option<&Value>) -> Vec<String> {
    let named: Vec<String> = select.into_iter().flat_map(entries).filter_map(text).collect();
    if named.is_empty() { vec!["*".to_owned(), "UF_*".to_owned()] } else { named }
}

fn selected(entity: Entity, record: &Record, select: &[String]) -> Map<String, Value> {
    let all = select.iter().any(|wanted| wanted == "*");
    let custom = select.iter().any(|wanted| wanted == "UF_*");
    let named = select.iter().map(String::as_str).chain(["ID"]);
    let mut shown: Map<String, Value> =
        named.filter_map(|name| Some((name.to_owned(), record.get(name)?.clone()))).collect();
    if all || custom {
        let wanted = |name: &str| {
            if is_custom(name) { custom } else { all && kind(entity, name) != Some(Kind::Multi) }
        };
        let more = record.iter().filter(|(name, _)| wanted(name));
        shown.extend(more.map(|(name, value)| (name.clone(), value.clone())));
    }
    shown
}

fn fields(entity: Entity) -> Answered {
    let described = crm::fields(entity).map(|field| {
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

fn sent_fields(params: &Params) -> Result<&Map<String, Value>, Refusal> {
    object(params.either("fields"), "fields")?.ok_or_else(|| Refusal::bad("", "Parameter 'fields' must be array."))
}

/// What the client may set; a name that does not exist is dropped without a word, as Bitrix24 does.
pub(crate) fn edits(entity: Entity, fields: &Map<String, Value>) -> Edits {
    let mut edits = Edits::default();
    for (name, value) in fields {
        let read_only = field(entity, name).is_some_and(|field| field.read_only);
        match kind(entity, name) {
            Some(Kind::Multi) => edits.multi.push((name.clone(), multi_edits(value, OLD))),
            Some(kind) if !read_only => edits.values.push((name.clone(), keep(kind, value))),
            Some(_) | None => {}
        }
    }
    edits
}

fn wanted_id(params: &Params) -> Result<u64, Refusal> {
    let invalid = || Refusal::bad("", "ID is not defined or invalid.");
    params.either("id").and_then(id).ok_or_else(invalid)
}

fn not_found() -> Refusal {
    Refusal::bad("", "Not found")
}

/// The record of this id, if the user may see it.
fn known<'a>(
    context: &Context<'a>,
    entity: Entity,
    id: u64,
    gone: impl FnOnce() -> Refusal,
) -> Result<&'a Record, Refusal> {
    if context.switches.hidden(entity) {
        return Err(Refusal::bad("", "Access denied."));
    }
    context.store.table(entity).get(id).ok_or_else(gone)
}
