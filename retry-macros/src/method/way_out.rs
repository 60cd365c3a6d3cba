//! The refusal that this library is about: a write that does not say what settles it after a lost answer.

use proc_macro2::Ident;
use retry_catalogue::{Action, Helper, Strength};
use syn::Signature;

use crate::catalogue::{self, Entry, Row, Version, and};
use crate::errors::{Refusal, refuse};
use crate::idempotency;
use crate::verifier;

/// None if the method is unknown: how it ends can't be said before that is put right.
pub(super) fn refusal(
    name: &str,
    entry: &Entry,
    version: Option<Version>,
    kind: &Ident,
    stub: &Signature,
) -> Option<Refusal> {
    let what = |name| format!("`{name}` is a write, and its stub does not say how to find out whether it happened");
    match entry {
        Entry::Unknown => None,
        Entry::Unlisted => Some(unlisted(refuse(kind, what(name)), version, stub)),
        Entry::Listed(row) => {
            let refusal = refuse(kind, what(row.name)).help(catalogue::after_a_lost_answer(row));
            Some(match (version, row.strength, catalogue::read_back(row)) {
                (Some(Version::Three), _, _) => by_rest_3(refusal, row, stub),
                (_, Some(Strength::Server | Strength::Exact | Strength::Parent), Some(how)) => {
                    by_read(refusal, row, &how, stub)
                }
                (_, Some(Strength::Nothing) | None, _) | (_, Some(_), None) => by_nothing(refusal, row, stub),
            })
        }
    }
}

/// A read shows it.
fn by_read(refusal: Refusal, row: &Row, how: &str, stub: &Signature) -> Refusal {
    let refusal = refusal.help(format!("read it back with {how}"));
    let refusal = match sent(row, stub) {
        Some(sent) => refusal.help(sent),
        None => refusal,
    };
    let (name, skeleton) = (verifier::name(stub), verifier::skeleton(stub, Some(row)));
    let own = if let Some(Helper::Key(_)) = row.helper() { "" } else { ", with types of your own" };
    let refusal = refusal.help(format!("name a verifier, `verify = {name}`{own}:\n\n{}\n\n", shown(&skeleton)));
    let refusal =
        if row.takes_idempotency_key() { refusal.help(format!("or {}", by_version_3(stub))) } else { refusal };
    refusal.help(format!("if that can't tell this call from another, say {STOP}"))
}

/// What has to be sent, so that it can be found.
fn sent(row: &Row, stub: &Signature) -> Option<String> {
    let helper = row.helper();
    match (helper, verifier::retyped(stub, helper)) {
        (Some(Helper::Text(text)), _) => Some(format!(
            "the write has to carry a marker in {text}, unlike that of any other operation, and the same when it is tried again"
        )),
        (Some(Helper::Change), Some((name, ty))) => Some(format!(
            "take the new values as `{name}: {ty}`, made by `Change::new(before, wanted)` from what you read before the first \
             send: it sends `wanted` alone, and an edit by somebody else is never overwritten"
        )),
        (Some(Helper::Gone(_)), Some((name, ty))) => Some(format!(
            "take the id as `{name}: {ty}`, made by `Existing::seen(id, &record, |record| record.id)` from a read before the \
             first send: to a wrong id, or without the rights, \"not found\" is said as well"
        )),
        _ if row.action == Action::Create && row.is_asked_by_key() => Some(carried(row)),
        _ => None,
    }
}

/// The key that a create sends.
fn carried(row: &Row) -> String {
    let keys: Vec<&str> = row.key_fields().collect();
    let all = if let [_] = keys.as_slice() { "unlike that" } else { "together unlike those" };
    let such = if keys.last().is_some_and(|key| ["ORIGIN_ID", "originId"].contains(key)) {
        " (such as \"shop\" and \"order-1017\")"
    } else {
        ""
    };
    format!(
        "the write has to carry {}{such}, {all} of any other operation, and the same when it is tried again; \
         a misspelt field may be dropped without a word",
        and(&keys)
    )
}

/// No read shows it.
fn by_nothing(refusal: Refusal, row: &Row, stub: &Signature) -> Refusal {
    let refusal = if row.takes_idempotency_key() { refusal.help(by_version_3(stub)) } else { refusal };
    let hint = row.hint;
    let refusal = refusal.help(match row.strength {
        Some(Strength::Server) => format!("no documented read shows it, and the portal itself guards it: {hint}"),
        _ if row.two_forms => format!("no other method shows it: {hint}"),
        // Some hints say the rest themselves.
        _ if hint.contains("`unverifiable`") => format!("there is no reliable key: {hint}"),
        Some(Strength::Exact | Strength::Parent | Strength::Nothing) | None => {
            format!("there is no reliable key, so `unverifiable` is the honest answer: {hint}")
        }
    });
    refusal.help(format!("write {STOP}")).help(other_read(stub))
}

/// REST 3.0 knows it by its key.
fn by_rest_3(refusal: Refusal, row: &Row, stub: &Signature) -> Refusal {
    // The hint of a method that REST 2 has as well is about that one.
    let why = if row.versions.has_rest2() { KNOWN_AGAIN } else { row.hint };
    let refusal = refusal.help(format!("write {}:\n{why}", key_of(stub)));
    let refusal = match row.read_with {
        Some(read) => {
            let (name, head) = (verifier::name(stub), verifier::head(stub));
            refusal.help(format!(
                "or name a verifier, `verify = {name}`, that asks `{read}`:\n\n{} ... }}\n\n",
                shown(&head)
            ))
        }
        None if row.versions.has_rest2() => refusal.help(row.hint).help(other_read(stub)),
        None => refusal.help(other_read(stub)),
    };
    refusal.help(format!("if neither can be had, say {STOP}"))
}

/// What the catalogue does not have.
fn unlisted(refusal: Refusal, version: Option<Version>, stub: &Signature) -> Refusal {
    let refusal = refusal
        .help("when the answer is lost, sending it again may do it twice, and not sending it may leave it undone");
    let (refusal, or) = match version {
        Some(Version::Three) => (refusal.help(format!("write {}:\n{KNOWN_AGAIN}", key_of(stub))), "or "),
        Some(Version::Two) | None => (refusal, ""),
    };
    let (name, skeleton) = (verifier::name(stub), verifier::skeleton(stub, None));
    refusal
        .help(format!(
            "{or}name a verifier, `verify = {name}`, that looks on the portal for the effect of this very call:\n\n\
             {}\n\n",
            shown(&skeleton)
        ))
        .help(format!("if nothing there tells this call from another, say {STOP}"))
}

/// What becomes of a write that can't be verified.
const STOP: &str = "`unverifiable = \"the reason\"`: a lost answer then ends as `CallError::InDoubt`, for a person to \
                    settle, and nothing is sent again";

/// How a write of REST 3.0 is guarded.
const KNOWN_AGAIN: &str =
    "a lost answer is then asked for again under the same key, by which REST 3.0 knows the call for 24 hours";

fn by_version_3(stub: &Signature) -> String {
    format!(
        "call it by REST 3.0, where its arguments and result are others: `version = 3` and {}:\n{KNOWN_AGAIN}",
        key_of(stub)
    )
}

fn key_of(stub: &Signature) -> String {
    match idempotency::key_of(stub) {
        Some(key) => format!("`idempotency_key = {key}`"),
        None => "`idempotency_key = key`, with a parameter `key: &IdempotencyKey`".to_owned(),
    }
}

fn other_read(stub: &Signature) -> String {
    let (name, head) = (verifier::name(stub), verifier::head(stub));
    format!(
        "if you know a read that shows this very call, name a verifier, `verify = {name}`:\n\n{} ... }}\n\n",
        shown(&head)
    )
}

/// Code on lines of its own.
fn shown(code: &str) -> String {
    let lines = code.lines().map(|line| if line.is_empty() { String::new() } else { format!("    {line}") });
    lines.collect::<Vec<_>>().join("\n")
}
