//! Calls that travel together: concurrent calls wait in a queue, leave in one request, and each is answered by its own result or code.
//!
//! A call waits in [`Batched::carry`], its request as an [`Item`] in the queue of its runtime. Workers, tasks of their own, take what waits when it is their turn.

mod item;
mod queue;
#[cfg(test)]
mod queue_tests;
mod station;
#[cfg(test)]
mod tests;
mod worker;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;

use self::item::Item;
use self::station::Station;
use super::{Answer, BoxFuture, Denied, Lane, Limiter, Loss, Request, Transport, Wire};
use crate::api::BATCH;
use crate::clock::Clock;
use crate::decision::Route;

type Answered = Result<Answer, Loss>;

/// How batches are filled.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BatchLimits {
    /// For how long the first call waits for others.
    pub(crate) window: Duration,
    /// The most calls of one request.
    pub(crate) most: usize,
    /// The most requests at once.
    pub(crate) in_flight: usize,
}

/// The way out that the batches share with single calls.
pub(crate) struct Exit {
    /// The way out for a batch, whose turn is waited for here.
    pub(crate) line: Arc<dyn Transport>,
    /// The way out for a call that goes alone.
    pub(crate) single: Arc<dyn Transport>,
    pub(crate) limiter: Option<Arc<Limiter>>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) route: Route,
    /// Whether a token goes into each request.
    pub(crate) oauth: bool,
}

/// Sends concurrent calls together.
pub(crate) struct Batched(Arc<Station>);

impl Batched {
    pub(crate) fn new(exit: Exit, limits: BatchLimits) -> Self {
        Self(Arc::new(Station::new(exit, limits)))
    }

    async fn carry(&self, request: &Request, wire: &Arc<Wire>) -> Answered {
        let exit = self.0.exit();
        let runtime = Handle::try_current().ok();
        let (Some((form, piece)), Some(runtime)) = (self.0.piece(request), runtime) else {
            tracing::debug!(method = request.method, "no batch can carry this call unchanged: it goes alone");
            return exit.single.send(request, wire).await;
        };
        loop {
            if let Err(denied) = exit.method_is_free(request).await {
                return denied;
            }
            if exit.limiter.as_ref().is_some_and(|limiter| limiter.is_open(BATCH)) {
                return exit.single.send(request, wire).await;
            }
            let (item, ticket) = Item::new(&self.0, runtime.id(), request, wire, form, &piece);
            self.0.enqueue(runtime.id(), item);
            // Nothing, if its method has to wait meanwhile, for which the others in the queue don't wait, or if no batch may be sent.
            if let Some(answered) = ticket.wait(request.send_by).await {
                return answered;
            }
        }
    }
}

impl Exit {
    /// Waits until nothing stands against the method; else what the call hears that must not be sent.
    pub(crate) async fn method_is_free(&self, request: &Request) -> Result<(), Answered> {
        let Some(limiter) = &self.limiter else { return Ok(()) };
        let free = limiter.method_is_free(request.method, request.send_by).await;
        free.map_err(|denied| limiter.denied(denied))
    }

    /// Sends one request by itself, whose turn has come.
    async fn plain(&self, request: &Request, wire: &Arc<Wire>) -> Answered {
        let result = self.line.send(request, wire).await;
        if let Some(limiter) = &self.limiter {
            limiter.heard(request.method, &result);
        }
        result
    }
}

impl fmt::Debug for Batched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Transport for Batched {
    fn send<'a>(&'a self, request: &'a Request, wire: &'a Arc<Wire>) -> BoxFuture<'a, Answered> {
        Box::pin(self.carry(request, wire))
    }
}
