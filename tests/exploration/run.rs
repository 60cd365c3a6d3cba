//! One run: a call of one stub, what the portal did, and what was told of it.

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use retry_runtime::clock::Clock as _;
use retry_runtime::{CallError, Client, Id, Policy, Report};
use tokio::runtime::Builder;
use tokio::time::{sleep, timeout};

use crate::choices::Choices;
use crate::portal::{Bounds, Chooser, Lateness, ORDER, Ways};
use crate::support::{
    Fake, NewDeal, NewTask, Received, Record, START, Seen, Told, add_blind_deal, add_deal, add_sought_task, add_task,
    ensure_deal, once, secs,
};
use crate::trust::Trust;

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

/// What is the same in all runs of an exploration.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setting {
    pub(crate) stub: Stub,
    pub(crate) trust: Trust,
    pub(crate) lateness: Lateness,
    pub(crate) bounds: Bounds,
}

/// What cuts the call short.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Cut {
    Nothing,
    Deadline(Duration),
    /// The caller drops the future.
    Drop(Duration),
}

/// What happened. Times count from when the call began, and so do the numbers of requests.
pub(crate) struct Story {
    pub(crate) trust: Trust,
    began: Duration,
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
pub(crate) fn run(setting: Setting, ways: &Arc<Ways>, cut: Cut, mut choices: Choices) -> (Story, Choices) {
    let Setting { stub, trust, bounds, .. } = setting;
    let attempts = [4, 1, 2][choices.take(3)];
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let chooser = Arc::new(Mutex::new(Chooser::new(choices, bounds, Arc::clone(ways))));
    let asked = Arc::clone(&chooser);
    let story = runtime.block_on(async move {
        let (portal, observer) = (Fake::new(), Seen::default());
        let deadline = if let Cut::Deadline(deadline) = cut { deadline } else { DEADLINE };
        let policy = Policy::new().attempts(attempts).deadline(deadline);
        let client = portal.builder().policy(policy).proof(trust.setting()).observer(observer.clone()).build().unwrap();
        trust.begin(stub, &client, &portal, &observer).await;
        let before = (portal.received().len(), portal.records().len(), observer.all().len());
        let (clock, start, began) = (portal.clock().clone(), portal.clock().now(), portal.elapsed());
        let now = move || clock.now().instant().saturating_duration_since(start.instant());
        let portal = portal.choosing(move |method| asked.lock().unwrap().step(method, now()));
        let patience = if let Cut::Drop(patience) = cut { patience } else { Duration::MAX };
        let result = timeout(patience, call(stub, &client, ORDER)).await.ok();
        let ended = portal.elapsed() - began;
        sleep(AFTERWARDS).await;
        let mut received = portal.received().split_off(before.0);
        for received in &mut received {
            received.at -= began;
            received.settled = received.settled.map(|settled| settled - began);
        }
        let mut records = portal.records().split_off(before.1);
        for record in &mut records {
            record.request = record.request.map(|request| request - before.0);
            record.visible -= began;
        }
        let told = observer.all().split_off(before.2);
        let new_from = Duration::ZERO;
        Story { trust, began, new_from, cut, attempts, ended, result, received, records, told }
    });
    drop(runtime);
    let chooser = chooser.lock().unwrap();
    let choices = chooser.choices.clone();
    let new_from = chooser.made_at.get(choices.newest()).copied().unwrap_or_default();
    (Story { new_from, ..story }, choices)
}

pub(crate) async fn call(stub: Stub, client: &Client, order: &str) -> Result<Id, CallError> {
    let (deal, task, key) = (NewDeal::of(order), NewTask::of(order), once(order));
    match stub {
        Stub::Verified => add_deal(client, &deal).await,
        Stub::Ensured => ensure_deal(client, &deal).await,
        Stub::Unverifiable => add_blind_deal(client, &deal).await,
        Stub::Keyed => add_task(client, &task, &key).await,
        Stub::VerifiedAndKeyed => add_sought_task(client, &task, &key).await,
    }
}

impl Story {
    /// A moment of the wall clock as the story counts.
    pub(crate) fn since_start(&self, wall: SystemTime) -> Duration {
        wall.duration_since(SystemTime::UNIX_EPOCH + START + self.began).unwrap_or_default()
    }

    /// The moments at which something new happened: a request left, its answer came, the call ended.
    pub(crate) fn moments(&self) -> Vec<Duration> {
        let answers = self
            .told
            .iter()
            .flat_map(|(_, report)| report.attempts())
            .filter_map(|attempt| Some(self.since_start(attempt.sent_at?) + attempt.took));
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
        writeln!(f, "{:?}, {:?}, {} attempts: {result:?} at {:?}", self.trust, self.cut, self.attempts, self.ended)?;
        for (number, sent) in self.received.iter().enumerate() {
            writeln!(f, "request {number}: {} at {:?}, settled at {:?}", sent.method, sent.at, sent.settled)?;
        }
        for record in &self.records {
            writeln!(f, "record {} of request {:?}, there at {:?}", record.id, record.request, record.visible)?;
        }
        self.told.iter().try_for_each(|(told, report)| writeln!(f, "{told:?}:\n{report}"))
    }
}
