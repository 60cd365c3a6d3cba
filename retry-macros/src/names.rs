//! What a method's name says: whether it is one, whether it can be a read, and what REST 3.0 does for it. The catalogue
//! of methods will take this module's place; nothing else looks at names.

use proc_macro2::Ident;
use syn::LitStr;

use crate::errors::{Errors, refuse};
use crate::near::nearest;

/// What a call may do to the portal.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Read,
    Write,
}

/// The version of the REST interface that a call goes through.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Version {
    Two,
    Three,
}

/// The methods whose names have no dot.
const SINGLE: [&str; 6] = ["batch", "documentation", "events", "methods", "profile", "scope"];

/// First words of a last segment that no read of Bitrix24 begins with.
///
/// Words that are nouns as well (`read`, `post`, `answer`, `log`, `open`) are left out: a wrong "this is a write" can't
/// be overruled.
const WRITING: &str = "\
    activate add approve archive attach bind cancel change clear clone close commit complete conduct confirm \
    copy create deactivate defer delegate delete detach disable disapprove edit enable execute expose finish \
    forward hide import install intercept invite join kill leave mark merge modify move mute notify pause pay \
    pin publish recall register remove rename renew reset restore resume save send set share start stop \
    subscribe terminate transfer unbind unconfirm uninstall unmute unpay unpin unregister unset unsubscribe \
    update upload upsert vote";

/// Last segments of reads, for those who write them in place of `read`.
const READING: [&str; 7] = ["get", "list", "fields", "count", "search", "query", "fetch"];

/// Judges the method's name, and the kind against it. Returns whether what follows from the kind is worth judging.
pub(crate) fn judge(name: &LitStr, kind: Option<(Kind, &Ident)>, errors: &mut Errors) -> bool {
    let method = name.value();
    if method == "batch" {
        errors.push(
            refuse(name, "`batch` is no call of its own here: each call in it has its own kind and its own verifier")
                .help("write a stub for each method, and make the calls at the same time through `client.batched()`"),
        );
        return false;
    }
    if let Err(why) = form(&method) {
        errors.push(
            refuse(name, format!("{method:?} is not the name of a method: {why}"))
                .help("write it as the documentation does, with dots between its parts: `name = \"crm.deal.add\"`"),
        );
        return true;
    }
    match (kind, writing_word(&method)) {
        (Some((Kind::Read, token)), Some(word)) => {
            errors.push(
                refuse(token, format!("`{method}` is no read: to {word} is to change something on the portal"))
                    .help("a read is sent again after every lost answer, so this would do it twice")
                    .help("write `kind = write`, and `verify = path` to say how it is read back"),
            );
            false
        }
        (Some(_) | None, _) => true,
    }
}

/// Whether the portal knows a repeated call by an idempotency key. On REST 2 it never does. Which methods REST 3.0 has,
/// only the catalogue can know: until then a stub is believed that says `version = 3`.
pub(crate) fn knows_idempotency_keys(version: Version) -> bool {
    match version {
        Version::Two => false,
        Version::Three => true,
    }
}

/// The kind that a misspelt or unknown word was probably meant to be.
pub(crate) fn kind_meant(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    if READING.contains(&word.as_str()) {
        return Some("read");
    }
    if WRITING.split(' ').any(|writing| writing == word) {
        return Some("write");
    }
    nearest(&word, &["read", "write"])
}

/// The word of `method` that says it writes.
pub(crate) fn writing_word(method: &str) -> Option<&'static str> {
    let last = method.rsplit('.').next()?;
    let word = first_word(last);
    WRITING.split(' ').find(|writing| *writing == word)
}

/// `upload` of `uploadFile`, `add` of `AddFile`.
fn first_word(segment: &str) -> String {
    let end = segment
        .char_indices()
        .skip(1)
        .find(|(_, letter)| letter.is_uppercase() || *letter == '_')
        .map_or(segment.len(), |(at, _)| at);
    segment[..end].to_lowercase()
}

fn form(method: &str) -> Result<(), String> {
    if method.is_empty() {
        return Err("it is empty".to_owned());
    }
    if let Some(other) =
        method.chars().find(|letter| !(letter.is_ascii_alphanumeric() || *letter == '.' || *letter == '_'))
    {
        return Err(format!("{other:?} is no letter, digit, underscore or dot"));
    }
    let segments: Vec<&str> = method.split('.').collect();
    if segments.iter().any(|segment| segment.is_empty()) {
        return Err("a dot needs something on both sides".to_owned());
    }
    if let Some(segment) =
        segments.iter().find(|segment| !segment.starts_with(|letter: char| letter.is_ascii_alphabetic()))
    {
        return Err(format!("`{segment}` does not begin with a letter"));
    }
    match segments.as_slice() {
        [single] if !SINGLE.contains(single) => Err("it has only one segment".to_owned()),
        [.., format @ ("json" | "xml")] => Err(format!("`.{format}` belongs to the address, not to the name")),
        _ => Ok(()),
    }
}
