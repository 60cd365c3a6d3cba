//! What the docs of a generated function say on top of the user's own: what happens on which outcome.

mod journal;

use proc_macro2::Ident;
use syn::Expr;

use self::journal::Recorded;
use crate::catalogue::{Row, Version};
use crate::idempotency::Header;
use crate::method::{Effect, Method, Unknown};
use crate::pages::By;
use crate::spell::spell;

/// The lines that follow the user's docs, if the stub is `described`; else they stand alone, and the first is a summary.
pub(crate) fn lines(method: &Method<'_>, stub: &Ident, described: bool) -> Vec<String> {
    let name = code(&method.name.value());
    let name = match method.version {
        Version::Two => name,
        Version::Three => format!("{name} by REST 3.0"),
    };
    let row = method.row.as_ref();
    let outdated = row.map_or_else(String::new, outdated);
    let text = match &method.effect {
        Effect::Read => read(&name, &outdated),
        Effect::Pages(by) => pages(&name, &outdated, by),
        Effect::Write { unknown, key, journal } => {
            let has_key = key.is_some() || unknown.idempotency_key().is_some();
            let journal = journal.as_ref().map(|journal| Recorded::new(journal, unknown, has_key, stub));
            write(&name, &outdated, row, unknown, *key, journal)
        }
    };
    let mut lines = if described { vec![String::new()] } else { Vec::new() };
    // One space in front, as a written doc comment has it, so that both have the same indentation.
    lines.extend(text.lines().map(|line| if line.is_empty() { String::new() } else { format!(" {line}") }));
    lines
}

/// A paragraph of its own, if the documentation calls the method outdated.
fn outdated(row: &Row) -> String {
    let Some(outdated) = row.outdated else {
        return String::new();
    };
    let instead = outdated.instead.map_or_else(String::new, |instead| {
        let how = match outdated.how {
            Some(arguments) if arguments.contains('=') => format!(" with {}", code(arguments)),
            Some(version) if version.starts_with("REST") => format!(" of {version}"),
            Some(place) => format!(" {place}"),
            None => String::new(),
        };
        format!("; {}{how} replaces it", code(instead))
    });
    format!("\n\nOutdated in the documentation{instead}.")
}

fn read(name: &str, outdated: &str) -> String {
    format!(
        "\
Calls {name}, a read.{outdated}

# Outcomes

* The answer is lost, or its code asks to wait: the call is made again, as often and as long as the client's policy \
allows.
* The code says that something has to be fixed: the call ends at once.

# Errors

* `CallError::Invalid`: the arguments make no request, nothing was sent.
* `CallError::Refused`: something has to be fixed first.
* `CallError::Exhausted`: the attempts or the time of the policy are used up.
* `CallError::Undecodable`: the result does not fit the return type.

A read changes nothing on the portal, so the effect of each of them is `Effect::Absent`.

# Cancel safety

Dropping the future ends the call. Nothing on the portal has changed."
    )
}

fn pages(name: &str, outdated: &str, by: &By) -> String {
    let how = match by {
        By::Id(field) => format!(
            "by the ids in {}: in their order, each row once, whatever is added or deleted meanwhile.",
            code(&field.value())
        ),
        By::Start => {
            "by offsets: if rows are added or deleted meanwhile, others may come twice or be left out.".to_owned()
        }
    };
    format!(
        "\
Reads all of {name}, a list, {how}{outdated}

The rows come as a stream, up to 2,500 by one request. Nothing is sent before the first is asked for.

# Outcomes

* An answer is lost, or its code asks to wait: the request is made again, as often and as long as the client's policy \
allows for each.
* The code says that something has to be fixed: the stream ends at once.

# Errors

An error is the last item; the rows before it are good.

* `CallError::Invalid`: the arguments make no request, or say what the walk over the pages has to say; nothing was sent.
* `CallError::Refused`: something has to be fixed first.
* `CallError::Exhausted`: the attempts or the time of the policy are used up.
* `CallError::Undecodable`: a row does not fit its type, or the list can't be read in this way.

# Cancel safety

Dropping the future of a row loses nothing: the next one goes on. Dropping the stream ends the read."
    )
}

fn write(
    name: &str,
    outdated: &str,
    row: Option<&Row>,
    unknown: &Unknown<'_>,
    key: Option<&Expr>,
    journal: Option<Recorded>,
) -> String {
    let header = unknown.idempotency_key().map(|header| code(&spell(header.ident)));
    let key = key.map(|key| code(&spell(key)));
    let mut outcomes = Vec::new();
    if let Unknown::ReadBack { ensure: true, .. } = unknown {
        outcomes.push(ASKED_FIRST.to_owned());
    }
    outcomes.extend(keys(key.as_deref(), header.as_deref(), journal.is_some()));
    outcomes.push(SENT_AGAIN.to_owned());
    outcomes.extend(after_an_unknown_outcome(unknown));
    let (mut errors, mut cancel_safety) = (errors(unknown), CANCEL_SAFETY);
    if let Some(recorded) = journal {
        outcomes.extend(recorded.outcomes);
        errors.extend(recorded.errors);
        cancel_safety = journal::CANCEL_SAFETY;
    }
    let again = row.map_or_else(String::new, |row| again(row, unknown));
    let mut text =
        format!("Calls {name}, a write that {}{again}{outdated}\n\n# Outcomes\n\n{}", what(unknown), list(&outcomes));
    if header.is_some() {
        text += "\n";
        text += ASSUMPTION;
    }
    text + "\n# Errors\n\n" + &list(&errors) + "\n# Cancel safety\n\n" + cancel_safety
}

/// What the person who settles it has to know before sending it a second time.
fn again(row: &Row, unknown: &Unknown<'_>) -> String {
    match unknown {
        Unknown::Stop { .. } => format!(" Sent again, it {}.", row.again),
        Unknown::ReadBack { .. } | Unknown::Replay { .. } => String::new(),
    }
}

fn list(points: &[impl AsRef<str>]) -> String {
    points.iter().flat_map(|point| ["* ", point.as_ref(), "\n"]).collect()
}

/// How the write is guarded, as the end of the first sentence.
fn what(unknown: &Unknown<'_>) -> String {
    let known_by = |header: &Header<'_>| format!("its idempotency key, {}", code(&spell(header.ident)));
    match unknown {
        Unknown::ReadBack { verify, idempotency_key: None, .. } => format!("is read back by {}.", code(&spell(verify))),
        Unknown::ReadBack { verify, idempotency_key: Some(header), .. } => {
            format!("is read back by {}, and that the portal knows by {}.", code(&spell(verify)), known_by(header))
        }
        Unknown::Replay { idempotency_key } => format!("the portal knows by {}.", known_by(idempotency_key)),
        Unknown::Stop { why } => format!("can't be read back: {}", shown(&why.value())),
    }
}

/// What the keys are for. With both, it is the business key that a client has one open write of.
fn keys(key: Option<&str>, header: Option<&str>, recorded: bool) -> Vec<String> {
    let then = if recorded { "and has its result" } else { "then does its own" };
    let one_at_a_time = |what, key| {
        format!(
            "The {what} is {key}: reports name it, and a client has one open write per method and key. A second one \
             waits for the first, {then}."
        )
    };
    match (key, header) {
        (None, None) => Vec::new(),
        (Some(key), None) => vec![one_at_a_time("key of the operation", key)],
        (None, Some(header)) => vec![one_at_a_time("idempotency key", header)],
        (Some(key), Some(header)) => vec![
            one_at_a_time("key of the operation", key),
            format!("The idempotency key is {header}: reports name it."),
        ],
    }
}

fn after_an_unknown_outcome(unknown: &Unknown<'_>) -> Vec<String> {
    match unknown {
        Unknown::ReadBack { idempotency_key, .. } => {
            let mut points = vec![format!("Its outcome is unknown: {READ_BACK}")];
            if idempotency_key.is_some() {
                points.push(format!("The verifier can't tell, and the answer was lost: {REPLAYED}"));
                points.push(format!("The verifier can't tell, and the answer was a code: {NOT_REPLAYED}"));
            }
            points.push(format!("{FIX} {ASKED_ONCE}"));
            points.push(format!("{UNFIT}, and what the verifier finds is the result."));
            points
        }
        Unknown::Replay { .. } => vec![
            format!("The answer is lost: {REPLAYED}"),
            format!("The answer is a code that leaves the outcome unknown: {NOT_REPLAYED}"),
            FIX.to_owned(),
            format!("{UNFIT}."),
        ],
        Unknown::Stop { .. } => vec![
            "Its outcome is unknown: the call ends as `CallError::InDoubt`, and nothing is sent again.".to_owned(),
            FIX.to_owned(),
            format!("{UNFIT}."),
        ],
    }
}

fn errors(unknown: &Unknown<'_>) -> Vec<String> {
    let in_doubt = match unknown {
        Unknown::ReadBack { idempotency_key: None, .. } => "the verifier can't tell, or the time is used up",
        Unknown::ReadBack { idempotency_key: Some(_), .. } => {
            "neither the verifier nor the key settles it, or the attempts or the time are used up"
        }
        Unknown::Replay { .. } => "the key does not settle it, or the attempts or the time are used up",
        Unknown::Stop { .. } => "nobody knows whether the write happened",
    };
    let fix = if unknown.idempotency_key().is_some() { ", a key that was used for another call included" } else { "" };
    let mut errors = vec![
        "`CallError::Invalid`: the arguments make no request, nothing was sent.".to_owned(),
        format!(
            "`CallError::Refused`: something has to be fixed first{fix}. `effect()` says whether the write may have \
             happened all the same."
        ),
        "`CallError::Exhausted`: the attempts, the time or the retry budget are used up, and the write was not applied."
            .to_owned(),
        format!("`CallError::InDoubt`: {in_doubt}. The report has all that a person needs to settle it."),
    ];
    if let Unknown::ReadBack { .. } = unknown {
        errors.push("`CallError::Duplicated`: the verifier found the effect more than once.".to_owned());
    }
    errors.push(
        "`CallError::Undecodable`: the portal reports success, and the result does not fit the return type.".to_owned(),
    );
    errors
}

const ASKED_FIRST: &str =
    "Before the first send the verifier is asked: what is already there is the result, and nothing is sent.";

const SENT_AGAIN: &str = "The write was certainly not applied: it is sent again after a pause, as often and as long as \
                          the client's policy allows.";

const READ_BACK: &str = "\
the verifier looks for its effect. What it finds is the result. Absence counts from a check that began when the request \
could no longer be applied: then, and not before, the write is sent again.";

const REPLAYED: &str = "\
when the request can no longer be under way, and within 23 hours of the first send, it is sent again with the same key and \
the same bytes. If the write has happened, the portal answers with the stored result, and else it happens now. Any other \
answer leaves the outcome unknown.";

const NOT_REPLAYED: &str = "\
the call ends as `CallError::InDoubt`, and nothing is sent again. The portal stores successes alone, so a write that \
happened and then failed would happen twice.";

const FIX: &str = "The code says that something has to be fixed: it is not sent again.";

const ASKED_ONCE: &str = "\
Where the code leaves open whether the write happened, the verifier is asked once, and what it finds is the result.";

const UNFIT: &str = "The result does not fit the return type: it is not sent again";

const ASSUMPTION: &str = "\
That sending it again is safe rests on an assumption: the portal stores the success in one step with the effect. Bitrix24 \
documents that the success is stored, for 24 hours, and not how.
";

const CANCEL_SAFETY: &str = "\
Dropping the future stops the waiting, not the sending: a request that has begun to leave may still be applied. The \
client's observer is told what was known at the drop, and the answer if one comes.";

/// A code span, whatever `text` contains.
fn code(text: &str) -> String {
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

/// A sentence in Markdown that shows `text` as it is: brackets, tags or addresses in it would mean something to rustdoc.
fn shown(text: &str) -> String {
    let mut shown = String::new();
    for word in text.split_whitespace() {
        if !shown.is_empty() {
            shown.push(' ');
        }
        for letter in word.chars() {
            if letter.is_ascii_punctuation() && !",.;'-/()?".contains(letter) {
                shown.push('\\');
            }
            shown.push(letter);
        }
    }
    if !shown.ends_with(['.', '!', '?']) {
        shown.push('.');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::{code, shown};

    #[test]
    fn a_reason_is_shown_as_it_is_written() {
        assert_eq!(shown("a message\n  carries no key"), "a message carries no key.");
        assert_eq!(shown("see [it] at https://x.y!"), "see \\[it\\] at https\\://x.y\\!");
    }

    #[test]
    fn code_with_backticks_is_still_code() {
        assert_eq!(code("fields.id"), "`fields.id`");
        assert_eq!(code("\"a`b\""), "`` \"a`b\" ``");
    }
}
