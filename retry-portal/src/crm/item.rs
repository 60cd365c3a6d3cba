//! `crm.item.*`: the same records with names in camel case and values with their types.

use serde_json::{Map, Value, json};

use super::change::{Act, Change, Edits, Show};
use super::classic::type_name;
use super::filter::{self, Refused};
use super::list::{self, By, Start};
use super::names::{camel, capitals};
use super::records::{Entity, Record};
use super::schema::{self, Kind};
use super::values::{self, ITEM, entries, multi_edit};
use super::{Action, Call, Context, change, check_addresses, check_new, object};
use crate::envelope::{Answered, RestError};
use crate::params::Params;

/// How custom fields are named in this call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Names {
    /// `ufCrm_123`.
    Camel,
    /// `UF_CRM_123`, asked for with `useOriginalUfNames`.
    Original,
}

impl Names {
    fn of(params: &Params) -> Self {
        let asked = params.get("useOriginalUfNames").and_then(values::text);
        if matches!(asked.as_deref(), Some("Y" | "1" | "true")) { Self::Original } else { Self::Camel }
    }

    fn shown(self, custom: &str) -> String {
        match self {
            Self::Camel => camel(custom),
            Self::Original => custom.to_owned(),
        }
    }

    /// The old name of a custom field.
    fn read(self, name: &str) -> Option<String> {
        match self {
            Self::Camel => capitals(name),
            Self::Original => schema::is_custom(name).then(|| name.to_owned()),
        }
    }

    /// The old name and the kind of any field.
    fn resolve(self, entity: Entity, name: &str) -> Option<(String, Kind)> {
        let known = schema::fields(entity).find(|field| field.item == name && field.kind != Kind::Multi);
        match known {
            Some(field) => Some((field.name.to_owned(), field.kind)),
            None => self.read(name).map(|custom| (custom, Kind::Custom)),
        }
    }
}

pub(crate) fn call(context: &Context<'_>, action: Action, params: &Params) -> Result<Call, RestError> {
    let entity = wanted_entity(params)?;
    let names = Names::of(params);
    match action {
        Action::Add => add(context, entity, names, params).map(change),
        Action::Update => update(context, entity, names, params).map(change),
        Action::Delete => delete(context, entity, params).map(change),
        Action::Get => get(context, entity, names, params).map(Call::Answer),
        Action::List => list(context, entity, names, params).map(Call::Answer),
        Action::Fields => Ok(Call::Answer(fields(entity))),
    }
}

fn add(context: &Context<'_>, entity: Entity, names: Names, params: &Params) -> Result<Change, RestError> {
    let edits = edits(entity, names, sent_fields(params)?);
    check_new(context, entity, &edits)?;
    let (act, show) = (Act::Add { id: None }, Show::Item(names));
    Ok(Change { entity, act, edits, user: context.user, show, gone: not_found() })
}

fn update(context: &Context<'_>, entity: Entity, names: Names, params: &Params) -> Result<Change, RestError> {
    let id = known(context, entity, params)?.id;
    let edits = edits(entity, names, sent_fields(params)?);
    check_addresses(&edits)?;
    Ok(Change {
        entity,
        act: Act::Update { id },
        edits,
        user: context.user,
        show: Show::Item(names),
        gone: not_found(),
    })
}

fn delete(context: &Context<'_>, entity: Entity, params: &Params) -> Result<Change, RestError> {
    let id = known(context, entity, params)?.id;
    let edits = Edits::default();
    Ok(Change { entity, act: Act::Delete { id }, edits, user: context.user, show: Show::EmptyList, gone: not_found() })
}

fn get(context: &Context<'_>, entity: Entity, names: Names, params: &Params) -> Result<Answered, RestError> {
    let record = known(context, entity, params)?;
    Ok(Answered::plain(json!({"item": view(entity, record, names)})))
}

fn list(context: &Context<'_>, entity: Entity, names: Names, params: &Params) -> Result<Answered, RestError> {
    let resolve = |name: &str| names.resolve(entity, name);
    let filter = params.get("filter").unwrap_or(&Value::Null);
    let filter = filter::parse(filter, &resolve).map_err(|refused| {
        invalid(&match refused {
            Refused::UnknownField(field) => format!("Invalid filter: field '{field}' is not allowed in filter"),
            Refused::BadValue(field) => format!("Invalid filter: field '{field}' has invalid value"),
        })
    })?;
    let order = order_of(params.order(), &resolve)?;
    let page = list::page(context, entity, &filter, &order, Start::of(params));
    let select: Vec<String> = params.get("select").into_iter().flat_map(entries).filter_map(values::text).collect();
    let everything = select.is_empty() || select.iter().any(|name| name == "*");
    let items: Vec<Value> = page
        .rows
        .iter()
        .map(|row| {
            let mut item = view(entity, row, names);
            item.retain(|name, _| everything || name == "id" || select.contains(name));
            Value::Object(item)
        })
        .collect();
    Ok(Answered { result: json!({"items": items}), total: Some(page.total), next: page.next })
}

fn order_of(order: &[(String, Value)], resolve: filter::Resolve<'_>) -> Result<Vec<By>, RestError> {
    let mut by = Vec::new();
    for (name, direction) in order {
        let Some((field, kind)) = resolve(name) else {
            return Err(invalid(&format!("Invalid order: field '{name}' is not allowed in order")));
        };
        let Some(descending) = list::descending(direction) else {
            let got = values::text(direction).unwrap_or_default();
            let allowed = "allowed sort directions are ASC, DESC";
            return Err(invalid(&format!("Invalid order: {allowed}. But got '{got}' for field '{name}'")));
        };
        by.push(By { field, kind, descending });
    }
    Ok(by)
}

/// A record as `crm.item.*` shows it.
pub(crate) fn view(entity: Entity, record: &Record, names: Names) -> Map<String, Value> {
    let mut item = Map::new();
    let mut multi = Vec::new();
    let has_multi = schema::fields(entity).any(|field| field.kind == Kind::Multi);
    for field in schema::fields(entity) {
        let value = record.get(field.name).unwrap_or(&Value::Null);
        if field.kind == Kind::Multi {
            multi.extend(value.as_array().into_iter().flatten().map(multi_view));
        } else {
            item.insert(field.item.to_owned(), typed(field.kind, value));
        }
    }
    for (name, value) in record.fields().iter().filter(|(name, _)| schema::is_custom(name)) {
        item.insert(names.shown(name), value.clone());
    }
    if has_multi {
        item.insert("fm".to_owned(), Value::Array(multi));
    }
    item.insert("entityTypeId".to_owned(), entity.type_id().into());
    item
}

fn multi_view(row: &Value) -> Value {
    json!({
        "id": row.get("ID").and_then(values::id),
        "valueType": row.get("VALUE_TYPE"),
        "value": row.get("VALUE"),
        "typeId": row.get("TYPE_ID"),
    })
}

fn typed(kind: Kind, value: &Value) -> Value {
    let text = value.as_str();
    match kind {
        Kind::Int => text.and_then(|text| text.parse::<i64>().ok()).into(),
        Kind::Money => text.and_then(values::float).into(),
        Kind::Text | Kind::Flag | Kind::Date | Kind::Time | Kind::Multi | Kind::Custom => value.clone(),
    }
}

fn fields(entity: Entity) -> Answered {
    let described = schema::fields(entity).filter(|field| field.kind != Kind::Multi).map(|field| {
        let about = json!({
            "type": if field.kind == Kind::Flag { "boolean" } else { type_name(field.kind) },
            "isRequired": false,
            "isReadOnly": field.read_only,
            "isImmutable": false,
            "isMultiple": false,
            "isDynamic": false,
            "title": field.item,
            "upperName": field.name,
        });
        (field.item.to_owned(), about)
    });
    let fields: Map<String, Value> = described.collect();
    Answered::plain(json!({"fields": fields}))
}

/// What the client may set; a name that does not exist is dropped without a word, as Bitrix24 does.
fn edits(entity: Entity, names: Names, fields: &Map<String, Value>) -> Edits {
    let mut edits = Edits::default();
    for (name, value) in fields {
        if name == "fm" {
            for entry in entries(value) {
                let type_id = entry.get("typeId").and_then(values::text).unwrap_or_default();
                let known = schema::kind(entity, &type_id) == Some(Kind::Multi);
                if let Some(edit) = multi_edit(entry, ITEM).filter(|_| known) {
                    edits.multi.push((type_id, vec![edit]));
                }
            }
            continue;
        }
        let Some((old, kind)) = names.resolve(entity, name) else { continue };
        if !schema::fields(entity).any(|field| field.name == old && field.read_only) {
            edits.values.push((old, values::keep(kind, value)));
        }
    }
    edits
}

fn sent_fields(params: &Params) -> Result<&Map<String, Value>, RestError> {
    object(params.get("fields"), "fields")?.ok_or_else(|| missing("fields"))
}

fn wanted_entity(params: &Params) -> Result<Entity, RestError> {
    let Some(value) = params.get("entityTypeId") else {
        return Err(missing("entityTypeId"));
    };
    let found = values::id(value).and_then(Entity::of_type_id);
    found.ok_or_else(|| RestError::bad("NOT_FOUND", "Smart process not found"))
}

/// The record of this call's id, if the user may see it.
fn known<'a>(context: &Context<'a>, entity: Entity, params: &Params) -> Result<&'a Record, RestError> {
    let Some(id) = params.get("id") else {
        return Err(missing("id"));
    };
    if context.switches.hidden(entity) {
        return Err(RestError::new(403, "ACCESS_DENIED", "Access denied."));
    }
    values::id(id).and_then(|id| context.store.table(entity).get(id)).ok_or_else(not_found)
}

fn not_found() -> RestError {
    RestError::bad("NOT_FOUND", "Element not found")
}

/// The code is a number here, as `crm.item.*` and its kin send it.
fn missing(parameter: &str) -> RestError {
    RestError::bad(100, format!("Could not find value for parameter {{{parameter}}}"))
}

fn invalid(description: &str) -> RestError {
    RestError::bad("INVALID_ARG_VALUE", description)
}
