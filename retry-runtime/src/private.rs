//! What generated code runs on. Nothing here is for use by hand.

use std::any::type_name;
use std::fmt::Debug;

use serde::de::DeserializeOwned;
use tracing::Instrument as _;

use crate::call::{self, InDoubt, State, finding, prove};
pub use crate::call::{Arguments, Call, Check, Entry, Journaled, Outcome, Recalled, Way};
use crate::client::{Client, Reader};
use crate::decode::FromAnswer;
use crate::error::CallError;
use crate::journal::Recovery;
pub use crate::pages::By;
use crate::pages::Pages;
use crate::read_back::ReadBack;
use crate::transport::BoxFuture;

/// What a verifier returns.
#[diagnostic::on_unimplemented(
    message = "this verifier returns `{Self}`",
    label = "a verifier returns `Result<ReadBack<T>, CallError>`",
    note = "`T` is what the write itself returns: a found effect becomes the result of the write",
    note = "`ReadBack::by_key(page, |row| ...)` makes one from a list that was filtered by the key"
)]
pub trait Verdict {
    /// What it finds.
    type Found;

    /// The verdict itself.
    ///
    /// # Errors
    /// The check could not be made.
    fn into_verdict(self) -> Result<ReadBack<Self::Found>, CallError>;
}

impl<T> Verdict for Result<ReadBack<T>, CallError> {
    type Found = T;

    fn into_verdict(self) -> Self {
        self
    }
}

/// Runs a verifier.
///
/// # Errors
/// The check could not be made.
pub async fn verdict<F>(check: F) -> Result<ReadBack<<F::Output as Verdict>::Found>, CallError>
where
    F: Future,
    F::Output: Verdict,
{
    check.await.into_verdict()
}

/// The reader for the verifier of one write.
pub fn check_reader(client: &Client) -> Reader {
    client.marked()
}

/// Makes a read call.
///
/// # Errors
/// As its stub documents.
pub async fn read<T: FromAnswer>(reader: &Reader, call: Call) -> Result<T, CallError> {
    let span = call.span();
    call::read(reader, call).instrument(span).await
}

/// Reads a list to its end.
pub fn pages<T: DeserializeOwned>(reader: &Reader, call: Call, by: By) -> Pages<T> {
    Pages::new(reader, call, by)
}

/// Makes a write call that can be read back.
///
/// # Errors
/// As its stub documents.
pub async fn write<T, V, F>(client: &Client, reader: &Reader, call: Call, verify: V) -> Result<T, CallError>
where
    T: FromAnswer + Debug,
    V: Fn() -> F,
    F: Future<Output = Result<ReadBack<T>, CallError>>,
{
    // The client is asked for so that only what may write can come here; the reader is its own.
    let _ = client;
    let span = call.span();
    let run = async {
        let mut state = call::start(reader, call, type_name::<V>()).await?;
        loop {
            let ended = match state {
                State::Ready(ready) => ready.send().await?,
                State::Replay(replay) => replay.send().await?,
                State::InDoubt(mut doubt) => {
                    doubt.begin().await;
                    state = match doubt.within_the_deadline(verify()).await {
                        Ok(Ok(ReadBack::Found(value))) => {
                            doubt.found();
                            return Ok(value);
                        }
                        Ok(other) => doubt.judge(finding(other)),
                        Err(late) => doubt.judge(late),
                    };
                    continue;
                }
                State::Ended(error) => return Err(error),
            };
            match ended.read() {
                Ok((value, None)) => return Ok(value),
                Ok((value, Some(proving))) => {
                    prove(proving, format!("{value:?}"), verify).await;
                    return Ok(value);
                }
                Err(next) => state = next,
            }
        }
    };
    run.instrument(span).await
}

/// Makes a write call that nothing can read back: an unknown outcome ends it.
///
/// # Errors
/// As its stub documents.
pub async fn write_unverifiable<T: FromAnswer>(client: &Client, call: Call, why: &'static str) -> Result<T, CallError> {
    write_without_verifier(client, call, |doubt| State::Ended(doubt.without_verifier(why))).await
}

/// Makes a write call whose intent goes on record.
///
/// # Errors
/// As its stub documents.
pub async fn journaled<T: Outcome>(client: &Client, call: Call, stub: Recovery) -> Result<T, CallError> {
    call::journaled(client, call, stub).await
}

/// What recovery needs of a stub.
pub const fn recovery<T: Outcome>(stub: &'static Journaled<T>) -> Recovery {
    Recovery::new(stub)
}

/// A future behind a pointer.
pub fn boxed<F: Future + Send + 'static>(future: F) -> BoxFuture<'static, F::Output> {
    Box::pin(future)
}

/// The `T` of a `Result<T, CallError>`, by whatever name the stub calls it.
#[diagnostic::on_unimplemented(
    message = "a stub with `journal` returns `{Self}`",
    label = "a stub returns `Result<T, CallError>`"
)]
pub trait Returned {
    /// What a success is.
    type Value;
}

impl<T> Returned for Result<T, CallError> {
    type Value = T;
}

/// Makes a REST 3.0 write call whose idempotency key settles an unknown outcome.
///
/// # Errors
/// As its stub documents.
pub async fn write_idempotent<T: FromAnswer>(client: &Client, call: Call) -> Result<T, CallError> {
    write_without_verifier(client, call, InDoubt::replay).await
}

async fn write_without_verifier<T: FromAnswer>(
    client: &Client,
    call: Call,
    in_doubt: impl Fn(InDoubt) -> State,
) -> Result<T, CallError> {
    let span = call.span();
    let run = async {
        let mut state = call::start(client, call, "").await?;
        loop {
            let ended = match state {
                State::Ready(ready) => ready.send().await?,
                State::Replay(replay) => replay.send().await?,
                State::InDoubt(doubt) => {
                    state = in_doubt(doubt);
                    continue;
                }
                State::Ended(error) => return Err(error),
            };
            match ended.read() {
                Ok((value, _)) => return Ok(value),
                Err(next) => state = next,
            }
        }
    };
    run.instrument(span).await
}
