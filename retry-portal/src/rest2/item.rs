//! `crm.item.*`: the same records with names in camel case and values with their types.

use serde_json::{Map, Value, json};

use super::object;
use super::start::listed;
use crate::crm::{
    self, Act, Action, By, Context, Edits, Entity, ITEM, Kind, One, Record, Refused, Resolve, Show, camel, capitals,
    check_addresses, check_new, descending, entries, field, id, is_custom, keep, kind, multi_edit, multi_view, parse,
    text, type_name, typed,
};
use crate::params::Params;
use crate::refusal::{Answered, Call, Refusal};

/// How custom fields are named in this call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Names {
    /// `ufCrm_123`.
    Camel,
    /// `UF_CRM_123`, asked for with `useOriginalUfNames`.
    Original,
}

impl Names {
    fn of(params: &Params) -> Self {
        let asked = params.get("useOriginalUfNames").and_then(text);
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
            Self::Original => is_custom(name).then(|| name.to_owned()),
        }
    }

    /// The old name and the kind of any field.
    fn resolve(self, entity: Entity, name: &str) -> Option<(String, Kind)> {
        let known = crm::fields(entity).find(|field| field.item == name && field.kind != Kind::Multi);
        match known {
            Some(field) => Some((field.name.to_owned(), field.kind)),
            None => self.read(name).map(|custom| (custom, Kind::Custom)),
        }
    }
}

pub(crate) fn call(context: &Context<'_>, action: Action, params: &Params) -> Result<Call, Refusal> {
    let entity = wanted_entity(params)?;
    let names = Names::of(params);
    match action {
        Action::Add => add(context, entity, names, params).map(Call::change),
        Action::Update => update(context, entity, names, params).map(Call::change),
        Action::Delete => delete(context, entity, params).map(Call::change),
        Action::Get => get(context, entity, names, params).map(Call::Answer),
        Action::List => list(context, entity, names, params).map(Call::Answer),
        Action::Fields => Ok(Call::Answer(fields(entity))),
    }
}

fn add(context: &Context<'_>, entity: Entity, names: Names, params: &Params) -> Result<One, Refusal> {
    let edits = edits(entity, names, sent_fields(params)?);
    check_new(context, entity, &edits)?;
    let (act, show) = (Act::Add { id: None }, shown(entity, names));
    Ok(One { entity, act, edits, user: context.user, show, gone: not_found() })
}

fn update(context: &Context<'_>, entity: Entity, names: Names, params: &Params) -> Result<One, Refusal> {
    let id = known(context, entity, params)?.id;
    let edits = edits(entity, names, sent_fields(params)?);
    check_addresses(&edits)?;
    Ok(One {
        entity,
        act: Act::Update { id },
        edits,
        user: context.user,
        show: shown(entity, names),
        gone: not_found(),
    })
}

fn delete(context: &Context<'_>, entity: Entity, params: &Params) -> Result<One, Refusal> {
    let id = known(context, entity, params)?.id;
    let edits = Edits::default();
    Ok(One {
        entity,
        act: Act::Delete { id },
        edits,
        user: context.user,
        show: Show::always(json!([])),
        gone: not_found(),
    })
}

fn get(context: &Context<'_>, entity: Entity, names: Names, params: &Params) -> Result<Answered, Refusal> {
    let record = known(context, entity, params)?;
    Ok(Answered::plain(json!({"item": view(entity, record, names)})))
}

fn list(context: &Context<'_>, entity: Entity, names: Names, params: &Params) -> Result<Answered, Refusal> {
    let resolve = |name: &str| names.resolve(entity, name);
    let filter = params.get("filter").unwrap_or(&Value::Null);
    let filter = parse(filter, &resolve).map_err(|refused| {
        invalid(&match refused {
            Refused::UnknownField(field) => format!("Invalid filter: field '{field}' is not allowed in filter"),
            Refused::BadValue(field) => format!("Invalid filter: field '{field}' has invalid value"),
        })
    })?;
    let order = order_of(params.order(), &resolve)?;
    let select: Vec<String> = params.get("select").into_iter().flat_map(entries).filter_map(text).collect();
    let everything = select.is_empty() || select.iter().any(|name| name == "*");
    Ok(listed(context, entity, &filter, &order, params, |rows| {
        let items: Vec<Value> = rows
            .iter()
            .map(|row| {
                let mut item = view(entity, row, names);
                item.retain(|name, _| everything || name == "id" || select.contains(name));
                Value::Object(item)
            })
            .collect();
        json!({"items": items})
    }))
}

fn order_of(order: &[(String, Value)], resolve: Resolve<'_>) -> Result<Vec<By>, Refusal> {
    let mut by = Vec::new();
    for (name, direction) in order {
        let Some((field, kind)) = resolve(name) else {
            return Err(invalid(&format!("Invalid order: field '{name}' is not allowed in order")));
        };
        let Some(descending) = descending(direction) else {
            let got = text(direction).unwrap_or_default();
            let allowed = "allowed sort directions are ASC, DESC";
            return Err(invalid(&format!("Invalid order: {allowed}. But got '{got}' for field '{name}'")));
        };
        by.push(By { field, kind, descending });
    }
    Ok(by)
}

/// What the answer of a write shows.
fn shown(entity: Entity, names: Names) -> Show {
    Show::new(move |record| json!({"item": view(entity, record, names)}))
}

/// A record as `crm.item.*` shows it.
fn view(entity: Entity, record: &Record, names: Names) -> Map<String, Value> {
    let mut item = Map::new();
    let mut multi = Vec::new();
    let has_multi = crm::fields(entity).any(|field| field.kind == Kind::Multi);
    for field in crm::fields(entity) {
        let value = record.get(field.name).unwrap_or(&Value::Null);
        if field.kind == Kind::Multi {
            multi.extend(value.as_array().into_iter().flatten().map(multi_view));
        } else {
            item.insert(field.item.to_owned(), typed(field.kind, value));
        }
    }
    for (name, value) in record.iter().filter(|(name, _)| is_custom(name)) {
        item.insert(names.shown(name), value.clone());
    }
    if has_multi {
        item.insert("fm".to_owned(), Value::Array(multi));
    }
    item.insert("entityTypeId".to_owned(), entity.type_id().into());
    item
}

fn fields(entity: Entity) -> Answered {
    let described = crm::fields(entity).filter(|field| field.kind != Kind::Multi).map(|field| {
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
                let type_id = entry.get("typeId").and_then(text).unwrap_or_default();
                let known = kind(entity, &type_id) == Some(Kind::Multi);
                if let Some(edit) = multi_edit(entry, ITEM).filter(|_| known) {
                    edits.multi.push((type_id, vec![edit]));
                }
            }
            continue;
        }
        let Some((old, kind)) = names.resolve(entity, name) else { continue };
        if !field(entity, &old).is_some_and(|field| field.read_only) {
            edits.values.push((old, keep(kind, value)));
        }
    }
    edits
}

fn sent_fields(params: &Params) -> Result<&Map<String, Value>, Refusal> {
    object(params.get("fields"), "fields")?.ok_or_else(|| missing("fields"))
}

fn wanted_entity(params: &Params) -> Result<Entity, Refusal> {
    let Some(value) = params.get("entityTypeId") else {
        return Err(missing("entityTypeId"));
    };
    let found = id(value).and_then(Entity::of_type_id);
    found.ok_or_else(|| Refusal::bad("NOT_FOUND", "Smart process not found"))
}

/// The record of this call's id, if the user may see it.
fn known<'a>(context: &Context<'a>, entity: Entity, params: &Params) -> Result<&'a Record, Refusal> {
    let Some(sent) = params.get("id") else {
        return Err(missing("id"));
    };
    if context.switches.hidden(entity) {
        return Err(Refusal::new(403, "ACCESS_DENIED", "Access denied."));
    }
    id(sent).and_then(|id| context.store.table(entity).get(id)).ok_or_else(not_found)
}

fn not_found() -> Refusal {
    Refusal::bad("NOT_FOUND", "Element not found")
}

/// The code is a number here, as `crm.item.*` and its kin send it.
fn missing(parameter: &str) -> Refusal {
    Refusal::bad(100, format!("Could not find value for parameter {{{parameter}}}"))
}

fn invalid(description: &str) -> Refusal {
    Refusal::bad("INVALID_ARG_VALUE", description)
}
