//! Plays a story, and remembers all that is known of it afterwards.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::time::Duration;

use retry_runtime::{Batching, CallError, Client, Id, Policy, RateLimit, Report};
use serde_json::Value;
use tokio::runtime::Builder;
use tokio::time::{sleep, timeout};

use crate::meets::{Meets, Said};
use crate::server::Server;
use crate::story::{Caller, Event, Ms, Settings, Story, Stub, Who};
use crate::support::{
    Fake, NewDeal, NewTask, OriginKey, Received, Record, Seen, Step, Told, add_blind_deal, add_deal, add_keyed_deal,
    add_sought_task, add_task, ensure_deal, list_deals, once, secs,
};

/// The order that calls share.
pub(crate) const SHARED: &str = "shared";

/// The script of all lists.
const LIST: &str = "list";

/// Longer than anything can still happen after the last call has ended.
const AFTERWARDS: Duration = secs(5_000);

/// One call.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) caller: Caller,
    /// What its request says, so that nobody else's says it: its own order, or the title of its deal.
    pub(crate) mark: String,
    pub(crate) began: Duration,
    pub(crate) ended: Duration,
    /// `None` if its caller went away. Of a read the first id, if any.
    pub(crate) result: Option<Result<Id, CallError>>,
}

/// What happened.
pub(crate) struct Played {
    pub(crate) calls: Vec<Call>,
    pub(crate) received: Vec<Received>,
    pub(crate) records: Vec<Record>,
    pub(crate) told: Vec<(Told, Report)>,
    /// What a client that knows of nothing is told of the shared order, when all is over.
    pub(crate) audit: Option<Result<Id, CallError>>,
}

impl Played {
    /// What the portal counts: a batch is one request.
    pub(crate) fn requests(&self) -> impl Iterator<Item = &Received> {
        self.received.iter().filter(|received| !received.in_batch)
    }
}

/// What a request says: the title of its deal, or of its task.
pub(crate) fn mark(arguments: &Value) -> &str {
    let fields = &arguments["fields"];
    fields["TITLE"].as_str().or(fields["title"].as_str()).unwrap_or_default()
}

pub(crate) fn play(story: &Story) -> Played {
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    runtime.block_on(run(story))
}

async fn run(story: &Story) -> Played {
    let portal = portal(story);
    let observer = Seen::default();
    let [a, b] = [1, 2].map(|seed| client(&story.settings, &portal, observer.clone(), seed));
    for (at, event) in story.events.clone() {
        let portal = portal.clone();
        tokio::spawn(async move {
            sleep(at.time()).await;
            happens(event, &portal);
        });
    }
    let callers = story.callers.iter().cloned().enumerate().map(|(number, caller)| {
        let client = match caller.who {
            Who::A => a.clone(),
            Who::B => b.clone(),
        };
        tokio::spawn(call(caller, number, client, portal.clone()))
    });
    let mut calls = Vec::new();
    for caller in callers.collect::<Vec<_>>() {
        calls.push(caller.await.unwrap());
    }
    // What was left behind comes to its end.
    sleep(AFTERWARDS).await;
    let (received, records, told) = (portal.received(), portal.records(), observer.all());
    let audit = audit(&portal, &records).await;
    Played { calls, received, records, told, audit }
}

/// The portal of the story. When it has nothing more to say of a method, that works.
fn portal(story: &Story) -> Fake {
    let shared_key = story.sharing(true).count() > 1;
    let lag = story.lag();
    let task = |meets: &Meets| if shared_key { meets.step_under_a_shared_key(lag) } else { meets.step(lag) };
    let plain = |meets: &Meets| (meets.step(lag), meets.hint, meets.said);
    let mut scripts: HashMap<&str, VecDeque<(Step, Option<Ms>, Said)>> = HashMap::from([
        ("crm.deal.add", story.deals.iter().map(plain).collect()),
        ("tasks.task.add", story.tasks.iter().map(|meets| (task(meets), meets.hint, meets.said)).collect()),
        ("batch", story.batches.iter().map(plain).collect()),
        (LIST, story.lists.iter().map(|shows| (shows.step(), None, Said::InSeconds)).collect()),
    ]);
    let portal = Fake::new();
    let server = Server { clock: portal.clock().clone(), skew: story.skew };
    // All that is no script of its own is a list.
    let portal = portal.choosing(move |method| {
        let script = if scripts.contains_key(method) { method } else { LIST };
        let (step, hint, said) = scripts.get_mut(script)?.pop_front()?;
        Some(hint.map_or(step.clone(), |hint| server.asks(step, hint.time(), said)))
    });
    portal.use_credentials(1);
    portal
}

fn client(settings: &Settings, portal: &Fake, observer: Seen, seed: u64) -> Client {
    let (base, cap) = settings.backoff;
    let policy =
        Policy::new().attempts(settings.attempts).deadline(settings.deadline.time()).backoff(base.time(), cap.time());
    let rate = settings.pace.map_or(RateLimit::none(), |(at_once, each)| RateLimit::new(at_once, each.time()));
    let builder = portal.builder().observer(observer).policy(policy).retry_budget(settings.budget).seed(seed);
    let client = builder.proof(settings.proof).rate_limit(rate).build().unwrap();
    if settings.batched { client.batched_with(Batching::new().in_flight(2)) } else { client }
}

fn happens(event: Event, portal: &Fake) {
    match event {
        Event::ClockForward(by) => portal.clock().set_forward(by.time()),
        Event::ClockBack(by) => portal.clock().set_back(by.time()),
        Event::Suspended(by) => portal.suspend(by.time()),
        Event::NewToken => portal.renew_credentials(),
    }
}

async fn call(caller: Caller, number: usize, client: Client, portal: Fake) -> Call {
    sleep(caller.comes.time()).await;
    let own = format!("call {number}");
    let order = if caller.shared { SHARED } else { own.as_str() };
    let mark = if caller.stub.is_task() { order.to_owned() } else { own.clone() };
    let deal = NewDeal { title: own.clone(), ..NewDeal::of(order) };
    let (task, key) = (NewTask::of(order), once(order));
    let began = portal.elapsed();
    let calling = async {
        match caller.stub {
            Stub::Read => {
                let page = list_deals(&client, &OriginKey::of(order)).await?;
                Ok(page.rows.first().map_or(Id(0), |row| row.id))
            }
            Stub::Verified => add_deal(&client, &deal).await,
            Stub::Blind => add_blind_deal(&client, &deal).await,
            Stub::Keyed => add_keyed_deal(&client, &deal).await,
            Stub::Ensured => ensure_deal(&client, &deal).await,
            Stub::Idempotent => add_task(&client, &task, &key).await,
            Stub::Sought => add_sought_task(&client, &task, &key).await,
        }
    };
    let result = match caller.patience {
        Some(patience) => timeout(patience.time(), calling).await.ok(),
        None => Some(calling.await),
    };
    Call { caller, mark, began, ended: portal.elapsed(), result }
}

/// A client that was just started looks for the shared order on a portal that works. Without a record it would make one.
async fn audit(portal: &Fake, records: &[Record]) -> Option<Result<Id, CallError>> {
    records.iter().find(|record| record.origin() == SHARED)?;
    portal.works();
    Some(ensure_deal(&portal.client(), &NewDeal::of(SHARED)).await)
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for call in &self.calls {
            let end = call.result.as_ref().map(|result| result.as_ref().map_err(CallError::effect));
            let (mark, stub) = (&call.mark, call.caller.stub);
            writeln!(f, "{mark} ({stub:?}): {:?} to {:?}: {end:?}", call.began, call.ended)?;
        }
        for (number, sent) in self.received.iter().enumerate() {
            let (mark, at) = (mark(&sent.arguments), sent.at);
            writeln!(f, "request {number}: {} {mark} at {at:?}, settled at {:?}", sent.method, sent.settled)?;
        }
        for record in &self.records {
            let (id, mark, visible) = (record.id, mark(&record.arguments), record.visible);
            writeln!(f, "record {id} of {mark}, request {:?}, there at {visible:?}", record.request)?;
        }
        self.told.iter().try_for_each(|(told, report)| writeln!(f, "{told:?}:\n{report}"))
    }
}
