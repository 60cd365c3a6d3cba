//! What can happen next.

use stateright::{Model, Property};

use super::invariants;
use super::settings::{Guard, World};
use super::state::{Answer, NOBODY, Place, Record, Row, Seen, State, Status, Worker};

/// One step of the world. Numbers are those of the worker, of the request on its way, or of the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Tick,
    /// The caller hands the intent in, again or for the first time, and a worker looks at its row.
    Submit(usize),
    Begin(usize),
    Send(usize),
    /// It has paused for too long to send.
    GiveUp(usize),
    /// The answer is committed.
    Hear(usize),
    /// The answer is committed, and the next attempt with it.
    GoOnAtOnce(usize),
    TimeOut(usize),
    Claim(usize),
    Read(usize, Seen),
    /// What was read is committed.
    Conclude(usize),
    /// The verifier fails for too long, or there is none.
    HandOver(usize),
    Arrive(usize),
    Apply(usize),
    Refuse(usize, Answer),
    Crash(usize),
    Drop(usize),
    LeaseRunsOut,
    PowerLoss {
        all_die: bool,
    },
    PersonTypes,
    PersonDeletes(usize),
    Decide(Decision),
}

/// What a person says about an intent in the manual queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decision {
    /// It was applied.
    Adopt,
    /// It was not applied.
    Reject,
    /// It may be sent once more, whatever has become of it.
    AllowOnceMore,
}

impl Model for World {
    type State = State;
    type Action = Step;

    fn init_states(&self) -> Vec<State> {
        let row = Row { status: Status::None, attempts: 0, epoch: NOBODY, lease_runs: true, was_absent: false };
        vec![State {
            row,
            on_disk: row,
            workers: vec![Worker::Idle; self.scenario.workers],
            requests: Vec::new(),
            records: Vec::new(),
            chances: self.scenario.chances,
            allowed: 0,
        }]
    }

    fn actions(&self, state: &State, steps: &mut Vec<Step>) {
        self.steps_of_machines(state, steps);
        self.mishaps(state, steps);
        // All idle workers are alike.
        let idle = state.workers.iter().position(|worker| *worker == Worker::Idle);
        if let Some(idle) = idle
            && state.chances.submissions > 0
            && self.can_be_begun(state)
        {
            steps.push(Step::Submit(idle));
        }
        for (number, request) in state.requests.iter().enumerate() {
            steps.push(if request.place == Place::Way { Step::Arrive(number) } else { Step::Apply(number) });
            // If nobody hears of it, a refused one is as good as one that goes no further.
            if request.epoch == NOBODY {
                continue;
            }
            steps.push(Step::Refuse(number, Answer::NotApplied));
            if request.place == Place::Server {
                steps.push(Step::Refuse(number, Answer::Rejected));
            }
        }
    }

    fn next_state(&self, state: &State, step: Step) -> Option<State> {
        let mut next = state.clone();
        match step {
            Step::Tick => self.tick(&mut next),
            Step::Submit(worker) => {
                next.chances.submissions -= 1;
                next.workers[worker] = Worker::Begins { epoch: next.row.epoch };
            }
            Step::Claim(worker) => self.claim(&mut next, worker),
            Step::Begin(worker)
            | Step::Send(worker)
            | Step::GiveUp(worker)
            | Step::Hear(worker)
            | Step::GoOnAtOnce(worker)
            | Step::TimeOut(worker)
            | Step::Read(worker, _)
            | Step::Conclude(worker)
            | Step::HandOver(worker) => self.work(&mut next, worker, step),
            Step::Arrive(request) => self.arrive(&mut next, request),
            Step::Apply(request) => self.apply(&mut next, request),
            Step::Refuse(request, answer) => Self::answer(&mut next, request, answer),
            Step::Crash(worker) => Self::crash(&mut next, worker),
            Step::Drop(worker) => self.drop_call(&mut next, worker),
            Step::LeaseRunsOut => {
                next.chances.stalls -= 1;
                (next.row.lease_runs, next.on_disk.lease_runs) = (false, false);
            }
            Step::PowerLoss { all_die } => Self::lose_power(&mut next, all_die),
            Step::PersonTypes => Self::type_it(&mut next),
            Step::PersonDeletes(record) => Self::delete(&mut next, record),
            Step::Decide(decision) => Self::decide(&mut next, decision),
        }
        self.simplify(&mut next);
        let measure = |state: &State| state.measure(self.scenario.attempts, self.settle_time());
        let must_end = matches!(self.without, None | Some(Guard::OutcomeSynced));
        assert!(!must_end || measure(&next) < measure(state), "{step:?} may go on for ever: {state:?}");
        Some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        invariants::of(self)
    }
}

impl World {
    /// What happens of itself, and nobody's help is needed: the workers' steps and time.
    pub(super) fn steps_of_machines(&self, state: &State, steps: &mut Vec<Step>) {
        for (number, worker) in state.workers.iter().enumerate() {
            match *worker {
                Worker::Idle => {}
                Worker::Begins { .. } => steps.push(Step::Begin(number)),
                Worker::Permitted { age, .. } => {
                    steps.push(if self.may_send(age) { Step::Send(number) } else { Step::GiveUp(number) });
                }
                Worker::Waits { epoch, answer, .. } => {
                    steps.push(Step::TimeOut(number));
                    if answer.is_some() {
                        steps.push(Step::Hear(number));
                    }
                    if self.goes_on_at_once(state, epoch, answer) {
                        steps.push(Step::GoOnAtOnce(number));
                    }
                }
                Worker::Settles { age, .. } => {
                    steps.extend(self.views(state, age).into_iter().map(|seen| Step::Read(number, seen)));
                    if self.is_settled(age) {
                        steps.push(Step::HandOver(number));
                    }
                }
                Worker::HasRead { .. } => steps.push(Step::Conclude(number)),
            }
        }
        let idle = state.workers.iter().position(|worker| *worker == Worker::Idle);
        if let Some(idle) = idle
            && self.can_be_claimed(state)
        {
            steps.push(Step::Claim(idle));
        }
        if state.time_runs(self.settle_time()) {
            steps.push(Step::Tick);
        }
    }

    fn work(&self, state: &mut State, number: usize, step: Step) {
        match (state.workers[number], step) {
            (Worker::Begins { epoch }, _) => self.begin(state, number, epoch),
            (Worker::Permitted { epoch, age }, Step::Send(_)) => self.send(state, number, epoch, age),
            (Worker::Permitted { epoch, .. }, _) => self.close(state, number, epoch, Status::Ready),
            (Worker::Waits { .. }, Step::GoOnAtOnce(_)) => self.start(state, number),
            (Worker::Waits { epoch, answer: Some(answer), .. }, Step::Hear(_)) => {
                self.hear(state, number, epoch, answer);
            }
            (Worker::Waits { epoch, age, .. }, _) => self.time_out(state, number, epoch, age),
            (Worker::Settles { epoch, .. }, Step::Read(_, seen)) => {
                state.workers[number] = Worker::HasRead { epoch, seen };
            }
            (Worker::Settles { epoch, .. }, _) => self.hand_over(state, number, epoch),
            (Worker::HasRead { epoch, seen }, _) => self.conclude(state, number, epoch, seen),
            (Worker::Idle, _) => {}
        }
    }

    /// The same world, written one way only.
    fn simplify(&self, state: &mut State) {
        for row in [&mut state.row, &mut state.on_disk] {
            row.lease_runs |= !row.status.is_open();
        }
        if state.chances.power_losses == 0 {
            state.on_disk = state.row;
        }
        for request in &mut state.requests {
            let is_waited_for =
                |worker: &Worker| matches!(worker, Worker::Waits { epoch, .. } if *epoch == request.epoch);
            if !state.workers.iter().any(is_waited_for) {
                request.epoch = NOBODY;
            }
        }
        if self.without.is_none() {
            self.forget_time(state);
        }
        state.number_epochs();
        state.workers.sort_unstable();
        state.requests.sort_unstable();
        state.records.sort_unstable();
    }

    /// Time that makes no difference any more: that of a worker which is the owner no more and has sent, and that of a record
    /// which nobody will look for.
    fn forget_time(&self, state: &mut State) {
        for worker in &mut state.workers {
            if let Worker::Waits { epoch, age, .. } | Worker::Settles { epoch, age } = worker
                && *epoch != state.row.epoch
            {
                *age = self.settle_time();
            }
        }
        let is_read = |worker: &Worker| matches!(worker, Worker::Settles { .. });
        let is_over = matches!(state.row.status, Status::Applied(_)) && !state.on_disk.status.is_open();
        if is_over && !state.workers.iter().any(is_read) {
            for record in &mut state.records {
                if let Record::Own { hidden } = record {
                    *hidden = 0;
                }
            }
        }
    }
}
