//! The way to the portal and the portal itself: what happens to a request, to records and with time.

use super::settings::{ErrorEffects, FOR_GOOD, World};
use super::state::{Check, Pending, Phase, Place, Record, State};

impl World {
    /// The request goes on to the next place.
    pub(super) fn move_on(&self, state: &State, number: usize) -> State {
        let mut next = state.clone();
        let request = &mut next.requests[number];
        (request.place, request.left) = match request.place {
            Place::Ours => (Place::Queue, self.scenario.stay.queue),
            Place::Queue | Place::Server => (Place::Server, self.scenario.stay.server),
        };
        let has_come = request.place == Place::Server;
        // Known keys are looked up on arrival: two that are on their way together may both run.
        if has_come && self.scenario.idempotency_key && next.key_kept > 0 {
            next.answer_from_server(number, Pending::Success);
        }
        next.sorted()
    }

    /// The request has its effect.
    pub(super) fn apply(&self, state: &State, number: usize) -> State {
        let mut next = state.clone();
        next.records.push(self.record(Some(state.requests[number].call)));
        if self.scenario.idempotency_key {
            next.key_kept = self.scenario.kept;
        }
        next.answer_from_server(number, Pending::Success);
        next.sorted()
    }

    /// The request has its effect, and then an error for an answer. No success is stored under its key.
    pub(super) fn apply_in_error(&self, state: &State, number: usize) -> State {
        let mut next = state.clone();
        next.records.push(self.record(Some(state.requests[number].call)));
        next.answer_from_server(number, Pending::Error);
        next.sorted()
    }

    /// Whether an error may hide an effect by itself, heard or not.
    pub(super) fn errors_may_have_effects(&self) -> bool {
        self.scenario.errors == ErrorEffects::Any
    }

    pub(super) fn record(&self, by: Option<usize>) -> Record {
        // In its last tick it may still be hidden.
        Record { by, hidden: self.scenario.stay.lag + 1, deleted: false }
    }

    /// The person types the record.
    pub(super) fn type_it(&self, state: &State) -> State {
        let mut next = state.clone();
        next.person = false;
        next.records.push(self.record(None));
        next.sorted()
    }

    /// The person deletes a record.
    pub(super) fn delete(state: &State, number: usize) -> State {
        let mut next = state.clone();
        next.person = false;
        next.records[number] = Record { hidden: 0, deleted: true, ..next.records[number] };
        next.sorted()
    }

    /// A tick passes. A request that has stayed as long as it may is gone.
    pub(super) fn tick(state: &State) -> State {
        let mut next = state.clone();
        next.requests.retain(|request| request.left > 0);
        for request in &mut next.requests {
            request.left -= 1;
        }
        for record in &mut next.records {
            record.hidden = record.hidden.saturating_sub(1);
        }
        for call in &mut next.calls {
            call.standing = call.standing.saturating_sub(1);
            call.key_good = call.key_good.saturating_sub(1);
            if let Phase::Doubt(_, check @ Check::Vain) = &mut call.phase {
                *check = Check::Due;
            }
        }
        if next.key_kept != FOR_GOOD {
            next.key_kept = next.key_kept.saturating_sub(1);
        }
        next.sorted()
    }

    /// How many records a read may show now, at least and at most.
    pub(super) fn shown(state: &State) -> (usize, usize) {
        let there = || state.records.iter().filter(|record| !record.deleted);
        (there().filter(|record| record.hidden == 0).count(), there().count())
    }
}

impl State {
    /// The server is through with the request. Its call hears of it only if it still waits for this very send.
    fn answer_from_server(&mut self, number: usize, with: Pending) {
        let request = self.requests.remove(number);
        let call = &mut self.calls[request.call];
        if let Phase::Awaiting { answer, .. } = &mut call.phase
            && *answer == Pending::Nothing
            && call.sends == request.send
        {
            *answer = with;
        }
    }
}
