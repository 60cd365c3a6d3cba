//! The write loop, as states that can do only what is safe in them.
//!
//! [`Ready`] and [`Replay`] alone can send. [`InDoubt`] alone can be read back, and only its proof of absence makes a new `Ready`.

mod in_doubt;
mod ready;
mod replay;

pub(crate) use in_doubt::InDoubt;
pub(crate) use ready::Ready;
pub(crate) use replay::Replay;

use in_doubt::Doubt;

use super::Call;
use super::flight::Flight;
use super::proof::Stub;
use super::standing::Standing;
use crate::client::Reader;
use crate::error::CallError;

/// Where a write is.
pub(crate) enum State {
    /// It may be sent.
    Ready(Ready),
    /// It may be read back.
    InDoubt(InDoubt),
    /// It may be sent again under its idempotency key.
    Replay(Replay),
    /// It is over, without a result.
    Ended(CallError),
}

/// Starts a write. `reader` is the reader of its verifier, or the client's own if it has none; `verifier` names the stub among others.
pub(crate) async fn start(reader: &Reader, call: Call, verifier: &'static str) -> Result<State, CallError> {
    let (ensure, stub) = (call.ensure, Stub::new(call.method, verifier));
    let mut flight = Flight::open(&reader.unmarked(), call)?.take_key().await?;
    if let Some(mark) = &reader.read_back {
        mark.name(stub);
        flight.verify_with(mark);
    }
    if ensure {
        return Ok(State::InDoubt(InDoubt::new(flight, Doubt::Beforehand)));
    }
    if let Standing::Until(until) = flight.standing() {
        flight.sleep_until(until).await;
    }
    if !flight.standing().is_over(flight.now()) {
        return Err(flight.exhausted("an earlier write with the same key may still be applied"));
    }
    flight.set_standing(Standing::Settled);
    Ok(State::Ready(Ready::at_once(flight)))
}
