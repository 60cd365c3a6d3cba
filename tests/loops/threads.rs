//! What only several threads can show. Time is real here, and nothing waits for long.

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread::ThreadId;
use std::time::Duration;

use retry_runtime::clock::{Clock, Moment, SystemClock};
use retry_runtime::transport::{Answer, BoxFuture, Heard, Loss, Request, Success, Transport, Wire};
use retry_runtime::{Client, Observer, Report, Settle};
use tokio::sync::Notify;

use crate::support::{NewDeal, add_keyed_deal};

/// Answers after a few turns of the scheduler, and now and then after a little longer, so that it is dropped under way on any machine.
#[derive(Debug)]
struct Quick;

impl Transport for Quick {
    fn send<'a>(&'a self, request: &'a Request, wire: &'a Arc<Wire>) -> BoxFuture<'a, Result<Answer, Loss>> {
        Box::pin(async move {
            for _ in 0..request.arguments.len() % 7 {
                tokio::task::yield_now().await;
            }
            let now = SystemClock.now();
            if !wire.claim(now) {
                return Err(Loss::NotSent { why: "withdrawn".into() });
            }
            for _ in 0..request.arguments.len() % 5 {
                tokio::task::yield_now().await;
            }
            if request.arguments.len().is_multiple_of(3) {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
            Ok(Answer::new(Heard::Success(Success::new(bytes::Bytes::from_static(b"1"))), now))
        })
    }
}

/// What was told of each key, in order.
#[derive(Debug, Clone, Default)]
struct Order(Arc<Mutex<HashMap<String, Vec<&'static str>>>>);

impl Order {
    fn has(&self, what: &'static str) -> bool {
        self.0.lock().unwrap().values().any(|told| told.contains(&what))
    }

    fn note(&self, report: &Report, what: &'static str) {
        self.0.lock().unwrap().entry(report.key().unwrap().to_owned()).or_default().push(what);
    }
}

impl Observer for Order {
    fn finished(&self, report: &Report) {
        self.note(report, "finished");
    }

    fn dropped(&self, report: &Report) {
        self.note(report, "dropped");
    }

    fn answered_late(&self, report: &Report) {
        self.note(report, "answered late");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_drop_is_told_once_and_before_its_late_answer_whatever_the_threads_do() {
    let order = Order::default();
    let client = Client::builder().transport(Quick).settle(Settle::cloud()).observer(order.clone()).build().unwrap();
    let mut rounds = 0;
    // At the least 200 rounds, and as many as it takes to drop a call in flight.
    while rounds < 200 || (!order.has("answered late") && rounds < 2_000) {
        drop_sixteen(&client, rounds).await;
        rounds += 1;
    }
    assert!(order.has("answered late"), "no call was dropped in flight");
    // The last late answers.
    tokio::time::sleep(Duration::from_millis(200)).await;
    for (key, told) in &*order.0.lock().unwrap() {
        let right = matches!(told.as_slice(), ["finished" | "dropped"] | ["dropped", "answered late"]);
        assert!(right, "{key}: {told:?}");
    }
}

/// Makes sixteen calls and drops each a little later.
async fn drop_sixteen(client: &Client, round: usize) {
    let calls: Vec<_> = (0..16)
        .map(|number| {
            let client = client.clone();
            let deal = NewDeal::of(&format!("A-{round}-{}", "x".repeat(number)));
            tokio::spawn(async move { add_keyed_deal(&client, &deal).await })
        })
        .collect();
    for (turns, call) in calls.iter().enumerate() {
        for _ in 0..turns % 3 {
            tokio::task::yield_now().await;
        }
        if turns % 4 == 3 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        call.abort();
    }
    for call in calls {
        let _ = call.await;
    }
}

/// A transport and a clock that together let the answer out in the middle of a drop.
#[derive(Debug)]
struct Meddler {
    /// The thread that drops, once it does, and how often it may ask for the time before the answer comes.
    dropping: Mutex<Option<(ThreadId, u32)>>,
    out: Notify,
    /// Closed when the late answer has been told.
    heard: Mutex<Receiver<()>>,
}

#[derive(Debug, Clone)]
struct Meddling(Arc<Meddler>);

impl Clock for Meddling {
    fn now(&self) -> Moment {
        let mut dropping = self.0.dropping.lock().unwrap();
        if let Some((thread, left)) = &mut *dropping
            && *thread == std::thread::current().id()
        {
            *left -= 1;
            if *left == 0 {
                *dropping = None;
                drop(dropping);
                self.0.out.notify_one();
                // Long enough for the other thread, and no longer if the late answer has to wait for us.
                let _ = self.0.heard.lock().unwrap().recv_timeout(Duration::from_millis(100));
            }
        }
        SystemClock.now()
    }
}

impl Transport for Meddling {
    fn send<'a>(&'a self, _: &'a Request, wire: &'a Arc<Wire>) -> BoxFuture<'a, Result<Answer, Loss>> {
        Box::pin(async move {
            let now = SystemClock.now();
            assert!(wire.claim(now));
            self.0.out.notified().await;
            Ok(Answer::new(Heard::Success(Success::new(bytes::Bytes::from_static(b"1"))), now))
        })
    }
}

/// Remembers, and says when a late answer was told.
struct Tells(Order, Sender<()>);

impl Observer for Tells {
    fn dropped(&self, report: &Report) {
        self.0.dropped(report);
    }

    fn answered_late(&self, report: &Report) {
        self.0.answered_late(report);
        let _ = self.1.send(());
    }
}

/// What is told of a call whose answer comes while it is dropped, when the time is asked for so often.
async fn told_when_the_answer_comes_at(turn: u32) -> Vec<&'static str> {
    let (tell, heard) = std::sync::mpsc::channel();
    let meddler = Meddler { dropping: Mutex::default(), out: Notify::new(), heard: Mutex::new(heard) };
    let (meddling, order) = (Meddling(Arc::new(meddler)), Order::default());
    let client = Client::builder()
        .transport(meddling.clone())
        .clock(meddling.clone())
        .settle(Settle::cloud())
        .observer(Tells(order.clone(), tell))
        .build()
        .unwrap();
    let deal = NewDeal::of("A-1");
    let mut call = Box::pin(add_keyed_deal(&client, &deal));
    assert!(tokio::time::timeout(Duration::from_millis(20), &mut call).await.is_err());
    *meddling.0.dropping.lock().unwrap() = Some((std::thread::current().id(), turn));
    drop(call);
    *meddling.0.dropping.lock().unwrap() = None;
    meddling.0.out.notify_one();
    tokio::time::sleep(Duration::from_millis(20)).await;
    order.0.lock().unwrap()["A-1"].clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_late_answer_that_comes_in_the_middle_of_a_drop_is_told_after_it() {
    for turn in 1..6 {
        let told = told_when_the_answer_comes_at(turn).await;
        // If the answer was there before the drop was over, the report of the drop has it.
        assert!(matches!(told.as_slice(), ["dropped"] | ["dropped", "answered late"]), "turn {turn}: {told:?}");
    }
}
