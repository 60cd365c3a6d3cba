//! `POST /v1/batch` of the gateway.

use http::Method as Verb;
use serde_json::{Map, Value};

use super::answer::{End, errors};
use super::{Batch, Form, Item, MOST};
use crate::crm::{id, text};
use crate::operation::{Operation, VibeCall};
use crate::params::Params;
use crate::refusal::Refusal;
use crate::vibe::{Key, NoRoute, Route};

/// An `id` has at most so many characters.
const LONGEST_ID: usize = 64;

/// Reads the calls; the whole is refused when their number does not fit.
pub(crate) fn read(params: &Params, call: &VibeCall) -> Result<Batch, Refusal> {
    let wrong = |text: &str| Refusal::bad("INVALID_REQUEST", text);
    let calls = params.get("calls").and_then(Value::as_array).ok_or_else(|| wrong("calls: Expected array"))?;
    if calls.is_empty() {
        return Err(wrong("calls: Array must contain at least 1 element(s)"));
    }
    if calls.len() > MOST {
        return Err(wrong("calls: Array must contain at most 50 element(s)"));
    }
    let items = calls.iter().enumerate().map(|(at, one)| item(at, one, call)).collect();
    Ok(Batch { form: Form::Vibe, halt: false, items })
}

/// The errors by id, if no call can be made at all.
pub(crate) fn all_invalid(batch: &Batch) -> Option<Map<String, Value>> {
    let refused = |item: &Item| item.operation.as_ref().err().map(|refusal| End::Refused(refusal.clone()));
    let ends: Option<Vec<(String, End)>> =
        batch.items.iter().map(|item| Some((item.key.clone(), refused(item)?))).collect();
    ends.map(|ends| errors(&ends))
}

fn item(at: usize, one: &Value, call: &VibeCall) -> Item {
    let key = one.get("id").and_then(text).filter(|id| !id.is_empty()).unwrap_or_else(|| at.to_string());
    let params = one.get("params").and_then(Value::as_object).cloned().unwrap_or_default();
    let route = if key.chars().count() > LONGEST_ID {
        Err(Refusal::bad("INVALID_CALL", "id: String must contain at most 64 character(s)"))
    } else {
        route(one, &params)
    };
    let method = route.as_ref().map(Route::native).unwrap_or_default();
    let operation = route.and_then(|route| {
        if call.key == Key::ReadOnly && route.is_write() {
            return Err(Refusal::bad(
                "WRITE_BLOCKED_READONLY_KEY",
                "This key is in the mode READONLY: it cannot write",
            ));
        }
        let (request_id, standing) = (call.request_id.clone(), call.standing);
        Ok(Operation::Vibe(VibeCall { route, key: call.key, request_id, standing }))
    });
    Item { key, method, params: Params::of(params), query: None, operation }
}

/// The route that the call would have alone.
fn route(one: &Value, params: &Map<String, Value>) -> Result<Route, Refusal> {
    let word = |name: &str| one.get(name).and_then(Value::as_str).filter(|word| !word.is_empty());
    let (Some(entity), Some(action)) = (word("entity"), word("action")) else {
        return Err(Refusal::bad("INVALID_CALL", "A call needs an entity and an action"));
    };
    let entity = entity_path(entity, one, params)?;
    let unknown = || Refusal::bad("ACTION_NOT_SUPPORTED", format!("Action '{action}' is not supported"));
    let verb = match action {
        "list" | "get" | "fields" => Verb::GET,
        "create" | "search" => Verb::POST,
        "update" => Verb::PATCH,
        "delete" => Verb::DELETE,
        _ => return Err(unknown()),
    };
    let path = match action {
        "get" | "update" | "delete" => {
            let missing = || Refusal::bad("MISSING_ENTITY_ID", format!("Action '{action}' needs an entityId"));
            format!("{entity}/{}", one.get("entityId").and_then(id).ok_or_else(missing)?)
        }
        "fields" | "search" => format!("{entity}/{action}"),
        _ => entity.clone(),
    };
    match Route::of(&verb, &path) {
        Ok(route @ Route::Entity(..)) => Ok(route),
        Err(NoRoute::Reserved(type_id)) => {
            let text = format!("entityTypeId {type_id} has an entity of its own: use it");
            Err(Refusal::bad("USE_DEDICATED_ENTITY", text))
        }
        Ok(Route::RowsGet(_) | Route::RowsSet(_) | Route::Duplicates | Route::Me | Route::Batch)
        | Err(NoRoute::Unknown | NoRoute::BadId) => {
            Err(Refusal::bad("UNKNOWN_ENTITY", format!("There is no entity '{entity}'")))
        }
    }
}

/// Smart processes say their type in the parameters (our guess, from the names of the codes) or behind a slash.
fn entity_path(entity: &str, one: &Value, params: &Map<String, Value>) -> Result<String, Refusal> {
    let (name, given) = match entity.split_once('/') {
        Some((name, type_id)) => (name, Some(type_id.to_owned())),
        None => (entity, None),
    };
    if name != "items" {
        return match given {
            None => Ok(name.to_owned()),
            Some(_) => Err(Refusal::bad("UNKNOWN_ENTITY", format!("There is no entity '{entity}'"))),
        };
    }
    let type_id = given.or_else(|| one.get("entityTypeId").or_else(|| params.get("entityTypeId")).and_then(text));
    let type_id = type_id.ok_or_else(|| Refusal::bad("MISSING_DYNAMIC_PARAM", "items needs an entityTypeId"))?;
    match type_id.parse::<u64>() {
        Ok(type_id) => Ok(format!("items/{type_id}")),
        Err(_) => Err(Refusal::bad("INVALID_DYNAMIC_PARAM", "entityTypeId must be a number")),
    }
}
