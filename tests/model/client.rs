//! The write loop, as `retry-runtime/src/call/write` has it. Deadlines may come at any time, so nothing here counts towards one.

use super::settings::{FOR_GOOD, Guard, World};
use super::state::{Call, End, Pending, Phase, Place, Request, State, Why};
use super::state::{Check, Seen};

/// What comes back from a send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    Success,
    /// It was not applied and will not be: a code of the safe list, or it was never sent.
    NotApplied,
    /// Refused before it could have an effect.
    Refused,
    /// The server ended it with an error.
    ServerError,
    BusinessError,
    /// The gateway speaks for itself; the request behind it goes on.
    GatewayError,
    /// None.
    Lost,
}

impl World {
    /// Whether the call may begin: the calls before it in its client are over, and what they have sent is settled.
    pub(super) fn may_begin(&self, state: &State, number: usize) -> bool {
        let before = &state.calls[..number];
        if !self.is_locked() {
            // The calls are alike, so that the first to begin can be called the first.
            return before.iter().all(|call| call.phase != Phase::Waiting);
        }
        before.iter().all(|call| call.end().is_some()) && (self.scenario.ensure || self.feared(before) == 0)
    }

    pub(super) fn is_locked(&self) -> bool {
        self.scenario.is_one_client() && self.has(Guard::KeyLock)
    }

    /// What the next call with the key has to wait for, in ticks.
    fn feared(&self, before: &[Call]) -> u8 {
        before.iter().map(|call| self.feared_of(call)).max().unwrap_or_default()
    }

    fn feared_of(&self, call: &Call) -> u8 {
        match call.end() {
            // What succeeded is applied. Only who looks has to wait until it shows.
            Some(End::Done | End::Found) if !self.scenario.ensure || !self.has(Guard::LagAfterSuccess) => 0,
            Some(End::Absent | End::Duplicated | End::InDoubt) | None if !self.has(Guard::KeyRemembers) => 0,
            Some(_) | None => call.standing,
        }
    }

    pub(super) fn begin(&self, state: &State, number: usize) -> State {
        let mut next = state.clone();
        if self.is_locked() {
            next.calls[number].standing = self.feared(&state.calls[..number]);
        }
        next.calls[number].phase =
            if self.scenario.ensure { Phase::Doubt(Why::Beforehand, Check::Due) } else { Phase::Ready };
        next
    }

    /// Whether the loop lets it be sent now.
    pub(super) fn may_send(&self, call: &Call) -> bool {
        match call.phase {
            Phase::Ready => true,
            Phase::Replay => (call.standing == 0 || !self.has(Guard::SingleFlight)) && self.key_is_good(call),
            Phase::Waiting | Phase::Awaiting { .. } | Phase::Doubt(..) | Phase::Ended(_) => false,
        }
    }

    fn key_is_good(&self, call: &Call) -> bool {
        call.key_good > 0 || self.scenario.kept == FOR_GOOD || !self.has(Guard::KeyWindow)
    }

    pub(super) fn send(&self, state: &State, number: usize) -> State {
        let mut next = state.clone();
        let settle_time = self.settle_time();
        let call = &mut next.calls[number];
        if call.sends == 0 {
            call.key_good = self.key_time();
        }
        call.sends += 1;
        call.standing = settle_time;
        call.phase = Phase::Awaiting { answer: Pending::Nothing, is_replay: call.phase == Phase::Replay };
        let request = Request { call: number, send: call.sends, place: Place::Ours, left: self.scenario.stay.ours };
        next.requests.push(request);
        next.sorted()
    }

    /// What the call may hear now, and the request that is over with it.
    pub(super) fn answers(state: &State, number: usize) -> Vec<(Answer, Option<usize>)> {
        let call = &state.calls[number];
        let Phase::Awaiting { answer, .. } = call.phase else { return Vec::new() };
        let mut answers = vec![(Answer::Lost, None)];
        match answer {
            Pending::Success => answers.push((Answer::Success, None)),
            Pending::Error => answers.extend([(Answer::ServerError, None), (Answer::BusinessError, None)]),
            Pending::Nothing => {
                for (place, request) in state.requests.iter().enumerate() {
                    if (request.call, request.send) != (number, call.sends) {
                        continue;
                    }
                    answers.extend([(Answer::NotApplied, Some(place)), (Answer::Refused, Some(place))]);
                    answers.push((Answer::GatewayError, None));
                    if request.place == Place::Server {
                        answers.extend([(Answer::ServerError, Some(place)), (Answer::BusinessError, Some(place))]);
                    }
                }
            }
        }
        answers
    }

    pub(super) fn hear(&self, state: &State, number: usize, answer: Answer, over: Option<usize>) -> State {
        let mut next = state.clone();
        if let Some(over) = over {
            next.requests.remove(over);
        }
        let call = &mut next.calls[number];
        let Phase::Awaiting { is_replay, .. } = call.phase else { return next };
        call.standing = self.standing_after(answer, call.standing);
        call.phase = if is_replay { self.after_replay(call, answer) } else { self.after_send(call, answer) };
        next
    }

    fn standing_after(&self, answer: Answer, settling: u8) -> u8 {
        match answer {
            Answer::NotApplied | Answer::Refused => 0,
            Answer::Success | Answer::ServerError | Answer::BusinessError => self.lag_time(),
            Answer::GatewayError if !self.has(Guard::GatewayErrorEndsNothing) => self.lag_time(),
            Answer::GatewayError | Answer::Lost => settling,
        }
    }

    fn after_send(&self, call: &Call, answer: Answer) -> Phase {
        match answer {
            Answer::Success => Phase::Ended(End::Done),
            Answer::NotApplied => self.again(call),
            Answer::Refused => Phase::Ended(End::Absent),
            Answer::ServerError if !self.has(Guard::ServerErrorSaysNothing) => self.again(call),
            Answer::BusinessError if !self.has(Guard::BusinessErrorSaysNothing) => self.again(call),
            Answer::Lost if !self.has(Guard::ReadBackFirst) => self.again(call),
            Answer::BusinessError if self.scenario.verify => Phase::Doubt(Why::Business, Check::Due),
            Answer::BusinessError => Phase::Ended(End::InDoubt),
            Answer::ServerError | Answer::GatewayError | Answer::Lost => {
                let why = Why::Outcome { answer_lost: self.scenario.idempotency_key && answer == Answer::Lost };
                if self.scenario.verify { Phase::Doubt(why, Check::Due) } else { self.unsettled(call, why) }
            }
        }
    }

    /// Whatever it says, it speaks of that send alone.
    fn after_replay(&self, call: &Call, answer: Answer) -> Phase {
        match answer {
            Answer::Success => Phase::Ended(End::Done),
            Answer::NotApplied | Answer::Lost => self.replay(call),
            Answer::ServerError | Answer::BusinessError | Answer::GatewayError
                if !self.has(Guard::ErrorsAreNotReplayed) =>
            {
                self.replay(call)
            }
            Answer::Refused | Answer::ServerError | Answer::BusinessError | Answer::GatewayError => {
                Phase::Ended(End::InDoubt)
            }
        }
    }

    fn again(&self, call: &Call) -> Phase {
        if self.may_send_more(call) { Phase::Ready } else { Phase::Ended(End::Absent) }
    }

    fn may_send_more(&self, call: &Call) -> bool {
        // Without the bound one more is enough to see it.
        call.sends < self.scenario.attempts + u8::from(!self.has(Guard::BoundedAttempts))
    }

    fn replay(&self, call: &Call) -> Phase {
        if self.may_send_more(call) && self.key_is_good(call) { Phase::Replay } else { Phase::Ended(End::InDoubt) }
    }

    /// Reading back has not settled it: its key may.
    fn unsettled(&self, call: &Call, why: Why) -> Phase {
        let replays = match why {
            Why::Outcome { answer_lost } => {
                answer_lost || (self.scenario.idempotency_key && !self.has(Guard::ErrorsAreNotReplayed))
            }
            Why::Beforehand => return Phase::Ended(End::Absent),
            Why::Business => false,
        };
        if replays { self.replay(call) } else { Phase::Ended(End::InDoubt) }
    }

    /// The answer of a check has come.
    pub(super) fn judge(&self, call: &mut Call, why: Why, late: bool, seen: Seen) {
        let late = late || !self.has(Guard::SettleWait) || (call.standing == 0 && !self.has(Guard::BeganAfter));
        call.phase = match (seen, why) {
            (Seen::One, _) => {
                call.standing = if self.has(Guard::LagAfterSuccess) { self.lag_time() } else { 0 };
                Phase::Ended(End::Found)
            }
            (Seen::Several, _) => Phase::Ended(End::Duplicated),
            (Seen::Nothing, Why::Business) => Phase::Ended(End::InDoubt),
            (Seen::Nothing, Why::Outcome { .. } | Why::Beforehand) if !late => Phase::Doubt(why, Check::Vain),
            (Seen::Nothing, Why::Outcome { .. }) => {
                call.standing = 0;
                self.again(call)
            }
            (Seen::Nothing, Why::Beforehand) => {
                call.standing = 0;
                Phase::Ready
            }
        };
    }

    /// The check has failed.
    pub(super) fn fail(&self, call: &Call, why: Why, late: bool) -> Phase {
        match why {
            Why::Business => Phase::Ended(End::InDoubt),
            Why::Outcome { .. } | Why::Beforehand if !late => Phase::Doubt(why, Check::Vain),
            Why::Outcome { .. } | Why::Beforehand => self.unsettled(call, why),
        }
    }

    /// The check has shown that it can't be relied on.
    pub(super) fn distrust(&self, call: &Call, why: Why) -> Phase {
        self.unsettled(call, why)
    }

    /// The deadline of the call. A write on its way is not cut by it.
    pub(super) const fn at_the_deadline(call: &Call) -> Option<End> {
        match call.phase {
            Phase::Waiting | Phase::Ready | Phase::Doubt(Why::Beforehand, _) => Some(End::Absent),
            Phase::Doubt(Why::Outcome { .. } | Why::Business, _) | Phase::Replay => Some(End::InDoubt),
            Phase::Awaiting { .. } | Phase::Ended(_) => None,
        }
    }
}
