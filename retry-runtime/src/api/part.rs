//! A part of an answer, as the answer of one command in a batch is.

use std::time::Duration;

use bytes::Bytes;
use serde_json::value::RawValue;

use super::answer::{Form, Heard, Success, View};
use super::rest;
use crate::decode::Beside;

impl Success {
    /// A part of this result as a result of its own.
    pub(crate) fn part(&self, json: Bytes) -> Self {
        Self { json, form: Form::Result(Beside::default(), &[View::Data]), secrets: self.secrets.clone() }
    }

    /// What the part says that stands for an error: a code, and the pause it asks for.
    pub(crate) fn part_refused(&self, error: &RawValue) -> (Heard, Option<Duration>) {
        let opened = rest::envelope::open(&Bytes::copy_from_slice(error.get().as_bytes()));
        match opened {
            Some(opened) => (opened.heard.without(&self.secrets), opened.hint),
            None => (Heard::NoEnvelope { what: "a command that failed without a code".into() }, None),
        }
    }
}
