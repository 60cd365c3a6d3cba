//! One call in the queue, and whoever waits for its answer.

use std::sync::Arc;

use tokio::runtime::Id;
use tokio::sync::oneshot;
use tokio::time::timeout_at;

use super::Answered;
use super::station::Station;
use crate::api::BatchForm;
use crate::clock::Moment;
use crate::transport::{Loss, Request, Wire};

/// Why a call ends that no batch took along in time.
pub(super) const TOO_LATE: &str = "no batch could take it along before the deadline of the call left no room for it";

/// A call that waits to travel. Dropped without an answer, it tells its caller so by that alone.
pub(super) struct Item {
    pub(super) request: Request,
    pub(super) wire: Arc<Wire>,
    pub(super) form: BatchForm,
    /// The call as a piece of the envelope.
    pub(super) piece: Arc<str>,
    pub(super) arrived: Moment,
    to: oneshot::Sender<Option<Answered>>,
}

/// The caller's end of an [`Item`]. Dropped, it takes the call back if it has not left.
pub(super) struct Ticket {
    station: Arc<Station>,
    queue: Id,
    wire: Arc<Wire>,
    from: oneshot::Receiver<Option<Answered>>,
    ended: bool,
}

impl Item {
    pub(super) fn new(
        station: &Arc<Station>,
        queue: Id,
        request: &Request,
        wire: &Arc<Wire>,
        form: BatchForm,
        piece: &Arc<str>,
    ) -> (Self, Ticket) {
        let (to, from) = oneshot::channel();
        let item = Self {
            request: request.clone(),
            wire: Arc::clone(wire),
            form,
            piece: Arc::clone(piece),
            arrived: station.exit().clock.now(),
            to,
        };
        (item, Ticket { station: Arc::clone(station), queue, wire: Arc::clone(wire), from, ended: false })
    }

    pub(super) fn answer(self, answered: Answered) {
        // A caller who went away hears nothing, and disturbs nobody.
        let _ = self.to.send(Some(answered));
    }

    pub(super) fn too_late(self, why: &str) {
        self.answer(Err(Loss::OutOfTime { why: why.into() }));
    }

    /// Hands the call back: it has to wait for its method first.
    pub(super) fn hand_back(self) {
        let _ = self.to.send(None);
    }
}

impl Ticket {
    /// Waits for the answer; `None` if the call was handed back.
    pub(super) async fn wait(mut self, send_by: Moment) -> Option<Answered> {
        let told = match timeout_at(send_by.instant(), &mut self.from).await {
            Ok(told) => told,
            Err(_) if self.wire.withdraw() => {
                return Some(Err(Loss::OutOfTime { why: TOO_LATE.into() }));
            }
            Err(_) => (&mut self.from).await,
        };
        self.ended = true;
        told.unwrap_or_else(|_| Some(Err(self.nobody_answers())))
    }

    /// The item was dropped: its runtime was shut down, or the transport panicked.
    fn nobody_answers(&self) -> Loss {
        let why = "the task that sends the batches was ended".into();
        if self.wire.withdraw() {
            return Loss::NotSent { why };
        }
        // The transport's own bound is gone with it: until now its socket was open.
        Loss::Lost { why, last_byte_by: self.station.exit().clock.now() }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        if !self.ended && self.wire.withdraw() {
            self.station.left(self.queue);
        }
    }
}
