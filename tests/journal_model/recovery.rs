//! Whoever has an attempt without a proof: T6 to T9 of the plan.

use super::settings::{Guard, World};
use super::state::{How, Record, Row, Seen, State, Status, Worker};

impl World {
    /// Whether an idle worker may claim the row now.
    pub(super) fn can_be_claimed(&self, state: &State) -> bool {
        let is_found = match state.row.status {
            Status::Unknown => true,
            Status::Sending => self.has(Guard::SendingIsClaimed),
            Status::None | Status::Ready | Status::Applied(_) | Status::Rejected | Status::Manual { .. } => false,
        };
        let is_robbed = !self.scenario.keeps_leases && state.chances.stalls > 0;
        is_found && (state.has_no_lease() || is_robbed)
    }

    /// T6: from here the claimer counts the whole settle time on its own clock.
    pub(super) fn claim(&self, state: &mut State, worker: usize) {
        if !state.has_no_lease() {
            state.chances.stalls -= 1;
        }
        let epoch = state.new_epoch();
        state.commit(Row { status: Status::Unknown, epoch, lease_runs: true, ..state.row }, true);
        let age = if self.has(Guard::ClaimerWaits) { 0 } else { self.settle_time() };
        state.workers[worker] = Worker::Settles { epoch, age };
    }

    /// What a read-back may show now that is worth anything.
    pub(super) fn views(&self, state: &State, age: u8) -> Vec<Seen> {
        let (sure, all) = self.shown(state);
        let seen = |count| match count {
            0 => Seen::Nothing,
            1 => Seen::One,
            _ => Seen::Several,
        };
        let mut views: Vec<Seen> = (sure..=all).map(seen).collect();
        views.dedup();
        if !self.has(Guard::WitnessLast) && !self.is_deletion_told(state) {
            // The witness has nothing to tell, and the list is read with the commit.
            views.push(Seen::Nothing);
        }
        // Presence is believed at once, absence when the attempt is settled.
        views.retain(|seen| *seen != Seen::Nothing || self.is_settled(age));
        views
    }

    /// What was read is committed: T7, T8, T9.
    pub(super) fn conclude(&self, state: &mut State, worker: usize, epoch: u8, seen: Seen) {
        match seen {
            Seen::One => {
                state.workers[worker] = Worker::Idle;
                self.prove(state, How::ReadBack);
            }
            Seen::Several => self.hand_over(state, worker, epoch),
            Seen::Nothing if !self.has(Guard::WitnessLast) && self.shown(state).0 > 0 => {
                self.conclude(state, worker, epoch, Seen::One);
            }
            Seen::Nothing if self.has(Guard::WitnessLast) && self.is_deletion_told(state) => {
                self.hand_over(state, worker, epoch);
            }
            Seen::Nothing => {
                if self.is_owners(state.row, epoch) {
                    state.row.was_absent = true;
                }
                self.close(state, worker, epoch, Status::Ready);
            }
        }
    }

    /// T9: to the manual queue. Several records, a deleted one, or a verifier that fails for too long.
    pub(super) fn hand_over(&self, state: &mut State, worker: usize, epoch: u8) {
        self.close(state, worker, epoch, Status::Manual { is_raised: false });
    }

    fn is_deletion_told(&self, state: &State) -> bool {
        self.scenario.has_witness && self.has(Guard::Witness) && state.records.contains(&Record::Deleted)
    }
}
