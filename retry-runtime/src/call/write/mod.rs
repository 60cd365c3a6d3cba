//! The write loop, as states that can do only what is safe in them.
//!
//! [`Ready`] and [`Replay`] alone can send. [`InDoubt`] alone can be read back, and only its proof of absence makes a new `Ready`.

mod in_doubt;
mod ready;
mod replay;

pub(super) use in_doubt::Doubt;
pub(crate) use in_doubt::InDoubt;
pub(crate) use ready::{Ended as SendEnded, Ready};
pub(crate) use replay::Replay;

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
    let ensure = call.ensure;
    begin(ready(reader, call, verifier).await?, ensure).await
}

/// A write that has its key.
pub(super) async fn ready(reader: &Reader, call: Call, verifier: &'static str) -> Result<Box<Flight>, CallError> {
    let stub = Stub::new(call.method, verifier);
    let mut flight = Flight::open(&reader.unmarked(), call)?.take_key().await?;
    verify(&mut flight, reader, stub);
    Ok(flight)
}

/// The same, for a write whose key somebody else may have.
pub(super) fn without_key(reader: &Reader, call: Call, verifier: &'static str) -> Result<Box<Flight>, CallError> {
    let stub = Stub::new(call.method, verifier);
    let mut flight = Flight::open(&reader.unmarked(), call)?;
    verify(&mut flight, reader, stub);
    Ok(flight)
}

fn verify(flight: &mut Flight, reader: &Reader, stub: Stub) {
    if let Some(mark) = &reader.read_back {
        mark.name(stub);
        flight.verify_with(mark);
    }
}

/// Where a write begins: with a look for its effect, or with a send once no earlier one with its key can be applied any more.
pub(super) async fn begin(mut flight: Box<Flight>, ensure: bool) -> Result<State, CallError> {
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
