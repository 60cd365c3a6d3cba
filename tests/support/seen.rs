//! An observer that remembers what it was told.

use std::sync::{Arc, Mutex};

use retry_runtime::{Observer, Report};

/// Which of its methods was called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    Finished,
    Dropped,
    AnsweredLate,
    Distrusted,
}

/// The observer. A clone is another handle of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen(Arc<Mutex<Vec<(Told, Report)>>>);

impl Seen {
    /// Everything, in order.
    pub(crate) fn all(&self) -> Vec<(Told, Report)> {
        self.0.lock().unwrap().clone()
    }

    /// The kinds of everything, in order.
    pub(crate) fn told(&self) -> Vec<Told> {
        self.all().iter().map(|(told, _)| *told).collect()
    }

    /// The only report of this kind.
    pub(crate) fn only(&self, kind: Told) -> Report {
        let mut reports = self.all();
        reports.retain(|(told, _)| *told == kind);
        assert_eq!(reports.len(), 1, "{kind:?}: {reports:?}");
        reports.remove(0).1
    }

    fn remember(&self, told: Told, report: &Report) {
        self.0.lock().unwrap().push((told, report.clone()));
    }
}

impl Observer for Seen {
    fn finished(&self, report: &Report) {
        self.remember(Told::Finished, report);
    }

    fn distrusted(&self, report: &Report) {
        self.remember(Told::Distrusted, report);
    }

    fn dropped(&self, report: &Report) {
        self.remember(Told::Dropped, report);
    }

    fn answered_late(&self, report: &Report) {
        self.remember(Told::AnsweredLate, report);
    }
}
