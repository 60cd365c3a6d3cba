//! Which journal is meant.

use std::sync::Arc;

use super::Ended;
use crate::desk::Desk;

/// Opens the journal of a file, or of `PostgreSQL` if it is the address of one, beside the program that sends.
///
/// # Errors
/// It can't be opened, or this `bitrix-journal` was built without its store.
pub async fn open(journal: &str) -> Result<Arc<dyn Desk>, Ended> {
    let is_postgres = journal.starts_with("postgres://") || journal.starts_with("postgresql://");
    let store = if is_postgres { "postgres" } else { "sqlite" };
    Err(Ended::Usage(format!("this bitrix-journal was built without the feature `{store}`")))
}
