//! The portal: a transport in memory, on paused time.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use retry_runtime::clock::{Clock, Moment, PausedClock};
use retry_runtime::transport::{Answer, BoxFuture, Heard, Loss, Request, Success, Transport, Wire};
use retry_runtime::{Code, OperationKind};
use serde_json::{Map, Value, json};
use tokio::time::sleep;

use crate::faults::{Fault, Reply, When};
use crate::stubs::LOT;
use crate::truth::Truth;

/// The send window of a client with default settings.
const SEND_WINDOW: Duration = Duration::from_secs(5);

/// A portal. A clone is another handle of it.
#[derive(Clone)]
pub(crate) struct Portal(Arc<Inner>);

struct Inner {
    clock: PausedClock,
    start: Moment,
    truth: Mutex<Truth>,
}

/// One call, alone or in a batch.
struct Called {
    lot: usize,
    kind: OperationKind,
    keyed: bool,
}

impl Portal {
    pub(crate) fn new(clock: PausedClock, truth: Truth) -> Self {
        Self(Arc::new(Inner { clock, start: clock.now(), truth: Mutex::new(truth) }))
    }

    pub(crate) fn truth(&self) -> MutexGuard<'_, Truth> {
        self.0.truth.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.since_start(self.0.clock.now())
    }

    fn since_start(&self, moment: Moment) -> Duration {
        moment.instant().saturating_duration_since(self.0.start.instant())
    }

    async fn serve(&self, request: &Request, wire: &Wire) -> Result<Answer, Loss> {
        let is_batch = request.method == "batch";
        let fault = self.truth().meets(match (is_batch, request.kind) {
            (true, _) => Fault::of_a_batch,
            (false, OperationKind::Write) => Fault::of_a_write,
            (false, OperationKind::Read) => Fault::of_a_read,
        });
        if let Reply::NotSent = fault.reply {
            return Err(not_sent("connection refused"));
        }
        let sent = self.0.clock.now();
        if !wire.claim(sent) {
            return Err(not_sent("the caller went away"));
        }
        let at = self.since_start(sent);
        if !self.truth().takes(at) {
            return answer(Reply::Code("QUERY_LIMIT_EXCEEDED"), String::new(), sent);
        }
        if is_batch {
            return self.run_batch(request, fault, sent).await;
        }
        let Some(lot) = lot_of(&request.arguments) else { return Err(not_sent("no lot is named")) };
        let called = Called { lot, kind: request.kind, keyed: request.idempotency_key.is_some() };
        let repeated = called.keyed && self.truth().repeats(lot, at);
        sleep(fault.takes).await;
        if !repeated {
            self.apply(&called, &fault, at);
        }
        let honest = self.result(&called).to_string();
        let mut answered = answer(fault.reply, honest, sent)?;
        answered.replayed = repeated && matches!(answered.heard, Heard::Success(_));
        Ok(answered)
    }

    fn apply(&self, called: &Called, fault: &Fault, sent: Duration) {
        match called.kind {
            OperationKind::Read => {}
            OperationKind::Write => {
                // A success is stored in one step with its effect, an error is not.
                let stored = called.keyed && !matches!(fault.reply, Reply::Code(_) | Reply::Wait(..));
                let now = self.elapsed();
                self.truth().apply(called.lot, fault.effect, sent, now, stored);
            }
        }
    }

    /// The id of the record, or the rows of the list.
    fn result(&self, called: &Called) -> Value {
        let (lot, now) = (called.lot, self.elapsed());
        match called.kind {
            OperationKind::Write => json!(lot + 1),
            OperationKind::Read if self.truth().shows(lot, now) => {
                json!([{"ID": (lot + 1).to_string(), "ORIGINATOR_ID": "auction", "ORIGIN_ID": format!("{LOT}{lot}")}])
            }
            OperationKind::Read => json!([]),
        }
    }

    /// Runs the commands of a batch in order, each with a fault of its own, until the batch itself goes wrong.
    async fn run_batch(&self, request: &Request, fault: Fault, sent: Moment) -> Result<Answer, Loss> {
        sleep(fault.takes).await;
        let commands = commands(&request.arguments);
        let runs = match (fault.reply, fault.effect) {
            (Reply::Honest, _) => commands.len(),
            (_, When::Never) => 0,
            (_, When::Before | When::Late(_)) => self.truth().cut(commands.len()),
        };
        {
            let mut truth = self.truth();
            truth.came.batches += 1;
            truth.came.in_batches += u64::try_from(commands.len()).unwrap_or_default();
        }
        let (mut results, mut errors) = (Map::new(), Map::new());
        for (place, called) in commands.into_iter().take(runs).enumerate() {
            let name = format!("c{place}");
            let inner = self.truth().meets(match called.kind {
                OperationKind::Write => Fault::of_a_write,
                OperationKind::Read => Fault::of_a_read,
            });
            if !matches!(inner.reply, Reply::NotSent) {
                self.apply(&called, &inner, self.since_start(sent));
            }
            match inner.reply {
                Reply::Honest => results.insert(name, self.result(&called)),
                Reply::Strange => results.insert(name, json!({"strange": true})),
                Reply::Code(code) => errors.insert(name, json!({"error": code, "error_description": "as drawn"})),
                // What can only happen to a request is an item that is in neither map.
                Reply::Wait(..) | Reply::Html | Reply::NotSent | Reply::Lost => None,
            };
        }
        let whole = json!({"result": or_list(results), "result_error": or_list(errors)});
        answer(fault.reply, whole.to_string(), sent)
    }
}

impl fmt::Debug for Portal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Portal")
    }
}

impl Transport for Portal {
    fn send<'a>(&'a self, request: &'a Request, wire: &'a Arc<Wire>) -> BoxFuture<'a, Result<Answer, Loss>> {
        Box::pin(self.serve(request, wire))
    }
}

fn not_sent(why: &str) -> Loss {
    Loss::NotSent { why: why.into() }
}

fn answer(reply: Reply, honest: String, sent: Moment) -> Result<Answer, Loss> {
    let last_byte_by = sent.after(SEND_WINDOW);
    let code = |code| Heard::Code { code: Code::of(code), text: "as drawn".into() };
    let (heard, hint) = match reply {
        Reply::Honest => (Heard::Success(Success::new(honest)), None),
        Reply::Strange => (Heard::Success(Success::new(r#"{"strange":true}"#)), None),
        Reply::Code(name) => (code(name), None),
        Reply::Wait(name, hint) => (code(name), Some(hint)),
        Reply::Html => (Heard::NoEnvelope { what: "a page of HTML".into() }, None),
        Reply::NotSent => return Err(not_sent("connection refused")),
        Reply::Lost => return Err(Loss::Lost { why: "connection reset".into(), last_byte_by }),
    };
    Ok(Answer { hint, status: Some(200), ..Answer::new(heard, last_byte_by) })
}

/// An empty map is a list on the portal.
fn or_list(map: Map<String, Value>) -> Value {
    if map.is_empty() { json!([]) } else { Value::Object(map) }
}

/// The number of the lot that a request or a command names.
fn lot_of(text: &[u8]) -> Option<usize> {
    let digits = |rest: &[u8]| rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let places = text.windows(LOT.len()).enumerate().filter(|(_, window)| *window == LOT.as_bytes());
    let mut numbers = places.filter_map(|(place, _)| {
        let rest = text.get(place + LOT.len()..)?;
        std::str::from_utf8(rest.get(..digits(rest))?).ok()?.parse().ok()
    });
    numbers.next()
}

/// The commands of a batch, in its order.
fn commands(arguments: &[u8]) -> Vec<Called> {
    let body: Value = serde_json::from_slice(arguments).unwrap_or_default();
    let named = (0..).map_while(|place: usize| body.get("cmd")?.get(format!("c{place}"))?.as_str().map(str::to_owned));
    let called = |command: String| {
        let kind = if command.starts_with("crm.deal.add?") { OperationKind::Write } else { OperationKind::Read };
        // A number beyond all lots has no effect and no record.
        Called { lot: lot_of(command.as_bytes()).unwrap_or(usize::MAX - 1), kind, keyed: false }
    };
    named.map(called).collect()
}
