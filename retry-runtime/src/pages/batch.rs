//! Pages of one list in one request: a read of the list that travels as a REST 2 `batch`.
//!
//! It is a transport, so that the read loop decides by the code of the list itself, and its reports name the list.

use std::sync::Arc;

use bytes::Bytes;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::answer::{Parts, name};
use crate::api::Usage;
use crate::transport::{Answer, BoxFuture, Heard, Limiter, Loss, Request, Transport, Wire};

/// Commands of one batch at most (documented).
pub(super) const MOST: u64 = 50;

/// The way of a read whose answer is to be that of a batch.
#[derive(Debug)]
pub(super) struct BatchLine {
    line: Arc<dyn Transport>,
    limiter: Option<Arc<Limiter>>,
    arguments: Bytes,
}

impl BatchLine {
    /// `commands` in order. The first that fails ends it: those after it would begin nowhere.
    pub(super) fn new(line: Arc<dyn Transport>, limiter: Option<Arc<Limiter>>, commands: Vec<String>) -> Self {
        let named: Map<String, Value> = (0..).map(name).zip(commands.into_iter().map(Value::from)).collect();
        let arguments = json!({"halt": 1, "cmd": named}).to_string().into();
        Self { line, limiter, arguments }
    }

    /// What the batch says of its first command stands for all: without it there is no page.
    fn opened(&self, method: &'static str, answer: Answer) -> Answer {
        let Heard::Success(success) = &answer.heard else { return answer };
        // What does not read as a batch is shown to the loop as it is.
        let Ok((result, _)) = success.read::<Box<RawValue>>() else { return answer };
        let Ok(parts) = serde_json::from_str::<Parts>(result.get()) else { return answer };
        let first = name(0);
        if let Some(error) = parts.result_error.0.get(&first) {
            let (heard, hint) = success.part_refused(error);
            return Answer { heard, hint: answer.hint.max(hint), ..answer };
        }
        if !parts.result.0.contains_key(&first) {
            return Answer { heard: Heard::NoEnvelope { what: "a batch without its first page".into() }, ..answer };
        }
        let latest = parts.result_time.0.values().filter_map(|time| Usage::read(time)).max_by_key(|usage| usage.used);
        if let (Some(limiter), Some(usage)) = (&self.limiter, latest) {
            limiter.used(method, usage);
        }
        Answer { heard: Heard::Success(success.part(Box::<str>::from(result).into_string().into())), ..answer }
    }
}

impl Transport for BatchLine {
    fn send<'a>(&'a self, request: &'a Request, wire: &'a Arc<Wire>) -> BoxFuture<'a, Result<Answer, Loss>> {
        Box::pin(async move {
            let batch = Request { method: "batch", arguments: self.arguments.clone(), ..request.clone() };
            self.line.send(&batch, wire).await.map(|answer| self.opened(request.method, answer))
        })
    }
}
