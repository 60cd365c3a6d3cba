//! Reads that stand alone.

use retry_runtime::catalogue::{Action, Kind, Method};

use super::names::{function, noun, pascal, plural};
use super::parts::version;
use super::shape::object;
use super::text::{Member, Struct, signature};

/// The stub of a read; `form` is what else the attribute says.
pub(super) fn alone(method: &Method, form: &str) -> String {
    let noun = noun(method.name);
    let row = format!("{}Row", pascal(&noun));
    let crm = method.name.starts_with("crm.") && !method.name.starts_with("crm.item.");
    let reader = "reader: &Reader".to_owned();
    let entity = method.name.starts_with("crm.item.") && method.name.split('.').count() == 3;
    let mut parameters = vec![reader];
    if entity {
        parameters.push("#[param(name = \"entityTypeId\")] entity_type_id: u32".to_owned());
    }
    let id = if crm { "ID" } else { "id" };
    let shown = |name: &str| {
        let fields = vec![Member::new(id, "Id")];
        Struct { doc: "What is read of each.", derive: "Debug, Deserialize", name, fields, more: "whatever you read" }
            .text()
    };
    let filter = "filter: &serde_json::Value".to_owned();
    let (types, name, result) = match (method.kind, method.action) {
        (Kind::Read, Action::List) => {
            parameters.extend([filter, "select: &[&str]".to_owned()]);
            (shown(&row), format!("list_{}", plural(&noun)), format!("Page<{row}>"))
        }
        (Kind::Read, Action::Get) if method.name.rsplit('.').next() == Some("get") => {
            parameters.push("id: Id".to_owned());
            let item = if version(method, 2).ends_with('3') { Some("item") } else { object(method.name) };
            match item {
                Some(name) => {
                    let answer = format!("{}Answer", pascal(&noun));
                    let fields = vec![Member::new(name, row.as_str())];
                    let object =
                        Struct { doc: "The answer.", derive: "Debug, Deserialize", name: &answer, fields, more: "" };
                    (object.text() + &shown(&row), format!("get_{noun}"), answer)
                }
                None => (shown(&row), format!("get_{noun}"), row),
            }
        }
        (
            Kind::Read | Kind::Write,
            Action::Get
            | Action::List
            | Action::Fields
            | Action::Search
            | Action::Count
            | Action::Create
            | Action::Update
            | Action::Delete
            | Action::Send
            | Action::Act
            | Action::Other,
        ) => {
            parameters.push("#[param(flatten)] arguments: &serde_json::Value".to_owned());
            let name = if form.is_empty() { function(method.name) } else { format!("{}_read", function(method.name)) };
            (String::new(), name, "serde_json::Value".to_owned())
        }
    };
    let line = format!("#[bitrix_method(name = \"{}\", kind = read{}{form})]", method.name, version(method, 2));
    format!("{types}{line}\n{}\n", signature(&name, &parameters, &result, ";"))
}
