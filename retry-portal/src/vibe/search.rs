//! Lists: `GET /v1/{entity}` and `POST /v1/{entity}/search`.

use serde_json::{Value, json};

use super::codes::refusal;
use super::names::resolve;
use super::route::Whose;
use super::view::selected;
use super::{Sight, filter};
use crate::crm::{self, By, Record, Span, Wanted, entries, text};
use crate::params::Params;
use crate::refusal::{Answered, Refusal};

/// Rows of an answer, unless `limit` says otherwise, and at most.
const LIMIT: usize = 50;
const MOST: usize = 5000;

/// The rows, and what the answer says of them. A `paged` list tells its page besides.
pub(super) fn list(sight: &Sight<'_>, whose: Whose, params: &Params, paged: bool) -> Result<Answered, Refusal> {
    let filter = filter::parse(sight, whose, params.get("filter"))?;
    let order = order_of(sight, whose, params)?;
    let number = |name: &str| params.get(name).and_then(text).and_then(|text| text.trim().parse::<usize>().ok());
    let limit = number("limit").filter(|limit| *limit > 0).unwrap_or(LIMIT).min(MOST);
    let offset = number("offset").unwrap_or(0);
    let within = |record: &Record| belongs(whose, record);
    let within = whose.type_id.is_some().then_some(&within as &dyn Fn(&Record) -> bool);
    let span = Span { offset, limit };
    let wanted = Wanted { within, filter: &filter, order: &order, span, count: counts(params) };
    let page = crm::page(&sight.context, whose.entity, &wanted);
    // The windows that could not be read held the rows.
    let lost = sight.switches.window_errors > 0;
    let (rows, counted) = if lost { (Vec::new(), 0) } else { (page.rows, page.counted) };
    let select = select_of(params.get("select"));
    let data: Vec<Value> = rows.iter().map(|row| selected(whose.entity, sight.switches, row, &select)).collect();
    let total = counts(params).then_some(counted);
    let returned = data.len();
    let meta = json!({
        "total": total,
        // As seen on the live service: also true on a last page that is just full.
        "hasMore": returned == limit,
        "returned": returned,
        "truncated": false,
        "windowCount": sight.switches.window_errors.saturating_add(1),
        "windowErrors": sight.switches.window_errors,
    });
    let mut answered = Answered::plain(data).beside("meta", meta);
    if let Some(total) = total {
        answered = answered.beside("total", total);
    }
    Ok(if paged {
        answered.beside("page", (offset / limit).saturating_add(1)).beside("limit", limit)
    } else {
        answered
    })
}

/// Whether a record is one of these: all smart processes share a table.
pub(super) fn belongs(whose: Whose, record: &Record) -> bool {
    whose.type_id.is_none_or(|type_id| record.text("ENTITY_TYPE_ID") == Some(type_id.to_string().as_str()))
}

/// `withTotal: false` or `start: -1` switch the counting off.
fn counts(params: &Params) -> bool {
    let off = |name: &str, value: &[&str]| {
        params.get(name).and_then(text).is_some_and(|text| value.contains(&text.to_ascii_lowercase().as_str()))
    };
    !off("withTotal", &["0", "false"]) && !off("start", &["-1"])
}

/// A list of names, or one text with commas.
fn select_of(select: Option<&Value>) -> Vec<String> {
    let names: Vec<String> = match select {
        Some(Value::String(names)) => names.split(',').map(|name| name.trim().to_owned()).collect(),
        Some(names) => entries(names).filter_map(text).collect(),
        None => Vec::new(),
    };
    names.into_iter().filter(|name| !name.is_empty() && name != "*").collect()
}

/// `order` or `sort`: an object, a text (`-amount,id`), or a list of such texts.
fn order_of(sight: &Sight<'_>, whose: Whose, params: &Params) -> Result<Vec<By>, Refusal> {
    let named: Vec<(String, Value)> = if params.order().is_empty() {
        match params.get("sort") {
            None => Vec::new(),
            Some(Value::String(names)) => names.split(',').map(by_sign).collect(),
            Some(Value::Array(names)) => names.iter().filter_map(text).map(|name| by_sign(&name)).collect(),
            Some(Value::Object(_)) => params.sort().to_vec(),
            Some(Value::Null | Value::Bool(_) | Value::Number(_)) => {
                return Err(refusal("INVALID_SORT_TYPE", "sort must be a text, an object or a list"));
            }
        }
    } else {
        params.order().to_vec()
    };
    named.iter().map(|(name, direction)| by(sight, whose, name, direction)).collect()
}

fn by_sign(name: &str) -> (String, Value) {
    let name = name.trim();
    match name.strip_prefix('-') {
        Some(name) => (name.to_owned(), "DESC".into()),
        None => (name.to_owned(), "ASC".into()),
    }
}

fn by(sight: &Sight<'_>, whose: Whose, name: &str, direction: &Value) -> Result<By, Refusal> {
    let Some((field, kind)) = resolve(whose.entity, sight.switches, name) else {
        return Err(refusal("UNKNOWN_SORT_FIELD", format!("Unknown sort field: {name}")));
    };
    let descending = match text(direction).as_deref() {
        Some("1") => Some(false),
        Some("-1") => Some(true),
        Some(_) | None => crm::descending(direction),
    };
    match descending {
        Some(descending) => Ok(By { field, kind, descending }),
        None => Err(refusal("INVALID_SORT_DIRECTION", format!("The direction of {name} must be asc or desc"))),
    }
}
