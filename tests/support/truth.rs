//! What really happened on the scripted portal.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::time::Duration;

use retry_runtime::OperationKind;
use serde_json::{Value, json};

use super::step::Step;

/// How long the portal keeps a success under its idempotency key.
const KEY_LIVES: Duration = Duration::from_hours(24);

/// A request that reached the portal.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) method: &'static str,
    /// Since the portal was made.
    pub(crate) at: Duration,
    /// How long the machine had been suspended by then, which is no part of `at`.
    pub(super) slept: Duration,
    pub(crate) arguments: Value,
    pub(crate) bytes: Vec<u8>,
    pub(crate) read_back: bool,
    /// A command of a batch, which is a request of its own here too.
    pub(crate) in_batch: bool,
    pub(crate) idempotency_key: Option<String>,
    /// Whether the caller says that it has renewed the token once.
    pub(crate) token_renewed: bool,
    /// How long its answer means to ask to wait.
    pub(crate) asked: Option<Duration>,
    /// Until when it can be applied; `None` is for ever.
    pub(crate) settled: Option<Duration>,
}

impl Received {
    pub(crate) fn is_write(&self) -> bool {
        self.method.strip_suffix(".add").is_some()
    }
}

/// The effect of a write. Times count from when the portal was made.
#[derive(Debug, Clone)]
pub(crate) struct Record {
    pub(crate) id: u64,
    pub(crate) method: &'static str,
    pub(crate) arguments: Value,
    /// The place of its request among those received; `None` if it was put there by other hands.
    pub(crate) request: Option<usize>,
    /// From when on it is there and lists show it.
    pub(crate) visible: Duration,
}

impl Record {
    /// The key that deals carry.
    pub(crate) fn origin(&self) -> &str {
        self.arguments["fields"]["ORIGIN_ID"].as_str().unwrap_or_default()
    }
}

/// What a read shows of the records that are visible.
pub(crate) type View = fn(&[&Record], &Value) -> Value;

/// The success of a request, stored under its idempotency key in one step with its effect.
#[derive(Debug)]
struct Stored {
    method: &'static str,
    key: String,
    bytes: Vec<u8>,
    id: u64,
    /// By the clock of the portal, which is never suspended.
    at: Duration,
}

/// What the portal knows of the idempotency key of a request when it comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    /// Nothing: the request runs.
    No,
    /// This very request has succeeded, and this is its record.
    Yes(u64),
    /// Another request with this key has.
    WithOtherBytes,
}

/// Says what a request meets when it comes.
pub(super) struct Chooser(pub(super) Box<dyn FnMut(&'static str) -> Option<Step> + Send>);

impl fmt::Debug for Chooser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Chooser")
    }
}

#[derive(Debug, Default)]
pub(super) struct Truth {
    pub(super) scripts: HashMap<&'static str, VecDeque<Step>>,
    pub(super) chooser: Option<Chooser>,
    pub(super) views: HashMap<&'static str, View>,
    pub(super) received: Vec<Received>,
    pub(super) records: Vec<Record>,
    /// The number of the credentials that requests go out with, if they matter.
    pub(super) credentials: Option<u64>,
    /// How long the machine of the clients has been suspended.
    pub(super) suspended: Duration,
    stored: Vec<Stored>,
    last_id: u64,
}

impl Truth {
    pub(super) fn next_step(&mut self, method: &'static str) -> Step {
        let scripted = self.scripts.get_mut(method).and_then(VecDeque::pop_front);
        let chosen = || self.chooser.as_mut().and_then(|Chooser(choose)| choose(method));
        scripted.or_else(chosen).unwrap_or_else(Step::honest)
    }

    /// The effect of a request that was received; a read has none.
    pub(super) fn apply(&mut self, request: usize, kind: OperationKind, visible: Duration) -> Option<u64> {
        match kind {
            OperationKind::Read => None,
            OperationKind::Write => {
                let Received { method, arguments, .. } = self.received[request].clone();
                Some(self.put(Record { id: 0, method, arguments, request: Some(request), visible }))
            }
        }
    }

    /// What is known of the key of a request. One that is still on its way is not known: two at once both run.
    pub(super) fn known(&self, request: usize) -> Known {
        let Received { method, bytes, idempotency_key, at, slept, .. } = &self.received[request];
        let at = *at + *slept;
        let of_the_key = |stored: &&Stored| {
            let lives = stored.at <= at && at < stored.at + KEY_LIVES;
            lives && stored.method == *method && Some(&stored.key) == idempotency_key.as_ref()
        };
        match self.stored.iter().find(of_the_key) {
            None => Known::No,
            Some(stored) if stored.bytes == *bytes => Known::Yes(stored.id),
            Some(_) => Known::WithOtherBytes,
        }
    }

    /// Stores the success of a request under its key, if it has one.
    pub(super) fn store(&mut self, request: usize, id: u64, at: Duration) {
        let Received { method, bytes, idempotency_key, .. } = self.received[request].clone();
        if let Some(key) = idempotency_key {
            self.stored.push(Stored { method, key, bytes, id, at: at + self.suspended });
        }
    }

    /// Puts a record there, under the next id.
    pub(super) fn put(&mut self, record: Record) -> u64 {
        self.last_id += 1;
        self.records.push(Record { id: self.last_id, ..record });
        self.last_id
    }

    /// What the method answers: a write its id, `crm.X.list` the rows of `crm.X.add` that the filter lets through.
    pub(super) fn answer(&self, method: &str, arguments: &Value, made: Option<u64>, now: Duration) -> Value {
        let seen: Vec<&Record> = self.records.iter().filter(|record| record.visible <= now).collect();
        if let Some(view) = self.views.get(method) {
            return view(&seen, arguments);
        }
        match method.strip_suffix(".list") {
            Some(entity) => rows(&seen, entity, arguments),
            None => json!(made),
        }
    }
}

fn rows(seen: &[&Record], entity: &str, arguments: &Value) -> Value {
    let wanted = arguments["filter"].as_object().cloned().unwrap_or_default();
    let of_the_entity = |record: &&&Record| record.method.strip_suffix(".add") == Some(entity);
    let row = |record: &&Record| {
        let mut row = record.arguments["fields"].clone();
        row["ID"] = json!(record.id.to_string());
        row
    };
    let rows = seen.iter().filter(of_the_entity).map(row);
    rows.filter(|row| wanted.iter().all(|(field, value)| &row[field] == value)).collect()
}
