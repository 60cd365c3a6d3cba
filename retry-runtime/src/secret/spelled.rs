//! The spellings of a text: as a part of a URL, of JSON, of HTML.

use std::ops::Range;

/// The letters that HTML names.
const ENTITIES: [(&[u8], u8); 5] =
    [(b"&amp;", b'&'), (b"&lt;", b'<'), (b"&gt;", b'>'), (b"&quot;", b'"'), (b"&apos;", b'\'')];

/// One byte that a text means, and the bytes that spell it.
pub(super) struct Letter {
    pub(super) byte: u8,
    pub(super) at: Range<usize>,
}

/// What a text means where it is a part of a URL, of JSON or of HTML, in small letters.
pub(super) fn spelled_out(text: &str) -> Vec<Letter> {
    let mut letters = Vec::with_capacity(text.len());
    let mut start = 0;
    while let Some(rest) = text.as_bytes().get(start..).filter(|rest| !rest.is_empty()) {
        let (meant, length) = meant(rest);
        let at = start..start + length;
        let mut buffer = [0; 4];
        let bytes = match meant {
            Meant::Byte(byte) => {
                buffer[0] = byte.to_ascii_lowercase();
                &buffer[..1]
            }
            Meant::Letter(letter) => letter.to_ascii_lowercase().encode_utf8(&mut buffer).as_bytes(),
        };
        // In a query a plus is a space: the two count as one.
        let folded = bytes.iter().map(|byte| if *byte == b'+' { b' ' } else { *byte });
        letters.extend(folded.map(|byte| Letter { byte, at: at.clone() }));
        start += length;
    }
    letters
}

enum Meant {
    Byte(u8),
    Letter(char),
}

/// What stands at the beginning of these bytes, and how many of them spell it.
fn meant(bytes: &[u8]) -> (Meant, usize) {
    let spelled = match bytes {
        [b'%', ..] => percent(bytes).map(|(byte, length)| (Meant::Byte(byte), length)),
        [b'\\', b'u' | b'x', b'{', rest @ ..] => {
            number(rest, b'}', 16).map(|(letter, length)| (Meant::Letter(letter), length + 3))
        }
        [b'\\', b'u', digits @ ..] => digits
            .get(..4)
            .and_then(|digits| u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok())
            .and_then(char::from_u32)
            .map(|letter| (Meant::Letter(letter), 6)),
        [b'\\', sign, ..] if sign.is_ascii_punctuation() => Some((Meant::Byte(*sign), 2)),
        [b'&', b'#', b'x' | b'X', rest @ ..] => {
            number(rest, b';', 16).map(|(letter, length)| (Meant::Letter(letter), length + 3))
        }
        [b'&', b'#', rest @ ..] => number(rest, b';', 10).map(|(letter, length)| (Meant::Letter(letter), length + 2)),
        [b'&', ..] => ENTITIES
            .into_iter()
            .find(|(name, _)| bytes.starts_with(name))
            .map(|(name, byte)| (Meant::Byte(byte), name.len())),
        _ => None,
    };
    spelled.unwrap_or((Meant::Byte(bytes.first().copied().unwrap_or_default()), 1))
}

/// `%3A`, also where the sign itself is spelled so: `%253A`.
fn percent(bytes: &[u8]) -> Option<(u8, usize)> {
    let byte = |at: usize| u8::from_str_radix(std::str::from_utf8(bytes.get(at..at + 2)?).ok()?, 16).ok();
    let (mut meant, mut length) = (byte(1)?, 3);
    while meant == b'%' {
        let Some(next) = byte(length) else { break };
        (meant, length) = (next, length + 2);
    }
    Some((meant, length))
}

/// A letter by its number, up to this end, and the bytes of both.
fn number(bytes: &[u8], end: u8, radix: u32) -> Option<(char, usize)> {
    let length = bytes.iter().take(8).position(|byte| *byte == end)?;
    let number = u32::from_str_radix(std::str::from_utf8(bytes.get(..length)?).ok()?, radix).ok()?;
    Some((char::from_u32(number)?, length + 1))
}
