//! The stub of a method, to paste: it compiles as it stands.

mod change;
mod create;
mod names;
mod parts;
mod read;
mod shape;
mod text;
mod without;

use retry_runtime::catalogue::{Action, Kind, Method, Strength, lookup};

use parts::Parts;
use shape::Shape;

/// The stub of a method with all it needs: types, the read and the verifier of a write.
///
/// It compiles as it stands, in a crate that has `retry-runtime`, `serde` and, for answers of any shape, `serde_json`. Its
/// types have the fields that are needed to find the effect again, and no others.
///
/// ```
/// let add = retry_runtime::catalogue::lookup("crm.deal.add").expect("it is in the table");
/// assert!(retry_explain::stub(&add).contains("verify = verify_add_deal"));
/// ```
pub fn stub(method: &Method) -> String {
    let body = match method.kind {
        Kind::Read => read::alone(method, ""),
        Kind::Write => write(method),
    };
    text::uses(&body) + body.trim_end() + "\n"
}

fn write(method: &Method) -> String {
    let parts = Parts::new(method, Shape::of(method));
    let body = match way(method, &parts) {
        Way::Key => without::idempotent(&parts),
        Way::Create(read) => create::stub(&parts, &read),
        Way::Compare(read) => change::compare(&parts, &read),
        Way::Set(read) => change::set(&parts, &read),
        Way::Gone(read) => change::gone(&parts, &read),
        Way::Nothing => without::unverifiable(&parts),
    };
    if method.two_forms {
        let form = method.reason.unwrap_or("reads or writes by its arguments");
        let why = format!(", read_form = \"it {}\"", text::literal(form));
        return body + "// For arguments with which it only reads, a stub of its own:\n\n" + &read::alone(method, &why);
    }
    body
}

/// How a lost write is settled.
enum Way {
    /// By an idempotency key of REST 3.0.
    Key,
    /// By looking for what it makes.
    Create(Method),
    /// By comparing what is there with what was sent.
    Compare(Method),
    /// By comparing a whole set.
    Set(Method),
    /// By what is missing.
    Gone(Method),
    /// By a person.
    Nothing,
}

fn way(method: &Method, parts: &Parts<'_>) -> Way {
    if method.takes_idempotency_key() {
        return Way::Key;
    }
    let named = !parts.shape.keys.is_empty() || !parts.shape.outer.is_empty();
    let readable = named && !matches!(method.strength, Some(Strength::Nothing) | None);
    let Some(read) = method.read_with.filter(|_| readable).and_then(lookup) else { return Way::Nothing };
    let shown = parts.shape.shown().next().is_some() || read.action != Action::List;
    match method.action {
        Action::Delete => Way::Gone(read),
        Action::Update if method.name.contains(".productrow") && method.name.rsplit('.').next() == Some("set") => {
            Way::Set(read)
        }
        Action::Create | Action::Send if shown => Way::Create(read),
        Action::Create | Action::Send => Way::Nothing,
        Action::Get
        | Action::List
        | Action::Fields
        | Action::Search
        | Action::Count
        | Action::Update
        | Action::Act
        | Action::Other => {
            if parts.shape.keys.is_empty() {
                Way::Compare(read)
            } else {
                Way::Create(read)
            }
        }
    }
}
