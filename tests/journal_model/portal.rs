//! The way to the portal and the portal itself: what happens to a request, to records and with time.

use super::settings::{Guard, World};
use super::state::{Answer, Place, Record, State, Worker};

impl World {
    /// The request comes to the server.
    pub(super) fn arrive(&self, state: &mut State, number: usize) {
        let request = &mut state.requests[number];
        (request.place, request.left) = (Place::Server, self.scenario.stay.server);
    }

    /// The request has its effect, and is answered with success.
    pub(super) fn apply(&self, state: &mut State, number: usize) {
        // In its last tick it may still be hidden.
        state.records.push(Record::Own { hidden: self.scenario.stay.lag + 1 });
        Self::answer(state, number, Answer::Success);
    }

    /// The request is over. Somebody may wait for its answer, or nobody.
    pub(super) fn answer(state: &mut State, number: usize, with: Answer) {
        let request = state.requests.remove(number);
        for worker in &mut state.workers {
            if let Worker::Waits { epoch, answer, .. } = worker
                && *epoch == request.epoch
            {
                *answer = Some(with);
            }
        }
    }

    /// How many records with the marker a read may show now, at least and at most.
    pub(super) fn shown(&self, state: &State) -> (usize, usize) {
        let typed_count = !self.has(Guard::OwnMarker);
        let counts = state.records.iter().map(|record| match record {
            Record::Own { hidden } => (usize::from(*hidden == 0), 1),
            Record::Deleted => (0, 0),
            Record::Typed => (usize::from(typed_count), usize::from(typed_count)),
        });
        counts.fold((0, 0), |(sure, all), (is_sure, is_there)| (sure + is_sure, all + is_there))
    }

    /// A tick passes. A request that has stayed as long as it may is gone.
    pub(super) fn tick(&self, state: &mut State) {
        let is_endless = |place| place == Place::Server && !self.has(Guard::ServerLimit);
        state.requests.retain(|request| request.left > 0 || is_endless(request.place));
        for request in &mut state.requests {
            request.left = request.left.saturating_sub(1);
        }
        for record in &mut state.records {
            if let Record::Own { hidden } = record {
                *hidden = hidden.saturating_sub(1);
            }
        }
        for worker in &mut state.workers {
            if let Worker::Permitted { age, .. } | Worker::Waits { age, .. } | Worker::Settles { age, .. } = worker {
                *age = self.settle_time().min(*age + 1);
            }
        }
    }
}
