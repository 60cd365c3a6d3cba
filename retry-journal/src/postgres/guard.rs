//! What a journal knows of itself.

use super::error::ConnectError;
use super::pool::Pool;
use super::rows::get;
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
                let probe = sealer.probe().map_err(retry_runtime::journal::JournalError::from)?;
                session.query(TAKE_KEY, &[&probe]).await?;
            }
            Some(misfit) => return Err(refused(misfit)),
        }
    }
    Ok(())
}
