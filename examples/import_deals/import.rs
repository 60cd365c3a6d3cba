//! The import: each row is one call, and its report says what became of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use retry_runtime::{CallError, Id};

use crate::api::{Api, Problem};
use crate::leads::Lead;
use crate::portal::Destination;
use crate::progress::Progress;
use crate::tally::Counts;
use crate::turns;

/// A row that gave no record.
pub(crate) struct Failure {
    pub(crate) line: usize,
    pub(crate) error: CallError,
}

/// How it went.
pub(crate) struct Outcome {
    pub(crate) counts: Counts,
    pub(crate) requests: usize,
    pub(crate) failures: Vec<Failure>,
    /// Rows that could not be sent, and why.
    pub(crate) unsendable: Vec<(usize, String)>,
    /// The row whose deal came back without its key. It ended the run.
    pub(crate) key_dropped: Option<(usize, Id)>,
}

/// Makes a record of each row.
///
/// # Errors
/// A task that broke, which is a bug of this program.
pub(crate) async fn run(destination: &Destination, mut leads: Vec<Lead>, user: u64) -> Result<Outcome, String> {
    let mut progress = Progress::of(leads.len());
    let (mut failures, mut unsendable, mut key_dropped) = (Vec::new(), Vec::new(), None);
    // Where the key may get lost, the first row goes alone: without the key every retry would be a duplicate.
    let rest = if destination.api == Api::Vibe { leads.split_off(1) } else { Vec::new() };
    let stop = Arc::new(AtomicBool::new(false));
    for part in [leads, rest] {
        let add = |lead: Lead| {
            let (api, client, stop) = (destination.api, destination.client.clone(), Arc::clone(&stop));
            async move {
                let result = if stop.load(Ordering::Relaxed) {
                    None
                } else {
                    Some(api.create(&client, &lead.order, user).await)
                };
                (lead.line, result)
            }
        };
        turns::each_row(part, destination.at_a_time, add, |(line, result)| {
            match result {
                None | Some(Ok(())) => {}
                Some(Err(Problem::Call(error))) => failures.push(Failure { line, error }),
                Some(Err(Problem::NoKey(why))) => unsendable.push((line, why)),
                Some(Err(Problem::KeyDropped(id))) => {
                    stop.store(true, Ordering::Relaxed);
                    key_dropped = key_dropped.or(Some((line, id)));
                }
            }
            progress.advance(|| so_far(destination.tally.counts(), failures.len()));
        })
        .await?;
        if key_dropped.is_some() {
            break;
        }
    }
    progress.end();
    failures.sort_by_key(|failure| failure.line);
    Ok(Outcome {
        counts: destination.tally.counts(),
        requests: destination.requests(),
        failures,
        unsendable,
        key_dropped,
    })
}

fn so_far(counts: Counts, failures: usize) -> String {
    let failed = if failures > 0 { format!(", {failures} failed") } else { String::new() };
    format!("{} found after a loss, {} resent{failed}", counts.found, counts.resent)
}
