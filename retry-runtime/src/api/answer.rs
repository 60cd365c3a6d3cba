//! What a portal answered, whatever API it speaks.

use std::time::Duration;

use super::success::Success;
use crate::clock::Moment;
use crate::code::Code;
use crate::secret::Secrets;

/// How much of an unknown code is kept, in bytes.
const CODE_LIMIT: usize = 200;

/// What came back for one request.
#[derive(Debug, Clone)]
pub struct Answer {
    /// What it says.
    pub heard: Heard,
    /// The HTTP status, for people: it decides nothing. `None` where there was none of its own, as inside a batch.
    pub status: Option<u16>,
    /// `X-Request-Id`, for the vendor's support.
    pub request_id: Option<Box<str>>,
    /// The pause the server asks for, the larger one of header and body.
    pub hint: Option<Duration>,
    /// Until when our side could put bytes of the request on the wire.
    pub last_byte_by: Moment,
}

impl Answer {
    /// An answer that says just this.
    pub const fn new(heard: Heard, last_byte_by: Moment) -> Self {
        Self { heard, status: None, request_id: None, hint: None, last_byte_by }
    }
}

/// What an answer says.
#[derive(Debug, Clone)]
pub enum Heard {
    /// The call was carried out.
    Success(Success),
    /// A code instead of a result.
    Code {
        /// The code.
        code: Code,
        /// The server's own text and, where it names them, the fields at fault. Localised, for people.
        text: Box<str>,
    },
    /// The portal was renamed and names its new address; the call was not carried out.
    Moved {
        /// The new host.
        host: Box<str>,
    },
    /// Nothing that says what became of the call: HTML, an empty or unreadable body, one without code or result.
    NoEnvelope {
        /// What it was instead, and how it begins.
        what: Box<str>,
    },
}

impl Heard {
    /// The same without the secrets in its texts.
    pub(super) fn without(self, secrets: &Secrets) -> Self {
        match self {
            Self::Success(success) => Self::Success(success.hiding(secrets)),
            Self::Code { code, text } => {
                // A code that nobody documents is the server's text as well.
                let code = if let Code::Other(text) = code {
                    Code::Other(excerpt(&secrets.strike(&text), CODE_LIMIT).into())
                } else {
                    code
                };
                Self::Code { code, text: secrets.strike(&text).into() }
            }
            Self::Moved { host } => Self::Moved { host: secrets.strike(&host).into() },
            Self::NoEnvelope { what } => Self::NoEnvelope { what: secrets.strike(&what).into() },
        }
    }
}

/// The beginning of a text, on one line and without control characters.
pub(crate) fn excerpt(text: &str, most: usize) -> String {
    let mut words = String::new();
    for word in text.split_whitespace() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.extend(word.chars().filter(|letter| !letter.is_control()));
        if words.len() > most {
            let cut = words.floor_char_boundary(most);
            words.truncate(cut);
            words.push('…');
            break;
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_one_short_line() {
        assert_eq!(excerpt("a\r\n  b\u{1b}[31m c", 80), "a b[31m c");
        assert_eq!(excerpt("ёжик", 3), "ё…");
        assert_eq!(excerpt("", 3), "");
    }
}
