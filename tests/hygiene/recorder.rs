//! A transport that answers with what it was given, and remembers what it was sent.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use retry_runtime::clock::{Clock as _, SystemClock};
use retry_runtime::journal::MemoryJournal;
use retry_runtime::transport::{Answer, BoxFuture, Heard, Loss, Request, Success, Transport, Version, Wire};
use retry_runtime::{Client, IdempotencyKey, Settle};
use serde_json::Value;

/// What a request has beside its body.
pub(crate) type Headers = (Version, Option<IdempotencyKey>);

/// Answers with the results it was given, in order; `None` is an answer that got lost. Remembers what it was sent.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recorder {
    results: Arc<Mutex<VecDeque<Option<Value>>>>,
    sent: Arc<Mutex<Vec<(&'static str, Value)>>>,
    headers: Arc<Mutex<Vec<Headers>>>,
}

impl Recorder {
    pub(crate) fn answering(results: impl IntoIterator<Item = Option<Value>>) -> (Client, Self) {
        let recorder = Self { results: Arc::new(Mutex::new(results.into_iter().collect())), ..Self::default() };
        let client = Client::builder().transport(recorder.clone()).settle(Settle::cloud());
        (client.journal(MemoryJournal::new()).build().unwrap(), recorder)
    }

    pub(crate) fn sent(&self) -> Vec<(&'static str, Value)> {
        self.sent.lock().unwrap().clone()
    }

    pub(crate) fn headers(&self) -> Vec<Headers> {
        self.headers.lock().unwrap().clone()
    }

    fn answer(&self, request: &Request, wire: &Wire) -> Result<Answer, Loss> {
        let now = SystemClock.now();
        assert!(wire.claim(now));
        self.sent.lock().unwrap().push((request.method, serde_json::from_slice(&request.arguments).unwrap()));
        self.headers.lock().unwrap().push((request.version, request.idempotency_key.clone()));
        match self.results.lock().unwrap().pop_front().expect("no more requests than results") {
            Some(result) => Ok(Answer::new(Heard::Success(Success::new(result.to_string())), now)),
            None => Err(Loss::Lost { why: "reset".into(), last_byte_by: now }),
        }
    }
}

impl Transport for Recorder {
    fn send<'a>(&'a self, request: &'a Request, wire: &'a Arc<Wire>) -> BoxFuture<'a, Result<Answer, Loss>> {
        Box::pin(async move { self.answer(request, wire) })
    }
}
