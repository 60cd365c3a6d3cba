//! Files of older and newer programs, and of other ones.

use std::path::Path;

use retry_journal::sqlite::{OpenError, SqliteJournal};
use retry_runtime::journal::{Journal as _, JournalError};
use rusqlite::Connection;

use crate::kit::{applied, beside, ended, look};

async fn written(path: &Path) {
    let journal = SqliteJournal::open(path).unwrap();
    for key in 0..20 {
        ended(&journal, &key.to_string(), applied()).await;
    }
}

fn version(path: &Path) -> i64 {
    Connection::open(path).unwrap().query_row("PRAGMA user_version", (), |row| row.get(0)).unwrap()
}

/// Format 1 had no guard, and no head.
#[tokio::test]
async fn a_file_of_format_1_is_brought_up_to_date_with_all_its_rows() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    written(&path).await;
    let newest = version(&path);
    Connection::open(&path).unwrap().execute_batch("DROP TABLE guard; PRAGMA user_version = 1").unwrap();
    std::fs::remove_file(beside(&path, ".head")).unwrap();
    let older = SqliteJournal::desk(&path).unwrap_err();
    assert!(matches!(older, OpenError::Older { found: 1, .. }), "a person's tool changes no format: {older}");
    for _ in 0..2 {
        let journal = SqliteJournal::open(&path).unwrap();
        assert_eq!(journal.suspicion(), None);
        for key in 0..20 {
            assert!(look(&journal, &key.to_string()).await.is_some());
        }
        let next = ended(&journal, &fastrand::u64(..).to_string(), applied()).await;
        assert!(next.number > 20, "no number is given twice");
    }
    assert_eq!(version(&path), newest);
}

#[tokio::test]
async fn a_newer_file_is_refused_and_left_as_it_is() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    written(&path).await;
    Connection::open(&path).unwrap().execute_batch("PRAGMA user_version = 99").unwrap();
    let before = std::fs::read(&path).unwrap();
    let refused = SqliteJournal::open(&path).unwrap_err();
    assert!(matches!(refused, OpenError::Newer { found: 99, .. }), "{refused}");
    assert!(refused.to_string().contains("format 99") && refused.to_string().contains("newer program"));
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn files_of_something_else_are_refused_and_left_as_they_are() {
    let directory = tempfile::tempdir().unwrap();
    let database = directory.path().join("database");
    Connection::open(&database).unwrap().execute_batch("CREATE TABLE mine (a)").unwrap();
    let text = directory.path().join("text");
    std::fs::write(&text, "name,price\n".repeat(1000)).unwrap();
    for path in [database, text] {
        let before = std::fs::read(&path).unwrap();
        let refused = SqliteJournal::open(&path).unwrap_err();
        assert!(
            matches!(refused, OpenError::Foreign { .. } | OpenError::Journal(JournalError::Damaged(_))),
            "{refused}"
        );
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }
}
