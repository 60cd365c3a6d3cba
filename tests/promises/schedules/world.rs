//! One random schedule: its calls, and all that is known of them afterwards.

use std::fmt;
use std::time::Duration;

use fastrand::Rng;
use retry_runtime::{CallError, Client, Id, Proof, Report};
use serde_json::Value;
use tokio::time::{sleep, timeout};

use super::luck::{self, Limits};
use crate::support::{
    Fake, NewDeal, Received, Record, Seen, Told, add_blind_deal, add_deal, add_keyed_deal, ensure_deal, secs,
};

/// Which stub a call goes through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stub {
    Verified,
    Blind,
    Keyed,
    Ensured,
}

/// One call, known by the title of its deal.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) title: String,
    pub(super) stub: Stub,
    pub(super) began: Duration,
    pub(super) ended: Duration,
    /// `None` if its caller went away.
    pub(super) result: Option<Result<Id, CallError>>,
}

/// What happened.
pub(super) struct Story {
    pub(super) limits: Limits,
    /// The wall clock was turned: what it says of moments is worth nothing.
    pub(super) turned: bool,
    pub(super) calls: Vec<Call>,
    pub(super) received: Vec<Received>,
    pub(super) records: Vec<Record>,
    pub(super) told: Vec<(Told, Report)>,
}

impl fmt::Display for Story {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:?}, clocks turned: {}", self.limits, self.turned)?;
        for call in &self.calls {
            let end = call.result.as_ref().map(|result| result.as_ref().map_err(CallError::effect));
            writeln!(f, "{} ({:?}): {:?} to {:?}: {end:?}", call.title, call.stub, call.began, call.ended)?;
        }
        for (number, sent) in self.received.iter().enumerate() {
            let (title, at) = (title(&sent.arguments), sent.at);
            writeln!(f, "request {number}: {} {title} at {at:?}, settled at {:?}", sent.method, sent.settled)?;
        }
        for record in &self.records {
            let title = title(&record.arguments);
            writeln!(
                f,
                "record {} of {title}, request {:?}, there at {:?}",
                record.id, record.request, record.visible
            )?;
        }
        self.told.iter().try_for_each(|(told, report)| writeln!(f, "{told:?}:\n{report}"))
    }
}

/// A caller: it waits, then makes calls one after the other, of which it may abandon each.
struct Caller {
    client: Client,
    portal: Fake,
    first_wait: Duration,
    stub: Stub,
    order: String,
    /// Title and patience of each call.
    calls: Vec<(String, Option<Duration>)>,
}

impl Caller {
    async fn run(self) -> Vec<Call> {
        let mut calls = Vec::new();
        sleep(self.first_wait).await;
        for (title, patience) in self.calls {
            let deal = NewDeal { title: title.clone(), ..NewDeal::of(&self.order) };
            let began = self.portal.elapsed();
            let call = async {
                match self.stub {
                    Stub::Verified => add_deal(&self.client, &deal).await,
                    Stub::Blind => add_blind_deal(&self.client, &deal).await,
                    Stub::Keyed => add_keyed_deal(&self.client, &deal).await,
                    Stub::Ensured => ensure_deal(&self.client, &deal).await,
                }
            };
            let result = match patience {
                Some(patience) => timeout(patience, call).await.ok(),
                None => Some(call.await),
            };
            calls.push(Call { title, stub: self.stub, began, ended: self.portal.elapsed(), result });
        }
        calls
    }
}

pub(super) async fn play(seed: u64) -> Story {
    let mut rng = Rng::with_seed(seed);
    let rng = &mut rng;
    let portal = Fake::new();
    portal.then("crm.deal.add", (0..rng.usize(1..9)).map(|_| luck::write_step(rng)).collect::<Vec<_>>());
    portal.then("crm.deal.list", (0..rng.usize(..16)).map(|_| luck::read_step(rng)).collect::<Vec<_>>());
    let limits = luck::limits(rng);
    let budget = [0, 2, 100, 100, 100][rng.usize(..5)];
    let observer = Seen::default();
    let client = portal
        .builder()
        .observer(observer.clone())
        .policy(limits.policy())
        .retry_budget(budget)
        .seed(seed)
        .proof([Proof::AfterFirst, Proof::Demanded, Proof::Off][usize::try_from(seed % 3).unwrap()])
        .build()
        .unwrap();
    let turned = rng.u8(..4) == 0;
    if turned {
        turn_clocks(rng, &portal);
    }
    let callers: Vec<_> =
        (0..rng.usize(1..4)).map(|number| tokio::spawn(caller(rng, &client, &portal, number).run())).collect();
    let mut calls = Vec::new();
    for caller in callers {
        calls.append(&mut caller.await.unwrap());
    }
    // What was left behind comes to its end.
    sleep(secs(5_000)).await;
    Story { limits, turned, calls, received: portal.received(), records: portal.records(), told: observer.all() }
}

/// Callers with a key may share it; the others have an order each, so that what is found is their own.
fn caller(rng: &mut Rng, client: &Client, portal: &Fake, number: usize) -> Caller {
    let stub = [Stub::Verified, Stub::Blind, Stub::Keyed, Stub::Ensured][rng.usize(..4)];
    let (order, calls) = match stub {
        Stub::Verified | Stub::Blind => (format!("own-{number}"), 1),
        Stub::Keyed | Stub::Ensured => ("shared".to_owned(), rng.usize(1..4)),
    };
    let mut call = |turn: usize| {
        let patience = (rng.u8(..5) < 2).then(|| luck::up_to(rng, 250));
        (format!("call {number}.{turn}"), patience)
    };
    let calls = (0..calls).map(&mut call).collect();
    let first_wait = luck::up_to(rng, 20);
    Caller { client: client.clone(), portal: portal.clone(), first_wait, stub, order, calls }
}

fn turn_clocks(rng: &mut Rng, portal: &Fake) {
    for _ in 0..rng.usize(1..4) {
        let (after, by, forward) = (luck::up_to(rng, 200), luck::up_to(rng, 4_000), rng.bool());
        let clock = portal.clock().clone();
        tokio::spawn(async move {
            sleep(after).await;
            if forward { clock.set_forward(by) } else { clock.set_back(by) }
        });
    }
}

/// The title of the deal in a request.
pub(super) fn title(request: &Value) -> &str {
    request["fields"]["TITLE"].as_str().unwrap_or_default()
}
