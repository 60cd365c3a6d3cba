//! One batched client in several runtimes. Time is real here, and nothing waits for long.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::task::{Context, Waker};
use std::time::Duration;

use retry_runtime::clock::{Clock as _, SystemClock};
use retry_runtime::transport::{Answer, BoxFuture, Heard, Loss, Request, Success, Transport, Wire};
use retry_runtime::{Batching, CallError, Client, Effect, Id, Settle};
use serde_json::{Value, json};

use crate::support::{NewDeal, add_blind_deal};

/// Answers batches, or never answers; counts the calls of each request.
#[derive(Debug, Clone, Default)]
struct Counter {
    sizes: Arc<Mutex<Vec<usize>>>,
    silent: bool,
}

impl Transport for Counter {
    fn send<'a>(&'a self, request: &'a Request, wire: &'a Arc<Wire>) -> BoxFuture<'a, Result<Answer, Loss>> {
        Box::pin(async move {
            let now = SystemClock.now();
            if !wire.claim(now) {
                return Err(Loss::NotSent { why: "withdrawn".into() });
            }
            let body: Value = serde_json::from_slice(&request.arguments).unwrap();
            let names: Vec<&String> = body["cmd"].as_object().map(|map| map.keys().collect()).unwrap_or_default();
            self.sizes.lock().unwrap().push(names.len().max(1));
            if self.silent {
                std::future::pending::<()>().await;
            }
            let results: Value = names.iter().map(|name| ((*name).clone(), json!(1))).collect();
            let result = if names.is_empty() { json!(1) } else { json!({"result": results}) };
            Ok(Answer::new(Heard::Success(Success::new(result.to_string())), now))
        })
    }
}

impl Counter {
    fn client(&self, window: Duration) -> Client {
        let client = Client::builder().transport(self.clone()).settle(Settle::cloud()).build().unwrap();
        client.batched_with(Batching::new().window(window))
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap()
}

/// Makes so many calls at the same time.
async fn calls(client: &Client, count: usize) {
    let calls: Vec<_> = (0..count)
        .map(|number| {
            let client = client.clone();
            tokio::spawn(async move { add_blind_deal(&client, &NewDeal::of(&format!("A-{number}"))).await })
        })
        .collect();
    for call in calls {
        call.await.unwrap().unwrap();
    }
}

#[test]
fn a_runtime_that_stands_still_does_not_hold_up_another() {
    let counter = Counter::default();
    let client = counter.client(Duration::from_millis(20));
    let stalled = runtime();
    let own = client.clone();
    // Its call waits in the queue when the runtime is no longer driven.
    let waiting = stalled.spawn(async move { calls(&own, 3).await });
    stalled.block_on(async { tokio::task::yield_now().await });
    runtime().block_on(calls(&client, 4));
    assert_eq!(*counter.sizes.lock().unwrap(), [4]);
    stalled.block_on(waiting).unwrap();
    assert_eq!(*counter.sizes.lock().unwrap(), [4, 3]);
}

/// How three calls end whose exchanges and worker go down with the runtime they were begun in: when their batch has left, or before.
fn ended_by_a_shutdown(counter: &Counter, window: Duration, has_left: bool) -> Vec<Result<Id, CallError>> {
    let client = counter.client(window);
    let doomed = runtime();
    let entered = doomed.enter();
    let mut calls: Vec<_> = (0..3)
        .map(|number| {
            let client = client.clone();
            Box::pin(async move { add_blind_deal(&client, &NewDeal::of(&format!("A-{number}"))).await })
        })
        .collect();
    for call in &mut calls {
        assert!(call.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    drop(entered);
    doomed.block_on(async {
        tokio::task::yield_now().await;
        while has_left && counter.sizes.lock().unwrap().is_empty() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    });
    drop(doomed);
    runtime().block_on(async {
        let mut ended = Vec::new();
        for call in calls {
            ended.push(call.await);
        }
        ended
    })
}

#[test]
fn p3_a_runtime_that_is_shut_down_leaves_what_was_sent_in_doubt() {
    let counter = Counter { silent: true, ..Counter::default() };
    let ended = ended_by_a_shutdown(&counter, Duration::from_millis(20), true);
    assert_eq!(*counter.sizes.lock().unwrap(), [3]);
    for call in ended {
        assert_eq!(call.unwrap_err().effect(), Effect::Unknown);
    }
}

#[test]
fn a_runtime_that_is_shut_down_gives_back_what_had_not_left() {
    let counter = Counter::default();
    let ended = ended_by_a_shutdown(&counter, Duration::from_secs(2), false);
    assert!(ended.iter().all(Result::is_ok), "sent by the other runtime: {ended:?}");
    assert_eq!(counter.sizes.lock().unwrap().iter().sum::<usize>(), 3, "each once");
}

/// Answers batches after a few turns of the scheduler, and remembers how often each deal was sent.
#[derive(Debug, Clone, Default)]
struct Ledger(Arc<Mutex<HashMap<String, usize>>>);

impl Transport for Ledger {
    fn send<'a>(&'a self, request: &'a Request, wire: &'a Arc<Wire>) -> BoxFuture<'a, Result<Answer, Loss>> {
        Box::pin(async move {
            let now = SystemClock.now();
            if !wire.claim(now) {
                return Err(Loss::NotSent { why: "withdrawn".into() });
            }
            let body: Value = serde_json::from_slice(&request.arguments).unwrap();
            let Some(commands) = body["cmd"].as_object() else {
                let order = body["fields"]["ORIGIN_ID"].as_str().unwrap().to_owned();
                *self.0.lock().unwrap().entry(order).or_default() += 1;
                return Ok(Answer::new(Heard::Success(Success::new("1")), now));
            };
            for command in commands.values() {
                let order = command.as_str().unwrap().rsplit_once('=').unwrap().1.to_owned();
                *self.0.lock().unwrap().entry(order).or_default() += 1;
            }
            for _ in 0..commands.len() % 7 {
                tokio::task::yield_now().await;
            }
            let results: Value = commands.keys().map(|name| (name.clone(), json!(1))).collect();
            Ok(Answer::new(Heard::Success(Success::new(json!({"result": results}).to_string())), now))
        })
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn p4_whatever_the_threads_do_each_call_is_sent_once_or_not_at_all() {
    let ledger = Ledger::default();
    let client = Client::builder().transport(ledger.clone()).settle(Settle::cloud()).build().unwrap();
    let client = client.batched_with(Batching::new().window(Duration::from_millis(1)).most(10).in_flight(3));
    for round in 0..100 {
        let calls: Vec<_> = (0..40)
            .map(|number| {
                let (client, order) = (client.clone(), format!("{round}x{number}"));
                tokio::spawn(async move { add_blind_deal(&client, &NewDeal::of(&order)).await })
            })
            .collect();
        for (number, call) in calls.into_iter().enumerate() {
            if number % 3 == round % 3 {
                for _ in 0..number % 5 {
                    tokio::task::yield_now().await;
                }
                call.abort();
                let _ = call.await;
            } else {
                call.await.unwrap().unwrap();
            }
        }
    }
    let sent = ledger.0.lock().unwrap();
    assert!(sent.values().all(|times| *times == 1), "{sent:?}");
    let kept = |round: usize| (0..40).filter(move |number| number % 3 != round % 3);
    assert!((0..100).all(|round| kept(round).all(|number| sent.contains_key(&format!("{round}x{number}")))));
}
