//! A write that may be sent.

use std::borrow::Cow;
use std::time::Duration;

use super::State;
use super::in_doubt::{Doubt, InDoubt};
use super::replay::Replay;
use crate::call::came::Came;
use crate::call::flight::Flight;
use crate::call::next::Next;
use crate::call::proof::Proving;
use crate::decode::FromAnswer;
use crate::effect::Effect;
use crate::error::CallError;
use crate::report::{Ending, Report};

/// The time kept free for a read-back behind the settle time of the next send (our choice).
const ONE_READ_BACK: Duration = Duration::from_secs(10);

/// Nothing that was sent can be applied any more: the call may be sent.
#[must_use = "a call that is ready was not sent"]
pub(crate) struct Ready {
    flight: Box<Flight>,
    pause: Duration,
}

/// A send that has ended, its answer not read yet.
#[must_use = "an answer must be read"]
pub(crate) struct Ended {
    flight: Box<Flight>,
    came: Came,
    /// Whether it was sent while an earlier send was still in doubt.
    is_replay: bool,
}

impl Ready {
    pub(super) const fn at_once(flight: Box<Flight>) -> Self {
        Self { flight, pause: Duration::ZERO }
    }

    /// Ready for a further send, if the limits allow one.
    pub(super) fn again(mut flight: Box<Flight>) -> State {
        match flight.next_pause(spare(&flight)) {
            Ok(pause) => State::Ready(Self { flight, pause }),
            Err(why) => State::Ended(flight.exhausted(why)),
        }
    }

    /// What is known of the call.
    pub(crate) fn report(&self) -> &Report {
        self.flight.report()
    }

    /// Ends the call without a further send, which is for its next caller to make.
    pub(crate) fn leave(self, why: impl Into<Cow<'static, str>>) -> CallError {
        self.flight.exhausted(why)
    }

    /// Ends the call as one that a person has to look at, although its effect was not found.
    pub(crate) fn doubt(self, why: impl Into<Cow<'static, str>>) -> CallError {
        CallError::InDoubt(self.flight.end(Ending::InDoubt, Effect::Unknown, why))
    }

    /// Sends once, after the pause.
    pub(crate) async fn send(self) -> Result<Ended, CallError> {
        let Self { mut flight, pause } = self;
        if !pause.is_zero() {
            flight.sleep(pause).await;
            // A wall clock that was set back has made the pause longer.
            if flight.left() < spare(&flight) {
                return Err(flight.exhausted("the pause before it took the time that another attempt needs"));
            }
        }
        if flight.left().is_zero() {
            return Err(flight.exhausted("its deadline came before it could be sent"));
        }
        // Nothing of an earlier send can be applied any more, so that its bytes need not be the same.
        flight.keep_credentials(None);
        // A further send keeps its room for settling it, however long it waits for its turn.
        let spare = if flight.is_fresh() { Duration::ZERO } else { spare(&flight) };
        let came = flight.send(spare).await;
        Ok(Ended { flight, came, is_replay: false })
    }
}

/// A further send must leave room for its own settle time and a read-back, if there is anything to read back with.
fn spare(flight: &Flight) -> Duration {
    match flight.shared().settle_time() {
        Some(settle) if flight.can_be_settled() => settle.saturating_add(ONE_READ_BACK),
        Some(_) | None => Duration::ZERO,
    }
}

impl Ended {
    pub(super) const fn of_a_replay(flight: Box<Flight>, came: Came) -> Self {
        Self { flight, came, is_replay: true }
    }

    /// Reads the result, with the proof of the verifier if it is to be made; or says what the write is now.
    pub(crate) fn read<T: FromAnswer>(self) -> Result<(T, Option<Proving>), State> {
        self.land().map(|(value, proving, _)| (value, proving))
    }

    /// The same, with the report of the call.
    pub(crate) fn land<T: FromAnswer>(self) -> Result<(T, Option<Proving>, Report), State> {
        let Self { mut flight, came, is_replay } = self;
        let credentials = came.wire.credentials();
        match flight.land(came) {
            Ok(value) => {
                let proving = Proving::of(&flight);
                let report = flight.done(Ending::Done);
                Ok((value, proving.map(|proving| proving.with_report(report.clone())), report))
            }
            Err(next) if is_replay => Err(Replay::after(flight, next)),
            Err(next) => {
                flight.keep_credentials(matches!(next, Next::ReadBack { .. }).then_some(credentials).flatten());
                Err(follow(flight, next))
            }
        }
    }
}

fn follow(flight: Box<Flight>, next: Next) -> State {
    match next {
        Next::Resend => Ready::again(flight),
        Next::ResendAtOnce => match flight.resend_at_once() {
            Ok(()) => State::Ready(Ready::at_once(flight)),
            Err(why) => State::Ended(flight.exhausted(why)),
        },
        Next::OutOfTime { why } => State::Ended(flight.exhausted(String::from(why))),
        Next::Unsendable => State::Ended(flight.unsendable()),
        Next::Refused => State::Ended(flight.refused(Effect::Absent)),
        Next::ReadBack { answer_lost } => State::InDoubt(InDoubt::new(flight, Doubt::Outcome { answer_lost })),
        Next::Business => State::InDoubt(InDoubt::new(flight, Doubt::Business)),
        Next::Unread { why, effect } => State::InDoubt(InDoubt::new(flight, Doubt::Undecodable { why, effect })),
    }
}
