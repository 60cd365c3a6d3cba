//! What may go wrong, and what people do: each as often as its scenario says.

use super::settings::{Drops, Guard, Person, World};
use super::state::{How, Record, Row, State, Status, Worker};
use super::steps::{Decision, Step};

impl World {
    pub(super) fn mishaps(&self, state: &State, steps: &mut Vec<Step>) {
        let left = state.chances;
        for (number, worker) in state.workers.iter().enumerate() {
            if left.crashes > 0 && *worker != Worker::Idle {
                steps.push(Step::Crash(number));
            }
            if left.drops > 0 && matches!(worker, Worker::Permitted { .. } | Worker::Waits { .. }) {
                steps.push(Step::Drop(number));
            }
        }
        let lease_runs = state.row.status.is_open() && !state.has_no_lease();
        if left.stalls > 0 && lease_runs && self.scenario.keeps_leases {
            steps.push(Step::LeaseRunsOut);
        }
        if left.power_losses > 0 {
            steps.extend([true, false].map(|all_die| Step::PowerLoss { all_die }));
        }
        if left.person > 0 {
            self.of_the_person(state, steps);
        }
        if left.decisions > 0 && matches!(state.row.status, Status::Manual { .. }) {
            // People look well: they say what is true. With "once more" they take a second record on themselves.
            let truth = if state.effects() > 0 { Decision::Adopt } else { Decision::Reject };
            steps.extend([Step::Decide(truth), Step::Decide(Decision::AllowOnceMore)]);
        }
    }

    fn of_the_person(&self, state: &State, steps: &mut Vec<Step>) {
        let is_applied = matches!(state.row.status, Status::Applied(_));
        match self.scenario.person {
            Person::Nobody => {}
            Person::Types => steps.push(Step::PersonTypes),
            Person::DeletesWhatIsApplied if !is_applied => {}
            Person::Deletes | Person::DeletesWhatIsApplied => {
                let is_there = |record: &Record| matches!(record, Record::Own { .. });
                let places = state.records.iter().enumerate().filter(|(_, record)| is_there(record));
                steps.extend(places.map(|(place, _)| Step::PersonDeletes(place)));
            }
        }
    }

    pub(super) fn crash(state: &mut State, worker: usize) {
        state.chances.crashes -= 1;
        state.workers[worker] = Worker::Idle;
    }

    /// The call is dropped together with its task. Its request goes on.
    pub(super) fn drop_call(&self, state: &mut State, worker: usize) {
        state.chances.drops -= 1;
        let epoch = state.workers[worker].epoch();
        state.workers[worker] = Worker::Idle;
        if !epoch.is_some_and(|epoch| self.is_owners(state.row, epoch)) {
            return;
        }
        match self.scenario.drops {
            Drops::Mark if !self.has(Guard::DropKeepsIntent) => {
                state.commit(Row { status: Status::Ready, ..state.row }, true);
            }
            Drops::Mark => self.mark(state),
            Drops::LeaveIt => {}
        }
    }

    pub(super) fn lose_power(state: &mut State, all_die: bool) {
        state.chances.power_losses -= 1;
        state.row = state.on_disk;
        if all_die {
            state.workers.fill(Worker::Idle);
        }
    }

    pub(super) fn type_it(state: &mut State) {
        state.chances.person -= 1;
        state.records.push(Record::Typed);
    }

    pub(super) fn delete(state: &mut State, record: usize) {
        state.chances.person -= 1;
        state.records[record] = Record::Deleted;
    }

    /// T10.
    pub(super) fn decide(state: &mut State, decision: Decision) {
        state.chances.decisions -= 1;
        let status = match decision {
            Decision::Adopt => Status::Applied(How::Adopted),
            Decision::Reject => Status::Rejected,
            Decision::AllowOnceMore => {
                state.allowed += 1;
                state.chances.submissions += 1;
                Status::Ready
            }
        };
        let epoch = state.new_epoch();
        state.commit(Row { status, epoch, ..state.row }, true);
    }
}
