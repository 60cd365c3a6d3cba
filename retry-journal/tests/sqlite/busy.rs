//! Somebody else has the file open for a write and does not end.

use retry_journal::sqlite::SqliteJournal;
use retry_runtime::journal::{Journal as _, JournalError, State};

use crate::kit::{applied, begun, entry, look};

#[tokio::test]
async fn p2_an_outcome_that_somebody_else_holds_up_is_on_record_once_he_ends() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    let journal = SqliteJournal::open(&path).unwrap();
    let (ended, dropped) = (begun(&journal, "ended").await, begun(&journal, "dropped").await);
    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    journal.release(dropped, "its task was dropped");
    let refused = journal.record(&entry(ended, applied())).await;
    assert!(matches!(refused, Err(JournalError::Unavailable(_))), "{refused:?}");
    other.execute_batch("ROLLBACK").unwrap();
    // Whatever is asked now is done after what was kept.
    begun(&journal, "next").await;
    journal.flush().await.unwrap();
    let ended = look(&journal, "ended").await.unwrap();
    assert!(matches!(ended.state, State::Applied { .. }), "{ended:?}");
    let dropped = look(&journal, "dropped").await.unwrap();
    assert!(dropped.owner.is_none() && matches!(dropped.state, State::Unknown { .. }), "{dropped:?}");
}
