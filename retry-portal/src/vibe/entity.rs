//! Create, get, update, delete and fields of all entities.

use serde_json::{Map, Value, json};

use super::Sight;
use super::codes::{not_found, of_native, refusal};
use super::names::{in_capitals, resolve, shown, survives};
use super::route::{Act, Whose};
use super::search::{belongs, list};
use super::view::view;
use crate::crm::{
    self, Act as Deed, Edits, Entity, ITEM, Kind, One, Record, Show, check_addresses, check_new, entries, keep,
    multi_edit, text, type_name,
};
use crate::params::Params;
use crate::refusal::{Answered, Call, Refusal};
use crate::rest2::check_comment;

pub(super) fn call(sight: &Sight<'_>, whose: Whose, act: Act, params: &Params) -> Result<Call, Refusal> {
    match act {
        Act::Create => create(sight, whose, params).map(Call::change),
        Act::Update(id) => update(sight, whose, id, params).map(Call::change),
        Act::Delete(id) => delete(sight, whose, id).map(Call::change),
        Act::Get(id) => {
            let record = known(sight, whose, id)?;
            Ok(Call::Answer(Answered::plain(Value::Object(view(whose.entity, sight.switches, record)))))
        }
        Act::List => list(sight, whose, params, true).map(Call::Answer),
        Act::Search => list(sight, whose, params, false).map(Call::Answer),
        Act::Fields => Ok(Call::Answer(fields(sight, whose.entity))),
    }
}

fn create(sight: &Sight<'_>, whose: Whose, params: &Params) -> Result<One, Refusal> {
    let fields = sent(params)?;
    let mut edits = edits(sight, whose.entity, fields);
    check(sight, whose.entity, &edits)?;
    if let Some(type_id) = whose.type_id {
        edits.values.push(("ENTITY_TYPE_ID".to_owned(), type_id.to_string().into()));
    }
    let act = Deed::Add { id: None };
    Ok(One { entity: whose.entity, act, edits, user: sight.context.user, show: whole(sight, whose), gone: not_found() })
}

fn update(sight: &Sight<'_>, whose: Whose, id: u64, params: &Params) -> Result<One, Refusal> {
    let edits = edits(sight, whose.entity, sent(params)?);
    check_addresses(&edits).map_err(of_native)?;
    known(sight, whose, id)?;
    let act = Deed::Update { id };
    Ok(One { entity: whose.entity, act, edits, user: sight.context.user, show: whole(sight, whose), gone: not_found() })
}

fn delete(sight: &Sight<'_>, whose: Whose, id: u64) -> Result<One, Refusal> {
    known(sight, whose, id)?;
    let (act, edits, show) = (Deed::Delete { id }, Edits::default(), Show::always(Value::Null));
    Ok(One { entity: whose.entity, act, edits, user: sight.context.user, show, gone: not_found() })
}

/// The whole record, as create and update answer.
fn whole(sight: &Sight<'_>, whose: Whose) -> Show {
    let switches = sight.switches.clone();
    Show::new(move |record| Value::Object(view(whose.entity, &switches, record)))
}

/// What Bitrix24 requires of a new record.
fn check(sight: &Sight<'_>, entity: Entity, edits: &Edits) -> Result<(), Refusal> {
    if entity == Entity::Task && !edits.fills("TITLE") {
        return Err(refusal("VALIDATION_ERROR", "fields.title: Required"));
    }
    if entity == Entity::Comment {
        let given =
            |name: &str| edits.values.iter().find(|(field, _)| field == name).and_then(|(_, value)| text(value));
        check_comment(&sight.context, given).map_err(of_native)?;
    }
    check_new(&sight.context, entity, edits).map_err(of_native)
}

/// The fields of a body: the body itself, or its member `fields`.
fn sent(params: &Params) -> Result<&Map<String, Value>, Refusal> {
    match params.get("fields") {
        Some(Value::Object(fields)) => Ok(fields),
        Some(_) => Err(refusal("VALIDATION_ERROR", "fields: Expected object")),
        None if params.is_list() => Err(refusal("VALIDATION_ERROR", "Expected object, received array")),
        None => Ok(params.values()),
    }
}

/// What the client may set; a name that does not exist is dropped without a word.
fn edits(sight: &Sight<'_>, entity: Entity, fields: &Map<String, Value>) -> Edits {
    let mut edits = Edits::default();
    for (name, value) in fields {
        if name == "fm" {
            for entry in entries(value) {
                let type_id = entry.get("typeId").and_then(text).unwrap_or_default();
                multi(entity, &type_id, entry, &mut edits);
            }
            continue;
        }
        match resolve(entity, sight.switches, name) {
            Some((field, Kind::Multi)) if value.is_string() || value.get("value").is_some() => {
                multi(entity, &field, value, &mut edits);
            }
            Some((field, Kind::Multi)) => {
                for entry in entries(value) {
                    multi(entity, &field, entry, &mut edits);
                }
            }
            Some((field, kind)) if !crm::field(entity, &field).is_some_and(|field| field.read_only) => {
                edits.values.push((field, keep(kind, value)));
            }
            Some(_) | None => {}
        }
    }
    edits
}

/// A phone and the like: an object, or the text alone.
fn multi(entity: Entity, type_id: &str, entry: &Value, edits: &mut Edits) {
    let entry = if entry.is_string() { json!({"value": entry}) } else { entry.clone() };
    let known = crm::kind(entity, type_id) == Some(Kind::Multi);
    if let Some(edit) = multi_edit(&entry, ITEM).filter(|_| known) {
        edits.multi.push((type_id.to_owned(), vec![edit]));
    }
}

/// The record of this id, if the user may see it.
fn known<'a>(sight: &Sight<'a>, whose: Whose, id: u64) -> Result<&'a Record, Refusal> {
    if sight.context.switches.hidden(whose.entity) {
        return Err(refusal("ACCESS_DENIED", "Access denied"));
    }
    let record = sight.context.store.table(whose.entity).get(id);
    record.filter(|record| belongs(whose, record)).ok_or_else(not_found)
}

fn fields(sight: &Sight<'_>, entity: Entity) -> Answered {
    let known = crm::fields(entity).filter(|field| survives(entity, sight.switches, field));
    let described = known.map(|field| {
        let about = json!({
            "type": if field.kind == Kind::Flag && !in_capitals(entity) { "boolean" } else { type_name(field.kind) },
            "isRequired": false,
            "isReadOnly": field.read_only,
            "title": field.name,
        });
        (shown(entity, field).to_owned(), about)
    });
    let fields: Map<String, Value> = described.collect();
    Answered::plain(json!({"fields": fields}))
}
