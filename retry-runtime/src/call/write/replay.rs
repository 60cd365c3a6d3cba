//! A write in doubt that may be sent again under its idempotency key.

use std::borrow::Cow;
use std::time::Duration;

use super::State;
use super::in_doubt::{Doubt, InDoubt};
use super::ready::Ended;
use crate::call::flight::Flight;
use crate::call::next::Next;
use crate::clock::Moment;
use crate::effect::Effect;
use crate::error::CallError;
use crate::report::{Ending, Report};

/// The effect is unknown, but the portal tells a repeated send by its key: same key, same bytes, never two on their way at once.
///
/// That this settles a doubt rests on an assumption: the portal stores the success of a key in one step with its effect.
#[must_use = "an unknown outcome must be settled or reported"]
pub(crate) struct Replay {
    flight: Box<Flight>,
    due: Moment,
}

impl Replay {
    /// A replay, if the key and the limits allow one.
    pub(super) fn of(mut flight: Box<Flight>) -> State {
        if let Some(why) = flight.no_replay() {
            return in_doubt(flight, why);
        }
        match flight.next_pause(Duration::ZERO) {
            Ok(pause) => {
                // Two requests with one key that are on their way together may both run.
                let due = flight.now().after(pause).later(flight.standing().end().unwrap_or_else(|| flight.now()));
                if !flight.standing().is_bounded() {
                    in_doubt(flight, NO_SETTLE_TIME)
                } else if due.instant() < flight.deadline().instant() {
                    State::Replay(Self { flight, due })
                } else {
                    in_doubt(flight, "the send before may still be under way at the deadline")
                }
            }
            Err(why) => in_doubt(flight, why),
        }
    }

    /// Where the write is after a replay that gave no result. Whatever it says, it speaks of that send alone.
    ///
    /// An error that came as an answer is not stored under the key: had it an effect all the same, a further replay would make another.
    pub(super) fn after(flight: Box<Flight>, next: Next) -> State {
        match next {
            Next::Unread { why, effect } => State::InDoubt(InDoubt::new(flight, Doubt::Undecodable { why, effect })),
            Next::Resend | Next::ResendAtOnce | Next::ReadBack { answer_lost: true } => Self::of(flight),
            Next::Refused | Next::Business | Next::ReadBack { answer_lost: false } => {
                in_doubt(flight, "it was answered with an error, which the portal does not store under a key")
            }
            Next::OutOfTime { why } => in_doubt(flight, String::from(why)),
            Next::Unsendable => in_doubt(flight, "it can't be sent with the same bytes any more"),
        }
    }

    /// What is known of the call.
    pub(crate) fn report(&self) -> &Report {
        self.flight.report()
    }

    /// Sends once more, when the send before can't be under way any more.
    pub(crate) async fn send(self) -> Result<Ended, CallError> {
        let Self { mut flight, due } = self;
        flight.sleep_until(due).await;
        if !flight.standing().is_over(flight.now()) {
            return Err(doubt(flight, "the send before may still be under way at the deadline"));
        }
        if let Some(why) = flight.no_replay() {
            return Err(doubt(flight, why));
        }
        let came = flight.send(Duration::ZERO).await;
        Ok(Ended::of_a_replay(flight, came))
    }
}

fn in_doubt(flight: Box<Flight>, why: impl Into<Cow<'static, str>>) -> State {
    State::Ended(doubt(flight, why))
}

fn doubt(flight: Box<Flight>, why: impl Into<Cow<'static, str>>) -> CallError {
    let why = format!("its outcome is unknown, and its idempotency key could not settle it: {}", why.into());
    CallError::InDoubt(flight.end(Ending::InDoubt, Effect::Unknown, why))
}

const NO_SETTLE_TIME: &str = "nothing says how long the send before may still be under way on this portal, and two with one key may both run. \
     For a self-hosted portal state it with ClientBuilder::settle";
