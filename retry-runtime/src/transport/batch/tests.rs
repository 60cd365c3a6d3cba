//! What a queue keeps, and what it forgets.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::runtime::Handle;

use super::{BatchLimits, Batched, Exit};
use crate::clock::{Clock, Moment, SystemClock};
use crate::decision::Route;
use crate::effect::OperationKind;
use crate::transport::{Answer, BoxFuture, Loss, Request, Transport, Version, Wire};

/// Says that nothing leaves.
#[derive(Debug)]
struct Closed;

impl Transport for Closed {
    fn send<'a>(&'a self, _: &'a Request, _: &'a Arc<Wire>) -> BoxFuture<'a, Result<Answer, Loss>> {
        Box::pin(async { Err(Loss::NotSent { why: "closed".into() }) })
    }
}

pub(super) fn batched() -> Arc<Batched> {
    let exit = Exit {
        single: Arc::new(Closed),
        line: Arc::new(Closed),
        limiter: None,
        clock: Arc::new(SystemClock),
        route: Route::Direct,
        oauth: false,
    };
    // So many that no batch is ever full, and a window that no test waits out.
    let limits = BatchLimits { window: Duration::from_secs(60), most: 1_000_000, in_flight: 1 };
    Arc::new(Batched::new(exit, limits))
}

pub(super) fn request(now: Moment, time: Duration) -> Request {
    Request {
        method: "crm.deal.list",
        kind: OperationKind::Read,
        version: Version::Two,
        arguments: Bytes::from_static(b"{}"),
        idempotency_key: None,
        credentials: None,
        token_renewed: false,
        read_back: false,
        send_by: now.after(time),
    }
}

async fn send(batched: Arc<Batched>) -> Result<Answer, Loss> {
    let now = SystemClock.now();
    let request = request(now, Duration::from_secs(600));
    batched.send(&request, &Arc::new(Wire::new(now))).await
}

/// How many calls wait; `None` if there is no queue.
fn waiting(batched: &Batched) -> Option<usize> {
    batched.0.with(Handle::current().id(), |queue| queue.len())
}

#[tokio::test(start_paused = true)]
async fn calls_whose_callers_went_away_do_not_fill_the_memory() {
    let batched = batched();
    let kept = tokio::spawn(send(Arc::clone(&batched)));
    for _ in 0..100 {
        let calls: Vec<_> = (0..100).map(|_| tokio::spawn(send(Arc::clone(&batched)))).collect();
        tokio::task::yield_now().await;
        for call in calls {
            call.abort();
            let _ = call.await;
        }
    }
    let left = waiting(&batched).unwrap();
    assert!(left < 200, "{left} of 10,001 are kept");
    assert!(matches!(kept.await.unwrap(), Err(Loss::NotSent { .. })));
}

#[tokio::test(start_paused = true)]
async fn a_queue_that_is_empty_is_gone() {
    let batched = batched();
    assert_eq!(waiting(&batched), None);
    let call = tokio::spawn(send(Arc::clone(&batched)));
    tokio::task::yield_now().await;
    assert_eq!(waiting(&batched), Some(1));
    assert!(call.await.unwrap().is_err());
    tokio::task::yield_now().await;
    assert_eq!(waiting(&batched), None);
}
