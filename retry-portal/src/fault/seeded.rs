//! Faults by chance, with a seed: the same seed decides the same.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::{Map, Value};

use super::hash::{Hash, unit};
use super::{Answer, Coded, Cut, Effect, Fault};

/// Faults by chance.
///
/// Whether a request meets a fault, and which one, follows from the seed, the method, the parameters, and how often
/// this very request has come before; from nothing else. So the order in which concurrent requests arrive changes no
/// decision, and a run can be repeated by its seed.
///
/// Reads and writes have a list of faults each, with weights. In the lists the duration of an [`Effect::Late`] and of
/// an [`Answer::Slow`] is the longest one: each time one between a tenth of it and the whole of it is drawn. The
/// default lists hold every kind of loss; their late effects come at most 20 s after the answer was lost, their slow
/// answers take at most 10 s (portal time).
///
/// A method that has a script is left alone, also after the end of its script; so are methods the portal does not know.
///
/// ```
/// use retry_portal::{Answer, Fault, Faults};
///
/// // Three requests in ten meet a fault of the default lists.
/// let stormy = Faults::seeded(7).share(0.3);
/// // Every second write is carried out and its answer is lost; reads are left alone.
/// let lossy = Faults::seeded(7).share(0.5).writes([(1, Fault::before(Answer::Reset))]).reads([]);
/// # let _ = (stormy, lossy);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Faults {
    seed: u64,
    share: f64,
    in_a_row: u32,
    reads: Vec<(u32, Fault)>,
    writes: Vec<(u32, Fault)>,
}

impl Faults {
    /// The default lists with this seed and a share of 0.3.
    pub fn seeded(seed: u64) -> Self {
        Self { seed, share: 0.3, in_a_row: u32::MAX, reads: default_reads(), writes: default_writes() }
    }

    /// The part of the requests that meets a fault, from 0 to 1. Default 0.3.
    #[must_use]
    pub fn share(mut self, share: f64) -> Self {
        self.share = share;
        self
    }

    /// How many times in a row one and the same request may meet a fault. Default: no limit, the share alone decides.
    #[must_use]
    pub fn in_a_row(mut self, most: u32) -> Self {
        self.in_a_row = most;
        self
    }

    /// The faults of reads, each with its weight, in place of the default list. An empty list: reads are left alone.
    #[must_use]
    pub fn reads(mut self, faults: impl IntoIterator<Item = (u32, Fault)>) -> Self {
        self.reads = faults.into_iter().collect();
        self
    }

    /// The faults of writes, each with its weight, in place of the default list. An empty list: writes are left alone.
    #[must_use]
    pub fn writes(mut self, faults: impl IntoIterator<Item = (u32, Fault)>) -> Self {
        self.writes = faults.into_iter().collect();
        self
    }

    /// What makes no sense, in words.
    pub(crate) fn check(&self, limit: Duration) -> Result<(), String> {
        if !(0.0..=1.0).contains(&self.share) {
            return Err(format!("the share of faults must be from 0 to 1, not {}", self.share));
        }
        let latest = self.max_lateness(limit);
        if latest >= limit {
            return Err(format!(
                "seeded faults must stay below the execution limit of {limit:?} (portal time), but an effect may come after {latest:?}"
            ));
        }
        Ok(())
    }

    /// The longest time between the arrival of a request and its effect, in portal time.
    pub(crate) fn max_lateness(&self, limit: Duration) -> Duration {
        let possible = self.writes.iter().filter(|(weight, _)| *weight > 0 && self.share > 0.0);
        possible.map(|(_, fault)| lateness(fault, limit)).max().unwrap_or(Duration::ZERO)
    }
}

/// The longest time between the arrival of a request that meets this fault and its effect, in portal time.
pub(crate) fn lateness(fault: &Fault, limit: Duration) -> Duration {
    let work = if let Answer::Slow(work) = &fault.answer { (*work).min(limit) } else { Duration::ZERO };
    match fault.effect {
        Effect::Before => work,
        Effect::Never => Duration::ZERO,
        Effect::Late(after) => work.saturating_add(after),
    }
}

/// The faults and what has been drawn so far.
#[derive(Debug)]
pub(crate) struct Draw {
    faults: Faults,
    seen: HashMap<u64, Seen>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Seen {
    times: u64,
    in_a_row: u32,
}

impl Draw {
    pub(crate) fn new(faults: Faults) -> Self {
        Self { faults, seen: HashMap::new() }
    }

    /// The fault of this request, which is the next one with this very content.
    pub(crate) fn next(&mut self, method: &str, params: &Map<String, Value>, write: bool) -> Option<Fault> {
        let mut content = Hash::new(self.faults.seed);
        content.text(method);
        let mut keys: Vec<&String> = params.keys().collect();
        keys.sort();
        for key in keys {
            content.text(key);
            content.value(params.get(key).unwrap_or(&Value::Null));
        }
        let seen = self.seen.entry(content.finish()).or_default();
        content.bytes(&seen.times.to_le_bytes());
        seen.times += 1;
        let hash = content.finish();
        let list = if write { &self.faults.writes } else { &self.faults.reads };
        let hit = unit(hash, 0) < self.faults.share && seen.in_a_row < self.faults.in_a_row;
        let fault = hit.then(|| choose(list, unit(hash, 1))).flatten();
        seen.in_a_row = if fault.is_some() { seen.in_a_row.saturating_add(1) } else { 0 };
        fault.map(|fault| shorten(fault, unit(hash, 2)))
    }
}

fn choose(list: &[(u32, Fault)], at: f64) -> Option<&Fault> {
    let total: f64 = list.iter().map(|(weight, _)| f64::from(*weight)).sum();
    let mut left = at * total;
    list.iter()
        .find(|(weight, _)| {
            left -= f64::from(*weight);
            left < 0.0
        })
        .map(|(_, fault)| fault)
}

/// Draws the durations: the list names the longest ones.
fn shorten(fault: &Fault, at: f64) -> Fault {
    let part =
        |longest: Duration| Duration::try_from_secs_f64(longest.as_secs_f64() * (0.1 + 0.9 * at)).unwrap_or(longest);
    let effect = match fault.effect {
        Effect::Late(longest) => Effect::Late(part(longest)),
        other @ (Effect::Before | Effect::Never) => other,
    };
    let answer =
        if let Answer::Slow(longest) = &fault.answer { Answer::Slow(part(*longest)) } else { fault.answer.clone() };
    Fault { effect, answer }
}

fn default_reads() -> Vec<(u32, Fault)> {
    vec![
        (3, Fault::never(Answer::Reset)),
        (3, Fault::never(Answer::Close)),
        (1, Fault::never(Answer::Silence)),
        (2, Fault::never(Answer::Cut(Cut::Percent(50)))),
        (1, Fault::never(Answer::Cut(Cut::LastChunk))),
        (1, Fault::never(Answer::HeadThenReset)),
        (1, Fault::never(Answer::HeadThenSilence)),
        (1, Fault::never(Answer::Html(200))),
        (1, Fault::never(Answer::Html(500))),
        (2, Fault::never(Answer::Html(502))),
        (1, Fault::never(Answer::Html(503))),
        (2, Fault::never(Answer::Html(504))),
        (2, Fault::never(Answer::Coded(query_limit()))),
        (1, Fault::never(Answer::Coded(time_limit()))),
        (1, Fault::never(Answer::Coded(internal()))),
        (2, Fault::never(Answer::Slow(Duration::from_secs(10)))),
    ]
}

fn default_writes() -> Vec<(u32, Fault)> {
    let late = Duration::from_secs(20);
    vec![
        (3, Fault::before(Answer::Reset)),
        (3, Fault::before(Answer::Close)),
        (1, Fault::before(Answer::Silence)),
        (2, Fault::before(Answer::Cut(Cut::Percent(50)))),
        (1, Fault::before(Answer::Cut(Cut::LastChunk))),
        (1, Fault::before(Answer::HeadThenReset)),
        (1, Fault::before(Answer::HeadThenSilence)),
        (1, Fault::before(Answer::Html(200))),
        (2, Fault::before(Answer::Html(502))),
        (2, Fault::before(Answer::Html(504))),
        (1, Fault::before(Answer::Coded(internal()))),
        (2, Fault::before(Answer::Slow(Duration::from_secs(10)))),
        (3, Fault::never(Answer::Reset)),
        (2, Fault::never(Answer::Close)),
        (1, Fault::never(Answer::Silence)),
        (1, Fault::never(Answer::Html(500))),
        (2, Fault::never(Answer::Html(502))),
        (1, Fault::never(Answer::Html(503))),
        (2, Fault::never(Answer::Coded(query_limit()))),
        (1, Fault::never(Answer::Coded(time_limit()))),
        (1, Fault::never(Answer::Coded(internal()))),
        (2, Fault::late(late, Answer::Reset)),
        (2, Fault::late(late, Answer::Close)),
        (1, Fault::late(late, Answer::Silence)),
        (2, Fault::late(late, Answer::Html(504))),
    ]
}

fn query_limit() -> Coded {
    Coded::new(503, "QUERY_LIMIT_EXCEEDED").description("Too many requests")
}

fn time_limit() -> Coded {
    Coded::new(429, "OPERATION_TIME_LIMIT").description("Method is blocked due to operation time limit")
}

fn internal() -> Coded {
    Coded::new(500, "INTERNAL_SERVER_ERROR").description("Internal server error")
}
