//! What a journal knows of itself.

use std::sync::Arc;

use retry_runtime::journal::JournalError;

use super::core::{Core, lock};
use super::error::ConnectError;
use super::pool::Pool;
use super::rows::{clean, get};
use super::sql;
use crate::Signature;
use crate::bodies::{Misfit, Sealer};

/// Puts the seal of the first worker into an empty journal.
const TAKE_KEY: &str = "WITH taken AS (UPDATE guard SET seal = $1 WHERE seal IS NULL AND NOT EXISTS (SELECT FROM intent) RETURNING seal) \
     SELECT seal FROM taken";

/// Makes sure that the key is the one that the bodies are encrypted with. An empty journal takes the key of its first worker.
pub(super) async fn fit(pool: &Pool, schema: &str, sealer: &Sealer) -> Result<(), ConnectError> {
    let refused = |misfit: Misfit| ConnectError::Key { schema: schema.into(), why: misfit.to_string().into() };
    let mut session = pool.session().await?;
    for may_take in [true, false] {
        let rows = session.query("SELECT seal FROM guard", &[]).await?;
        let seal: Option<Vec<u8>> = rows.first().map_or(Ok(None), |row| get(row, 0))?;
        match sealer.misfit(seal.as_deref()) {
            None => return Ok(()),
            // Of several that start at once one takes it; the others look again.
            Some(Misfit::InClear) if may_take => {
                let probe = sealer.probe().map_err(JournalError::from)?;
                session.query(TAKE_KEY, &[&probe]).await?;
            }
            Some(misfit) => return Err(refused(misfit)),
        }
    }
    Ok(())
}

impl Core {
    /// Reads whether the journal is under suspicion. Each worker does so with its heartbeat.
    pub(super) async fn see_suspicion(&self) -> Result<Option<Arc<str>>, JournalError> {
        let rows = self.pool.session().await?.query(sql::SUSPICION, &[]).await?;
        let why: Option<String> = rows.first().map_or(Ok(None), |row| get(row, 0))?;
        let why: Option<Arc<str>> = why.map(Arc::from);
        lock(&self.suspicion).clone_from(&why);
        Ok(why)
    }

    /// Ends the suspicion; who ended it stays on record.
    pub(super) async fn trust(&self, by: &Signature) -> Result<(), JournalError> {
        let said = clean(&format!("{}: {}", by.name(), by.note()));
        let rows = self.pool.session().await?.query(sql::TRUST, &[&said]).await?;
        if let Some(row) = rows.first() {
            let why: String = get(row, 0)?;
            tracing::warn!(name = by.name(), note = by.note(), why, "a person trusts the journal again");
        }
        self.see_suspicion().await.map(drop)
    }
}
