//! Rows of the catalogue as the sentences of messages.

use retry_catalogue::{Replay, Strength};

use super::Row;

/// `a`, `a and b`, `a, b and c`
pub(crate) fn and(words: &[impl AsRef<str>]) -> String {
    let mut text = String::new();
    for (at, word) in words.iter().enumerate() {
        text.push_str(match words.len() - at {
            _ if at == 0 => "",
            1 => " and ",
            _ => ", ",
        });
        text.push_str(word.as_ref());
    }
    text
}

/// "a second `crm.deal.add` makes a second deal"
pub(super) fn again(row: &Row) -> String {
    format!("a second `{}` {}", row.name, row.again)
}

/// Why a lost answer has to be settled: what sending the write again would do.
pub(crate) fn after_a_lost_answer(row: &Row) -> String {
    let again = again(row);
    let open = match row.replay {
        // What the same values add once more is no same state.
        Some(Replay::Same) if row.again.contains("appends") => "",
        Some(Replay::Same | Replay::Gone) => "; the state is the same then, and whether this call did it stays open",
        Some(Replay::Refused | Replay::MaybeRefused) => {
            "; that shows that something with this key is there, and not that this call made it"
        }
        Some(Replay::Duplicate | Replay::Act | Replay::Toggle | Replay::Relative | Replay::Loss) | None => "",
    };
    format!("when the answer is lost, nobody knows whether it was applied, and {again}{open}")
}

/// How it is read back, as what follows "read it back with ", if a read shows it.
pub(crate) fn read_back(row: &Row) -> Option<String> {
    let read = format!("`{}`", row.read_with?);
    let keys: Vec<&str> = row.key_fields().filter(|key| *key != IDEMPOTENCY).collect();
    let hint = row.hint;
    // Most hints begin with the read and its fields; then nothing is said twice.
    let same = hint.contains(" by the same id");
    if hint.starts_with(&read) && (same || keys.iter().all(|key| hint.contains(key))) {
        return Some(hint.to_owned());
    }
    let by = if keys.is_empty() { String::new() } else { format!(" by {}", and(&keys)) };
    Some(format!("{read}{by}: {hint}"))
}

/// The word in the column of keys for what is a header and no field.
const IDEMPOTENCY: &str = "Idempotency-Key";

/// What a write of this method says besides its kind, as the end of a sentence.
pub(super) fn way_out(row: &Row) -> String {
    match (row.strength, read_back(row)) {
        _ if !row.versions.has_rest2() => {
            "`idempotency_key = parameter`, by which REST 3.0 knows a repeated call".into()
        }
        (Some(Strength::Server | Strength::Exact | Strength::Parent), Some(how)) => {
            format!("`verify = path`: read it back with {how}")
        }
        (Some(Strength::Server | Strength::Exact | Strength::Parent | Strength::Nothing) | None, _) => {
            format!("`unverifiable = \"the reason\"`: {}", row.hint)
        }
    }
}
