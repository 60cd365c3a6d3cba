//! Which route of the gateway a method is behind, and what becomes of its arguments there.
//!
//! Field names are not translated: where the gateway speaks camelCase, so must the stub.

use std::collections::BTreeMap;

use bytes::Bytes;
use http::Method;
use serde_json::value::RawValue;

use crate::api::BATCH;
use crate::api::answer::View;

/// Methods of one kind of record, and the entity they are routes of.
struct Family {
    native: &'static str,
    entity: &'static str,
    /// The key under which the direct API answers a record.
    wrapped: Option<&'static str>,
}

const fn plain(native: &'static str, entity: &'static str) -> Family {
    Family { native, entity, wrapped: None }
}

const FAMILIES: [Family; 17] = [
    plain("crm.deal", "deals"),
    plain("crm.lead", "leads"),
    plain("crm.contact", "contacts"),
    plain("crm.company", "companies"),
    plain("crm.quote", "quotes"),
    plain("crm.invoice", "invoices"),
    Family { native: "crm.item", entity: ITEMS, wrapped: Some("item") },
    plain("crm.activity", "activities"),
    plain("crm.product", "products"),
    plain("crm.productsection", "product-sections"),
    plain("crm.requisite", "requisites"),
    plain("crm.status", "statuses"),
    plain("crm.currency", "currencies"),
    plain("crm.dealcategory", "deal-categories"),
    plain("crm.timeline.comment", "timelines"),
    plain("crm.type", "smart-processes"),
    Family { native: "tasks.task", entity: "tasks", wrapped: Some("task") },
];

/// The entity whose route carries the type of its records.
const ITEMS: &str = "items";

/// Types that the gateway serves by an entity of their own.
const DEDICATED: [(u64, &str); 6] =
    [(1, "crm.lead"), (2, "crm.deal"), (3, "crm.contact"), (4, "crm.company"), (7, "crm.quote"), (31, "crm.invoice")];

/// What a method does with its records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    Add,
    Get,
    List,
    Update,
    Delete,
    Fields,
}

const ACTIONS: [(&str, Action); 6] = [
    ("add", Action::Add),
    ("get", Action::Get),
    ("list", Action::List),
    ("update", Action::Update),
    ("delete", Action::Delete),
    ("fields", Action::Fields),
];

/// Methods with a route of their own.
const PRODUCT_ROWS_GET: &str = "crm.deal.productrows.get";
const PRODUCT_ROWS_SET: &str = "crm.deal.productrows.set";
const FIND_DUPLICATES: &str = "crm.duplicate.findbycomm";

/// A call as the gateway takes it.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) verb: Method,
    /// Below the base address, without a slash at its beginning.
    pub(super) path: String,
    pub(super) body: Bytes,
}

/// A call as the gateway takes it within a batch.
#[derive(Debug)]
pub(super) struct Element<'a> {
    pub(super) entity: &'a str,
    pub(super) action: &'static str,
    pub(super) id: Option<u64>,
    /// One JSON object, or nothing.
    pub(super) params: &'a [u8],
}

/// How the answer of a method is read.
pub(super) struct Reading {
    pub(super) verb: Method,
    pub(super) views: &'static [View],
}

/// The arguments of a call by name; the values stay as they were written.
type Arguments<'a> = BTreeMap<&'a str, &'a RawValue>;

/// The route of a call.
///
/// # Errors
/// Says why there is none: the method has no route, or an argument has no place in it.
pub(super) fn of(method: &str, whole: &[u8]) -> Result<Call, String> {
    let mut arguments: Arguments<'_> = serde_json::from_slice(whole).map_err(|error| error.to_string())?;
    let name = method.to_ascii_lowercase();
    let call = match name.as_str() {
        PRODUCT_ROWS_GET => Call::new(Method::GET, format!("deals/{}/products", id(&mut arguments, method)?)),
        PRODUCT_ROWS_SET => {
            let id = id(&mut arguments, method)?;
            let rows = take(&mut arguments, "rows", method)?;
            let body = object(&Arguments::from([("items", rows)]));
            Call { body, ..Call::new(Method::PUT, format!("deals/{id}/products")) }
        }
        BATCH => return Ok(Call { body: Bytes::copy_from_slice(whole), ..Call::new(Method::POST, BATCH.to_owned()) }),
        FIND_DUPLICATES => {
            let body = object(&std::mem::take(&mut arguments));
            Call { body, ..Call::new(Method::POST, "duplicates/find".to_owned()) }
        }
        _ => {
            let (family, action) = family(&name).ok_or_else(|| no_route(method))?;
            let entity = entity(family, &mut arguments, method)?;
            entity_call(&entity, action, &mut arguments, method)?
        }
    };
    match arguments.keys().next() {
        None => Ok(call),
        Some(name) => Err(format!("the gateway's route of `{method}` has no place for `{name}`")),
    }
}

/// How the answer of a method is read; a method without a route is never sent.
pub(super) fn reading(method: &str) -> Reading {
    use View::{Data, Done, Id, Under};
    let name = method.to_ascii_lowercase();
    let (wrapped, action) = match family(&name) {
        Some((family, action)) => (family.wrapped, action),
        None => (None, if name == PRODUCT_ROWS_SET { Action::Update } else { Action::Get }),
    };
    let views: &'static [View] = match (action, wrapped) {
        (Action::Add, None) => &[Id, Data],
        (Action::Add | Action::Get, Some("item")) => &[Under("item"), Data, Id],
        (Action::Add | Action::Get | Action::Update, Some("task")) => &[Under("task"), Data, Id],
        (Action::Update, Some("item")) => &[Under("item"), Data, Done],
        (Action::Update | Action::Delete, _) => &[Done, Data],
        (Action::List | Action::Fields | Action::Add | Action::Get, _) => &[Data],
    };
    let verb = match action {
        Action::Delete => Method::DELETE,
        Action::Add | Action::Get | Action::List | Action::Update | Action::Fields => Method::POST,
    };
    Reading { verb, views }
}

impl Call {
    const fn new(verb: Method, path: String) -> Self {
        Self { verb, path, body: Bytes::new() }
    }

    /// The same as an element of a batch. Routes below a record have none, and for records by type the documentation does not say where the type goes.
    pub(super) fn in_a_batch(&self) -> Option<Element<'_>> {
        let (entity, rest) =
            self.path.split_once('/').map_or((&*self.path, None), |(entity, rest)| (entity, Some(rest)));
        let id = rest.and_then(|rest| rest.parse().ok());
        let action = match (self.verb.as_str(), rest, id) {
            _ if entity == ITEMS => return None,
            ("POST", None, _) => "create",
            ("POST", Some("search"), _) => "list",
            ("GET", Some("fields"), _) => "fields",
            ("GET", _, Some(_)) => "get",
            ("PATCH", _, Some(_)) => "update",
            ("DELETE", _, Some(_)) => "delete",
            _ => return None,
        };
        Some(Element { entity, action, id, params: &self.body })
    }
}

fn family(name: &str) -> Option<(&'static Family, Action)> {
    let (native, action) = name.rsplit_once('.')?;
    let family = FAMILIES.iter().find(|family| family.native == native)?;
    let (_, action) = ACTIONS.iter().find(|(word, _)| *word == action)?;
    Some((family, *action))
}

/// The entity as it stands in the path.
fn entity(family: &Family, arguments: &mut Arguments<'_>, method: &str) -> Result<String, String> {
    if family.entity != ITEMS {
        return Ok(family.entity.to_owned());
    }
    let kind = number(take(arguments, "entityTypeId", method)?).ok_or("`entityTypeId` must be a number")?;
    match DEDICATED.iter().find(|(dedicated, _)| *dedicated == kind) {
        Some((_, native)) => Err(format!("the gateway serves entityTypeId {kind} by `{native}.*` only")),
        None => Ok(format!("{ITEMS}/{kind}")),
    }
}

fn entity_call(entity: &str, action: Action, arguments: &mut Arguments<'_>, method: &str) -> Result<Call, String> {
    Ok(match action {
        Action::Add => {
            Call { body: copy(take(arguments, "fields", method)?), ..Call::new(Method::POST, entity.to_owned()) }
        }
        Action::Get => Call::new(Method::GET, format!("{entity}/{}", id(arguments, method)?)),
        Action::Update => {
            let path = format!("{entity}/{}", id(arguments, method)?);
            Call { body: copy(take(arguments, "fields", method)?), ..Call::new(Method::PATCH, path) }
        }
        Action::Delete => Call::new(Method::DELETE, format!("{entity}/{}", id(arguments, method)?)),
        Action::Fields => Call::new(Method::GET, format!("{entity}/fields")),
        Action::List => Call { body: search(arguments)?, ..Call::new(Method::POST, format!("{entity}/search")) },
    })
}

/// The body of a search: `start` is called `offset` there, and -1 switches counting off.
fn search(arguments: &mut Arguments<'_>) -> Result<Bytes, String> {
    let start = arguments.remove("start");
    let kept = ["filter", "select", "order", "limit"];
    let mut body: Arguments<'_> = kept.iter().filter_map(|name| arguments.remove_entry(name)).collect();
    let no = RawValue::from_string("false".to_owned()).map_err(|error| error.to_string())?;
    match start.map(|start| (start, start.get().trim_matches('"'))) {
        None => {}
        Some((_, "-1")) => {
            body.insert("withTotal", &no);
        }
        Some((start, _)) if number(start).is_some() => {
            body.insert("offset", start);
        }
        Some(_) => return Err("`start` must be a number".to_owned()),
    }
    Ok(object(&body))
}

fn take<'a>(arguments: &mut Arguments<'a>, name: &str, method: &str) -> Result<&'a RawValue, String> {
    arguments.remove(name).ok_or_else(|| format!("the gateway's route of `{method}` needs the argument `{name}`"))
}

/// The id of the record, whichever of its names it has.
fn id(arguments: &mut Arguments<'_>, method: &str) -> Result<u64, String> {
    let value = ["id", "ID", "taskId"].into_iter().find_map(|name| arguments.remove(name));
    let value = value.ok_or_else(|| format!("the gateway's route of `{method}` needs the argument `id`"))?;
    number(value).ok_or_else(|| "the id of a record must be a number".to_owned())
}

fn number(value: &RawValue) -> Option<u64> {
    value.get().trim_matches('"').parse().ok()
}

fn copy(value: &RawValue) -> Bytes {
    Bytes::copy_from_slice(value.get().as_bytes())
}

fn object(arguments: &Arguments<'_>) -> Bytes {
    // A map of texts that were JSON before can't fail to be JSON again.
    serde_json::to_vec(arguments).unwrap_or_default().into()
}

fn no_route(method: &str) -> String {
    let families: Vec<&str> = FAMILIES.iter().map(|family| family.native).collect();
    format!(
        "the Vibecode gateway has no route for `{method}`. It has {}.{{add,get,list,update,delete,fields}}, {PRODUCT_ROWS_GET}, {PRODUCT_ROWS_SET} and {FIND_DUPLICATES}",
        families.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn routed(method: &str, arguments: &str) -> String {
        match of(method, arguments.as_bytes()) {
            Ok(call) => format!("{} {} {}", call.verb, call.path, String::from_utf8_lossy(&call.body)),
            Err(why) => why,
        }
    }

    #[test]
    fn methods_become_routes() {
        assert_eq!(routed("crm.deal.add", r#"{"fields":{"title":"x"}}"#), r#"POST deals {"title":"x"}"#);
        assert_eq!(routed("crm.deal.get", r#"{"id":"7"}"#), "GET deals/7 ");
        assert_eq!(routed("crm.lead.update", r#"{"id":7,"fields":{}}"#), "PATCH leads/7 {}");
        assert_eq!(routed("crm.company.delete", r#"{"ID":7}"#), "DELETE companies/7 ");
        assert_eq!(routed("CRM.Contact.Fields", "{}"), "GET contacts/fields ");
        assert_eq!(
            routed("crm.deal.list", r#"{"filter":{"a":1},"start":50}"#),
            r#"POST deals/search {"filter":{"a":1},"offset":50}"#
        );
        assert_eq!(routed("crm.deal.list", r#"{"start":-1}"#), r#"POST deals/search {"withTotal":false}"#);
        assert_eq!(routed("crm.item.get", r#"{"entityTypeId":1030,"id":7}"#), "GET items/1030/7 ");
        assert_eq!(routed("tasks.task.get", r#"{"taskId":7}"#), "GET tasks/7 ");
        assert_eq!(routed("crm.deal.productrows.set", r#"{"id":7,"rows":[]}"#), r#"PUT deals/7/products {"items":[]}"#);
        assert_eq!(
            routed("crm.duplicate.findbycomm", r#"{"type":"EMAIL"}"#),
            r#"POST duplicates/find {"type":"EMAIL"}"#
        );
    }

    #[test]
    fn what_has_no_place_is_refused_and_says_why() {
        assert!(routed("im.message.add", "{}").contains("no route for `im.message.add`. It has crm.deal, crm.lead"));
        assert!(routed("crm.deal.add", "{}").contains("needs the argument `fields`"));
        assert!(routed("crm.deal.add", r#"{"fields":{},"params":{}}"#).contains("no place for `params`"));
        assert!(routed("crm.deal.get", r#"{"id":"../7"}"#).contains("must be a number"));
        assert!(routed("crm.item.add", r#"{"entityTypeId":2,"fields":{}}"#).contains("`crm.deal.*` only"));
        assert!(routed("crm.deal.list", r#"{"start":"x"}"#).contains("must be a number"));
    }
}
