//! What a client does when its process begins and ends: settle what was left open, and leave nothing open.

use std::time::Duration;

use tokio::time::timeout;

use super::Client;
use crate::call::{Recovered, Recovery, recover};
use crate::journal::JournalError;

impl Client {
    /// Settles what earlier processes have left open: each intent of these stubs that nobody holds any more is waited for, read back with the verifier of its
    /// stub, and ends as applied, as not applied, or with a person.
    ///
    /// To be called once when the process begins; where several processes share a journal, every now and then. It takes the settle time at least
    /// (90 s on the cloud) if anything is open. Name every stub that says `journal`: what another one has left open stays so, and so does what a stub made that was
    /// moved or renamed since; `bitrix-journal list` shows it. What it proves not applied is sent by the next call with its key, or at once where the stub says `resend`.
    ///
    /// ```
    /// use retry_runtime::journal::{MemoryJournal, Settlement};
    /// use retry_runtime::Client;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let client = Client::builder()
    ///     .webhook("https://acme.bitrix24.com/rest/1/abcdefgh12345678/")
    ///     .journal(MemoryJournal::new())
    ///     .build()?;
    /// let recovered = client.recover([]).await?;
    /// assert_eq!(recovered.count(Settlement::Manual), 0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The journal can't be read, or the client has none.
    ///
    /// # Cancel safety
    /// Dropped, it stops waiting; what it has begun goes on.
    pub async fn recover(&self, stubs: impl IntoIterator<Item = Recovery>) -> Result<Recovered, JournalError> {
        let stubs: Vec<Recovery> = stubs.into_iter().collect();
        recover(self, &stubs).await
    }

    /// Takes no further intent, and waits until those that are under way have ended and are on record, at most so long. Gives back how many are still open.
    ///
    /// What is left then goes on while the runtime lasts; whatever its end, recovery finds it.
    ///
    /// # Cancel safety
    /// Dropped, it stops waiting; the client stays shut down.
    pub async fn shutdown(&self, within: Duration) -> usize {
        let shared = self.shared();
        shared.intents.close();
        let ended = async {
            shared.intents.wait().await;
            if let Some(journal) = &shared.journal
                && let Err(error) = journal.flush().await
            {
                tracing::warn!(%error, "the journal was not written to its end at shutdown");
            }
        };
        let _ = timeout(within, ended).await;
        shared.intents.len()
    }
}
