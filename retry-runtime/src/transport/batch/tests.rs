//! What a queue keeps, and what it forgets.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use tokio::runtime::{Handle, Id};

use super::item::Item;
use super::station::Station;
use super::{BatchLimits, Batched, Exit, Lane};
use crate::clock::{Clock, Moment, PausedClock, SystemClock};
use crate::decision::Route;
use crate::effect::OperationKind;
use crate::transport::{Answer, BoxFuture, Limiter, Loss, RateLimit, Request, Transport, Version, Wire};

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

/// A call that may leave within this time.
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
        record: None,
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

#[tokio::test(start_paused = true)]
async fn a_worker_that_only_waits_for_those_who_left_ends_with_them() {
    let batched = batched();
    let calls: Vec<_> = (0..3).map(|_| tokio::spawn(send(Arc::clone(&batched)))).collect();
    tokio::task::yield_now().await;
    assert_eq!(waiting(&batched), Some(3));
    for call in calls {
        call.abort();
        let _ = call.await;
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(waiting(&batched), None, "long before the end of the window");
}

/// Something that happens once, the next time a worker looks at the clock while nobody waits.
type Meanwhile = Arc<Mutex<Option<Box<dyn FnOnce() + Send>>>>;

/// A clock that a thread of another caller runs beside.
#[derive(Clone)]
struct Beside(PausedClock, Meanwhile);

impl fmt::Debug for Beside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Clock for Beside {
    fn now(&self) -> Moment {
        let meanwhile = self.1.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(meanwhile) = meanwhile {
            meanwhile();
        }
        self.0.now()
    }
}

/// Counts what would leave.
#[derive(Debug, Default)]
struct Counting(Mutex<usize>);

impl Transport for Counting {
    fn send<'a>(&'a self, _: &'a Request, _: &'a Arc<Wire>) -> BoxFuture<'a, Result<Answer, Loss>> {
        *self.0.lock().unwrap() += 1;
        Box::pin(async { Err(Loss::NotSent { why: "counted".into() }) })
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_comes_when_a_worker_has_given_up_its_turn_waits_for_one() {
    let clock = PausedClock::starting_at(SystemTime::UNIX_EPOCH);
    let meanwhile = Meanwhile::default();
    let line = Arc::new(Counting::default());
    let limiter = Arc::new(Limiter::alone(Arc::new(clock), RateLimit::new(2, Duration::from_secs(3_600))));
    let far = clock.now().after(Duration::from_secs(86_400));
    limiter.turn(Lane::Ordinary, far).await.unwrap();
    let exit = Exit {
        single: line.clone(),
        line: line.clone(),
        limiter: Some(limiter),
        clock: Arc::new(Beside(clock, Arc::clone(&meanwhile))),
        route: Route::Direct,
        oauth: false,
    };
    let limits = BatchLimits { window: Duration::from_millis(5), most: 50, in_flight: 4 };
    let batched = Arc::new(Batched::new(exit, limits));
    let hurried = {
        let (batched, now) = (Arc::clone(&batched), clock.now());
        tokio::spawn(
            async move { batched.send(&request(now, Duration::from_secs(9)), &Arc::new(Wire::new(now))).await },
        )
    };
    tokio::task::yield_now().await;
    // Its turn comes too late, so that nobody waits any more. Whoever comes then, before the worker has gone, waits for one.
    let (station, id, now) = (Arc::clone(&batched.0), Handle::current().id(), clock.now());
    *meanwhile.lock().unwrap() = Some(come(station, id, now, Arc::clone(&meanwhile)));
    assert!(matches!(hurried.await.unwrap(), Err(Loss::OutOfTime { .. })));
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(*line.0.lock().unwrap(), 0, "there is no turn for an hour");
    *meanwhile.lock().unwrap() = None;
    let next = request(clock.now(), Duration::from_secs(86_400));
    let sent = batched.send(&next, &Arc::new(Wire::new(clock.now()))).await;
    assert!(matches!(sent, Err(Loss::NotSent { .. })) && clock.now().at_least_since(now) >= Duration::from_secs(3_600));
    assert_eq!((*line.0.lock().unwrap(), waiting(&batched)), (1, None));
}

/// Puts a call into the queue when a worker looks at the clock and nobody waits.
fn come(station: Arc<Station>, id: Id, now: Moment, meanwhile: Meanwhile) -> Box<dyn FnOnce() + Send> {
    Box::new(move || {
        if station.with(id, |queue| queue.len()) == Some(0) {
            let request = request(now, Duration::from_secs(60));
            let (form, piece) = station.piece(&request).unwrap();
            let (item, ticket) = Item::new(&station, id, &request, &Arc::new(Wire::new(now)), form, &piece);
            station.enqueue(id, item);
            tokio::spawn(ticket.wait(request.send_by));
        } else {
            let again = come(station, id, now, Arc::clone(&meanwhile));
            *meanwhile.lock().unwrap() = Some(again);
        }
    })
}
