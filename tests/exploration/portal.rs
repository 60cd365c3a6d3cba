//! What the portal may do: each class of answer, with each time at which an effect may come.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use crate::choices::Choices;
use crate::support::{Step, millis, secs};

/// How many requests are chosen; those after them are answered as they should be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) sends: usize,
    pub(crate) reads: usize,
}

/// When effects come that were not in time for their answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lateness {
    /// While the request may still be applied.
    WithinTheSettleTime,
    /// At its very end, or after it: the assumption of the settle time is broken.
    After,
}

/// What may still come of a request after its answer, by the class of that answer.
#[derive(Debug, Clone, Copy)]
enum Fear {
    /// Nothing later than the answer.
    Nothing,
    /// For so long after the answer.
    For(Duration),
    /// Without bound.
    Unbounded,
}

/// One step of each class of answer; the codes stand for their rows of the decision table.
fn classes() -> [(Step, Fear); 12] {
    // 90 s after the sending; an answer takes 0.1 s.
    let loss = Fear::For(millis(89_900));
    [
        (Step::code("RATE_LIMITED"), Fear::Nothing),
        (Step::not_sent(), Fear::Nothing),
        (Step::code("ACCESS_DENIED"), Fear::Nothing),
        (Step::code("ERROR_CORE"), Fear::For(Duration::ZERO)),
        (Step::result(&json!({"strange": true})), Fear::Nothing),
        (Step::code("INTERNAL_SERVER_ERROR"), Fear::For(secs(15))),
        (Step::code("BITRIX_TIMEOUT"), loss),
        (Step::code("NEVER_HEARD_OF"), loss),
        (Step::lost(), loss),
        (Step::html(), loss),
        (Step::silence(), loss),
        (Step::code("BH_APP_TIMEOUT"), Fear::Unbounded),
    ]
}

/// Each class with each effect that it allows one to fear, or with those beyond that.
fn write_steps(lateness: Lateness) -> Vec<Step> {
    let mut steps = vec![Step::honest()];
    for (step, fear) in classes() {
        if lateness == Lateness::After {
            steps.extend(too_late(fear).into_iter().map(|after| step.clone().applied_late(after)));
            continue;
        }
        steps.push(step.clone());
        if !matches!(fear, Fear::Nothing) {
            steps.push(step.clone().applied());
        }
        steps.extend(in_time(fear).into_iter().map(|after| step.clone().applied_late(after)));
    }
    steps
}

/// How long after the answer an effect comes that is feared.
fn in_time(fear: Fear) -> Vec<Duration> {
    match fear {
        Fear::Nothing | Fear::For(Duration::ZERO) => Vec::new(),
        Fear::For(bound) => vec![bound.saturating_sub(millis(1))],
        // No later than is feared of a send that has not ended: 65 s and 85 s.
        Fear::Unbounded => vec![secs(149)],
    }
}

/// The same for one that nobody has to fear: at the very end of the settle time, and well after it.
fn too_late(fear: Fear) -> Vec<Duration> {
    match fear {
        Fear::Nothing | Fear::Unbounded => Vec::new(),
        Fear::For(bound) => vec![bound, bound + secs(30)],
    }
}

/// What a list may do: it may fail, say too little, or show rows of others.
fn read_steps() -> Vec<Step> {
    let row = |id: u32, order: &str| json!({"ID": id, "ORIGINATOR_ID": "shop", "ORIGIN_ID": order, "title": order});
    vec![
        Step::honest(),
        Step::lost(),
        Step::code("ACCESS_DENIED"),
        Step::page(&json!([row(9_998, ORDER), row(9_999, ORDER)]), None, None),
        Step::page(&json!([row(9_997, "of another")]), None, None),
        Step::page(&json!([]), Some(50), None),
    ]
}

/// Whether this is the read of the verifiers.
pub(crate) fn is_read(method: &str) -> bool {
    matches!(method, "crm.deal.list" | "tasks.task.list")
}

/// The business key of the one operation.
pub(crate) const ORDER: &str = "1017";

/// All that a request may meet.
pub(crate) struct Ways {
    writes: Vec<Step>,
    reads: Vec<Step>,
}

impl Ways {
    pub(crate) fn new(lateness: Lateness) -> Self {
        Self { writes: write_steps(lateness), reads: read_steps() }
    }
}

/// Chooses what each request meets.
pub(crate) struct Chooser {
    pub(crate) choices: Choices,
    /// When each choice was made, since the start.
    pub(crate) made_at: Vec<Duration>,
    ways: Arc<Ways>,
    left: Bounds,
}

impl Chooser {
    pub(crate) fn new(choices: Choices, bounds: Bounds, ways: Arc<Ways>) -> Self {
        // The number of attempts was chosen before the start.
        Self { choices, made_at: vec![Duration::ZERO], ways, left: bounds }
    }

    pub(crate) fn step(&mut self, method: &str, now: Duration) -> Option<Step> {
        let (steps, left) = if is_read(method) {
            (&self.ways.reads, &mut self.left.reads)
        } else {
            (&self.ways.writes, &mut self.left.sends)
        };
        *left = left.checked_sub(1)?;
        self.made_at.push(now);
        Some(steps[self.choices.take(steps.len())].clone())
    }
}
