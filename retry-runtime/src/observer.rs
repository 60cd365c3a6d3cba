//! Who watches the calls of a client.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::report::Report;

/// Hears of the end of every call of a client, success included.
///
/// It is called in the task of the call, so it should be quick. One that panics does not disturb the call; a warning is logged once.
///
/// ```
/// use retry_runtime::{Observer, Report};
///
/// struct Print;
///
/// impl Observer for Print {
///     fn finished(&self, report: &Report) {
///         println!("{}: {} sends", report.method(), report.attempts().len());
///     }
/// }
/// ```
pub trait Observer: Send + Sync + 'static {
    /// A call has ended and its caller is about to hear of it; the first success of a stub is put to the [proof](crate::Proof) before.
    fn finished(&self, report: &Report) {
        let _ = report;
    }

    /// A verifier has not found what its write has just made, and is distrusted from now on: see [`Proof`](crate::Proof).
    ///
    /// The report is that of the write, which has succeeded, with the looks of the verifier behind it. The write has been told to
    /// [`finished`](Self::finished) before.
    fn distrusted(&self, report: &Report) {
        let _ = report;
    }

    /// A caller has dropped its call. The report says what was known then: a write that was on its way goes on.
    fn dropped(&self, report: &Report) {
        let _ = report;
    }

    /// The answer to a write has come after its caller had gone. The report has been told to [`dropped`](Self::dropped) before.
    fn answered_late(&self, report: &Report) {
        let _ = report;
    }
}

/// The observer of a client, if it has one, behind a wall that panics do not pass.
#[derive(Default)]
pub(crate) struct Watch {
    observer: Option<Arc<dyn Observer>>,
    warned: AtomicBool,
}

impl Watch {
    pub(crate) fn new(observer: Option<Arc<dyn Observer>>) -> Self {
        Self { observer, warned: AtomicBool::new(false) }
    }

    pub(crate) const fn is_on(&self) -> bool {
        self.observer.is_some()
    }

    pub(crate) fn tell(&self, how: impl FnOnce(&dyn Observer)) {
        let Some(observer) = &self.observer else {
            return;
        };
        let told = catch_unwind(AssertUnwindSafe(|| how(&**observer)));
        if told.is_err() && !self.warned.swap(true, Ordering::Relaxed) {
            tracing::warn!("the observer of the client panicked; further panics of it are not logged");
        }
    }
}
