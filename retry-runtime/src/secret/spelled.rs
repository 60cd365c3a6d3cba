//! The spellings of a text: as a part of a URL, of JSON, of HTML.

/// The letters that HTML names.
const ENTITIES: [(&[u8], u8); 5] =
    [(b"&amp;", b'&'), (b"&lt;", b'<'), (b"&gt;", b'>'), (b"&quot;", b'"'), (b"&apos;", b'\'')];

/// What is meant at one place of a text.
pub(super) struct Letter {
    /// In small letters, as UTF-8.
    bytes: [u8; 4],
    count: usize,
    /// Where what spells it ends.
    end: usize,
}

/// What a text means at each of its bytes, where it is a part of a URL, of JSON or of HTML.
///
/// At each, and not only from one letter to the next: a `\\` or `%` that stands before a secret by chance seems to begin a spelling.
pub(super) fn spelled_out(text: &str) -> Vec<Letter> {
    let bytes = text.as_bytes();
    (0..bytes.len()).filter_map(|at| Some(Letter::of(bytes.get(at..)?, at))).collect()
}

/// The bytes that are meant from one place on, each with the end of what spells it.
pub(super) fn read(letters: &[Letter], from: usize) -> impl Iterator<Item = (u8, usize)> {
    let first = letters.get(from);
    std::iter::successors(first, |letter| letters.get(letter.end))
        .flat_map(|letter| letter.bytes.iter().take(letter.count).map(|byte| (*byte, letter.end)))
}

impl Letter {
    fn of(rest: &[u8], at: usize) -> Self {
        let (meant, length) = meant(rest);
        let mut bytes = [0; 4];
        let count = match meant {
            Meant::Byte(byte) => {
                bytes = [byte.to_ascii_lowercase(), 0, 0, 0];
                1
            }
            Meant::Letter(letter) => letter.to_ascii_lowercase().encode_utf8(&mut bytes).len(),
        };
        // In a query a plus is a space: the two count as one.
        let bytes = bytes.map(|byte| if byte == b'+' { b' ' } else { byte });
        Self { bytes, count, end: at + length }
    }
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
