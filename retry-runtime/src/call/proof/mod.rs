//! The proof of a verifier: it has to find what its own write has just made.

mod trust;

pub(crate) use trust::{Stub, Verifiers};

use std::array;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use tokio::time::timeout_at;

use super::flight::Flight;
use super::read_back::ReadBackMark;
use crate::client::Shared;
use crate::clock::{Moment, sleep_until};
use crate::report::{Check, Finding, Report};

/// The time that is left for the last look itself (our choice).
const LAST_LOOK: Duration = Duration::from_secs(10);

/// A success that its verifier has to find. The call is over by then: nothing here changes its result.
///
/// Dropped without a decision, it leaves the proof to the next success.
pub(crate) struct Proving {
    shared: Arc<Shared>,
    stub: Stub,
    mark: Arc<ReadBackMark>,
    report: Report,
    answered: Moment,
    deadline: Moment,
    /// How long after the answer the looks begin.
    looks: array::IntoIter<Duration, 3>,
    began: Moment,
    decided: bool,
}

impl Proving {
    /// Begins the proof, if it is to be made and nobody else makes it. To be asked before the call is closed.
    pub(super) fn of(flight: &Flight) -> Option<Self> {
        let (stub, mark) = flight.verifier()?;
        let shared = Arc::clone(flight.shared());
        if !shared.verifiers.claim(stub) {
            return None;
        }
        let (lag, shown) = (shared.settle.lists_lag(), shared.settle.after_end());
        let answered = flight.now();
        let own = answered.after(shown.saturating_add(LAST_LOOK));
        let deadline = if own.instant() < flight.deadline().instant() { own } else { flight.deadline() };
        Some(Self {
            stub,
            mark: Arc::clone(mark),
            report: flight.report().clone(),
            answered,
            deadline,
            looks: [Duration::ZERO, lag, shown].into_iter(),
            began: answered,
            decided: false,
            shared,
        })
    }

    /// The report of the call as it was told, to which the looks are added.
    pub(super) fn with_report(mut self, report: Report) -> Self {
        self.report = report;
        self
    }

    /// Waits until the next look is due; `false` if there is none.
    pub(crate) async fn is_due(&mut self) -> bool {
        let Some(wait) = self.looks.next() else { return false };
        let due = self.answered.after(wait);
        if self.decided || due.instant() >= self.deadline.instant() {
            return false;
        }
        if !wait.is_zero() {
            let sleeping = sleep_until(&*self.shared.clock, due);
            if timeout_at(self.deadline.instant(), sleeping).await.is_err() {
                return false;
            }
        }
        self.began = self.shared.clock.now();
        true
    }

    /// Makes a look. The write has succeeded: a verifier that panics or hangs must not take the result away.
    pub(crate) fn guarded<C, F>(&self, check: C) -> impl Future<Output = Result<F::Output, Finding>> + use<C, F>
    where
        C: FnOnce() -> F,
        F: Future,
    {
        let deadline = self.deadline;
        let check = catch_unwind(AssertUnwindSafe(check));
        let panicked = || Finding::Failed("the verifier panicked".into());
        async move {
            let mut check = pin!(check.map_err(|_| panicked())?);
            let walled = std::future::poll_fn(|context| {
                catch_unwind(AssertUnwindSafe(|| check.as_mut().poll(context)))
                    .map_or_else(|_| Poll::Ready(Err(panicked())), |polled| polled.map(Ok))
            });
            let late = |_| Finding::Failed("it was still under way when the time for the proof was over".into());
            timeout_at(deadline.instant(), walled).await.map_err(late)?
        }
    }

    /// Takes down what a look has found; `Found` is that very record.
    pub(crate) fn heard(&mut self, finding: Finding) {
        let finding = finding.without(&self.shared.secrets());
        let is_last = self.looks.len() == 0;
        tracing::debug!(stub = self.stub.path(), %finding, "the verifier was put to the proof");
        let took = self.shared.clock.now().at_least_since(self.began);
        let check =
            Check { began: self.began.wall(), took, finding: finding.clone(), proves: false, reads: self.mark.take() };
        self.report.checks.push(check);
        match finding {
            Finding::Found => {
                self.decided = true;
                self.shared.verifiers.found(self.stub);
            }
            Finding::Absent if is_last => {
                self.decided = true;
                self.distrust();
            }
            Finding::Absent => {}
            Finding::Multiple(_) | Finding::Unreliable(_) | Finding::Failed(_) => {
                self.decided = true;
                self.shared.verifiers.undecided(self.stub);
            }
        }
    }

    fn distrust(&self) {
        let why = self.shared.verifiers.distrust(self.stub, self.answered.wall());
        tracing::warn!(
            method = self.stub.method(),
            stub = self.stub.path(),
            why = &*why,
            "a verifier does not find what its write has made: from now on its absence proves nothing"
        );
        self.shared.watch.tell(|observer| observer.distrusted(&self.report));
    }
}

impl Drop for Proving {
    fn drop(&mut self) {
        if !self.decided {
            self.shared.verifiers.give_back(self.stub);
        }
    }
}
