//! `/metrics`: the numbers of the journal in the text format of Prometheus.

use std::fmt::Write as _;
use std::time::Duration;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};

use super::Here;
use super::problem::Problem;
use crate::desk::Stats;
use crate::states::NAMES;

pub(super) async fn numbers(State(shared): Here) -> Result<Response, Problem> {
    let stats = shared.desk.stats().await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], written(&stats)).into_response())
}

fn written(stats: &Stats) -> String {
    let mut text = String::from(
        "# HELP bitrix_journal_intents Intents of the write journal, by state.\n# TYPE bitrix_journal_intents gauge\n",
    );
    for name in NAMES {
        // Writing to a text can't fail.
        let _ = writeln!(text, "bitrix_journal_intents{{state=\"{name}\"}} {}", stats.count(name));
    }
    for (name, what, age) in
        [("open", "open intent", stats.oldest_open), ("manual", "intent that waits for a person", stats.oldest_manual)]
    {
        let metric = format!("bitrix_journal_oldest_{name}_seconds");
        let seconds = age.unwrap_or(Duration::ZERO).as_secs_f64();
        let _ = write!(
            text,
            "# HELP {metric} Age of the oldest {what}, 0 if there is none.\n# TYPE {metric} gauge\n{metric} {seconds}\n"
        );
    }
    text
}
