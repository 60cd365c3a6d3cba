//! A result on its way to the type of a stub.

use std::borrow::Cow;
use std::time::Duration;

use bytes::Bytes;

use super::answer::{Heard, excerpt};
use super::envelope;
use crate::decode::{Beside, FromAnswer};
use crate::secret::Secrets;

/// How much is shown of why it could not be read, in bytes.
const SHOWN: usize = 300;

/// The result of a call.
///
/// It is read into the type of the stub in one pass. Nothing is read before: until then it may turn out to be no success after all.
#[derive(Debug, Clone)]
pub struct Success {
    json: Bytes,
    form: Form,
    /// What must not be shown of it.
    secrets: Option<Secrets>,
}

#[derive(Debug, Clone)]
enum Form {
    /// The result alone, known to be one.
    Result(Beside),
    /// A body that begins as a success does.
    Envelope,
}

impl Success {
    /// A success with this result, one JSON value, and nothing beside it.
    pub const fn new(result: Bytes) -> Self {
        Self { json: result, form: Form::Result(Beside { next: None, total: None }), secrets: None }
    }

    /// The same with the `next` and `total` of a list.
    #[must_use]
    pub fn beside(self, next: Option<u64>, total: Option<u64>) -> Self {
        Self { form: Form::Result(Beside { next, total }), ..self }
    }

    /// A body that begins as a success does.
    pub(super) const fn in_envelope(body: Bytes, secrets: Secrets) -> Self {
        Self { json: body, form: Form::Envelope, secrets: Some(secrets) }
    }

    /// The same with these secrets to be struck out of what is shown of it.
    pub(super) fn hiding(self, secrets: &Secrets) -> Self {
        Self { secrets: Some(secrets.clone()), ..self }
    }

    /// Why it could not be read, which may quote it, in a line.
    pub(crate) fn shown(&self, error: &serde_json::Error) -> String {
        let error = error.to_string();
        excerpt(&self.secrets.as_ref().map_or(Cow::Borrowed(&*error), |secrets| secrets.strike(&error)), SHOWN)
    }

    /// Reads it as the type of a stub.
    pub(crate) fn read<T: FromAnswer>(&self) -> Result<T, serde_json::Error> {
        match &self.form {
            Form::Result(beside) => Ok(T::from_result(serde_json::from_slice(&self.json)?, *beside)),
            Form::Envelope => envelope::read(&self.json),
        }
    }

    /// Opens what could not be read: it may be a success after all, or none.
    pub(crate) fn opened(self) -> (Heard, Option<Duration>) {
        match self.form {
            Form::Result(_) => (Heard::Success(self), None),
            Form::Envelope => match envelope::open(&self.json) {
                Some(opened) => (opened.heard.without(&self.secrets.unwrap_or_default()), opened.hint),
                None => (Heard::NoEnvelope { what: "a body that begins as a success and is no JSON".into() }, None),
            },
        }
    }

    /// Whether the result says nothing: `false`, `null`, or empty.
    pub(crate) fn is_blank(&self) -> bool {
        let result = match &self.form {
            Form::Result(_) => Cow::Borrowed(&self.json),
            Form::Envelope => match self.clone().opened() {
                (Heard::Success(success), _) => Cow::Owned(success.json),
                (Heard::Code { .. } | Heard::Moved { .. } | Heard::NoEnvelope { .. }, _) => return true,
            },
        };
        matches!(result.trim_ascii(), b"" | b"false" | b"null" | b"\"\"" | b"[]" | b"{}")
    }
}
