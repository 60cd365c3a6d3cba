//! Faults by chance, with a seed: the same seed decides the same.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::{Map, Value};

use super::defaults::{rest_reads, rest_writes, vibe_reads, vibe_writes};
use super::hash::{Hash, unit};
use super::{Answer, Effect, Fault};

/// Faults by chance.
///
/// Whether a request meets a fault, and which one, follows from the seed, the method, the parameters, and how often
/// this very request has come before; from nothing else. So the order in which concurrent requests arrive changes no
/// decision, and a run can be repeated by its seed.
///
/// Reads and writes have a list of faults each, with weights. In the lists the duration of an [`Effect::Late`] and of
/// an [`Answer::Slow`] is the longest one: each time one between a tenth of it and the whole of it is drawn. The
/// default lists hold every kind of loss, for the gateway also its own codes; their late effects come at most 20 s after
/// the answer was lost, their slow answers take at most 10 s (portal time).
///
/// In a batch, chance meets either the whole or single commands. A command is the same call there as alone, so that it
/// meets at most [`in_a_row`](Self::in_a_row) faults whichever way it travels. Half of the batches that are carried out
/// and lose their answer are cut after some command. Commands are never made slow.
///
/// A method that has a script is left alone, also after the end of its script; so are methods the portal does not know,
/// and the token server.
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
    /// `None`: the default list of the API.
    reads: Option<Vec<(u32, Fault)>>,
    writes: Option<Vec<(u32, Fault)>>,
}

/// Which default lists hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Api {
    Rest,
    Vibe,
}

impl Faults {
    /// The default lists with this seed and a share of 0.3.
    pub fn seeded(seed: u64) -> Self {
        Self { seed, share: 0.3, in_a_row: u32::MAX, reads: None, writes: None }
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
        self.reads = Some(faults.into_iter().collect());
        self
    }

    /// The faults of writes, each with its weight, in place of the default list. An empty list: writes are left alone.
    #[must_use]
    pub fn writes(mut self, faults: impl IntoIterator<Item = (u32, Fault)>) -> Self {
        self.writes = Some(faults.into_iter().collect());
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
        self.possible().filter(|(write, _)| *write).map(|(_, fault)| lateness(&fault, limit)).max().unwrap_or_default()
    }

    /// Whether any of them makes work slow.
    pub(crate) fn may_be_slow(&self) -> bool {
        self.possible().any(|(_, fault)| fault.is_slow())
    }

    /// All that can be drawn, and whether it meets writes.
    fn possible(&self) -> impl Iterator<Item = (bool, Fault)> {
        let lists = [(Api::Rest, false), (Api::Rest, true), (Api::Vibe, false), (Api::Vibe, true)];
        let all =
            lists.into_iter().flat_map(|(api, write)| self.list(api, write).into_iter().map(move |one| (write, one)));
        all.filter(|(_, (weight, _))| *weight > 0 && self.share > 0.0).map(|(write, (_, fault))| (write, fault))
    }

    fn list(&self, api: Api, write: bool) -> Vec<(u32, Fault)> {
        let own = if write { &self.writes } else { &self.reads };
        own.clone().unwrap_or_else(|| match (api, write) {
            (Api::Rest, false) => rest_reads(),
            (Api::Rest, true) => rest_writes(),
            (Api::Vibe, false) => vibe_reads(),
            (Api::Vibe, true) => vibe_writes(),
        })
    }
}

/// The longest time between the arrival of a request that meets this fault and its effect, in portal time.
pub(crate) fn lateness(fault: &Fault, limit: Duration) -> Duration {
    let work = if let Answer::Slow(work) = &fault.answer { (*work).min(limit) } else { Duration::ZERO };
    match fault.effect {
        Effect::Before | Effect::AfterCommands(_) => work,
        Effect::Never => Duration::ZERO,
        Effect::Late(after) => work.saturating_add(after),
    }
}

/// The faults and what has been drawn so far.
#[derive(Debug)]
pub(crate) struct Draw {
    faults: Faults,
    lists: Lists,
    /// By the number of their content.
    seen: HashMap<u64, Seen>,
}

/// The lists in force.
#[derive(Debug)]
struct Lists {
    rest_reads: Vec<(u32, Fault)>,
    rest_writes: Vec<(u32, Fault)>,
    vibe_reads: Vec<(u32, Fault)>,
    vibe_writes: Vec<(u32, Fault)>,
}

impl Lists {
    fn of(&self, api: Api, write: bool) -> &[(u32, Fault)] {
        match (api, write) {
            (Api::Rest, false) => &self.rest_reads,
            (Api::Rest, true) => &self.rest_writes,
            (Api::Vibe, false) => &self.vibe_reads,
            (Api::Vibe, true) => &self.vibe_writes,
        }
    }
}

#[derive(Debug, Default, Clone, Copy)]
struct Seen {
    times: u64,
    in_a_row: u32,
}

impl Draw {
    pub(crate) fn new(faults: Faults) -> Self {
        let lists = Lists {
            rest_reads: faults.list(Api::Rest, false),
            rest_writes: faults.list(Api::Rest, true),
            vibe_reads: faults.list(Api::Vibe, false),
            vibe_writes: faults.list(Api::Vibe, true),
        };
        Self { faults, lists, seen: HashMap::new() }
    }

    /// The fault of this request, which is the next one with this very content.
    pub(crate) fn next(&mut self, method: &str, params: &Map<String, Value>, api: Api, write: bool) -> Option<Fault> {
        let content = self.content(method, params);
        let (hash, seen) = self.arrival(content);
        let hit = self.hits(hash, seen);
        let list = self.lists.of(api, write);
        let fault = hit.then(|| choose(list, unit(hash, 1))).flatten().map(|fault| shorten(fault, unit(hash, 2)));
        self.note(content, fault.is_some());
        fault
    }

    /// The fault around a batch of commands with these contents. None where one of them has met its faults in a row; if
    /// there is one, it counts for each of them, and none meets another of its own.
    pub(crate) fn around(&mut self, commands: &[Hash], api: Api, write: bool) -> Option<Fault> {
        let mut batch = Hash::new(self.faults.seed);
        batch.text("batch");
        for content in commands {
            batch.bytes(&content.finish().to_le_bytes());
        }
        let (hash, seen) = self.arrival(batch);
        let spent =
            |content: &Hash| self.seen.get(&content.finish()).is_some_and(|seen| seen.in_a_row >= self.faults.in_a_row);
        let hit = self.hits(hash, seen) && !commands.iter().any(spent);
        let list = self.lists.of(api, write);
        let fault = hit.then(|| choose(list, unit(hash, 1))).flatten().map(|fault| shorten(fault, unit(hash, 2)))?;
        for content in commands {
            self.arrival(*content);
            self.note(*content, true);
        }
        Some(cut(fault, commands.len(), hash))
    }

    /// What a request is: the same for each one with this very content.
    pub(crate) fn content(&self, method: &str, params: &Map<String, Value>) -> Hash {
        let mut content = Hash::new(self.faults.seed);
        content.text(method);
        let mut keys: Vec<&String> = params.keys().collect();
        keys.sort();
        for key in keys {
            content.text(key);
            content.value(params.get(key).unwrap_or(&Value::Null));
        }
        content
    }

    /// Counts it. The hash is that of the content and of how often it came before.
    fn arrival(&mut self, content: Hash) -> (u64, Seen) {
        let seen = self.seen.entry(content.finish()).or_default();
        let before = *seen;
        seen.times += 1;
        let mut hash = content;
        hash.bytes(&before.times.to_le_bytes());
        (hash.finish(), before)
    }

    fn hits(&self, hash: u64, seen: Seen) -> bool {
        unit(hash, 0) < self.faults.share && seen.in_a_row < self.faults.in_a_row
    }

    fn note(&mut self, content: Hash, fault: bool) {
        let seen = self.seen.entry(content.finish()).or_default();
        seen.in_a_row = if fault { seen.in_a_row.saturating_add(1) } else { 0 };
    }
}

/// Half of the batches that are carried out and lose their answer are cut before their end.
fn cut(fault: Fault, commands: usize, hash: u64) -> Fault {
    let lost = !matches!(fault.answer, Answer::Normal | Answer::Slow(_));
    if fault.effect != Effect::Before || !lost || unit(hash, 3) >= 0.5 {
        return fault;
    }
    let at = u32::try_from(commands).map_or(0.0, f64::from) * unit(hash, 4);
    let k = format!("{at:.0}").parse().unwrap_or(commands);
    Fault::after_commands(k, fault.answer)
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
        other @ (Effect::Before | Effect::Never | Effect::AfterCommands(_)) => other,
    };
    let answer =
        if let Answer::Slow(longest) = &fault.answer { Answer::Slow(part(*longest)) } else { fault.answer.clone() };
    Fault { effect, answer }
}
