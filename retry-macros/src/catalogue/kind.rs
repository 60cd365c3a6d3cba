//! Whether the kind that a stub gives can be true.

use proc_macro2::Ident;
use retry_catalogue::Action;

use super::say::{again, way_out};
use super::{Entry, Kind, Row, unlisted};
use crate::args::Args;
use crate::errors::{Errors, Refusal, refuse};
use crate::near::nearest;

/// Last segments of reads, for those who write them in place of `read`.
const READING: [&str; 7] = ["get", "list", "fields", "count", "search", "query", "fetch"];

/// The kind that a misspelt or unknown word was probably meant to be.
pub(crate) fn kind_meant(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    if READING.contains(&word.as_str()) {
        return Some("read");
    }
    if unlisted::writing(&word).is_some() {
        return Some("write");
    }
    nearest(&word, &["read", "write"])
}

/// Judges the kind. Returns whether it stands, so that what follows from it is worth judging.
pub(crate) fn judge(args: &Args, entry: &Entry, kind: Option<(Kind, &Ident)>, errors: &mut Errors) -> bool {
    let Some((kind, token)) = kind else {
        return true;
    };
    let refusal = match (entry, kind) {
        (Entry::Listed(row), Kind::Read) => no_read(args, row, token),
        (Entry::Listed(row), Kind::Write) if row.kind == Kind::Read => Some(no_write(args, row, token)),
        (Entry::Unlisted, Kind::Read) => named_like_a_write(args, token),
        (Entry::Listed(_) | Entry::Unlisted, Kind::Write) | (Entry::Unknown, Kind::Read | Kind::Write) => None,
    };
    if let Some(refusal) = refusal {
        errors.push(refusal);
        return false;
    }
    read_form(args, entry, kind, errors);
    // A stub for one of two forms that does not say which is a follower of the misspelt key.
    !(kind == Kind::Read && entry.row().is_some_and(|row| row.kind == Kind::Write) && args.read_form.is_none())
}

/// Why `row` is no read, if it is none.
fn no_read(args: &Args, row: &Row, token: &Ident) -> Option<Refusal> {
    let name = row.name;
    match (row.kind, row.two_forms) {
        (Kind::Read, _) => None,
        (Kind::Write, true) if args.read_form.is_some() || !args.lacks("read_form") => None,
        (Kind::Write, true) => {
            let forms = row.reason.unwrap_or("writes by some of its arguments");
            Some(
                refuse(token, format!("`{name}` reads or writes by its arguments: it {forms}"))
                    .help(
                        "if this stub can only read, say which arguments see to that:\n\
                         `read_form = \"why it only reads\"`",
                    )
                    .help(format!("else write `kind = write` and {}", way_out(row))),
            )
        }
        (Kind::Write, false) => {
            let does = row.reason.unwrap_or_else(|| does(row.action));
            let refusal = refuse(token, format!("`{name}` {does}, so it is no read"))
                .help(format!("a read is sent again after each lost answer, and {}", again(row)));
            let refusal = if args.verify.is_some() || args.unverifiable.is_some() || args.idempotency_key.is_some() {
                refusal.help("write `kind = write`")
            } else {
                refusal.help(format!("write `kind = write` and {}", way_out(row)))
            };
            Some(if args.read_form.is_some() {
                refusal.help("remove `read_form`: there are no arguments that make it a read")
            } else {
                refusal
            })
        }
    }
}

/// What a write of this sort does, as the middle of a sentence.
const fn does(action: Action) -> &'static str {
    match action {
        Action::Create => "makes something on the portal",
        Action::Update => "changes something on the portal",
        Action::Delete => "removes something from the portal",
        Action::Send => "sends something to people or to another system",
        Action::Act => "moves something on the portal into another state",
        Action::Get | Action::List | Action::Fields | Action::Search | Action::Count | Action::Other => {
            "may change something on the portal"
        }
    }
}

fn no_write(args: &Args, row: &Row, token: &Ident) -> Refusal {
    let name = row.name;
    let refusal = refuse(token, format!("`{name}` changes nothing on the portal, so it is no write"));
    let refusal = match row.reason {
        Some(reason) => refusal.help(format!("`{name}` {reason}")),
        None => refusal,
    };
    let keys = [
        args.verify.as_ref().map(|given| &given.key),
        args.unverifiable.as_ref().map(|given| &given.key),
        args.idempotency_key.as_ref().map(|given| &given.key),
        args.key.as_ref().map(|given| &given.key),
        args.ensure.as_ref().map(|given| &given.key),
    ];
    let keys: Vec<String> = keys.into_iter().flatten().map(|key| format!("`{key}`")).collect();
    refusal.help(if keys.is_empty() {
        "write `kind = read`: it may be sent again after a lost answer, and needs no verifier".to_owned()
    } else {
        format!("write `kind = read`, and remove {}: there is no effect to find", super::and(&keys))
    })
}

/// What the catalogue does not have may be declared either way, but for names that say it themselves.
fn named_like_a_write(args: &Args, token: &Ident) -> Option<Refusal> {
    let method = args.name.as_ref()?.value.as_ref()?.value();
    let word = unlisted::writing_word(&method)?;
    Some(
        refuse(token, format!("`{method}` is no read: to {word} is to change something on the portal"))
            .help("a read is sent again after each lost answer, so this would do it twice")
            .help("write `kind = write`, and `verify = path` to say how it is read back"),
    )
}

/// `read_form` is for reads by a method that may write as well, and gives a reason.
fn read_form(args: &Args, entry: &Entry, kind: Kind, errors: &mut Errors) {
    let Some(given) = &args.read_form else {
        return;
    };
    let method = match entry {
        Entry::Listed(row) if row.two_forms && kind == Kind::Read => {
            if let Some(why) = given.value.as_ref().filter(|why| why.value().trim().is_empty()) {
                errors.push(
                    refuse(why, "`read_form` says why this call only reads, and this says nothing")
                        .help("write which arguments see to it: whoever reviews the stub has to believe it"),
                );
            }
            return;
        }
        Entry::Unknown => return,
        Entry::Listed(row) if row.two_forms => {
            errors.push(refuse(&given.key, "a write takes no `read_form`: that says why a call only reads").help(
                format!(
                    "remove it, or write `kind = read` if the arguments of this stub can't write: `{}` {}",
                    row.name,
                    row.reason.unwrap_or_default()
                ),
            ));
            return;
        }
        Entry::Listed(row) => format!("`{}`", row.name),
        Entry::Unlisted => "what the catalogue does not have".to_owned(),
    };
    let always = match kind {
        Kind::Read => "reads with any arguments",
        Kind::Write => "is a write here",
    };
    errors.push(
        refuse(
            &given.key,
            format!("`read_form` is for methods that read or write by their arguments, and {method} {always}"),
        )
        .help("remove it"),
    );
}
