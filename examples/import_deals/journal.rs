//! The journal of a run: what a killed process leaves open, and what the next one does first.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use retry_journal::Desk;
use retry_journal::sqlite::SqliteJournal;
use retry_runtime::Client;
use retry_runtime::journal::{self, MemoryJournal, Settlement};
use tokio::signal::ctrl_c;

use crate::api::Api;

/// For so long Ctrl-C waits for what is under way.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where the writes of a run are on record.
pub(crate) enum Journal {
    /// As long as the process lives.
    Memory,
    /// In a file, which outlives it.
    File { path: PathBuf, journal: SqliteJournal },
}

impl Journal {
    /// # Errors
    /// Why the file can't be used, and what to do.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, String> {
        let Some(path) = path else { return Ok(Self::Memory) };
        let journal = SqliteJournal::open(path).map_err(|error| error.to_string())?;
        if let Some(why) = journal::Journal::suspicion(&journal) {
            eprintln!("{}: {why}. Each order is looked for before its first send", path.display());
        }
        Ok(Self::File { path: path.into(), journal })
    }

    /// The same for a client.
    pub(crate) fn of_client(&self) -> Arc<dyn journal::Journal> {
        match self {
            Self::Memory => Arc::new(MemoryJournal::new()),
            Self::File { journal, .. } => Arc::new(journal.clone()),
        }
    }

    /// The file.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Memory => None,
            Self::File { path, .. } => Some(path),
        }
    }

    /// Settles what earlier runs have left open, and tells what became of it.
    ///
    /// # Errors
    /// The journal can't be read.
    pub(crate) async fn settle(&self, client: &Client, api: Api) -> Result<(), String> {
        let Self::File { path, journal } = self else { return Ok(()) };
        let shown = path.display();
        let stats = journal.stats().await.map_err(|error| error.to_string())?;
        let open: u64 =
            stats.states.iter().filter(|(state, _)| ["sending", "unknown"].contains(state)).map(|(_, open)| open).sum();
        if open > 0 {
            eprintln!(
                "{shown}: {open} writes were under way when the run before ended: their time is waited out, and they are looked for"
            );
        }
        let recovered = client.recover([api.recovery()]).await.map_err(|error| error.to_string())?;
        let named = [
            (Settlement::Applied, "had been applied"),
            (Settlement::NotApplied, "had not, and are sent again"),
            (Settlement::Rejected, "were refused"),
            (Settlement::Manual, "need a person"),
            (Settlement::Open, "are not settled yet"),
        ];
        let told = named.map(|(settlement, what)| (recovered.count(settlement), what));
        let told: Vec<String> =
            told.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
        if !told.is_empty() {
            eprintln!("{shown}: {}", told.join(", "));
        }
        Ok(())
    }

    /// Waits for Ctrl-C, if a run can go on after it.
    pub(crate) async fn interrupted(&self) {
        let heard = match self {
            Self::Memory => false,
            Self::File { .. } => ctrl_c().await.is_ok(),
        };
        if !heard {
            std::future::pending::<()>().await;
        }
    }

    /// Ends what is under way, for some seconds or until Ctrl-C comes again.
    pub(crate) async fn leave(&self, client: &Client) {
        eprintln!("\nstopping: what is under way ends first, for {} seconds at most", PATIENCE.as_secs());
        let open = tokio::select! {
            open = client.shutdown(PATIENCE) => open,
            _ = ctrl_c() => client.shutdown(Duration::ZERO).await,
        };
        println!("stopped, {open} writes are open. Run it again with the same journal: it goes on");
    }
}
