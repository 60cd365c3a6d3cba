//! The row of a method, in sentences.

use retry_runtime::catalogue::{Action, Kind, Method, Outdated, Strength, Versions};

use crate::lines::labelled;
use crate::stub::stub;

/// Explains a method: its row of the catalogue, and the stub to paste.
///
/// ```
/// let send = retry_runtime::catalogue::lookup("im.message.add").expect("it is in the table");
/// assert!(retry_explain::method(&send).contains("unverifiable = "));
/// ```
pub fn method(method: &Method) -> String {
    let mut out = format!("{}\n", method.name);
    labelled(&mut out, "kind", &format!("{} ({}), {}", method.kind, doing(method.action), versions(method.versions)));
    if let Some(reason) = method.reason {
        labelled(&mut out, "because", &format!("{} {reason}", method.name));
    }
    if method.two_forms {
        labelled(
            &mut out,
            "two forms",
            "its arguments decide whether it reads or writes: it counts as a write, and a stub that only reads says so with `read_form`",
        );
    }
    if method.kind == Kind::Write {
        labelled(&mut out, "again", &format!("a second {} {}", method.name, method.again));
    }
    if !method.hint.is_empty() {
        labelled(&mut out, "read back", method.hint);
    }
    if !method.keys.is_empty() {
        labelled(&mut out, "keys", method.keys);
    }
    if let Some(strength) = method.strength {
        labelled(&mut out, "proof", proof(strength));
    }
    if let Some(outdated) = method.outdated {
        labelled(&mut out, "outdated", &instead(outdated));
    }
    out.push_str(
        "\nThe stub, to paste. Add what you send and read, and compare the arguments with the method's page:\n\n",
    );
    out.push_str(&stub(method));
    out
}

fn doing(action: Action) -> &'static str {
    match action {
        Action::Get => "reads one thing",
        Action::List => "reads a list",
        Action::Fields => "describes fields",
        Action::Search => "searches: an index may lag, so it is no way to read a write back",
        Action::Count => "counts",
        Action::Create => "makes something",
        Action::Update => "changes something",
        Action::Delete => "removes something",
        Action::Send => "sends something to people or to another system",
        Action::Act => "moves something into another state",
        Action::Other => "does something of its own",
    }
}

fn versions(versions: Versions) -> &'static str {
    match versions {
        Versions::Two => "REST 2",
        Versions::Three => "REST 3.0",
        Versions::Both => "REST 2 and REST 3.0, where arguments and results differ",
    }
}

fn proof(strength: Strength) -> &'static str {
    match strength {
        Strength::Server => {
            "the portal itself refuses a second one, or answers it with the first one's result, if the key is new for each operation"
        }
        Strength::Exact => {
            "one read finds it by its key, which for a new record is a field of your own; keep it unique"
        }
        Strength::Parent => "one lists all there is under something known, to its end, and looks for it there",
        Strength::Nothing => {
            "none: nothing tells this call from another, so an unknown outcome is for a person to settle"
        }
    }
}

fn instead(outdated: Outdated) -> String {
    match (outdated.instead, outdated.how) {
        (Some(other), Some(how)) => format!("the documentation names {other} ({how}) instead; it works all the same"),
        (Some(other), None) => format!("the documentation names {other} instead; it works all the same"),
        (None, _) => "so the documentation says, and names nothing instead".to_owned(),
    }
}
