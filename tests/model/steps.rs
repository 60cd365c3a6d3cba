//! What can happen next.

use stateright::{Model, Property};

use super::client::Answer;
use super::promises;
use super::settings::{ErrorEffects, Guard, Person, World};
use super::state::{Call, Check, End, Pending, Phase, Place, Request, Seen, State};

/// One step of the world. Numbers are those of the call, or of the request on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Tick,
    PersonTypes,
    PersonDeletes(usize),
    Begin(usize),
    Send(usize),
    /// A layer below sends the request of the attempt once more.
    ResentBelow(usize),
    /// The answer, and the request that is over with it.
    Hear(usize, Answer, Option<usize>),
    /// An error is answered, and the request has had its effect.
    HearErrorOfAnEffect(usize, Answer, usize),
    /// The caller drops the call that waits for its answer.
    Dropped(usize),
    Look(usize),
    /// The portal reads.
    Read(usize, Seen),
    Judge(usize),
    CheckFails(usize),
    /// The page goes on.
    PageGoesOn(usize),
    /// Rows came that do not carry the key.
    OtherRows(usize),
    Deadline(usize),
    MoveOn(usize),
    Apply(usize),
    ApplyInError(usize),
}

impl Model for World {
    type State = State;
    type Action = Step;

    fn init_states(&self) -> Vec<State> {
        let call = Call { phase: Phase::Waiting, sends: 0, standing: 0, key_good: 0, resent: false };
        vec![State {
            calls: vec![call; self.scenario.calls],
            requests: Vec::new(),
            records: Vec::new(),
            key_kept: 0,
            person: self.scenario.person != Person::Nobody,
        }]
    }

    fn actions(&self, state: &State, steps: &mut Vec<Step>) {
        if state.is_over() {
            return;
        }
        for number in 0..state.calls.len() {
            self.steps_of_a_call(state, number, steps);
        }
        for (number, request) in state.requests.iter().enumerate() {
            match request.place {
                Place::Ours | Place::Queue => steps.push(Step::MoveOn(number)),
                Place::Server if self.errors_may_have_effects() => {
                    steps.extend([Step::Apply(number), Step::ApplyInError(number)]);
                }
                Place::Server => steps.push(Step::Apply(number)),
            }
        }
        if state.person {
            match self.scenario.person {
                Person::Nobody => {}
                Person::Types => steps.push(Step::PersonTypes),
                Person::Deletes => steps.extend((0..state.records.len()).map(Step::PersonDeletes)),
            }
        }
        if state.time_runs() {
            steps.push(Step::Tick);
        }
    }

    fn next_state(&self, state: &State, step: Step) -> Option<State> {
        let mut next = match step {
            Step::Tick => Self::tick(state),
            Step::PersonTypes => self.type_it(state),
            Step::PersonDeletes(record) => Self::delete(state, record),
            Step::Begin(call) => self.begin(state, call),
            Step::Send(call) => self.send(state, call),
            Step::Hear(call, answer, over) => self.hear(state, call, answer, over),
            Step::HearErrorOfAnEffect(call, answer, request) => {
                self.hear(&self.apply_in_error(state, request), call, answer, None)
            }
            Step::MoveOn(request) => self.move_on(state, request),
            Step::Apply(request) => self.apply(state, request),
            Step::ApplyInError(request) => self.apply_in_error(state, request),
            Step::ResentBelow(call) => self.resend_below(state, call),
            Step::Dropped(call)
            | Step::Look(call)
            | Step::Read(call, _)
            | Step::Judge(call)
            | Step::CheckFails(call)
            | Step::PageGoesOn(call)
            | Step::OtherRows(call)
            | Step::Deadline(call) => {
                let mut next = state.clone();
                self.change(&mut next.calls[call], step);
                next
            }
        };
        self.forget(&mut next);
        let attempts = self.scenario.attempts;
        assert!(
            self.without.is_some() || next.measure(attempts) < state.measure(attempts),
            "{step:?} may go on for ever: {state:?}"
        );
        Some(if self.is_locked() { next } else { next.in_order() })
    }

    fn properties(&self) -> Vec<Property<Self>> {
        promises::of(self)
    }
}

impl World {
    /// What the calls that are over knew makes no difference any more, unless another one waits for it.
    fn forget(&self, state: &mut State) {
        let is_heir = |call: &Call| call.phase == Phase::Waiting;
        if self.is_locked() && state.calls.iter().any(is_heir) {
            return;
        }
        for call in state.calls.iter_mut().filter(|call| call.end().is_some()) {
            (call.standing, call.key_good) = (0, 0);
        }
    }

    fn steps_of_a_call(&self, state: &State, number: usize, steps: &mut Vec<Step>) {
        let call = &state.calls[number];
        match call.phase {
            Phase::Waiting if self.may_begin(state, number) => steps.push(Step::Begin(number)),
            Phase::Waiting | Phase::Ended(_) | Phase::Doubt(_, Check::Vain) => {}
            Phase::Ready | Phase::Replay => {
                if self.may_send(call) {
                    steps.push(Step::Send(number));
                }
            }
            Phase::Awaiting { answer, .. } => {
                let answers = Self::answers(state, number);
                steps.extend(answers.into_iter().map(|(answer, over)| Step::Hear(number, answer, over)));
                steps.push(Step::Dropped(number));
                if answer == Pending::Nothing {
                    self.errors_of_effects(state, number, steps);
                }
                if !self.has(Guard::OneRequest) && !call.resent {
                    steps.push(Step::ResentBelow(number));
                }
            }
            Phase::Doubt(_, Check::Due) => steps.push(Step::Look(number)),
            Phase::Doubt(_, Check::Begun { .. }) => {
                let (sure, all) = Self::shown(state);
                let seen = |count| match count {
                    0 => Seen::Nothing,
                    1 => Seen::One,
                    _ => Seen::Several,
                };
                let mut views: Vec<Seen> = (sure..=all).map(seen).collect();
                views.dedup();
                steps.extend(views.into_iter().map(|seen| Step::Read(number, seen)));
                steps.extend([Step::CheckFails(number), Step::PageGoesOn(number), Step::OtherRows(number)]);
            }
            Phase::Doubt(_, Check::Read { .. }) => steps.extend([Step::Judge(number), Step::CheckFails(number)]),
        }
        if Self::at_the_deadline(call).is_some() {
            steps.push(Step::Deadline(number));
        }
    }

    fn errors_of_effects(&self, state: &State, number: usize, steps: &mut Vec<Step>) {
        if self.scenario.errors != ErrorEffects::Heard {
            return;
        }
        for (place, request) in state.requests.iter().enumerate() {
            if request.place == Place::Server && (request.call, request.send) == (number, state.calls[number].sends) {
                let errors = [Answer::ServerError, Answer::BusinessError];
                steps.extend(errors.map(|error| Step::HearErrorOfAnEffect(number, error, place)));
            }
        }
    }

    fn resend_below(&self, state: &State, number: usize) -> State {
        let mut next = state.clone();
        let call = &mut next.calls[number];
        call.resent = true;
        let left = self.scenario.stay.ours;
        next.requests.push(Request { call: number, send: call.sends, place: Place::Ours, left });
        next.sorted()
    }

    /// The steps that change nothing but their call.
    fn change(&self, call: &mut Call, step: Step) {
        let Phase::Doubt(why, check) = call.phase else {
            call.phase = Self::at_the_deadline(call).map_or(Phase::Ended(End::InDoubt), Phase::Ended);
            return;
        };
        let begun_late = match check {
            Check::Begun { late } | Check::Read { late, .. } => late,
            Check::Due | Check::Vain => false,
        };
        match (step, check) {
            (Step::Look(_), _) => call.phase = Phase::Doubt(why, Check::Begun { late: call.standing == 0 }),
            (Step::Read(_, seen), _) => call.phase = Phase::Doubt(why, Check::Read { late: begun_late, seen }),
            (Step::Judge(_), Check::Read { late, seen }) => self.judge(call, why, late, seen),
            (Step::CheckFails(_), _) if !self.has(Guard::FailedCheck) => {
                self.judge(call, why, begun_late, Seen::Nothing);
            }
            (Step::CheckFails(_), _) => call.phase = self.fail(call, why, begun_late),
            (Step::PageGoesOn(_), _) if !self.has(Guard::WholePage) => {
                self.judge(call, why, begun_late, Seen::Nothing);
            }
            (Step::OtherRows(_), _) if !self.has(Guard::ObeyedFilter) => {
                self.judge(call, why, begun_late, Seen::Nothing);
            }
            (Step::OtherRows(_), _) if !self.has(Guard::ExactKey) => self.judge(call, why, begun_late, Seen::One),
            (Step::PageGoesOn(_) | Step::OtherRows(_), _) => call.phase = self.distrust(call, why),
            (Step::Deadline(_), _) => {
                call.phase = Self::at_the_deadline(call).map_or(call.phase, Phase::Ended);
            }
            (_, _) => {}
        }
    }
}
