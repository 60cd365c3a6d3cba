//! One run: a call of one stub, what the portal did, and what was told of it.

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use retry_runtime::clock::Clock as _;
use retry_runtime::{CallError, Client, Id, Policy, Report};
use tokio::runtime::Builder;
use tokio::time::{sleep, timeout};

use crate::choices::Choices;
use crate::portal::{Bounds, Chooser, Lateness, ORDER};
use crate::support::{
    Fake, NewDeal, NewTask, Received, Record, Seen, Told, add_blind_deal, add_deal, add_sought_task, add_task,
    ensure_deal, once, secs,
};

/// Which stub is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stub {
    /// With a verifier.
    Verified,
    /// With a verifier that also looks before the first send.
    Ensured,
    /// With nothing.
    Unverifiable,
    /// With an idempotency key.
    Keyed,
    /// With a verifier and an idempotency key.
    VerifiedAndKeyed,
}

/// What cuts the call short.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Cut {
    Nothing,
    Deadline(Duration),
    /// The caller drops the future.
    Drop(Duration),
}

/// What happened. Times count from the start.
pub(crate) struct Story {
    /// When it first differs from the run before it.
    pub(crate) new_from: Duration,
    pub(crate) cut: Cut,
    pub(crate) attempts: u32,
    pub(crate) ended: Duration,
    /// `None` if the caller went away.
    pub(crate) result: Option<Result<Id, CallError>>,
    pub(crate) received: Vec<Received>,
    pub(crate) records: Vec<Record>,
    pub(crate) told: Vec<(Told, Report)>,
}

/// The default deadline of a call.
pub(crate) const DEADLINE: Duration = secs(300);

/// Longer than anything can still happen after a call has ended.
const AFTERWARDS: Duration = secs(1_000);

/// Makes the call, and gives back what was chosen on its way.
pub(crate) fn run(stub: Stub, cut: Cut, mut choices: Choices, bounds: Bounds, lateness: Lateness) -> (Story, Choices) {
    let attempts = [4, 1, 2][choices.take(3)];
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let chooser = Arc::new(Mutex::new(Chooser::new(choices, bounds, lateness)));
    let asked = Arc::clone(&chooser);
    let story = runtime.block_on(async move {
        let portal = Fake::new();
        let (clock, start) = (portal.clock().clone(), portal.clock().now());
        let now = move || clock.now().instant().saturating_duration_since(start.instant());
        let portal = portal.choosing(move |method| asked.lock().unwrap().step(method, now()));
        let observer = Seen::default();
        let deadline = if let Cut::Deadline(deadline) = cut { deadline } else { DEADLINE };
        let policy = Policy::new().attempts(attempts).deadline(deadline);
        let client = portal.builder().policy(policy).observer(observer.clone()).build().unwrap();
        let patience = if let Cut::Drop(patience) = cut { patience } else { Duration::MAX };
        let result = timeout(patience, call(stub, &client)).await.ok();
        let ended = portal.elapsed();
        sleep(AFTERWARDS).await;
        let (received, records, told) = (portal.received(), portal.records(), observer.all());
        let new_from = Duration::ZERO;
        Story { new_from, cut, attempts, ended, result, received, records, told }
    });
    drop(runtime);
    let chooser = chooser.lock().unwrap();
    let choices = chooser.choices.clone();
    let new_from = chooser.made_at.get(choices.newest()).copied().unwrap_or_default();
    (Story { new_from, ..story }, choices)
}

async fn call(stub: Stub, client: &Client) -> Result<Id, CallError> {
    let (deal, task, key) = (NewDeal::of(ORDER), NewTask::of(ORDER), once(ORDER));
    match stub {
        Stub::Verified => add_deal(client, &deal).await,
        Stub::Ensured => ensure_deal(client, &deal).await,
        Stub::Unverifiable => add_blind_deal(client, &deal).await,
        Stub::Keyed => add_task(client, &task, &key).await,
        Stub::VerifiedAndKeyed => add_sought_task(client, &task, &key).await,
    }
}

impl Story {
    /// The moments at which something new happened: a request left, its answer came, the call ended.
    pub(crate) fn moments(&self) -> Vec<Duration> {
        let answers = self.told.iter().flat_map(|(_, report)| report.attempts()).filter_map(|attempt| {
            let start = std::time::SystemTime::UNIX_EPOCH + crate::support::START;
            Some(attempt.sent_at?.duration_since(start).ok()? + attempt.took)
        });
        let mut moments: Vec<_> = self.received.iter().map(|received| received.at).chain(answers).collect();
        moments.push(self.ended);
        moments.retain(|moment| *moment >= self.new_from);
        moments.sort();
        moments.dedup();
        moments
    }
}

impl fmt::Display for Story {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let result = self.result.as_ref().map(|result| result.as_ref().map_err(CallError::effect));
        writeln!(f, "{:?}, {} attempts: {result:?} at {:?}", self.cut, self.attempts, self.ended)?;
        for (number, sent) in self.received.iter().enumerate() {
            writeln!(f, "request {number}: {} at {:?}, settled at {:?}", sent.method, sent.at, sent.settled)?;
        }
        for record in &self.records {
            writeln!(f, "record {} of request {:?}, there at {:?}", record.id, record.request, record.visible)?;
        }
        self.told.iter().try_for_each(|(told, report)| writeln!(f, "{told:?}:\n{report}"))
    }
}
