//! The exchange of a write, in a task of its own: a dropped caller stops waiting, not sending.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::oneshot;
use tokio::task::AbortHandle;
use tracing::Instrument as _;

use super::came::Came;
use super::keys::Lease;
use super::next::Next;
use super::standing::Standing;
use crate::api::Answer;
use crate::client::Shared;
use crate::clock::{Clock, Moment};
use crate::effect::OperationKind;
use crate::report::Report;
use crate::transport::{Loss, Request, Transport, Wire};

type Answered = Result<Answer, Loss>;

/// A write on its way.
pub(super) struct Exchange {
    number: u32,
    wire: Arc<Wire>,
    started: Moment,
    answer: oneshot::Receiver<Answered>,
    orphan: Arc<Mutex<Option<Orphan>>>,
    task: AbortHandle,
}

/// What a dropped call leaves to the task that sends it: its report, and its key, which stays closed until the answer is known.
pub(super) struct Orphan {
    pub(super) report: Report,
    pub(super) lease: Option<Lease>,
}

impl Exchange {
    /// Hands the request to a task that owns it.
    pub(super) fn start(
        shared: Arc<Shared>,
        transport: Arc<dyn Transport>,
        request: Request,
        wire: Arc<Wire>,
        started: Moment,
        number: u32,
    ) -> Self {
        let (sender, answer) = oneshot::channel();
        let orphan = Arc::new(Mutex::new(None::<Orphan>));
        let (place, ticket) = (Arc::clone(&orphan), Arc::clone(&wire));
        let sending = async move {
            let result = transport.send(&request, &wire).await;
            if let Err(result) = sender.send(result) {
                let orphan = orphan.lock().unwrap_or_else(PoisonError::into_inner).take();
                if let Some(orphan) = orphan {
                    orphan.hear(&shared, Came { number, wire, started, result, usage: None });
                }
            }
        };
        let task = tokio::spawn(sending.in_current_span()).abort_handle();
        Self { number, wire: ticket, started, answer, orphan: place, task }
    }

    /// When the request left, if it has.
    pub(super) fn sent_at(&self) -> Option<Moment> {
        self.wire.sent_at()
    }

    /// Waits for the answer.
    pub(super) async fn answer(&mut self, clock: &dyn Clock) -> Answered {
        let answer = (&mut self.answer).await;
        answer.unwrap_or_else(|_| self.task_is_gone(clock.now()))
    }

    /// The task ended without an answer: its runtime was shut down, or the transport panicked.
    fn task_is_gone(&self, now: Moment) -> Answered {
        let why = "the task that sent the request was ended".into();
        if self.wire.withdraw() {
            return Err(Loss::NotSent { why });
        }
        // The transport's own bound is gone with it: until now its socket was open.
        Err(Loss::Lost { why, last_byte_by: now })
    }

    /// The caller goes away. Gives back what is known now, or tells it and leaves the orphan to the task, which will hear the answer.
    pub(super) fn abandon(
        mut self,
        mut orphan: Orphan,
        now: Moment,
        tell: impl FnOnce(&Report),
    ) -> Option<(Orphan, Came)> {
        let Self { number, started, .. } = self;
        let wire = Arc::clone(&self.wire);
        if wire.withdraw() {
            // It would wait for its turn, and take one from the others, for a request that can't leave.
            self.task.abort();
            let why = "withdrawn: the caller dropped the call before it was sent".into();
            return Some((orphan, Came { number, wire, started, result: Err(Loss::NotSent { why }), usage: None }));
        }
        // The lock is held until the place is filled: the task can neither miss it nor tell the answer before the drop.
        let mut place = self.orphan.lock().unwrap_or_else(PoisonError::into_inner);
        self.answer.close();
        let Ok(result) = self.answer.try_recv() else {
            let why = "the caller dropped the call; the answer is still to come".into();
            let open = Came { number, wire, started, result: Err(Loss::Lost { why, last_byte_by: now }), usage: None };
            orphan.report.attempts.push(open.attempt(now, None));
            tell(&orphan.report);
            *place = Some(orphan);
            return None;
        };
        let mut came = Came { number, wire, started, result, usage: None };
        came.open();
        Some((orphan, came))
    }
}

impl Orphan {
    /// The answer has come although nobody waits for it.
    fn hear(mut self, shared: &Shared, mut came: Came) {
        came.open();
        let now = shared.clock.now();
        let standing = Standing::after(&came.result, now, &shared.settle, shared.route);
        let next = Next::after(&came.result, OperationKind::Write, shared.route);
        let attempt = came.attempt(now, next.as_ref());
        tracing::debug!(attempt = attempt.number, outcome = %attempt.outcome, "answer after the caller had gone");
        // It takes the place of the open one.
        self.report.attempts.pop();
        self.report.attempts.push(attempt);
        self.report.may_be_applied = standing.shown(now);
        if let Some(mut lease) = self.lease.take() {
            lease.fear(standing);
        }
        shared.watch.tell(|observer| observer.answered_late(&self.report));
    }
}
