//! How a success becomes the type of a stub, or turns out to be none.

use std::time::Duration;

use serde::Deserialize;
use serde::de::Error as _;

use super::answer::{Form, Heard, Success, View, line};
use super::usage::Usage;
use super::{rest, vibe};
use crate::decode::{Beside, FromAnswer};

/// How much is shown of why a result could not be read, in bytes.
const SHOWN: usize = 300;

impl Success {
    /// Reads it as the type of a stub, and what the portal says of the operating time beside it.
    pub(crate) fn read<T: FromAnswer>(&self) -> Result<(T, Option<Usage>), serde_json::Error> {
        match &self.form {
            Form::Result(beside, views) => Ok((self.viewed(*beside, views)?, None)),
            Form::Rest => rest::envelope::read(&self.json),
            Form::Vibe(views) => Ok((vibe::envelope::read(&self.json, views)?, None)),
        }
    }

    /// The first view that reads as the type; the error is that of the first one.
    fn viewed<T: FromAnswer>(&self, beside: Beside, views: &[View]) -> Result<T, serde_json::Error> {
        let mut first = None;
        for view in views {
            let read: Result<T::Result, _> = match view {
                View::Data => serde_json::from_slice(&self.json),
                View::Id => serde_json::from_slice(&self.json).map(|WithId { id }| id),
                View::Done => serde_json::from_slice(if *self.json == *b"false" { b"false" } else { b"true" }),
                View::Under(key) => {
                    serde_json::from_slice(&[b"{\"", key.as_bytes(), b"\":", &self.json, b"}"].concat())
                }
            };
            match read {
                Ok(result) => return Ok(T::from_result(result, beside)),
                Err(error) => first = first.or(Some(error)),
            }
        }
        Err(first.unwrap_or_else(|| serde_json::Error::custom("nothing to read")))
    }

    /// Opens what could not be read: it may be a success after all, or none.
    pub(crate) fn opened(self) -> (Heard, Option<Duration>) {
        let opened = match self.form {
            Form::Result(..) => return (Heard::Success(self), None),
            Form::Rest => rest::envelope::open(&self.json),
            Form::Vibe(views) => vibe::envelope::open(&self.json, views),
        };
        match opened {
            Some(opened) => (opened.heard.without(&self.secrets), opened.hint),
            None => (Heard::NoEnvelope { what: "a body that begins as a success and is no answer".into() }, None),
        }
    }

    /// Why it could not be read, which may quote it, in a line.
    pub(crate) fn shown(&self, error: &serde_json::Error) -> String {
        line(&error.to_string(), SHOWN, &self.secrets)
    }

    /// Whether the result says nothing: `false`, `null`, or empty.
    pub(crate) fn is_blank(&self) -> bool {
        matches!(self.json.trim_ascii(), b"" | b"false" | b"null" | b"\"\"" | b"[]" | b"{}")
    }
}

/// A created record, of which the id is wanted.
#[derive(Deserialize)]
pub(super) struct WithId<R> {
    #[serde(alias = "ID")]
    pub(super) id: R,
}
