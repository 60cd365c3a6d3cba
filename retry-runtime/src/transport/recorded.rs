//! A transport whose requests are on record before they leave.

use std::fmt;
use std::sync::Arc;

use super::{Answer, BoxFuture, Loss, Request, Transport, Wire};
use crate::clock::Clock;

/// Sends by another transport what is on record by then. It lies below the limiter: what waits for its turn is not yet under way.
pub(crate) struct Recorded {
    line: Arc<dyn Transport>,
    clock: Arc<dyn Clock>,
}

impl Recorded {
    pub(crate) const fn new(line: Arc<dyn Transport>, clock: Arc<dyn Clock>) -> Self {
        Self { line, clock }
    }
}

impl fmt::Debug for Recorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.line.fmt(f)
    }
}

impl Transport for Recorded {
    fn send<'a>(&'a self, request: &'a Request, wire: &'a Arc<Wire>) -> BoxFuture<'a, Result<Answer, Loss>> {
        Box::pin(async move {
            if let Some(record) = &request.record {
                record.turn(request.send_by, &*self.clock).await?;
                record.begin(wire, &*self.clock).await?;
            }
            self.line.send(request, wire).await
        })
    }
}
