//! One worker: a process that goes through the rows and settles what other workers have left open.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use retry_journal::postgres::PostgresJournal;
use retry_runtime::Client;

use crate::deals::{NewDeal, add_deal};
use crate::leads::{Export, Lead};
use crate::options::{DATABASE, Options, WEBHOOK};
use crate::tally::Tally;
use crate::{portal, turns};

/// How many rows are under way at a time.
const AT_A_TIME: usize = 8;

/// How long the calls under way may take at the end.
const LAST: Duration = Duration::from_secs(600);

/// # Errors
/// What keeps the worker from going on, in words.
pub(crate) async fn run(options: &Options, number: u16) -> Result<(), String> {
    let variable = |name| std::env::var(name).map_err(|_| format!("a worker needs {name}"));
    let (webhook, database) = (variable(WEBHOOK)?, variable(DATABASE)?);
    let local_limit = options.local_limit.map(Duration::from_millis);
    let mut rows = Export::read(&options.file)?.leads;
    let journal = PostgresJournal::builder()
        .lease(options.lease(local_limit.is_some()))
        .connect(&database)
        .await
        .map_err(|error| error.to_string())?;
    let tally = Tally::default();
    let client = portal::client(options, &webhook, local_limit)
        .journal(journal.clone())
        .observer(tally.clone())
        .build()
        .map_err(|error| format!("{WEBHOOK}: {error}"))?;
    let recovered = Arc::new(AtomicUsize::new(0));
    let every = options.lease(local_limit.is_some()) / 2;
    let recovery = tokio::spawn(recover(client.clone(), every, Arc::clone(&recovered)));
    // Each worker begins at another place of the file; all of them go through all of it.
    let start = (rows.len() * usize::from(number) / usize::from(options.workers)).min(rows.len());
    rows.rotate_left(start);
    let mut failed = Vec::new();
    let add = |lead: Lead| {
        let client = client.clone();
        async move { (lead.line, add_deal(&client, &NewDeal::of(&lead.order)).await) }
    };
    turns::each_row(rows, AT_A_TIME, add, |(line, result)| {
        if let Err(error) = result {
            failed.push((line, error.to_string()));
        }
    })
    .await?;
    recovery.abort();
    client.shutdown(LAST).await;
    drop(client);
    let mut counts = tally.counts();
    counts.failed = failed;
    counts.recovered = recovered.load(Ordering::Relaxed);
    journal.close().await;
    let line = serde_json::to_string(&counts).map_err(|error| error.to_string())?;
    println!("{line}");
    Ok(())
}

/// Settles now and then what is open and held by nobody any more. The calls of the rows do so too, each for its own row.
async fn recover(client: Client, every: Duration, recovered: Arc<AtomicUsize>) {
    loop {
        match client.recover([add_deal::RECOVERY]).await {
            Ok(settled) => {
                recovered.fetch_add(settled.intents.len(), Ordering::Relaxed);
            }
            Err(error) => eprintln!("recovery will be tried again: {error}"),
        }
        tokio::time::sleep(every).await;
    }
}
