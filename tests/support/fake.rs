//! A portal that is a script: no socket, paused time, and the truth about what was applied.

use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use retry_runtime::clock::{Clock, Moment};
use retry_runtime::transport::{Answer, BoxFuture, Heard, Loss, Request, Success, Transport, Wire};
use retry_runtime::{Client, ClientBuilder, Code, Proof, Settle};
use serde_json::{Value, json};

use super::clock::TurnedClock;
use super::step::{Claim, Reply, Step, When};
use super::truth::{Chooser, Known, Received, Record, Truth, View};

/// The send window of a client with default settings.
pub(super) const SEND_WINDOW: Duration = Duration::from_secs(5);

/// The wall clock at the start of each test: 30 November 2026, 00:53:20 UTC.
pub(crate) const START: Duration = Duration::from_secs(1_796_000_000);

/// The portal. A clone is another handle of it.
#[derive(Debug, Clone)]
pub(crate) struct Fake(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    clock: TurnedClock,
    start: Moment,
    truth: Mutex<Truth>,
}

impl Default for Fake {
    fn default() -> Self {
        Self::new()
    }
}

impl Fake {
    /// An empty portal whose methods work.
    pub(crate) fn new() -> Self {
        Self::starting_at(SystemTime::UNIX_EPOCH + START)
    }

    /// The same at another time of the wall clock.
    pub(crate) fn starting_at(wall: SystemTime) -> Self {
        let clock = TurnedClock::starting_at(wall);
        let start = clock.now();
        Self(Arc::new(Inner { clock, start, truth: Mutex::default() }))
    }

    /// What the next requests of a method meet, in order; after these it works.
    #[must_use]
    pub(crate) fn on(self, method: &'static str, steps: impl IntoIterator<Item = Step>) -> Self {
        self.then(method, steps);
        self
    }

    /// The same for a portal that is in use.
    pub(crate) fn then(&self, method: &'static str, steps: impl IntoIterator<Item = Step>) {
        self.truth(|truth| truth.scripts.entry(method).or_default().extend(steps));
    }

    /// What each request meets where no script says it; `None` works.
    #[must_use]
    pub(crate) fn choosing(self, choose: impl FnMut(&'static str) -> Option<Step> + Send + 'static) -> Self {
        self.truth(|truth| truth.chooser = Some(Chooser(Box::new(choose))));
        self
    }

    /// What a method shows, in place of the rows of a list.
    #[must_use]
    pub(crate) fn shows(self, method: &'static str, view: View) -> Self {
        self.truth(|truth| truth.views.insert(method, view));
        self
    }

    /// Requests go out with these credentials from now on, as a part of their bytes.
    pub(crate) fn use_credentials(&self, number: u64) {
        self.truth(|truth| truth.credentials = Some(number));
    }

    /// They are other ones from now on.
    pub(crate) fn renew_credentials(&self) {
        self.truth(|truth| truth.credentials = truth.credentials.map(|number| number + 1));
    }

    /// From now on each request works that no script speaks of.
    pub(crate) fn works(&self) {
        self.truth(|truth| truth.chooser = None);
    }

    /// The machine of the clients is suspended: its monotonic clock stands still, the wall clock and the portal go on.
    pub(crate) fn suspend(&self, by: Duration) {
        self.0.clock.set_forward(by);
        self.truth(|truth| truth.suspended += by);
    }

    /// A client of this portal: the limits of the cloud, its clock, one seed.
    pub(crate) fn client(&self) -> Client {
        self.builder().build().unwrap()
    }

    /// The same, to be changed. Its verifiers are believed: tests that count reads are not about the first one of each client.
    pub(crate) fn builder(&self) -> ClientBuilder {
        let builder = Client::builder().transport(self.clone()).clock(self.0.clock.clone());
        builder.settle(Settle::cloud()).seed(7).proof(Proof::Off)
    }

    /// The clock of the portal and of its clients.
    pub(crate) fn clock(&self) -> &TurnedClock {
        &self.0.clock
    }

    /// How often a method was sent.
    pub(crate) fn sends(&self, method: &str) -> usize {
        self.times(method).len()
    }

    /// Every request, in order.
    pub(crate) fn received(&self) -> Vec<Received> {
        self.truth(|truth| truth.received.clone())
    }

    /// When the requests of a method came.
    pub(crate) fn times(&self, method: &str) -> Vec<Duration> {
        self.received().iter().filter(|request| request.method == method).map(|request| request.at).collect()
    }

    /// What is there by now or will be.
    pub(crate) fn records(&self) -> Vec<Record> {
        self.truth(|truth| truth.records.clone())
    }

    /// How many effects of a method there are by now or will be.
    pub(crate) fn effects(&self, method: &str) -> usize {
        self.records().iter().filter(|record| record.method == method).count()
    }

    /// Puts a deal with this key there by other hands.
    pub(crate) fn insert_deal(&self, key: &str) -> u64 {
        let arguments = json!({"fields": {"ORIGINATOR_ID": "shop", "ORIGIN_ID": key}});
        let visible = self.elapsed();
        self.truth(|truth| truth.put(Record { id: 0, method: "crm.deal.add", arguments, request: None, visible }))
    }

    /// The time since the portal was made. It does not follow a wall clock that is turned.
    pub(crate) fn elapsed(&self) -> Duration {
        self.since_start(self.0.clock.now())
    }

    fn since_start(&self, moment: Moment) -> Duration {
        moment.instant().saturating_duration_since(self.0.start.instant())
    }

    pub(super) fn truth<T>(&self, look: impl FnOnce(&mut Truth) -> T) -> T {
        look(&mut self.0.truth.lock().unwrap())
    }

    async fn serve(&self, request: &Request, wire: &Wire) -> Result<Answer, Loss> {
        let step = self.truth(|truth| truth.next_step(request.method));
        if !step.waits.is_zero() {
            tokio::time::sleep(step.waits).await;
        }
        let sent = self.0.clock.now();
        let credentials = self.truth(|truth| truth.credentials);
        if credentials.is_some() && request.credentials.is_some_and(|wanted| Some(wanted) != credentials) {
            return Err(Loss::Unsendable { why: "the access token has changed since".into() });
        }
        if let Reply::NotSent = step.reply {
            return Err(Loss::NotSent { why: "connection refused".into() });
        }
        let may_leave = match step.claim {
            Claim::Once => wire.claim(sent),
            Claim::Twice => wire.claim(sent) && wire.claim(sent),
            Claim::Never => true,
        };
        if !may_leave {
            return Err(Loss::NotSent { why: "the wire was withdrawn".into() });
        }
        if let Some(number) = credentials {
            wire.sent_with(number);
        }
        let arguments: Value = serde_json::from_slice(&request.arguments).unwrap();
        let number = self.receive(request, arguments.clone(), sent, &step);
        if request.method == "batch" {
            return self.run_batch(request, number, sent, step).await;
        }
        let known = self.truth(|truth| truth.known(number));
        // Even a sleep of nothing takes a millisecond.
        if !step.takes.is_zero() {
            tokio::time::sleep(step.takes).await;
        }
        let now = self.elapsed();
        let made = self.apply(request, known, number, &step);
        if let Reply::TokenRenewed = step.reply {
            self.renew_credentials();
        }
        let honest = self.truth(|truth| truth.answer(request.method, &arguments, made, now.saturating_sub(step.lag)));
        reply(step, &honest, known, number, sent.after(SEND_WINDOW)).await
    }

    /// The effect of a request, or the record of the stored one.
    fn apply(&self, request: &Request, known: Known, number: usize, step: &Step) -> Option<u64> {
        let at = match (known, step.effect) {
            (Known::Yes(id), _) => return Some(id),
            (Known::WithOtherBytes, _) | (Known::No, When::Never) => return None,
            (Known::No, When::BeforeTheReply) => self.elapsed(),
            (Known::No, When::Late(after)) => self.elapsed() + after,
        };
        let made = self.truth(|truth| truth.apply(number, request.kind, at));
        if let Some(id) = made
            && step.is_stored()
        {
            self.truth(|truth| truth.store(number, id, at));
        }
        made
    }

    pub(super) fn receive(&self, request: &Request, arguments: Value, sent: Moment, step: &Step) -> usize {
        let at = self.since_start(sent);
        let slept = self.truth(|truth| truth.suspended);
        let received = Received {
            slept,
            method: request.method,
            at,
            arguments,
            bytes: request.arguments.to_vec(),
            read_back: request.read_back,
            in_batch: false,
            idempotency_key: request.idempotency_key.as_ref().map(ToString::to_string),
            token_renewed: request.token_renewed,
            asked: step.means,
            settled: step.may_be_applied_for().map(|time| at + time),
        };
        self.truth(|truth| {
            truth.received.push(received);
            truth.received.len() - 1
        })
    }
}

pub(super) async fn reply(
    step: Step,
    honest: &Value,
    known: Known,
    number: usize,
    last_byte_by: Moment,
) -> Result<Answer, Loss> {
    let replayed = matches!((&step.reply, known), (Reply::Honest, Known::Yes(_)));
    let heard = match step.reply {
        Reply::Honest if known == Known::WithOtherBytes => {
            Heard::Code { code: Code::of("IDEMPOTENCYKEYREUSEDEXCEPTION"), text: "another body".into() }
        }
        Reply::Honest => Heard::Success(Success::new(serde_json::to_vec(honest).unwrap())),
        Reply::Success(success) => Heard::Success(success),
        Reply::Code(code) => Heard::Code { code, text: step.text.into() },
        Reply::NoEnvelope => Heard::NoEnvelope { what: "a page of HTML".into() },
        Reply::Moved => Heard::Moved { host: "new.example.test".into() },
        // Alone there is no batch that could have an answer without it.
        Reply::Lost | Reply::Missing => return Err(Loss::Lost { why: "connection reset".into(), last_byte_by }),
        Reply::TokenRenewed => Heard::TokenRenewed,
        Reply::NoToken { passing } => Heard::NoToken { why: "the token server does not answer".into(), passing },
        Reply::NotSent => return Err(Loss::NotSent { why: "connection refused".into() }),
        Reply::Silence => {
            tokio::time::sleep(Duration::from_secs(65).saturating_sub(step.takes)).await;
            return Err(Loss::Lost { why: "timeout".into(), last_byte_by });
        }
        Reply::Panic => panic!("the transport of the test panics"),
    };
    Ok(Answer {
        hint: step.hint,
        replayed,
        status: Some(step.status),
        request_id: Some(format!("req-{}", number + 1).into()),
        ..Answer::new(heard, last_byte_by)
    })
}

impl Transport for Fake {
    fn send<'a>(&'a self, request: &'a Request, wire: &'a Arc<Wire>) -> BoxFuture<'a, Result<Answer, Loss>> {
        Box::pin(self.serve(request, wire))
    }
}
