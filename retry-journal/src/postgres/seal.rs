//! What may be personal, as values of PostgreSQL. Texts stay in columns of text, so that people can query a journal that is in clear; sealed ones are in hexadecimal digits.

use std::fmt::Write as _;

use retry_runtime::journal::{IntentId, JournalError};

use super::rows::clean;
use super::sql;
use crate::bodies::{NotSealed, Sealer};

/// A text as it is put into the table.
pub(super) fn text(sealer: &Sealer, id: &IntentId, what: &str, text: &str) -> Result<String, JournalError> {
    let text = clean(text);
    Ok(sealer.sealed(id, what, text.as_bytes())?.map_or(text, |sealed| digits(&sealed)))
}

/// Bytes as they are put into the table.
pub(super) fn bytes(sealer: &Sealer, id: &IntentId, what: &str, bytes: &[u8]) -> Result<Vec<u8>, JournalError> {
    Ok(sealer.sealed(id, what, bytes)?.unwrap_or_else(|| bytes.into()))
}

/// A text that was put into the table.
pub(super) fn opened_text(
    sealer: &Sealer,
    id: &IntentId,
    what: &str,
    stored: String,
) -> Result<Box<str>, JournalError> {
    // What the statements write by themselves is about no person, and has no key at hand.
    if matches!(sealer, Sealer::Clear) || [sql::DIED, sql::NOT_SENT].contains(&&*stored) {
        return Ok(stored.into());
    }
    let stored = bytes_of(&stored).ok_or_else(|| damaged(id, what))?;
    let text = String::from_utf8(opened(sealer, id, what, &stored)?).map_err(|_| damaged(id, what))?;
    Ok(text.into())
}

/// Bytes that were put into the table.
pub(super) fn opened(sealer: &Sealer, id: &IntentId, what: &str, stored: &[u8]) -> Result<Vec<u8>, JournalError> {
    sealer.opened(id, what, stored).ok_or_else(|| damaged(id, what))
}

fn damaged(id: &IntentId, what: &str) -> JournalError {
    JournalError::Damaged(format!("the {what} of {id} can't be decrypted").into())
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // A string takes whatever is written to it.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn bytes_of(digits: &str) -> Option<Vec<u8>> {
    let (pairs, []) = digits.as_bytes().as_chunks::<2>() else { return None };
    let of = |digit: u8| char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    pairs.iter().map(|[high, low]| Some(of(*high)? << 4 | of(*low)?)).collect()
}

impl From<NotSealed> for JournalError {
    fn from(error: NotSealed) -> Self {
        Self::Unavailable(format!("a body could not be encrypted, and so nothing was written: {error}").into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_read_back_and_nothing_else_does() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(bytes_of(&digits(&all)), Some(all));
        for wrong in ["0", "0g", "+f", "äö", "why of it"] {
            assert_eq!(bytes_of(wrong), None, "{wrong}");
        }
    }
}
