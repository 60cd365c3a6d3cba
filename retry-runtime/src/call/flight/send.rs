//! One attempt: the request goes out, its end is noted.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout_at;

use super::Flight;
use crate::api::{Answer, Heard};
use crate::call::came::Came;
use crate::call::exchange::Exchange;
use crate::call::next::Next;
use crate::call::standing::Standing;
use crate::clock::Moment;
use crate::decode::FromAnswer;
use crate::effect::OperationKind;
use crate::transport::{Loss, Wire};

impl Flight {
    /// Puts the request on the wire once, in time to leave `spare` until the deadline.
    pub(in crate::call) async fn send(&mut self, spare: Duration) -> Came {
        let started = self.now();
        self.send_at(started, spare).await
    }

    /// The same for a caller that has just looked at the clock. The one place that begins an attempt.
    pub(in crate::call) async fn send_at(&mut self, started: Moment, spare: Duration) -> Came {
        let left = self.deadline.instant().saturating_duration_since(started.instant());
        self.request.send_by = started.after(left.saturating_sub(spare));
        self.sends += 1;
        let wire = Arc::new(Wire::new(started));
        let result = match self.request.kind {
            OperationKind::Read => self.send_read(&wire).await,
            OperationKind::Write => self.send_write(&wire, started).await,
        };
        self.first_sent = self.first_sent.or(wire.sent_at());
        self.request.token_renewed |= matches!(&result, Ok(Answer { heard: Heard::TokenRenewed, .. }));
        Came { number: self.sends, wire, started, result, usage: None }
    }

    /// A read is cut by its deadline and goes away with its caller.
    async fn send_read(&self, wire: &Arc<Wire>) -> Result<Answer, Loss> {
        let sending = self.reader.transport.send(&self.request, wire);
        timeout_at(self.deadline.instant(), sending).await.unwrap_or_else(|_| {
            let why = "the deadline of the call".into();
            if wire.withdraw() { Err(Loss::NotSent { why }) } else { Err(Loss::Lost { why, last_byte_by: self.now() }) }
        })
    }

    /// A write is sent by a task of its own, which nothing cuts but the attempt timeout.
    async fn send_write(&mut self, wire: &Arc<Wire>, started: Moment) -> Result<Answer, Loss> {
        self.set_standing(self.shared().standing_of_an_open_send(started));
        let (shared, transport) = (Arc::clone(self.shared()), Arc::clone(&self.reader.transport));
        let clock = Arc::clone(&shared.clock);
        let exchange = Exchange::start(shared, transport, self.request.clone(), Arc::clone(wire), started, self.sends);
        let result = self.exchange.insert(exchange).answer(&*clock).await;
        self.exchange = None;
        result
    }

    /// Reads what came as the type of the stub, and notes it.
    pub(in crate::call) fn land<T: FromAnswer>(&mut self, mut came: Came) -> Result<T, Next> {
        let read = came.read();
        if let (Some(limiter), Some(usage)) = (&self.shared().limiter, came.usage) {
            limiter.used(self.request.method, usage);
        }
        let next = self.note(&came, read.is_err());
        read.map_err(|error| next.unwrap_or_else(|| came.unread(error)))
    }

    /// Notes how a send ended; `None` is a success. What gives no result is always part of the report.
    pub(super) fn note(&mut self, came: &Came, without_result: bool) -> Option<Next> {
        let route = self.shared().route;
        let next = Next::after(&came.result, self.request.kind, route);
        if self.request.kind == OperationKind::Write {
            self.set_standing(Standing::after(&came.result, self.now(), &self.shared().settle, route));
        }
        self.hint = came.result.as_ref().ok().and_then(|answer| answer.hint).map(|hint| self.now().after(hint));
        if without_result || self.sends > 1 || self.shared().watch.is_on() || tracing::enabled!(tracing::Level::DEBUG) {
            let attempt = came.attempt(self.now(), next.as_ref());
            tracing::debug!(
                attempt = attempt.number,
                outcome = %attempt.outcome,
                status = attempt.status,
                request_id = attempt.request_id.as_deref(),
                decision = attempt.decision.map(tracing::field::debug),
                "attempt ended"
            );
            self.report.attempts.push(attempt);
        }
        next
    }
}
