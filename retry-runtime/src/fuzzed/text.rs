//! Texts for people: short, on one line, without the secret.

use super::SECRET;
use crate::api::{Answer, Heard};
use crate::code::Code;

/// The longest text that a server has in an error; the longest whole sentence of ours around one.
pub(crate) const TEXT: usize = 1_400;
pub(crate) const SENTENCE: usize = 2_000;

/// Holds a text to that.
pub(crate) fn shown(text: &str, most: usize) {
    assert!(text.len() <= most, "{} bytes instead of {most}: {text}", text.len());
    let breaks = |letter: char| letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}');
    assert!(!text.contains(breaks), "more than a line: {text:?}");
    hidden(text);
}

/// Holds a text to not showing the secret, nor most of it where it was cut.
pub(crate) fn hidden(text: &str) {
    assert!(!text.contains(SECRET), "the secret shows: {text}");
    for end in 4..SECRET.len() {
        let part = SECRET.get(..end).unwrap_or_default();
        assert!(!text.contains(&format!("{part}…")), "the beginning of the secret shows: {text}");
    }
}

/// Holds all texts of an answer to it.
pub(crate) fn answer(answer: &Answer) {
    hidden(&format!("{answer:?}"));
    if let Some(id) = &answer.request_id {
        shown(id, 200);
    }
    match &answer.heard {
        Heard::Code { code, text } => {
            if let Code::Other(code) = code {
                shown(code, 300);
            }
            shown(text, TEXT);
        }
        Heard::Moved { host } => shown(host, 300),
        Heard::NoEnvelope { what } => shown(what, SENTENCE),
        Heard::NoToken { why, .. } => shown(why, SENTENCE),
        Heard::Success(_) | Heard::TokenRenewed | Heard::NotInBatch => {}
    }
}
