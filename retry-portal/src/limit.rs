//! The limits: the leaky bucket of requests, and the operating limit of each method.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use tokio::time::Instant;

use crate::clock::{Clock, now};
use crate::job::Job;
use crate::operation::Operation;
use crate::refusal::Refusal;
use crate::state::State;

/// Each request adds one; above the burst it is refused; the level falls steadily.
#[derive(Debug)]
pub(crate) struct Bucket {
    burst: f64,
    per_second: f64,
    level: f64,
    at: Instant,
}

impl Bucket {
    pub(crate) fn new(burst: u32, per_second: f64, now: Instant) -> Self {
        Self { burst: f64::from(burst), per_second, level: 0.0, at: now }
    }

    /// Whether this request may pass. A refused one leaves the level as it is.
    pub(crate) fn admit(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.level = (self.level - passed * self.per_second).max(0.0);
        self.at = now;
        let fits = self.level + 1.0 <= self.burst;
        if fits {
            self.level += 1.0;
        }
        fits
    }
}

const WINDOW: Duration = Duration::from_mins(10);
const MINUTE: Duration = Duration::from_mins(1);

/// Whose work counts together, next to its method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Caller {
    Webhook,
    Application,
    Gateway,
}

/// The work on each method in the last ten minutes of portal time, kept minute by minute, in seconds of portal time.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Above it a method is refused; `None`: it is only told.
    limit: Option<Duration>,
    /// What a call of a method costs, in place of the time that it takes.
    costs: HashMap<String, Duration>,
    minutes: HashMap<(Caller, String), VecDeque<(Instant, f64)>>,
}

/// How a method stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Used {
    pub(crate) seconds: f64,
    /// In real time.
    pub(crate) until_reset: Duration,
}

impl Tally {
    pub(crate) fn new(limit: Option<Duration>, costs: HashMap<String, Duration>) -> Self {
        Self { limit, costs, minutes: HashMap::new() }
    }

    /// Adds a call that took so long.
    pub(crate) fn add(&mut self, caller: Caller, method: &str, took: Duration, clock: Clock, now: Instant) -> Used {
        let seconds = self.costs.get(method).copied().unwrap_or(took).as_secs_f64();
        let minutes = self.minutes.entry((caller, method.to_owned())).or_default();
        minutes.retain(|(begun, _)| now.saturating_duration_since(*begun) < clock.real(WINDOW));
        match minutes.back_mut().filter(|(begun, _)| now.saturating_duration_since(*begun) < clock.real(MINUTE)) {
            Some((_, sum)) => *sum += seconds,
            None => minutes.push_back((now, seconds)),
        }
        self.used(caller, method, clock, now)
    }

    pub(crate) fn used(&self, caller: Caller, method: &str, clock: Clock, now: Instant) -> Used {
        let window = clock.real(WINDOW);
        let age = |begun: Instant| now.saturating_duration_since(begun);
        let minutes = self.minutes.get(&(caller, method.to_owned()));
        let alive = || minutes.into_iter().flatten().filter(|(begun, _)| age(*begun) < window);
        let oldest = alive().next().map_or(Duration::ZERO, |(begun, _)| age(*begun));
        Used { seconds: alive().map(|(_, seconds)| seconds).sum(), until_reset: window.saturating_sub(oldest) }
    }

    /// Refuses a call of a method that is over the limit. The call that crosses it is carried out.
    pub(crate) fn check(&self, caller: Caller, method: &str, clock: Clock, now: Instant) -> Result<(), Refusal> {
        let over = |limit: Duration| self.used(caller, method, clock, now).seconds >= limit.as_secs_f64();
        if self.limit.is_some_and(over) {
            return Err(Refusal::new(429, "OPERATION_TIME_LIMIT", "Method is blocked due to operation time limit."));
        }
        Ok(())
    }
}

/// Refuses a call whose method has worked too long, in the words of its API.
pub(crate) fn check(state: &mut State, clock: Clock, job: &Job) -> Result<(), Refusal> {
    let now = now();
    state.tally.check(job.caller, &job.method, clock, now).map_err(|refusal| match &job.operation {
        Operation::Rest2(_) | Operation::Rest3(_) | Operation::Tokens => refusal,
        Operation::Vibe(call) => state.gateway.over_the_limit(call.key, &job.method, refusal, clock, now),
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Bucket, Caller, Tally};
    use crate::clock::{Clock, now};

    #[test]
    fn fifty_pass_at_once_and_then_two_a_second() {
        let start = now();
        let mut bucket = Bucket::new(50, 2.0, start);
        let at_once = (0..60).filter(|_| bucket.admit(start)).count();
        assert_eq!(at_once, 50);
        let later = start + Duration::from_secs(3);
        assert_eq!((0..60).filter(|_| bucket.admit(later)).count(), 6);
        let much_later = start + Duration::from_secs(3_600);
        assert_eq!((0..60).filter(|_| bucket.admit(much_later)).count(), 50);
    }

    #[test]
    fn work_counts_for_ten_minutes() {
        let (start, clock) = (now(), Clock::start(1.0));
        let mut tally = Tally::default();
        let mut add = |method: &str, seconds: u64, minutes: u64| {
            let at = start + Duration::from_mins(minutes);
            let used = tally.add(Caller::Webhook, method, Duration::from_secs(seconds), clock, at);
            (used.seconds, used.until_reset)
        };
        assert_eq!(add("a", 2, 0), (2.0, Duration::from_mins(10)));
        assert_eq!(add("a", 3, 9), (5.0, Duration::from_mins(1)));
        assert_eq!(add("b", 1, 0), (1.0, Duration::from_mins(10)));
        assert_eq!(add("a", 0, 11), (3.0, Duration::from_mins(8)));
    }

    #[test]
    fn the_call_that_crosses_the_limit_is_the_last_until_a_bucket_falls_out() {
        // A minute is 0.6 s here.
        let (start, clock) = (now(), Clock::start(0.01));
        let cost = Duration::from_secs(200);
        let costs = [("a".to_owned(), cost)].into();
        let mut tally = Tally::new(Some(Duration::from_secs(480)), costs);
        let at = |minutes: u32| start + clock.real(Duration::from_mins(1)) * minutes;
        for minutes in 0..3 {
            assert!(tally.check(Caller::Webhook, "a", clock, at(minutes)).is_ok(), "{minutes}");
            tally.add(Caller::Webhook, "a", Duration::ZERO, clock, at(minutes));
        }
        let refused = tally.check(Caller::Webhook, "a", clock, at(3)).expect_err("600 of 480 s");
        assert_eq!((refused.status, refused.code), (429, "OPERATION_TIME_LIMIT".into()));
        assert!(tally.check(Caller::Application, "a", clock, at(3)).is_ok(), "another's work");
        assert!(tally.check(Caller::Webhook, "b", clock, at(3)).is_ok(), "another method");
        assert!(tally.check(Caller::Webhook, "a", clock, at(10)).is_ok(), "the first bucket is out");
    }
}
