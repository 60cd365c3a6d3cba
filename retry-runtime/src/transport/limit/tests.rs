//! The line without a client, on paused time.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, SystemTime};

use super::{Denied, Lane, Limiter, RateLimit};
use crate::api::{Answer, Heard, Usage};
use crate::clock::{Clock, Moment, PausedClock};
use crate::code::Code;

const ADD: &str = "crm.deal.add";
const LIST: &str = "crm.deal.list";

const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

struct Test {
    clock: PausedClock,
    start: Moment,
    limiter: Arc<Limiter>,
}

impl Test {
    fn of(limit: RateLimit) -> Self {
        let clock = PausedClock::starting_at(SystemTime::UNIX_EPOCH + secs(1_796_000_000));
        Self { clock, start: clock.now(), limiter: Arc::new(Limiter::alone(Arc::new(clock), limit)) }
    }

    fn elapsed(&self) -> Duration {
        self.clock.now().at_least_since(self.start)
    }

    /// So long after the start.
    fn at(&self, seconds: u64) -> Moment {
        self.start.after(secs(seconds))
    }

    fn waiting(&self) -> usize {
        self.limiter.turnstile.look().0.queue.len()
    }

    /// The portal answers a call of the method with this code.
    fn hears(&self, method: &'static str, code: &str, hint: Option<Duration>) {
        let heard = Heard::Code { code: Code::of(code), text: String::new().into() };
        self.limiter.heard(method, &Ok(Answer { hint, ..Answer::new(heard, self.clock.now()) }));
    }

    async fn turn(&self) -> Duration {
        self.limiter.turn(Lane::Ordinary, self.at(86_400)).await.unwrap();
        self.elapsed()
    }

    async fn free(&self, method: &'static str) -> Duration {
        self.limiter.method_is_free(method, self.at(86_400)).await.unwrap();
        self.elapsed()
    }
}

/// Polls it once, and whatever wakes it is not heard.
fn poll<F: Future + ?Sized>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

/// One at once, and one each second.
fn one_a_second() -> Test {
    Test::of(RateLimit::new(1, Duration::from_micros(990_000)))
}

#[tokio::test(start_paused = true)]
async fn one_whose_runtime_stands_still_holds_nobody_up_and_keeps_its_place() {
    let test = one_a_second();
    test.turn().await;
    let mut stalled = Box::pin(test.limiter.turn(Lane::Ordinary, test.at(86_400)));
    assert!(poll(stalled.as_mut()).is_pending());
    let behind = [test.turn(), test.turn(), test.turn()];
    let [first, second, third] = behind;
    let (first, second, third) = tokio::join!(first, second, third);
    assert!(first <= secs(3), "{first:?}: at the latest when all before it should have gone");
    assert!(second <= secs(4) && third <= secs(5), "{second:?} {third:?}");
    assert!(test.waiting() <= 1);
    assert!(poll(stalled.as_mut()).is_pending());
    let mut next = Box::pin(test.limiter.turn(Lane::Ordinary, test.at(86_400)));
    assert!(poll(next.as_mut()).is_pending());
    stalled.await.unwrap();
    let came = test.elapsed();
    next.await.unwrap();
    assert!(came + secs(1) <= test.elapsed() + Duration::from_millis(2), "it went before the next one");
}

#[tokio::test(start_paused = true)]
async fn nobody_goes_before_one_whose_turn_it_is_though_it_has_not_looked_yet() {
    let test = Test::of(RateLimit::new(3, Duration::from_millis(99)));
    test.turn().await;
    test.turn().await;
    let mut first = Box::pin(test.limiter.turn(Lane::Ordinary, test.at(86_400)));
    assert!(poll(first.as_mut()).is_pending());
    tokio::time::sleep(Duration::from_millis(210)).await;
    // There is room for both.
    let mut second = Box::pin(test.limiter.turn(Lane::Ordinary, test.at(86_400)));
    assert!(poll(second.as_mut()).is_pending());
    assert_eq!(poll(first.as_mut()), Poll::Ready(Ok(())));
    second.await.unwrap();
    assert_eq!(test.elapsed(), Duration::from_millis(210), "it is called when the first one has gone");
}

#[tokio::test(start_paused = true)]
async fn a_whole_runtime_that_stands_still_costs_no_more_than_its_places() {
    let test = one_a_second();
    test.turn().await;
    let mut stalled: Vec<_> = (0..20).map(|_| Box::pin(test.limiter.turn(Lane::Ordinary, test.at(86_400)))).collect();
    assert!(stalled.iter_mut().all(|turn| poll(turn.as_mut()).is_pending()));
    for number in 0..10 {
        let at = test.turn().await;
        assert!(at <= secs(22 + number), "{number}: {at:?}");
    }
    drop(stalled);
    assert_eq!(test.waiting(), 0);
}

#[tokio::test(start_paused = true)]
async fn ten_thousand_waiters_leave_nothing_behind_whether_they_go_or_are_dropped() {
    let test = Test::of(RateLimit::new(50, Duration::from_millis(10)));
    let waits = |number: usize| {
        let (limiter, until) = (Arc::clone(&test.limiter), test.at(86_400));
        let lane = if number.is_multiple_of(7) { Lane::ReadBack } else { Lane::Ordinary };
        tokio::spawn(async move { limiter.turn(lane, until).await })
    };
    let tasks: Vec<_> = (0..10_000).map(waits).collect();
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert_eq!(test.waiting(), 10_000 - 45);
    for task in tasks.iter().skip(100).step_by(2) {
        task.abort();
    }
    let mut gone = 0;
    for task in tasks {
        gone += usize::from(task.await.is_ok_and(|turn| turn.is_ok()));
    }
    assert_eq!((gone, test.waiting()), (5_050, 0));
    let allowed = Duration::from_micros(10_100) * (5_050 - 45);
    assert!(test.elapsed() <= allowed + secs(1), "{:?}: the places of the dropped are not waited for", test.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_method_near_its_operating_limit_waits_until_less_counts() {
    let test = Test::of(RateLimit::cloud());
    let usage = |used, less_in| Usage { used: secs(used), less_in: secs(less_in) };
    test.limiter.used(LIST, usage(431, 40));
    assert_eq!(test.free(LIST).await, secs(0));
    test.limiter.used(LIST, usage(432, 40));
    assert_eq!(test.free(ADD).await, secs(0), "another method is not held up");
    assert_eq!(test.free(LIST).await, secs(40));
    test.limiter.used(LIST, usage(480, 0));
    assert_eq!(test.free(LIST).await, secs(40), "a time in the past is no wait");
}

#[tokio::test(start_paused = true)]
async fn where_no_operating_limit_is_known_none_is_kept_unless_it_is_stated() {
    let usage = Usage { used: secs(590), less_in: secs(40) };
    let test = Test::of(RateLimit::none());
    test.limiter.used(LIST, usage);
    assert_eq!(test.free(LIST).await, secs(0));
    let test = Test::of(RateLimit::none().operating_limit(secs(420)));
    test.limiter.used(LIST, usage);
    assert_eq!(test.free(LIST).await, secs(40));
}

#[tokio::test(start_paused = true)]
async fn a_method_that_waits_too_long_is_denied_at_once() {
    let test = Test::of(RateLimit::cloud());
    test.limiter.used(LIST, Usage { used: secs(450), less_in: secs(40) });
    let Err(Denied::TooLate { why }) = test.limiter.method_is_free(LIST, test.at(39)).await else { panic!() };
    assert!(why.contains("crm.deal.list") && why.contains("40s"), "{why}");
    assert_eq!((test.elapsed(), test.waiting()), (secs(0), 0));
}

#[tokio::test(start_paused = true)]
async fn turns_that_come_too_late_are_denied_at_once_and_take_no_place() {
    let test = one_a_second();
    test.turn().await;
    assert_eq!(test.limiter.turn(Lane::Ordinary, test.at(10)).await, Ok(()));
    let mut waits: Vec<_> = (0..5).map(|_| Box::pin(test.limiter.turn(Lane::Ordinary, test.at(60)))).collect();
    assert!(waits.iter_mut().all(|turn| poll(turn.as_mut()).is_pending()));
    let Err(Denied::TooLate { why }) = test.limiter.turn(Lane::Ordinary, test.at(5)).await else { panic!() };
    assert!(why.contains("5 requests wait before it"), "{why}");
    assert_eq!(test.waiting(), 5);
}

#[tokio::test(start_paused = true)]
async fn what_waits_for_its_method_is_told_at_once_when_the_circuit_breaker_opens() {
    let test = Test::of(RateLimit::cloud());
    test.hears(ADD, "TIMEOUT_QUARANTINE", Some(secs(60)));
    test.hears(LIST, "TIMEOUT_QUARANTINE", Some(secs(50)));
    let open = async {
        tokio::time::sleep(secs(10)).await;
        assert_eq!(test.waiting(), 2, "who waits for a method is counted");
        test.hears(ADD, "ERROR_LOOP_DETECTED", Some(secs(90)));
    };
    let denied = async {
        let denied = test.limiter.method_is_free(ADD, test.at(86_400)).await;
        (denied, test.elapsed())
    };
    let ((), denied, other) = tokio::join!(open, denied, test.free(LIST));
    assert_eq!(denied, (Err(Denied::Open { left: secs(90) }), secs(10)));
    assert_eq!((other, test.waiting()), (secs(50), 0), "the other method knows nothing of it");
}

#[tokio::test(start_paused = true)]
async fn one_that_has_looked_twice_is_still_called_when_its_turn_comes_early() {
    let test = one_a_second();
    test.turn().await;
    let mut first = Box::pin(test.limiter.turn(Lane::Ordinary, test.at(86_400)));
    assert!(poll(first.as_mut()).is_pending());
    let changes = async {
        // It was the second, and looks again as the first.
        tokio::time::sleep(Duration::from_millis(100)).await;
        drop(first);
        tokio::time::sleep(Duration::from_millis(100)).await;
        test.limiter.turnstile.restate(RateLimit::new(50, Duration::from_millis(1)));
    };
    let ((), came) = tokio::join!(changes, test.turn());
    assert_eq!(came, Duration::from_millis(200));
}

/// Counts how often it is asked: once for each look.
#[derive(Debug)]
struct Counting(PausedClock, AtomicUsize);

impl Clock for Counting {
    fn now(&self) -> Moment {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.now()
    }
}

#[tokio::test(start_paused = true)]
async fn each_waits_as_long_as_it_has_to_and_looks_seldom() {
    let clock = Arc::new(Counting(PausedClock::starting_at(SystemTime::UNIX_EPOCH), AtomicUsize::new(0)));
    let until = clock.0.now().after(secs(86_400));
    let limiter = Arc::new(Limiter::alone(Arc::clone(&clock) as Arc<dyn Clock>, RateLimit::cloud()));
    let waits = |_| {
        let limiter = Arc::clone(&limiter);
        tokio::spawn(async move { limiter.turn(Lane::Ordinary, until).await })
    };
    let tasks: Vec<_> = (0..2_000).map(waits).collect();
    for task in tasks {
        task.await.unwrap().unwrap();
    }
    let looks = clock.1.load(Ordering::Relaxed);
    assert!(looks <= 3 * 2_000, "{looks} looks of 2000 waiters");
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_comes_at_the_last_moment_is_taken() {
    let test = Test::of(RateLimit::new(1, secs(10)));
    let after = |milliseconds| test.start.after(Duration::from_millis(milliseconds));
    test.limiter.turn(Lane::Ordinary, after(1)).await.unwrap();
    // A hundredth more than the portal's rate.
    assert!(test.limiter.turn(Lane::Ordinary, after(10_099)).await.is_err());
    test.limiter.turn(Lane::Ordinary, after(10_100)).await.unwrap();
    assert_eq!(test.elapsed(), Duration::from_millis(10_100));
}
