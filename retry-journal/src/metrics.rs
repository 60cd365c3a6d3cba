//! The numbers of a journal for the metrics of the program that sends.

use std::time::Duration;

use metrics::{describe_gauge, gauge};

use crate::desk::{Desk, DeskError};
use crate::states::NAMES;

/// Counts the journal and sets the gauges of the [`metrics`] facade. A program calls it now and then, for example each minute.
///
/// | gauge | what it is |
/// |---|---|
/// | `bitrix_journal_intents{state}` | intents in this state; each state is told, also with 0 |
/// | `bitrix_journal_oldest_open_seconds` | how long ago the oldest open intent began; 0 if none is open |
/// | `bitrix_journal_oldest_manual_seconds` | how long ago the oldest one began that waits for a person; 0 if none does |
///
/// # Errors
/// The journal can't be read. The gauges stay as they were.
pub async fn report_metrics(desk: &dyn Desk) -> Result<(), DeskError> {
    let stats = desk.stats().await?;
    describe_gauge!("bitrix_journal_intents", "Intents of the write journal, by state");
    describe_gauge!("bitrix_journal_oldest_open_seconds", "Age of the oldest open intent, 0 if there is none");
    describe_gauge!(
        "bitrix_journal_oldest_manual_seconds",
        "Age of the oldest intent that waits for a person, 0 if none does"
    );
    for name in NAMES {
        // A gauge is a float: beyond four thousand million nobody counts to the last one.
        let count = u32::try_from(stats.count(name)).unwrap_or(u32::MAX);
        gauge!("bitrix_journal_intents", "state" => name).set(count);
    }
    gauge!("bitrix_journal_oldest_open_seconds").set(seconds(stats.oldest_open));
    gauge!("bitrix_journal_oldest_manual_seconds").set(seconds(stats.oldest_manual));
    Ok(())
}

fn seconds(age: Option<Duration>) -> f64 {
    age.unwrap_or_default().as_secs_f64()
}
