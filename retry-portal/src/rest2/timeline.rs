//! `crm.timeline.comment.add` and `crm.timeline.comment.list`.

use serde_json::{Value, json};

use super::classic;
use super::start::listed;
use crate::crm::{Act, By, Context, Entity, One, Record, Show, descending, entries, kind, parse_known, text};
use crate::params::Params;
use crate::refusal::{Answered, Refusal};

/// `fields` only in lower case, as the page says.
pub(crate) fn add(context: &Context<'_>, params: &Params) -> Result<One, Refusal> {
    let Some(fields) = params.get("fields").and_then(Value::as_object) else {
        return Err(Refusal::bad(100, "Could not find value for parameter {fields}"));
    };
    check_comment(context, |name| fields.get(name).and_then(text))?;
    Ok(One {
        entity: Entity::Comment,
        act: Act::Add { id: None },
        edits: classic::edits(Entity::Comment, fields),
        user: context.user,
        show: Show::id(),
        gone: Refusal::bad("NOT_FOUND", "Not found."),
    })
}

/// Refuses a comment without a text, or without an owner who exists.
pub(crate) fn check_comment(context: &Context<'_>, field: impl Fn(&str) -> Option<String>) -> Result<(), Refusal> {
    let given = |name: &str| field(name).filter(|text| !text.is_empty());
    let (Some(owner), Some(owner_type)) = (given("ENTITY_ID"), given("ENTITY_TYPE")) else {
        return Err(Refusal::bad(100, "Required fields: ENTITY_ID, ENTITY_TYPE, COMMENT"));
    };
    if given("COMMENT").is_none() {
        return Err(Refusal::bad("INVALID_ARG_VALUE", "Empty comment"));
    }
    match owner.parse().ok().filter(|id| owner_exists(context, &owner_type, *id)) {
        Some(_) => Ok(()),
        None => Err(Refusal::bad("OWNER_NOT_FOUND", "Owner of the element not found")),
    }
}

fn owner_exists(context: &Context<'_>, owner_type: &str, id: u64) -> bool {
    let entity = Entity::named(owner_type).filter(|entity| entity.type_id().is_some());
    entity.is_some_and(|entity| context.store.table(entity).get(id).is_some())
}

/// The filter must name the owner; it knows no other fields. Only `ID`, `CREATED` and `AUTHOR_ID` can be sorted by.
pub(crate) fn list(context: &Context<'_>, params: &Params) -> Result<Answered, Refusal> {
    let owner = params.get("filter").unwrap_or(&Value::Null);
    let names_owner = |name: &str| owner.get(name).or_else(|| owner.get(format!("={name}"))).is_some();
    if !names_owner("ENTITY_ID") || !names_owner("ENTITY_TYPE") {
        return Err(Refusal::bad("", "ENTITY_ID and ENTITY_TYPE are required in the filter."));
    }
    let filterable = |name: &str| {
        let kind = kind(Entity::Comment, name)?;
        matches!(name, "ENTITY_ID" | "ENTITY_TYPE").then(|| (name.to_owned(), kind))
    };
    let filter = parse_known(owner, &filterable);
    let order: Vec<By> = params
        .order()
        .iter()
        .filter(|(name, _)| matches!(name.as_str(), "ID" | "CREATED" | "AUTHOR_ID"))
        .filter_map(|(name, direction)| {
            let kind = kind(Entity::Comment, name)?;
            Some(By { field: name.clone(), kind, descending: descending(direction)? })
        })
        .collect();
    let select: Vec<String> = params.get("select").into_iter().flat_map(entries).filter_map(text).collect();
    let shown = |rows: Vec<&Record>| {
        rows.iter()
            .map(|row| {
                let mut row = row.fields().into_owned();
                row.insert("FILES".to_owned(), json!({}));
                row.retain(|name, _| select.is_empty() || name == "ID" || select.contains(name));
                Value::Object(row)
            })
            .collect()
    };
    Ok(listed(context, Entity::Comment, &filter, &order, params, shown))
}
