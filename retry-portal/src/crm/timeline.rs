//! `crm.timeline.comment.add` and `crm.timeline.comment.list`.

use serde_json::{Value, json};

use super::change::{Act, Change, Show};
use super::list::{self, By, Start};
use super::records::Entity;
use super::schema::{self, Kind};
use super::{Context, classic, filter, values};
use crate::envelope::{Answered, RestError};
use crate::params::Params;

/// `fields` only in lower case, as the page says.
pub(crate) fn add(context: &Context<'_>, params: &Params) -> Result<Change, RestError> {
    let Some(fields) = params.get("fields").and_then(Value::as_object) else {
        return Err(RestError::bad(100, "Could not find value for parameter {fields}"));
    };
    let given = |name: &str| fields.get(name).and_then(values::text).filter(|text| !text.is_empty());
    let (Some(owner), Some(kind)) = (given("ENTITY_ID"), given("ENTITY_TYPE")) else {
        return Err(RestError::bad(100, "Required fields: ENTITY_ID, ENTITY_TYPE, COMMENT"));
    };
    if given("COMMENT").is_none() {
        return Err(RestError::bad("INVALID_ARG_VALUE", "Empty comment"));
    }
    let owner = owner.parse().ok().filter(|id| owner_exists(context, &kind, *id));
    if owner.is_none() {
        return Err(RestError::bad("OWNER_NOT_FOUND", "Owner of the element not found"));
    }
    Ok(Change {
        entity: Entity::Comment,
        act: Act::Add { id: None },
        edits: classic::edits(Entity::Comment, fields),
        user: context.user,
        show: Show::Id,
        gone: RestError::bad("NOT_FOUND", "Not found."),
    })
}

fn owner_exists(context: &Context<'_>, kind: &str, id: u64) -> bool {
    let entity = Entity::named(kind).filter(|entity| entity.type_id() > 0);
    entity.is_some_and(|entity| context.store.table(entity).get(id).is_some())
}

/// The filter must name the owner; it knows no other fields. Only `ID`, `CREATED` and `AUTHOR_ID` can be sorted by.
pub(crate) fn list(context: &Context<'_>, params: &Params) -> Result<Answered, RestError> {
    let owner = params.get("filter").unwrap_or(&Value::Null);
    let names_owner = |name: &str| owner.get(name).or_else(|| owner.get(format!("={name}"))).is_some();
    if !names_owner("ENTITY_ID") || !names_owner("ENTITY_TYPE") {
        return Err(RestError::bad("", "ENTITY_ID and ENTITY_TYPE are required in the filter."));
    }
    let filterable = |name: &str| {
        let kind = schema::kind(Entity::Comment, name)?;
        matches!(name, "ENTITY_ID" | "ENTITY_TYPE").then(|| (name.to_owned(), kind))
    };
    let filter = filter::parse_known(owner, &filterable);
    let order: Vec<By> = params
        .order()
        .iter()
        .filter(|(name, _)| matches!(name.as_str(), "ID" | "CREATED" | "AUTHOR_ID"))
        .filter_map(|(name, direction)| {
            let kind: Kind = schema::kind(Entity::Comment, name)?;
            Some(By { field: name.clone(), kind, descending: list::descending(direction)? })
        })
        .collect();
    let page = list::page(context, Entity::Comment, &filter, &order, Start::of(params));
    let select: Vec<String> =
        params.get("select").into_iter().flat_map(values::entries).filter_map(values::text).collect();
    let rows: Vec<Value> = page
        .rows
        .iter()
        .map(|row| {
            let mut row = row.fields().clone();
            row.insert("FILES".to_owned(), json!({}));
            row.retain(|name, _| select.is_empty() || name == "ID" || select.contains(name));
            Value::Object(row)
        })
        .collect();
    Ok(Answered { result: Value::Array(rows), total: Some(page.total), next: page.next })
}
