//! What is on record when a call begins, and what follows from it.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use tokio::time::timeout_at;

use super::close::Settlement;
use super::log::{Log, TakenOver};
use crate::call::Call;
use crate::call::flight::Flight;
use crate::call::standing::Standing;
use crate::call::write::{self, Doubt, InDoubt, State};
use crate::client::{Reader, Shared};
use crate::effect::Effect;
use crate::error::CallError;
use crate::journal::{Beginning, Claim, Digest, Held, Intent, IntentId, Job, Journal, Record, State as OnRecord};
use crate::report::{Ending, utc};

/// The first wait for another worker; each further one is twice as long, up to the longest.
const FIRST_LOOK: Duration = Duration::from_millis(50);
const LONGEST_LOOK: Duration = Duration::from_secs(2);

/// What a task is made of.
pub(crate) enum Start {
    /// A call.
    Call(Call),
    /// An intent that nobody else holds any more.
    Claimed(Box<Intent>),
}

pub(super) enum Opened {
    /// It was applied before, with this result.
    Recalled(Bytes),
    /// The write loop begins here.
    Begun(State, Log),
}

/// The stub of a call, as far as its beginning goes.
#[derive(Clone, Copy)]
pub(super) struct Of {
    pub(super) method: &'static str,
    pub(super) path: &'static str,
    pub(super) has_verifier: bool,
}

type Ended = (CallError, Settlement);

/// Looks for the intent of a call, and begins where it is.
pub(super) async fn open(reader: &Reader, start: Start, of: Of) -> Result<Opened, Ended> {
    let Some(journal) = reader.shared.journal.clone() else {
        let call = match start {
            Start::Call(call) => call,
            Start::Claimed(intent) => Call::recalled(of.method, &intent),
        };
        return Err(nothing(
            Flight::open(reader, call).map_or_else(|invalid| invalid, |flight| flight.invalid(NO_JOURNAL)),
        ));
    };
    match start {
        Start::Call(call) => {
            let beginning = beginning(&reader.shared, &call, of.path);
            let ensure = call.is_ensured();
            let flight = write::ready(reader, call, of.path).await.map_err(nothing)?;
            Opening { journal, beginning, flight, of }.look(ensure).await
        }
        Start::Claimed(intent) => {
            // Without its key: a call that has it may be waiting for this very intent.
            let flight = write::without_key(reader, Call::recalled(of.method, &intent), of.path).map_err(|error| {
                journal.release(intent.held(), error.failure().why());
                (error, Settlement::Open)
            })?;
            let beginning = again(&intent, of.path);
            Ok(Opening { journal, beginning, flight, of }.take_over(&intent, true))
        }
    }
}

const fn nothing(error: CallError) -> Ended {
    (error, Settlement::NotApplied)
}

struct Opening {
    journal: Arc<dyn Journal>,
    beginning: Beginning,
    flight: Box<Flight>,
    of: Of,
}

impl Opening {
    async fn look(mut self, ensure: bool) -> Result<Opened, Ended> {
        let mut wait = FIRST_LOOK;
        loop {
            let known = match self.ask(|journal, beginning| journal.look(&beginning.id)).await {
                Ok(Some(known)) => known,
                Ok(None) => return self.first(ensure).await,
                Err(why) => return Err(nothing(self.flight.exhausted(why))),
            };
            let is_same = known.digest == self.beginning.digest;
            match &known.state {
                OnRecord::Ready { .. } | OnRecord::Rejected { .. } => {
                    self.beginning.expected = Some(known.epoch);
                    return self.begin(ensure, None).await;
                }
                _ if !is_same => return Err(nothing(self.flight.invalid(other_arguments(&known)))),
                OnRecord::Applied { result, .. } => {
                    self.flight.done(Ending::Recalled);
                    return Ok(Opened::Recalled(result.clone()));
                }
                OnRecord::Manual { why } => {
                    let why = format!("a person has to look at intent {} of the journal first: {why}", known.number);
                    return Err((self.in_doubt(why), Settlement::Manual));
                }
                OnRecord::Sending | OnRecord::Unknown { .. } => {
                    match self.ask(|journal, beginning| claim(journal, &beginning.id)).await {
                        Ok(Some(claimed)) => {
                            // What is on record: its bytes may have their keys in another order, and a replay under another
                            // idempotency key would be a second write.
                            self.flight.send_as(&claimed);
                            self.beginning = again(&claimed, self.of.path);
                            return Ok(self.take_over(&claimed, false));
                        }
                        Ok(None) => {}
                        Err(why) => return Err((self.in_doubt(why), Settlement::Open)),
                    }
                }
            }
            self.flight.sleep(wait).await;
            wait = wait.saturating_mul(2).min(LONGEST_LOOK);
            if self.flight.left().is_zero() {
                let why = format!("another worker was still at intent {} of the journal at the deadline", known.number);
                return Err((self.in_doubt(why), Settlement::Open));
            }
        }
    }

    /// Nothing is on record.
    async fn first(mut self, ensure: bool) -> Result<Opened, Ended> {
        let Some(why) = self.journal.suspicion() else { return self.begin(ensure, None).await };
        if !self.of.has_verifier {
            let why = format!(
                "{FORGOTTEN}: {why}. This call can't be read back, so a person has to see to the journal first"
            );
            return Err(nothing(self.flight.exhausted(why)));
        }
        // It may have been sent until now, by a process that left no trace here.
        let until = Standing::until(self.flight.now(), self.flight.shared().settle_time());
        self.flight.set_standing(until);
        tracing::debug!(%why, "a call without a record is read back before its first send");
        self.begin(true, None).await
    }

    async fn begin(mut self, ensure: bool, held: Option<Held>) -> Result<Opened, Ended> {
        let record = self.record(held);
        let state = write::begin(self.flight, ensure).await.map_err(nothing)?;
        Ok(Opened::Begun(state, Log::new(record, None)))
    }

    /// An attempt may be under way that somebody else has sent.
    fn take_over(mut self, intent: &Intent, by_recovery: bool) -> Opened {
        let record = self.record(Some(intent.held()));
        self.flight.take_over(intent.began);
        let age = self.flight.now().wall().duration_since(intent.began).unwrap_or_default();
        let doubt = InDoubt::new(self.flight, Doubt::Outcome { answer_lost: true });
        Opened::Begun(State::InDoubt(doubt), Log::new(record, Some(TakenOver { age, by_recovery })))
    }

    fn record(&mut self, held: Option<Held>) -> Arc<Record> {
        let shared = self.flight.shared();
        let every = shared.limiter.as_ref().and_then(|limiter| limiter.each());
        let record = Record::new(Arc::clone(&self.journal), shared.send_window, every, self.beginning.clone(), held);
        let record = Arc::new(record);
        self.flight.put_on_record(Arc::clone(&record));
        record
    }

    /// Asks the journal, until the deadline.
    async fn ask<'a, T: 'a>(
        &'a self,
        job: impl FnOnce(&'a dyn Journal, &'a Beginning) -> Job<'a, T>,
    ) -> Result<T, Cow<'static, str>> {
        let asked = timeout_at(self.flight.deadline().instant(), job(&*self.journal, &self.beginning)).await;
        match asked {
            Ok(answer) => answer.map_err(|error| error.to_string().into()),
            Err(_) => Err("the journal had not answered at the deadline".into()),
        }
    }

    fn in_doubt(self, why: impl Into<Cow<'static, str>>) -> CallError {
        CallError::InDoubt(self.flight.end(Ending::InDoubt, Effect::Unknown, why))
    }
}

fn claim<'a>(journal: &'a dyn Journal, id: &IntentId) -> Job<'a, Option<Intent>> {
    let claim = Claim::One(id.clone());
    Box::pin(async move { Ok(journal.claim(&claim).await?.pop()) })
}

/// The first attempt of a call.
fn beginning(shared: &Shared, call: &Call, path: &'static str) -> Beginning {
    let arguments = call.arguments().clone().unwrap_or_default();
    let idempotency_key = call.idempotency_key_text().map(Box::from);
    let key = call.business_key().map_or_else(|| idempotency_key.clone().unwrap_or_else(|| made_up(shared)), Box::from);
    Beginning {
        id: IntentId { portal: shared.portal.clone(), method: call.method().into(), key },
        stub: path.into(),
        version: call.version(),
        digest: Digest::of(&arguments),
        arguments,
        idempotency_key,
        expected: None,
        story: Vec::new(),
    }
}

/// A further attempt of an intent on record.
fn again(intent: &Intent, path: &'static str) -> Beginning {
    Beginning {
        id: intent.id.clone(),
        stub: path.into(),
        version: intent.version,
        arguments: intent.arguments.clone().unwrap_or_default(),
        digest: intent.digest,
        idempotency_key: intent.idempotency_key.clone(),
        expected: Some(intent.epoch),
        story: Vec::new(),
    }
}

/// A key for a call that has none: the time first, so that a list of them is in order.
fn made_up(shared: &Shared) -> Box<str> {
    let since = shared.clock.now().wall().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    format!("~{:012x}{:020x}", since.as_millis(), fastrand::u128(..) >> 48).into()
}

fn other_arguments(known: &Intent) -> String {
    format!(
        "intent {} of the journal has the same key with other arguments, and is {} since {}. One key is one operation: give a changed one another key",
        known.number,
        known.state.as_str(),
        utc(known.began)
    )
}

const NO_JOURNAL: &str = "its stub says `journal`, but the client has none: give it one with ClientBuilder::journal";

const FORGOTTEN: &str = "the journal may have forgotten what was sent";
