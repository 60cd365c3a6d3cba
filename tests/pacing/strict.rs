//! A portal that counts strictly what arrives, and a way there on which some requests take longer than others.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use retry_runtime::clock::{Clock, Moment, PausedClock};
use retry_runtime::transport::{Allowance, Answer, BoxFuture, Heard, Loss, Request, Success, Transport, Wire};
use retry_runtime::{Client, ClientBuilder, Code, OperationKind, Policy, RateLimit, Settle};
use serde_json::{Map, Value, json};

use crate::support::{START, millis, secs};

/// What it counts by.
#[derive(Debug)]
pub(crate) enum Counts {
    /// Each request adds one up to `most`, and `each` takes one away.
    Bucket { most: u32, each: Duration, level: Duration, at: Duration },
    /// At most so many in any window.
    Window { most: usize, within: Duration, seen: VecDeque<Duration> },
}

impl Counts {
    pub(crate) const fn bucket(most: u32, each: Duration) -> Self {
        Self::Bucket { most, each, level: Duration::ZERO, at: Duration::ZERO }
    }

    pub(crate) const fn window(most: usize, within: Duration) -> Self {
        Self::Window { most, within, seen: VecDeque::new() }
    }

    fn admits(&mut self, now: Duration) -> bool {
        match self {
            Self::Bucket { most, each, level, at } => {
                *level = level.saturating_sub(now.saturating_sub(*at));
                *at = now;
                let fits = *level + *each <= *each * *most;
                if fits {
                    *level += *each;
                }
                fits
            }
            Self::Window { most, within, seen } => {
                while seen.front().is_some_and(|at| *at + *within <= now) {
                    seen.pop_front();
                }
                let fits = seen.len() < *most;
                if fits {
                    seen.push_back(now);
                }
                fits
            }
        }
    }

    /// What it tells in the headers of the gateway.
    fn allowance(&self, now: Duration) -> Option<Allowance> {
        match self {
            Self::Bucket { .. } => None,
            Self::Window { most, within, seen } => {
                let resets_in = (seen.front().copied().unwrap_or(now) + *within).saturating_sub(now);
                Some(Allowance { remaining: u32::try_from(most - seen.len()).unwrap(), resets_in })
            }
        }
    }
}

/// A call as it left.
#[derive(Debug, Clone)]
pub(crate) struct Left {
    pub(crate) key: String,
    pub(crate) at: Duration,
}

#[derive(Debug)]
struct Inner {
    clock: PausedClock,
    start: Moment,
    counts: Mutex<Counts>,
    rng: Mutex<fastrand::Rng>,
    latest: Duration,
    all_late_by: Mutex<Option<Duration>>,
    left: Mutex<Vec<Left>>,
    requests: Mutex<usize>,
    refused: Mutex<usize>,
}

/// The portal. A clone is another handle of it.
#[derive(Debug, Clone)]
pub(crate) struct Strict(Arc<Inner>);

impl Strict {
    /// Requests arrive up to `latest` after they left.
    pub(crate) fn new(counts: Counts, latest: Duration) -> Self {
        let clock = PausedClock::starting_at(SystemTime::UNIX_EPOCH + START);
        Self(Arc::new(Inner {
            clock,
            start: clock.now(),
            counts: Mutex::new(counts),
            rng: Mutex::new(fastrand::Rng::with_seed(11)),
            latest,
            all_late_by: Mutex::default(),
            left: Mutex::default(),
            requests: Mutex::default(),
            refused: Mutex::default(),
        }))
    }

    /// A client that has time.
    pub(crate) fn builder(&self, limit: RateLimit) -> ClientBuilder {
        Client::builder()
            .transport(self.clone())
            .clock(self.0.clock)
            .settle(Settle::cloud())
            .policy(Policy::new().deadline(secs(86_400)))
            .rate_limit(limit)
    }

    /// From now on requests arrive just so late.
    pub(crate) fn all_late_by(&self, time: Duration) {
        *self.0.all_late_by.lock().unwrap() = Some(time);
    }

    /// Another program on the same account sends a request.
    pub(crate) fn by_others(&self) {
        assert!(self.0.counts.lock().unwrap().admits(self.elapsed()));
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.0.clock.now().at_least_since(self.0.start)
    }

    /// The calls in the order in which they left.
    pub(crate) fn left(&self) -> Vec<Left> {
        self.0.left.lock().unwrap().clone()
    }

    /// How many requests left.
    pub(crate) fn requests(&self) -> usize {
        *self.0.requests.lock().unwrap()
    }

    /// How many it refused.
    pub(crate) fn refused(&self) -> usize {
        *self.0.refused.lock().unwrap()
    }

    async fn serve(&self, request: &Request, wire: &Wire) -> Result<Answer, Loss> {
        if !wire.claim(self.0.clock.now()) {
            return Err(Loss::NotSent { why: "withdrawn".into() });
        }
        let arguments: Value = serde_json::from_slice(&request.arguments).unwrap();
        *self.0.requests.lock().unwrap() += 1;
        let commands = arguments["cmd"].as_object();
        let at = self.elapsed();
        if let Some(commands) = commands {
            // The reader of the test has sorted them by name.
            let command = |place| commands[&format!("c{place}")].as_str().unwrap();
            let key =
                |command: &str| command.rsplit_once("ORIGIN_ID%5D=").unwrap().1.split('&').next().unwrap().to_owned();
            self.0.left.lock().unwrap().extend((0..commands.len()).map(|place| Left { key: key(command(place)), at }));
        } else {
            let key = ["fields", "filter"].map(|part| arguments[part]["ORIGIN_ID"].as_str().unwrap_or_default());
            self.0.left.lock().unwrap().push(Left { key: key.concat(), at });
        }
        let share = self.0.rng.lock().unwrap().f64();
        let late = self.0.all_late_by.lock().unwrap().unwrap_or(self.0.latest.mul_f64(share));
        tokio::time::sleep(late).await;
        let now = self.elapsed();
        let admitted = self.0.counts.lock().unwrap().admits(now);
        let allowance = self.0.counts.lock().unwrap().allowance(now);
        tokio::time::sleep(millis(50)).await;
        let last_byte_by = self.0.clock.now();
        let heard = if admitted {
            let result = if request.kind == OperationKind::Read { json!([]) } else { json!(1) };
            let each = |commands: &Map<String, Value>| {
                let results: Map<String, Value> = commands.keys().map(|name| (name.clone(), result.clone())).collect();
                json!({"result": results, "result_error": []})
            };
            Heard::Success(Success::new(commands.map_or(result.clone(), each).to_string()))
        } else {
            *self.0.refused.lock().unwrap() += 1;
            Heard::Code { code: Code::QueryLimitExceeded, text: "too many requests".into() }
        };
        Ok(Answer { allowance, ..Answer::new(heard, last_byte_by) })
    }
}

impl Transport for Strict {
    fn send<'a>(&'a self, request: &'a Request, wire: &'a Arc<Wire>) -> BoxFuture<'a, Result<Answer, Loss>> {
        Box::pin(self.serve(request, wire))
    }
}
