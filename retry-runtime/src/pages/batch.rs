//! Pages of one list in one request: a read of the list that travels as a REST 2 `batch`.
//!
//! It is a transport, so that the read loop decides by the code of the list itself, and its reports name the list.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::answer::{Parts, name};
use crate::api::Usage;
use crate::transport::{Answer, BoxFuture, Exit, Heard, Loss, Request, Success, Transport, Wire};

/// Commands of one batch at most (documented).
pub(super) const MOST: u64 = 50;

/// The way of a read whose answer is to be that of a batch.
pub(super) struct BatchLine {
    exit: Exit,
    arguments: Bytes,
}

impl BatchLine {
    /// `commands` in order. The first that fails ends it: those after it would begin nowhere.
    pub(super) fn new(exit: Exit, commands: Vec<String>) -> Self {
        let named: Map<String, Value> = (0..).map(name).zip(commands.into_iter().map(Value::from)).collect();
        Self { exit, arguments: json!({"halt": 1, "cmd": named}).to_string().into() }
    }

    async fn carry(&self, request: &Request, wire: &Arc<Wire>) -> Result<Answer, Loss> {
        // It waits for the list's own pauses, which the batch around it knows nothing of.
        if let Err(denied) = self.exit.method_is_free(request).await {
            return denied;
        }
        let batch = Request { method: "batch", arguments: self.arguments.clone(), ..request.clone() };
        let whole = self.exit.single.send(&batch, wire).await?;
        let Heard::Success(success) = &whole.heard else { return Ok(whole) };
        // What does not read as a batch is shown to the loop as it is.
        let Ok((result, _)) = success.read::<Box<RawValue>>() else { return Ok(whole) };
        let Ok(parts) = serde_json::from_str::<Parts>(result.get()) else { return Ok(whole) };
        let latest = parts.result_time.0.values().filter_map(|time| Usage::read(time)).max_by_key(|usage| usage.used);
        let opened = Ok(opened(&whole, success, result, &parts));
        if let Some(limiter) = &self.exit.limiter {
            if let Some(usage) = latest {
                limiter.used(request.method, usage);
            }
            limiter.heard(request.method, &opened);
        }
        opened
    }
}

/// What the batch says of its first command stands for all: without it there is no page.
fn opened(whole: &Answer, success: &Success, result: Box<RawValue>, parts: &Parts) -> Answer {
    let first = name(0);
    let (heard, hint) = match parts.result_error.0.get(&first) {
        Some(error) => success.part_refused(error),
        None if parts.result.0.contains_key(&first) => {
            (Heard::Success(success.part(Box::<str>::from(result).into_string().into())), None)
        }
        None => (Heard::NoEnvelope { what: "a batch without its first page".into() }, None),
    };
    Answer { heard, hint: whole.hint.max(hint), allowance: None, ..whole.clone() }
}

impl fmt::Debug for BatchLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BatchLine").field("line", &self.exit.line).finish_non_exhaustive()
    }
}

impl Transport for BatchLine {
    fn send<'a>(&'a self, request: &'a Request, wire: &'a Arc<Wire>) -> BoxFuture<'a, Result<Answer, Loss>> {
        Box::pin(self.carry(request, wire))
    }
}
