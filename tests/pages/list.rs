//! A portal with one list, as a script: what it ignores, what it loses, and what it was asked.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use retry_runtime::clock::{Clock as _, PausedClock};
use retry_runtime::transport::{Answer, BoxFuture, Heard, Loss, Request, Success, Transport, Wire};
use retry_runtime::{Beside, Client, Code, Settle};
use serde_json::{Map, Value, json};

/// How a list is, where it is not an honest one of deals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    IgnoresFilter,
    IgnoresOrder,
    IgnoresStart,
    /// It leaves `$result[..]` as it stands.
    NoReferences,
    /// Its rows are `{"items": [{"id": ..}]}`.
    InItems,
    /// It counts the rows of the page.
    CountsThePage,
    /// It says nothing of how many rows there are.
    NoTotal,
    /// It never names a next page.
    NoNext,
    /// It answers all rows at once, whatever it is asked.
    Unpaged,
    /// It always names this one.
    NamesNext(u64),
    /// Nothing is greater than a text that is no number.
    NothingAfterText,
}

/// What a request meets.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Step {
    Honest,
    Lost,
    Code(&'static str),
    /// It takes so long.
    Slow(Duration),
    /// The command of this number fails.
    Fails(usize, &'static str),
    /// The rows from here on are deleted and others added before the request is served.
    Changes {
        delete: u64,
        add: u64,
    },
}

/// What was asked: the method, and what came with it.
#[derive(Debug, Clone)]
pub(crate) struct Sent {
    pub(crate) method: &'static str,
    pub(crate) arguments: Value,
}

/// The list. A clone is another handle of it.
#[derive(Debug, Clone)]
pub(crate) struct List(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    clock: PausedClock,
    ways: Vec<Way>,
    rows: Mutex<BTreeSet<u64>>,
    steps: Mutex<VecDeque<Step>>,
    sent: Mutex<Vec<Sent>>,
}

impl List {
    /// A list with these ids.
    pub(crate) fn new(ways: impl IntoIterator<Item = Way>, ids: impl IntoIterator<Item = u64>) -> Self {
        Self(Arc::new(Inner {
            clock: PausedClock::starting_at(SystemTime::UNIX_EPOCH + Duration::from_secs(1_796_000_000)),
            ways: ways.into_iter().collect(),
            rows: Mutex::new(ids.into_iter().collect()),
            steps: Mutex::default(),
            sent: Mutex::default(),
        }))
    }

    /// An honest list with so many rows.
    pub(crate) fn of(rows: u64) -> Self {
        Self::new([], 1..=rows)
    }

    #[must_use]
    pub(crate) fn meets(self, steps: impl IntoIterator<Item = Step>) -> Self {
        self.0.steps.lock().unwrap().extend(steps);
        self
    }

    pub(crate) fn client(&self) -> Client {
        let builder = Client::builder().transport(self.clone()).clock(self.0.clock);
        builder.settle(Settle::cloud()).seed(7).build().unwrap()
    }

    pub(crate) fn sent(&self) -> Vec<Sent> {
        self.0.sent.lock().unwrap().clone()
    }

    /// The methods that were asked, in order.
    pub(crate) fn methods(&self) -> Vec<&'static str> {
        self.sent().iter().map(|sent| sent.method).collect()
    }

    fn rows_of(&self, query: &Query) -> (Value, Beside) {
        let is = |way| self.0.ways.contains(&way);
        let rows = self.0.rows.lock().unwrap();
        let after = query.after.filter(|_| !is(Way::IgnoresFilter)).unwrap_or(0);
        let mut found: Vec<u64> = rows.iter().copied().filter(|id| *id > after).collect();
        if is(Way::IgnoresOrder) {
            found.reverse();
        }
        if query.after_text && is(Way::NothingAfterText) {
            found.clear();
        }
        let counted = found.len();
        let start = query.start.filter(|_| !is(Way::IgnoresStart)).unwrap_or(0);
        let page: Vec<u64> = if is(Way::Unpaged) { found } else { found.into_iter().skip(start).take(50).collect() };
        let more = (start.saturating_add(page.len()) < counted && query.start.is_some() && !is(Way::NoNext))
            .then_some(start as u64 + 50);
        let more =
            self.0.ways.iter().find_map(|way| if let Way::NamesNext(next) = way { Some(*next) } else { None }).or(more);
        let total = if is(Way::CountsThePage) { page.len() } else { counted };
        let total = query.start.is_some().then_some(total as u64).or(Some(0)).filter(|_| !is(Way::NoTotal));
        let result = if is(Way::InItems) {
            json!({"items": page.iter().map(|id| json!({"id": id, "title": "x"})).collect::<Vec<_>>()})
        } else {
            page.iter().map(|id| json!({"ID": id.to_string(), "TITLE": "x"})).collect()
        };
        (result, Beside { next: more, total, partial: false })
    }

    fn batch(&self, arguments: &Value, fails: Option<(usize, &str)>) -> Value {
        let mut maps: [Map<String, Value>; 4] = Default::default();
        for (index, (name, command)) in arguments["cmd"].as_object().unwrap().iter().enumerate() {
            let [results, errors, totals, nexts] = &mut maps;
            if let Some((_, code)) = fails.filter(|(failing, _)| *failing == index) {
                errors.insert(name.clone(), json!({"error": code, "error_description": "a test"}));
                break;
            }
            let query = Query::of_command(command.as_str().unwrap(), results, self.0.ways.contains(&Way::NoReferences));
            let (result, beside) = self.rows_of(&query);
            results.insert(name.clone(), result);
            totals.extend(beside.total.map(|total| (name.clone(), json!(total))));
            nexts.extend(beside.next.map(|next| (name.clone(), json!(next))));
        }
        let php = |map: Map<String, Value>| if map.is_empty() { json!([]) } else { Value::Object(map) };
        let [results, errors, totals, nexts] = maps.map(php);
        json!({"result": results, "result_error": errors, "result_total": totals, "result_next": nexts})
    }

    async fn serve(&self, request: &Request, wire: &Wire) -> Result<Answer, Loss> {
        let now = self.0.clock.now();
        assert!(wire.claim(now), "nothing withdraws a read in these tests");
        let arguments: Value = serde_json::from_slice(&request.arguments).unwrap();
        self.0.sent.lock().unwrap().push(Sent { method: request.method, arguments: arguments.clone() });
        let step = self.0.steps.lock().unwrap().pop_front().unwrap_or(Step::Honest);
        let mut fails = None;
        match step {
            Step::Honest => {}
            Step::Lost => return Err(Loss::Lost { why: "connection reset".into(), last_byte_by: now }),
            Step::Code(code) => {
                let heard = Heard::Code { code: Code::of(code), text: "a test".into() };
                return Ok(Answer::new(heard, now));
            }
            Step::Slow(time) => tokio::time::sleep(time).await,
            Step::Fails(index, code) => fails = Some((index, code)),
            Step::Changes { delete, add } => {
                let mut rows = self.0.rows.lock().unwrap();
                let newest = rows.last().copied().unwrap_or(0);
                rows.retain(|id| *id % delete != 0);
                rows.extend(newest + 1..=newest + add);
            }
        }
        let success = if request.method == "batch" {
            Success::new(self.batch(&arguments, fails).to_string())
        } else {
            let (result, beside) = self.rows_of(&Query::of_arguments(&arguments));
            Success::new(result.to_string()).beside(beside)
        };
        Ok(Answer::new(Heard::Success(success), now))
    }
}

impl Transport for List {
    fn send<'a>(&'a self, request: &'a Request, wire: &'a Arc<Wire>) -> BoxFuture<'a, Result<Answer, Loss>> {
        Box::pin(self.serve(request, wire))
    }
}

/// What the list understands of a request.
#[derive(Debug, Default)]
struct Query {
    after: Option<u64>,
    /// Whether it is a text that is no number.
    after_text: bool,
    /// `None`: nothing is counted.
    start: Option<usize>,
}

impl Query {
    fn of_arguments(arguments: &Value) -> Self {
        let filter = &arguments["filter"];
        let after = [">ID", ">id"].iter().find_map(|name| filter.get(name)?.as_u64());
        let start = arguments["start"].as_i64().map_or(Some(0), |start| usize::try_from(start).ok());
        Self { after, after_text: false, start }
    }

    /// A text that is no number is 0 to the portal.
    fn of_command(command: &str, results: &Map<String, Value>, no_references: bool) -> Self {
        let (method, query) = command.split_once('?').unwrap();
        assert!(method.contains(".list"), "{method}");
        let pairs: BTreeMap<&str, &str> = query.split('&').filter_map(|pair| pair.split_once('=')).collect();
        let number = |text: &str| text.parse().unwrap_or(0);
        let after = ["filter%5B%3EID%5D", "filter%5B%3Eid%5D"].iter().find_map(|name| pairs.get(name)).map(|text| {
            let Some(path) = text.strip_prefix("$result").filter(|_| !no_references) else { return number(text) };
            let steps = path.trim_matches(['[', ']']).split("][");
            let found = steps.fold(None, |at: Option<&Value>, step| match (at, step.parse::<usize>()) {
                (None, _) => results.get(step),
                (Some(at), Ok(index)) => at.get(index).or(Some(&Value::Null)),
                (Some(at), Err(_)) => at.get(step).or(Some(&Value::Null)),
            });
            found.map_or(0, |id| id.as_u64().unwrap_or_else(|| number(id.as_str().unwrap_or_default())))
        });
        let start = pairs.get("start").map_or(Some(0), |start| start.parse().ok());
        let after_text = no_references && query.contains("$result");
        Self { after, after_text, start }
    }
}
