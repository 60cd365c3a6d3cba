//! The read loop: retry until attempts, time or budget run out.

use std::time::Duration;

use super::Call;
use super::flight::Flight;
use super::next::Next;
use crate::client::Reader;
use crate::decode::FromAnswer;
use crate::effect::Effect;
use crate::error::CallError;
use crate::report::Ending;

/// Makes one read call.
pub(crate) async fn read<T: FromAnswer>(reader: &Reader, call: Call) -> Result<T, CallError> {
    let mut flight = Flight::open(reader, call)?;
    let mut now = flight.began();
    loop {
        if now.instant() >= flight.deadline().instant() {
            return Err(flight.exhausted("its deadline came before it could be sent"));
        }
        let came = flight.send_at(now, Duration::ZERO).await;
        match flight.land(came) {
            Ok(value) => {
                flight.done_unreported(Ending::Done);
                return Ok(value);
            }
            Err(next) => {
                flight = again(flight, next).await?;
                now = flight.now();
            }
        }
    }
}

/// Ends a read whose answer is not what its stub says; `Invalid` if its arguments were no request.
pub(crate) fn unexpected(reader: &Reader, call: Call, why: String) -> CallError {
    match Flight::open(reader, call) {
        Ok(flight) => CallError::Undecodable(flight.end(Ending::Undecodable, Effect::Absent, why)),
        Err(invalid) => invalid,
    }
}

async fn again(mut flight: Box<Flight>, next: Next) -> Result<Box<Flight>, CallError> {
    match next {
        Next::ResendAtOnce => match flight.resend_at_once() {
            Ok(()) => Ok(flight),
            Err(why) => Err(flight.exhausted(why)),
        },
        Next::Resend | Next::ReadBack { .. } => match flight.next_pause(Duration::ZERO) {
            Ok(pause) => {
                flight.sleep(pause).await;
                Ok(flight)
            }
            Err(why) => Err(flight.exhausted(why)),
        },
        Next::OutOfTime { why } => Err(flight.exhausted(String::from(why))),
        Next::Unsendable => Err(flight.unsendable()),
        Next::Refused | Next::Business => Err(flight.refused(Effect::Absent)),
        Next::Unread { why, effect: _ } => {
            Err(CallError::Undecodable(flight.end(Ending::Undecodable, Effect::Absent, why)))
        }
    }
}
