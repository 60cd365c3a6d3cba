//! The queue in front of Bitrix24: so many calls run at once, the others wait.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::codes::refusal;
use super::seconds_left;
use crate::clock::{Clock, now};
use crate::refusal::Refusal;

/// As in the example of the documentation, in portal time.
const RETRY_AFTER: Duration = Duration::from_secs(10);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct QueueLimits {
    pub(crate) running: usize,
    /// In portal time.
    pub(crate) wait: Duration,
    pub(crate) length: usize,
}

impl Default for QueueLimits {
    fn default() -> Self {
        Self { running: 2, wait: Duration::from_secs(30), length: 50 }
    }
}

#[derive(Debug)]
pub(crate) struct Queue {
    limits: QueueLimits,
    places: Arc<Semaphore>,
    waiting: AtomicUsize,
}

/// A place among those that run.
#[derive(Debug)]
pub(crate) struct Place(#[expect(dead_code, reason = "held until the call has ended")] OwnedSemaphorePermit);

impl Queue {
    pub(crate) fn new(limits: QueueLimits) -> Self {
        Self { limits, places: Arc::new(Semaphore::new(limits.running)), waiting: AtomicUsize::new(0) }
    }

    /// Waits for a place. Nobody who has waited too long gets one, however busy the machine is.
    pub(crate) async fn enter(&self, clock: Clock) -> Result<Place, Refusal> {
        if let Ok(permit) = Arc::clone(&self.places).try_acquire_owned() {
            return Ok(Place(permit));
        }
        let waiting = self.waiting.fetch_add(1, Ordering::Relaxed);
        let wait = clock.real(self.limits.wait);
        let since = now();
        let got = if waiting < self.limits.length {
            Some(timeout(wait, Arc::clone(&self.places).acquire_owned()).await)
        } else {
            None
        };
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        match got {
            None => Err(refusal("QUEUE_OVERFLOW", "The queue of this portal is full")),
            Some(Ok(Ok(permit))) if now().saturating_duration_since(since) <= wait => Ok(Place(permit)),
            Some(_) => {
                let text = "The request has waited too long in the queue of this portal";
                Err(refusal("QUEUE_TIMEOUT", text).with("retryAfter", seconds_left(clock.real(RETRY_AFTER))))
            }
        }
    }
}
