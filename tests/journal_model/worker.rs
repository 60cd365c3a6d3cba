//! A worker with an attempt of its own: T1 to T5 of the plan, and the late success T11.

use super::settings::{Guard, World};
use super::state::{Answer, How, Place, Request, Row, State, Status, Worker};

impl World {
    /// Whether a call that hands the intent in begins it. One that finds it open waits for whoever has it; one that finds it
    /// `Applied` or in the manual queue is told so.
    pub(super) fn can_be_begun(&self, state: &State) -> bool {
        let status = state.row.status;
        let is_free = status.is_free() || (status.is_open() && !self.has(Guard::OpenIsNotBegun));
        is_free && self.has_attempts(state)
    }

    pub(super) fn has_attempts(&self, state: &State) -> bool {
        state.row.attempts < self.scenario.attempts + state.allowed
    }

    /// Whether a commit with that epoch goes through where only the owner may speak.
    pub(super) fn is_owners(&self, row: Row, epoch: u8) -> bool {
        let is_open = row.status.is_open() || (row.status.is_free() && !self.has(Guard::IntentFirst));
        is_open && self.is_epoch(row, epoch)
    }

    fn is_epoch(&self, row: Row, epoch: u8) -> bool {
        row.epoch == epoch || !self.has(Guard::EpochCheck) || !self.has(Guard::IntentFirst)
    }

    /// T1, by whoever has seen that the intent can be begun. Somebody else may have been faster.
    pub(super) fn begin(&self, state: &mut State, worker: usize, epoch: u8) {
        if self.can_be_begun(state) && self.is_epoch(state.row, epoch) {
            self.start(state, worker);
        } else {
            state.workers[worker] = Worker::Idle;
        }
    }

    /// T1.
    pub(super) fn start(&self, state: &mut State, worker: usize) {
        let epoch = state.new_epoch();
        if self.has(Guard::IntentFirst) {
            let attempts = state.row.attempts + 1;
            let row = Row { status: Status::Sending, attempts, epoch, lease_runs: true, ..state.row };
            state.commit(row, self.has(Guard::IntentSynced));
        }
        state.workers[worker] = Worker::Permitted { epoch, age: 0 };
    }

    /// The bytes go out. Nobody asks the journal again before.
    pub(super) fn send(&self, state: &mut State, worker: usize, epoch: u8, age: u8) {
        state.workers[worker] = Worker::Waits { epoch, age, answer: None };
        state.requests.push(Request { epoch, place: Place::Way, left: self.scenario.stay.way });
    }

    /// What has been answered is committed: T2, T3, T4.
    pub(super) fn hear(&self, state: &mut State, worker: usize, epoch: u8, answer: Answer) {
        match answer {
            Answer::Success => {
                state.workers[worker] = Worker::Idle;
                let how = if state.row.epoch == epoch { How::Answered } else { How::AnsweredLate };
                self.prove(state, how);
            }
            Answer::NotApplied => self.close(state, worker, epoch, Status::Ready),
            Answer::Rejected => self.close(state, worker, epoch, Status::Rejected),
        }
    }

    /// A proof of the effect is accepted from anybody: T2, T7, T11.
    pub(super) fn prove(&self, state: &mut State, how: How) {
        let status = match state.row.status {
            Status::Sending | Status::Unknown => Status::Applied(how),
            Status::None if !self.has(Guard::IntentFirst) => Status::Applied(how),
            Status::Manual { .. } => Status::Manual { is_raised: true },
            // People are told; what they decided stays.
            unchanged @ (Status::None | Status::Ready | Status::Applied(_) | Status::Rejected) => unchanged,
        };
        if status != state.row.status {
            state.commit(Row { status, ..state.row }, self.has(Guard::OutcomeSynced));
        }
    }

    /// The owner closes its attempt: nothing of it can have an effect. From `Ready` it goes on by itself.
    pub(super) fn close(&self, state: &mut State, worker: usize, epoch: u8, status: Status) {
        state.workers[worker] = Worker::Idle;
        if !self.is_owners(state.row, epoch) {
            return;
        }
        state.commit(Row { status, ..state.row }, self.has(Guard::OutcomeSynced));
        if status == Status::Ready && self.has_attempts(state) {
            state.workers[worker] = Worker::Begins { epoch: state.row.epoch };
        }
    }

    /// The owner knows that its attempt was not applied, and begins the next one in the same commit.
    pub(super) fn goes_on_at_once(&self, state: &State, epoch: u8, answer: Option<Answer>) -> bool {
        answer == Some(Answer::NotApplied) && self.is_owners(state.row, epoch) && self.has_attempts(state)
    }

    /// T5.
    pub(super) fn time_out(&self, state: &mut State, worker: usize, epoch: u8, age: u8) {
        if !self.has(Guard::TimeoutProvesNothing) {
            self.close(state, worker, epoch, Status::Ready);
        } else if self.is_owners(state.row, epoch) {
            self.mark(state);
            state.workers[worker] = Worker::Settles { epoch, age };
        } else {
            state.workers[worker] = Worker::Idle;
        }
    }

    pub(super) fn mark(&self, state: &mut State) {
        state.commit(Row { status: Status::Unknown, ..state.row }, self.has(Guard::OutcomeSynced));
    }
}
