//! The import: each row is one call, and its report says what became of it.

use retry_runtime::CallError;

use crate::leads::Lead;
use crate::portal::Destination;
use crate::progress::Progress;
use crate::tally::Counts;
use crate::{add_deal, turns};

/// A row that gave no deal.
pub(crate) struct Failure {
    pub(crate) line: usize,
    pub(crate) error: CallError,
}

/// How it went.
pub(crate) struct Outcome {
    pub(crate) counts: Counts,
    pub(crate) failures: Vec<Failure>,
}

/// Makes a deal of each row.
///
/// # Errors
/// A task that broke, which is a bug of this program.
pub(crate) async fn run(destination: &Destination, leads: Vec<Lead>) -> Result<Outcome, String> {
    let mut progress = Progress::of(leads.len());
    let mut failures = Vec::new();
    let add = |lead: Lead| {
        let client = destination.client.clone();
        async move { (lead.line, add_deal(&client, &lead.deal).await) }
    };
    turns::each_row(leads, destination.rows_a_minute, add, |(line, result)| {
        if let Err(error) = result {
            failures.push(Failure { line, error });
        }
        progress.advance(|| so_far(destination.tally.counts(), failures.len()));
    })
    .await?;
    progress.end();
    failures.sort_by_key(|failure| failure.line);
    Ok(Outcome { counts: destination.tally.counts(), failures })
}

fn so_far(counts: Counts, failures: usize) -> String {
    let failed = if failures > 0 { format!(", {failures} failed") } else { String::new() };
    format!("{} read back, {} resent{failed}", counts.found, counts.resent)
}
