//! A transport whose requests wait for their turn.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::{Denied, Lane, Limiter, shown};
use crate::code::Code;
use crate::transport::{Answer, BoxFuture, Heard, Loss, Request, Transport, Wire};

/// Sends by another transport, one request each, when it is its turn. It waits before the wire is claimed.
pub(crate) struct Limited {
    line: Arc<dyn Transport>,
    limiter: Arc<Limiter>,
}

impl Limited {
    pub(crate) const fn new(line: Arc<dyn Transport>, limiter: Arc<Limiter>) -> Self {
        Self { line, limiter }
    }

    async fn paced(&self, request: &Request, wire: &Arc<Wire>) -> Result<Answer, Loss> {
        let lane = if request.read_back { Lane::ReadBack } else { Lane::Ordinary };
        match self.limiter.pass(request.method, lane, request.send_by).await {
            Ok(()) => {
                let result = self.line.send(request, wire).await;
                self.limiter.heard(request.method, &result);
                result
            }
            Err(denied) => self.limiter.denied(denied),
        }
    }
}

impl Limiter {
    /// What a call hears that must not be sent.
    pub(crate) fn denied(&self, denied: Denied) -> Result<Answer, Loss> {
        match denied {
            Denied::TooLate { why } => Err(Loss::OutOfTime { why }),
            Denied::Open { left } => Ok(self.refusal(left)),
        }
    }

    /// The circuit breaker of the method is open. Nothing was sent.
    fn refusal(&self, left: Duration) -> Answer {
        let text = format!(
            "not sent: calls of this method failed again and again, so that this client's circuit breaker keeps them back for {} more",
            shown(left)
        );
        let heard = Heard::Code { code: Code::ErrorLoopDetected, text: text.into() };
        Answer { hint: Some(left), ..Answer::new(heard, self.now()) }
    }
}

impl fmt::Debug for Limited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Limited").field("line", &self.line).field("limiter", &self.limiter).finish()
    }
}

impl Transport for Limited {
    fn send<'a>(&'a self, request: &'a Request, wire: &'a Arc<Wire>) -> BoxFuture<'a, Result<Answer, Loss>> {
        Box::pin(self.paced(request, wire))
    }
}
