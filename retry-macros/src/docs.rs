//! What the docs of a generated function say on top of the user's own: what happens on which outcome.

use crate::method::{Effect, Method, Unknown};
use crate::spell::spell;

/// The lines that follow the user's docs, if the stub is `described`; else they stand alone, and the first is a summary.
pub(crate) fn lines(method: &Method<'_>, described: bool) -> Vec<String> {
    let name = code(&method.name.value());
    let text = match &method.effect {
        Effect::Read => read(&name),
        Effect::Write { unknown, key } => {
            let key = key.map_or(String::new(), |key| one_at_a_time(&code(&spell(key))));
            match unknown {
                Unknown::ReadBack { verify, ensure } => {
                    let first = if *ensure { ASKED_FIRST } else { "" };
                    verified(&name, &code(&spell(verify)), &format!("{first}{key}"))
                }
                Unknown::Stop { why } => unverifiable(&name, &shown(&why.value()), &key),
            }
        }
    };
    let mut lines = if described { vec![String::new()] } else { Vec::new() };
    // One space in front, as a written doc comment has it, so that both have the same indentation.
    lines.extend(text.lines().map(|line| if line.is_empty() { String::new() } else { format!(" {line}") }));
    lines
}

fn read(name: &str) -> String {
    format!(
        "\
Calls {name}, a read.

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

fn verified(name: &str, verifier: &str, more: &str) -> String {
    format!(
        "\
Calls {name}, a write that is read back by {verifier}.

# Outcomes

{more}{SENT_AGAIN}
* Its outcome is unknown: the verifier looks for its effect. What it finds is the result. Absence counts from a check \
that began when the request could no longer be applied: then, and not before, the write is sent again.
* The code says that something has to be fixed: it is not sent again. Where the code leaves open whether the write \
happened, the verifier is asked once, and what it finds is the result.
* The result does not fit the return type: it is not sent again, and what the verifier finds is the result.

# Errors

{REFUSED}
* `CallError::InDoubt`: the verifier can't tell, or the time is used up. The report has all that a person needs to \
settle it.
* `CallError::Duplicated`: the verifier found the effect more than once.
{UNDECODABLE}

{CANCEL_SAFETY}"
    )
}

fn unverifiable(name: &str, why: &str, more: &str) -> String {
    format!(
        "\
Calls {name}, a write that can't be read back: {why}

# Outcomes

{more}{SENT_AGAIN}
* Its outcome is unknown: the call ends as `CallError::InDoubt`, and nothing is sent again.
* The code says that something has to be fixed: it is not sent again.
* The result does not fit the return type: it is not sent again.

# Errors

{REFUSED}
* `CallError::InDoubt`: nobody knows whether the write happened. The report has all that a person needs to settle it.
{UNDECODABLE}

{CANCEL_SAFETY}"
    )
}

fn one_at_a_time(key: &str) -> String {
    format!(
        "* The key of the operation is {key}: reports name it, and a client has one open write per method and key. A \
second one waits for the first, then does its own.\n"
    )
}

const ASKED_FIRST: &str = "\
* Before the first send the verifier is asked: what is already there is the result, and nothing is sent.
";

const SENT_AGAIN: &str = "\
* The write was certainly not applied: it is sent again after a pause, as often and as long as the client's policy \
allows.";

const REFUSED: &str = "\
* `CallError::Invalid`: the arguments make no request, nothing was sent.
* `CallError::Refused`: something has to be fixed first. `effect()` says whether the write may have happened all the \
same.
* `CallError::Exhausted`: the attempts, the time or the retry budget are used up, and the write was not applied.";

const UNDECODABLE: &str = "\
* `CallError::Undecodable`: the portal reports success, and the result does not fit the return type.";

const CANCEL_SAFETY: &str = "\
# Cancel safety

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
