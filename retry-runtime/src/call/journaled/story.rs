//! What a report tells a journal.

use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::journal::{Event, EventKind};
use crate::report::{Attempt, Check, Finding, Report, utc};

/// The events since so many attempts and checks were told.
pub(super) fn since(told: &mut (usize, usize), report: &Report) -> Vec<Event> {
    let attempts = report.attempts().get(told.0..).unwrap_or_default();
    let checks = report.checks().get(told.1..).unwrap_or_default();
    *told = (report.attempts().len(), report.checks().len());
    let mut events: Vec<Event> = attempts.iter().map(|sent| attempt(sent, report.started())).collect();
    events.extend(checks.iter().map(check));
    events.sort_by_key(|event| event.at);
    events
}

fn attempt(attempt: &Attempt, started: SystemTime) -> Event {
    Event {
        at: attempt.sent_at.unwrap_or(started),
        kind: EventKind::Attempt,
        text: format!("send {}: {}", attempt.number, attempt.outcome).into(),
        detail: detail(attempt).to_string().into(),
    }
}

fn check(check: &Check) -> Event {
    let reads: Vec<Value> = check.reads.iter().map(detail).collect();
    let candidates: Vec<&str> = match &check.finding {
        Finding::Multiple(found) => found.iter().map(|found| record(found)).collect(),
        Finding::Found | Finding::Absent | Finding::Unreliable(_) | Finding::Failed(_) => Vec::new(),
    };
    Event {
        at: check.began,
        kind: EventKind::Check,
        text: format!("read-back: {}", check.finding).into(),
        detail: json!({ "took_ms": millis(check.took), "proves_absence": check.proves, "candidates": candidates, "reads": reads })
            .to_string()
            .into(),
    }
}

/// What a person looks for on the portal: of an `Id` its number.
fn record(found: &str) -> &str {
    found.strip_prefix("Id(").and_then(|number| number.strip_suffix(')')).unwrap_or(found)
}

fn detail(attempt: &Attempt) -> Value {
    json!({
        "send": attempt.number,
        "sent_at": attempt.sent_at.map(|at| utc(at).to_string()),
        "waited_ms": millis(attempt.waited),
        "took_ms": millis(attempt.took),
        "outcome": attempt.outcome.to_string(),
        "http_status": attempt.status,
        "request_id": attempt.request_id,
        "decision": attempt.decision.map(|decision| format!("{decision:?}")),
        "replayed": attempt.replayed,
    })
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
