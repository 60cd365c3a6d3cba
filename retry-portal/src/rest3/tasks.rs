//! `tasks.task.{add,get,list,update,delete}`.

use serde_json::{Map, Value, json};

use super::{Body, filter, invalid, refused, yes};
use crate::crm::{
    self, Act, Action, By, Context, Edits, Entity, Field, Kind, One, Record, Show, Span, Wanted, descending, entries,
    keep, text, typed,
};
use crate::refusal::{Answered, Call, Refusal};

const TASK: Entity = Entity::Task;
/// Rows of a page, unless `pagination` says otherwise, and at most.
const PAGE: usize = 50;
const MOST: usize = 1000;

/// The words of REST 3.0 for the numbers of the old methods.
const STATUSES: [(&str, &str); 5] =
    [("2", "pending"), ("3", "in_progress"), ("4", "supposedly_completed"), ("5", "completed"), ("6", "deferred")];
const PRIORITIES: [(&str, &str); 3] = [("0", "low"), ("1", "average"), ("2", "high")];

pub(super) fn call(context: &Context<'_>, action: Action, body: &Body) -> Result<Call, Refusal> {
    match action {
        Action::Add => add(context, body).map(Call::change),
        Action::Update => update(context, body).map(Call::change),
        Action::Delete => delete(context, body).map(Call::change),
        Action::Get => get(context, body).map(Call::Answer),
        Action::List => list(context, body).map(Call::Answer),
        Action::Fields => Err(refused(400, "INVALIDSELECTEXCEPTION", "There is no such method")),
    }
}

fn add(context: &Context<'_>, body: &Body) -> Result<One, Refusal> {
    let fields = fields_of(body)?;
    let required = ["title", "creatorId", "responsibleId"].into_iter();
    let missing: Vec<(&str, String)> = required
        .filter(|name| fields.get(*name).and_then(text).is_none_or(|text| text.is_empty()))
        .map(|name| (name, format!("Required field `{name}` is missing")))
        .collect();
    if !missing.is_empty() {
        return Err(invalid(missing));
    }
    let edits = edits(fields)?;
    if let Some((_, field)) = context.switches.required.iter().find(|(of, field)| *of == TASK && !edits.fills(field)) {
        return Err(invalid(vec![(field, format!("Required field `{field}` is missing"))]));
    }
    let show = Show::new(|record| json!({"item": view(record)}));
    Ok(One { entity: TASK, act: Act::Add { id: None }, edits, user: context.user, show, gone: gone(0) })
}

fn update(context: &Context<'_>, body: &Body) -> Result<One, Refusal> {
    let id = body.id()?;
    let edits = edits(fields_of(body)?)?;
    known(context, id).ok_or_else(denied)?;
    Ok(One {
        entity: TASK,
        act: Act::Update { id },
        edits,
        user: context.user,
        show: Show::always(yes()),
        gone: denied(),
    })
}

fn delete(context: &Context<'_>, body: &Body) -> Result<One, Refusal> {
    let id = body.id()?;
    // A task that is gone cannot be told from one of others.
    known(context, id).ok_or_else(denied)?;
    let (edits, show) = (Edits::default(), Show::always(yes()));
    Ok(One { entity: TASK, act: Act::Delete { id }, edits, user: context.user, show, gone: denied() })
}

fn get(context: &Context<'_>, body: &Body) -> Result<Answered, Refusal> {
    let id = body.id()?;
    let record = known(context, id).ok_or_else(|| gone(id))?;
    let select = select_of(body)?;
    Ok(Answered::plain(json!({"item": selected(record, select.as_deref())})))
}

fn list(context: &Context<'_>, body: &Body) -> Result<Answered, Refusal> {
    let filter = filter::parse(body.get("filter"))?;
    let select = select_of(body)?.unwrap_or_default();
    let order = order_of(&body.order)?;
    let span = span(body.get("pagination"))?;
    let wanted = Wanted { within: None, filter: &filter, order: &order, span, count: false };
    let page = crm::page(context, TASK, &wanted);
    let items: Vec<Value> = page.rows.iter().map(|row| selected(row, Some(&select))).collect();
    Ok(Answered::plain(json!({"items": items})))
}

fn order_of(order: &[(String, Value)]) -> Result<Vec<By>, Refusal> {
    let by = |(name, direction): &(String, Value)| {
        let field = crm::fields(TASK).find(|field| field.item == name)?;
        Some(By { field: field.name.to_owned(), kind: field.kind, descending: descending(direction)? })
    };
    let read: Option<Vec<By>> = order.iter().map(by).collect();
    read.ok_or_else(|| refused(400, "INVALIDORDEREXCEPTION", "Unable to recognize the sorting parameter"))
}

fn span(pagination: Option<&Value>) -> Result<Span, Refusal> {
    let wrong = || refused(400, "INVALIDPAGINATIONEXCEPTION", "Unable to recognize the pagination parameter");
    let number = |name: &str| match pagination.and_then(|pagination| pagination.get(name)) {
        None => Ok(None),
        Some(value) => value.as_u64().and_then(|number| usize::try_from(number).ok()).map(Some).ok_or_else(wrong),
    };
    let (page, limit, offset) = (number("page")?, number("limit")?, number("offset")?);
    let limit = limit.unwrap_or(PAGE);
    if !(1..=MOST).contains(&limit) {
        return Err(wrong());
    }
    let of_page = page.map(|page| page.saturating_sub(1).saturating_mul(limit));
    Ok(Span { offset: of_page.or(offset).unwrap_or(0), limit })
}

/// `None`: all fields.
fn select_of(body: &Body) -> Result<Option<Vec<String>>, Refusal> {
    match body.get("select") {
        None => Ok(None),
        Some(select @ Value::Array(_)) => Ok(Some(entries(select).filter_map(text).collect())),
        Some(_) => Err(refused(400, "INVALIDSELECTEXCEPTION", "Unable to recognize the select parameter")),
    }
}

/// The fields that are asked for, and `id`.
fn selected(record: &Record, select: Option<&[String]>) -> Value {
    let mut item = view(record);
    item.retain(|name, _| name == "id" || select.is_none_or(|select| select.contains(name)));
    Value::Object(item)
}

/// A task as REST 3.0 shows it.
fn view(record: &Record) -> Map<String, Value> {
    let shown = |field: &Field| {
        let value = record.get(field.name).unwrap_or(&Value::Null);
        let word = words(field.name).and_then(|words| words.iter().find(|(number, _)| value.as_str() == Some(number)));
        word.map_or_else(|| typed(field.kind, value), |(_, word)| (*word).into())
    };
    crm::fields(TASK).map(|field| (field.item.to_owned(), shown(field))).collect()
}

fn words(field: &str) -> Option<&'static [(&'static str, &'static str)]> {
    match field {
        "STATUS" => Some(&STATUSES),
        "PRIORITY" => Some(&PRIORITIES),
        _ => None,
    }
}

fn fields_of(body: &Body) -> Result<&Map<String, Value>, Refusal> {
    let wrong = || invalid(vec![("fields", "Field `fields` requires data type `object` for this request".to_owned())]);
    body.required("fields")?.as_object().ok_or_else(wrong)
}

/// What the client may set. A field that the portal does not know is dropped: the object has more than it keeps.
fn edits(fields: &Map<String, Value>) -> Result<Edits, Refusal> {
    let mut edits = Edits::default();
    for (name, value) in fields {
        let Some(field) = crm::fields(TASK).find(|field| field.item == name) else { continue };
        if field.read_only {
            let text =
                format!("In DTO `TaskDto`, the `{name}` field requires the `Editable` attribute for such a request");
            return Err(invalid(vec![(name, text)]));
        }
        let number = |text: &str| words(field.name)?.iter().find(|(_, word)| *word == text).map(|(number, _)| *number);
        let kept = value.as_str().and_then(number).map_or_else(|| keep(field.kind, value), Value::from);
        let fits = match field.kind {
            Kind::Int => value.is_null() || value.is_u64() || value.as_str().is_some_and(|text| number(text).is_some()),
            Kind::Time | Kind::Date => value.is_null() || !kept.is_null(),
            Kind::Money | Kind::Text | Kind::Flag | Kind::Multi | Kind::Custom => true,
        };
        if !fits {
            let wanted = if field.kind == Kind::Int { "int" } else { "DateTime" };
            let text = format!("Field `{name}` requires data type `{wanted}` for this request");
            return Err(invalid(vec![(name, text)]));
        }
        edits.values.push((field.name.to_owned(), kept));
    }
    Ok(edits)
}

fn known<'a>(context: &Context<'a>, id: u64) -> Option<&'a Record> {
    if context.switches.hidden(TASK) { None } else { context.store.table(TASK).get(id) }
}

fn gone(id: u64) -> Refusal {
    refused(400, "ENTITYNOTFOUNDEXCEPTION", format!("Record with ID = `{id}` not found"))
}

fn denied() -> Refusal {
    refused(403, "ACCESSDENIEDEXCEPTION", "Access denied")
}
