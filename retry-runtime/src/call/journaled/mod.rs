//! The write loop of a stub that says `journal`: in a task of its own, from what is on record to what is on record.
//!
//! A dropped caller stops waiting, and nothing else: the task sends, waits, reads back and puts the end on record. After a crash the
//! same task is made of the record.

mod close;
mod log;
mod open;
mod recalled;
mod recovery;
mod story;

pub use close::Settlement;
pub use recalled::{Arguments, Outcome, Recalled};
pub(crate) use recovery::recover;
pub use recovery::{Recovered, Recovery, Settled};

use std::any::Any;
use std::panic::resume_unwind;

use bytes::Bytes;
use tracing::Instrument as _;

use self::log::{Log, No, on_record};
use self::open::{Of, Opened, Start};
use super::write::{InDoubt, SendEnded, State};
use super::{Call, finding, prove};
use crate::client::{Client, Reader};
use crate::effect::{Effect, OperationKind};
use crate::error::{CallError, Failure};
use crate::journal::{How, Intent};
use crate::read_back::ReadBack;
use crate::report::Report;
use crate::transport::BoxFuture;

/// A stub that says `journal`, as generated code describes it.
#[derive(Debug)]
pub struct Journaled<T: 'static> {
    /// The method it calls.
    pub method: &'static str,
    /// The path of its function.
    pub path: &'static str,
    /// Whether recovery sends again what was not applied.
    pub resend: bool,
    /// What settles an unknown outcome.
    pub way: Way<T>,
}

/// Calls the verifier of a stub with the arguments on record.
pub type Check<T> = fn(Reader, Arguments) -> BoxFuture<'static, Result<ReadBack<T>, CallError>>;

/// What settles an unknown outcome of a stub.
pub enum Way<T: 'static> {
    /// Its verifier.
    ReadBack(Check<T>),
    /// Its idempotency key.
    Replay,
    /// A person, for this reason.
    Stop(&'static str),
}

impl<T> std::fmt::Debug for Way<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::ReadBack(_) => "ReadBack",
            Self::Replay => "Replay",
            Self::Stop(_) => "Stop",
        })
    }
}

/// A stub, whatever it returns.
pub(crate) trait Runs: Sync {
    fn method(&self) -> &'static str;
    fn path(&self) -> &'static str;
    fn run(&'static self, client: Client, start: Start) -> BoxFuture<'static, Ran>;

    /// Whether this stub made the intent.
    fn made(&self, intent: &Intent) -> bool {
        self.path() == &*intent.stub && self.method() == &*intent.id.method
    }
}

/// How a task ended.
pub(crate) struct Ran {
    pub(super) result: Result<Got, CallError>,
    pub(super) settlement: Settlement,
}

/// What a task ended with.
pub(super) enum Got {
    /// The result of a call that it made itself.
    Made(Box<dyn Any + Send>),
    /// The result that was on record.
    Recalled(Bytes),
}

/// Makes a call whose intent goes on record.
pub(crate) async fn journaled<T: Outcome>(client: &Client, call: Call, stub: Recovery) -> Result<T, CallError> {
    let method = call.method();
    let span = call.span();
    let ran = stub.0.run(client.clone(), Start::Call(call)).instrument(span);
    let Ok(task) = client.shared().spawn(ran) else {
        return Err(unsent(method, "the client is shutting down, and takes no further intent"));
    };
    match task.await {
        Ok(Ran { result: Ok(Got::Made(value)), .. }) => {
            value.downcast().map(|value| *value).map_err(|_| unread(method, "it is of another type"))
        }
        Ok(Ran { result: Ok(Got::Recalled(result)), .. }) => {
            serde_json::from_slice(&result).map_err(|error| unread(method, &error.to_string()))
        }
        Ok(Ran { result: Err(error), .. }) => Err(error),
        Err(broken) if broken.is_panic() => resume_unwind(broken.into_panic()),
        Err(_) => Err(CallError::InDoubt(Failure::new(
            Effect::Unknown,
            "the task that makes the call was ended with its runtime; the journal knows how far it was",
            blank(method),
        ))),
    }
}

fn unsent(method: &'static str, why: &'static str) -> CallError {
    CallError::Invalid(Failure::new(Effect::Absent, why, blank(method)))
}

fn unread(method: &'static str, error: &str) -> CallError {
    let why = format!("it was applied, but its result in the journal does not read as the type of the stub: {error}");
    CallError::Undecodable(Failure::new(Effect::Present, why, blank(method)))
}

/// The report of a call that another one, or another process, has made.
fn blank(method: &'static str) -> Report {
    #[expect(clippy::disallowed_methods, reason = "for people, in a report about nothing")]
    Report::new(method, OperationKind::Write, std::time::SystemTime::now())
}

impl<T: Outcome> Runs for Journaled<T> {
    fn method(&self) -> &'static str {
        self.method
    }

    fn path(&self) -> &'static str {
        self.path
    }

    fn run(&'static self, client: Client, start: Start) -> BoxFuture<'static, Ran> {
        Box::pin(self.go(client, start))
    }
}

impl<T: Outcome> Journaled<T> {
    async fn go(&'static self, client: Client, start: Start) -> Ran {
        let again = match &start {
            Start::Call(call) => Some(call.clone()),
            Start::Claimed(_) => None,
        };
        let began = client.shared().clock.now();
        match (self.once(&client, start).await, again) {
            // Two had nothing on record before them, and the other one was first: what it makes of it is the result here too.
            (Went::Taken(_), Some(call)) => {
                let rest = client.with_the_rest_of_its_time(began);
                self.once(&rest, Start::Call(call)).await.over()
            }
            (went, _) => went.over(),
        }
    }

    async fn once(&'static self, client: &Client, start: Start) -> Went {
        let reader = match self.way {
            Way::ReadBack(_) => client.marked(),
            Way::Replay | Way::Stop(_) => (**client).clone(),
        };
        let of = Of { method: self.method, path: self.path, has_verifier: matches!(self.way, Way::ReadBack(_)) };
        match open::open(&reader, start, of).await {
            Ok(Opened::Recalled(result)) => {
                Went::Over(Ran { result: Ok(Got::Recalled(result)), settlement: Settlement::Applied })
            }
            Ok(Opened::Begun(state, log)) => self.carry_on(&reader, state, log).await,
            Err((error, settlement)) => Went::Over(Ran { result: Err(error), settlement }),
        }
    }

    /// The write loop, with its record.
    async fn carry_on(&'static self, reader: &Reader, mut state: State, mut log: Log) -> Went {
        loop {
            let next = match state {
                State::Ready(ready) => match log.forbids(self.resend) {
                    None => {
                        log.tell_next(ready.report());
                        self.landed(reader, ready.send().await, &mut log).await
                    }
                    Some(No::Left(why)) => Err(State::Ended(ready.leave(why))),
                    Some(No::Aged(why)) => Err(State::Ended(ready.doubt(why))),
                },
                State::Replay(replay) => {
                    log.tell_next(replay.report());
                    self.landed(reader, replay.send().await, &mut log).await
                }
                State::InDoubt(doubt) => {
                    log.in_doubt(doubt.report()).await;
                    self.settled(reader, doubt, &mut log).await
                }
                State::Ended(error) => return log.ended(error).await,
            };
            match next {
                Ok(ran) => return Went::Over(ran),
                Err(next) => state = next,
            }
        }
    }

    /// Reads what a send ended with; or says where the write is now.
    async fn landed(
        &'static self,
        reader: &Reader,
        ended: Result<SendEnded, CallError>,
        log: &mut Log,
    ) -> Result<Ran, State> {
        let (value, proving, report) = ended.map_err(State::Ended)?.land::<T>()?;
        log.applied(How::Answer, on_record(&value), &report).await;
        if let (Some(proving), Way::ReadBack(check)) = (proving, &self.way) {
            let arguments = Arguments::new(report.request.clone());
            prove(proving, format!("{value:?}"), || check(reader.clone(), arguments.clone())).await;
        }
        Ok(Ran::made(value))
    }

    /// Takes the next step to settle a doubt.
    async fn settled(&'static self, reader: &Reader, mut doubt: InDoubt, log: &mut Log) -> Result<Ran, State> {
        let check = match &self.way {
            Way::ReadBack(check) => check,
            Way::Replay => return Err(doubt.replay()),
            Way::Stop(why) => return Err(State::Ended(doubt.without_verifier(why))),
        };
        let arguments = Arguments::new(doubt.report().request.clone());
        doubt.begin().await;
        match doubt.within_the_deadline(check(reader.clone(), arguments)).await {
            Ok(Ok(ReadBack::Found(value))) => {
                let report = doubt.found();
                log.applied(How::ReadBack, on_record(&value), &report).await;
                Ok(Ran::made(value))
            }
            Ok(other) => Err(doubt.judge(finding(other))),
            Err(late) => Err(doubt.judge(late)),
        }
    }
}

/// How the write loop went.
enum Went {
    Over(Ran),
    /// Another worker has the intent: this is the error if that is the end here.
    Taken(CallError),
}

impl Went {
    fn over(self) -> Ran {
        match self {
            Self::Over(ran) => ran,
            Self::Taken(error) => Ran { result: Err(error), settlement: Settlement::Open },
        }
    }
}

impl Ran {
    fn made<T: Outcome>(value: T) -> Self {
        Self { result: Ok(Got::Made(Box::new(value))), settlement: Settlement::Applied }
    }
}
