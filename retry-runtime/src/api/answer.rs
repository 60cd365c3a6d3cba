//! What a portal answered, whatever API it speaks.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;

use super::usage::Allowance;
use crate::clock::Moment;
use crate::code::Code;
use crate::decode::Beside;
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
    /// Whether the portal says that it repeats a stored answer (`Idempotent-Replayed`).
    pub replayed: bool,
    /// What the gateway says that the key has left.
    pub allowance: Option<Allowance>,
    /// Until when our side could put bytes of the request on the wire.
    pub last_byte_by: Moment,
}

impl Answer {
    /// An answer that says just this.
    pub const fn new(heard: Heard, last_byte_by: Moment) -> Self {
        Self { heard, status: None, request_id: None, hint: None, replayed: false, allowance: None, last_byte_by }
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
    /// The access token had expired, the call did not run, and the token is new now.
    TokenRenewed,
    /// The portal does not take this method inside a batch; the call did not run and goes alone from now on.
    NotInBatch,
    /// The access token had expired, the call did not run, and the token can't be renewed.
    NoToken {
        /// The cause, for people.
        why: Box<str>,
        /// Whether it may be otherwise soon.
        passing: bool,
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
                    Code::Other(line(&text, CODE_LIMIT, secrets).into())
                } else {
                    code
                };
                Self::Code { code, text: secrets.strike(&text).into() }
            }
            Self::TokenRenewed => Self::TokenRenewed,
            Self::NotInBatch => Self::NotInBatch,
            Self::NoToken { why, passing } => Self::NoToken { why, passing },
            Self::Moved { host } => Self::Moved { host: secrets.strike(&host).into() },
            Self::NoEnvelope { what } => Self::NoEnvelope { what: secrets.strike(&what).into() },
        }
    }
}

/// The result of a call.
///
/// It is read into the type of the stub in one pass. Nothing is read before: until then it may turn out to be no success after all.
#[derive(Clone)]
pub struct Success {
    pub(super) json: Bytes,
    pub(super) form: Form,
    /// What must not be shown of it.
    pub(super) secrets: Secrets,
}

/// What the bytes of a [`Success`] are.
#[derive(Debug, Clone, Copy)]
pub(super) enum Form {
    /// The result alone, known to be one, and how it becomes the result of the method.
    Result(Beside, &'static [View]),
    /// A body of Bitrix24 itself that begins as a success does.
    Rest,
    /// A body of the gateway that begins as a success does, and how its `data` becomes the result of the method.
    Vibe(&'static [View]),
}

/// How the `data` of a gateway's answer becomes the result of the method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum View {
    /// As it is.
    Data,
    /// Its `id`.
    Id,
    /// `true`, whatever it is, unless it says `false`.
    Done,
    /// Under this key, as the direct API wraps it.
    Under(&'static str),
}

impl Success {
    /// A success with this result, one JSON value, and nothing beside it.
    pub fn new(result: impl Into<Bytes>) -> Self {
        Self::of(result.into(), Form::Result(Beside::default(), &[View::Data]))
    }

    /// The same with what stands beside a list.
    #[must_use]
    pub fn beside(self, beside: Beside) -> Self {
        Self { form: Form::Result(beside, &[View::Data]), ..self }
    }

    pub(super) fn of(json: Bytes, form: Form) -> Self {
        Self { json, form, secrets: Secrets::default() }
    }

    /// The same with these secrets to be struck out of what is shown of it.
    pub(super) fn hiding(self, secrets: &Secrets) -> Self {
        Self { secrets: secrets.clone(), ..self }
    }
}

impl fmt::Debug for Success {
    /// Without the result, which may be personal data and may echo a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Success({} bytes, {:?})", self.json.len(), self.form)
    }
}

/// The beginning of a text, on one line and without secrets: what is left out of it, or joined, must not make one appear.
pub(crate) fn line(text: &str, most: usize, secrets: &Secrets) -> String {
    secrets.strike(&excerpt(&secrets.strike(text), most)).into_owned()
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

    #[test]
    fn p7_a_secret_does_not_come_together_out_of_its_parts() {
        let secrets = Secrets::new(["s3cr3t"]);
        assert_eq!(line("s3\0cr3t, s3cr3t, s3\u{7}cr3t", 80, &secrets), "[secret], [secret], [secret]");
        assert_eq!(line("s3\0cr3t", 5, &secrets), "[secret]…");
    }

    #[test]
    fn p7_a_result_is_not_shown_by_debug() {
        let shown = format!("{:?}", Success::new("\"s3cr3t\""));
        assert!(shown.contains("8 bytes") && !shown.contains("s3cr3t"), "{shown}");
    }
}
