//! Who may open a journal, and what is seen at once.

use retry_journal::sqlite::{OpenError, SqliteJournal};
use retry_runtime::journal::{Journal as _, JournalError};

use crate::child::{command, heard};
use crate::kit::{applied, begun, beside, copied, ended, look};

#[tokio::test]
async fn two_handles_of_one_process_are_refused_until_the_last_clone_is_gone() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    let journal = SqliteJournal::open(&path).unwrap();
    let clone = journal.clone();
    let link = directory.path().join("link");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    drop(journal);
    for name in [&path, &link] {
        let refused = SqliteJournal::open(name).unwrap_err();
        assert!(matches!(&refused, OpenError::InUse { by, .. } if by.contains("this very process")), "{refused}");
    }
    clone.release(begun(&clone, "a").await, "dropped");
    drop(clone);
    let journal = SqliteJournal::open(&link).unwrap();
    assert_eq!(look(&journal, "a").await.unwrap().owner, None, "the last handle waits for what was let go of");
}

#[test]
fn a_second_process_is_told_who_has_it_and_gets_it_when_that_one_dies() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    let mut child = command(&[], &path, "a").spawn().unwrap();
    let number = child.id();
    let out = child.stdout.as_mut().unwrap();
    // Something of it: it has the file.
    let mut byte = [0; 200];
    std::io::Read::read_exact(out, &mut byte).unwrap();
    let refused = SqliteJournal::open(&path).unwrap_err();
    assert!(matches!(&refused, OpenError::InUse { by, .. } if **by == *format!("process {number}")), "{refused}");
    assert!(refused.to_string().contains("a file of its own"));
    heard(child, 1);
    assert!(SqliteJournal::open(&path).is_ok());
}

#[tokio::test]
async fn what_must_exist_is_not_made() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    let missing = SqliteJournal::builder(&path).must_exist().open().unwrap_err();
    assert!(matches!(missing, OpenError::Missing { .. }), "{missing}");
    assert!(matches!(SqliteJournal::desk(&path).unwrap_err(), OpenError::Missing { .. }));
    assert!(!path.exists());
    let nowhere = SqliteJournal::open(directory.path().join("no/such/journal")).unwrap_err();
    assert!(nowhere.to_string().contains("must exist"), "{nowhere}");
    drop(SqliteJournal::open(&path).unwrap());
    assert!(SqliteJournal::builder(&path).must_exist().open().is_ok());
}

#[tokio::test]
async fn a_file_that_is_gone_while_its_head_is_there_is_suspicious() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    drop(SqliteJournal::open(&path).unwrap());
    std::fs::remove_file(&path).unwrap();
    let journal = SqliteJournal::open(&path).unwrap();
    assert!(journal.suspicion().unwrap().contains("was not there"));
}

#[tokio::test]
async fn an_older_copy_is_suspicious_and_so_is_the_newer_one_after_it() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    let (old, new) = (directory.path().join("old"), directory.path().join("new"));
    for (key, copy) in [("a", &old), ("b", &new)] {
        let journal = SqliteJournal::open(&path).unwrap();
        ended(&journal, key, applied()).await;
        assert_eq!(journal.suspicion(), None);
        drop(journal);
        copied(&path, copy);
    }
    std::fs::copy(&old, &path).unwrap();
    let journal = SqliteJournal::open(&path).unwrap();
    assert!(journal.suspicion().unwrap().contains("older copy"));
    begun(&journal, "c").await;
    drop(journal);
    std::fs::copy(&new, &path).unwrap();
    let journal = SqliteJournal::open(&path).unwrap();
    assert!(journal.suspicion().unwrap().contains("is not the one"));
    drop(journal);
    // A copy that came back without a head, to another place.
    let elsewhere = directory.path().join("elsewhere");
    std::fs::copy(&new, &elsewhere).unwrap();
    assert!(SqliteJournal::open(&elsewhere).unwrap().suspicion().unwrap().contains("head file"));
    assert_eq!(beside(&new, "-wal").metadata().unwrap().len(), 0, "a closed journal is one file and its head");
}

#[tokio::test]
async fn rows_that_somebody_changed_or_took_out_are_seen() {
    for change in [
        "UPDATE intent SET state = 10, how = NULL, result = NULL WHERE number = 2",
        "UPDATE intent SET epoch = 1 + epoch WHERE number = 1",
        "DELETE FROM intent WHERE number = 3",
        "DELETE FROM event WHERE intent = 3",
        "UPDATE event SET text = 'another' WHERE intent = 3",
        "UPDATE guard SET suspicion = 'none'",
        "DELETE FROM guard",
    ] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal");
        let journal = SqliteJournal::open(&path).unwrap();
        for key in ["a", "b", "c"] {
            ended(&journal, key, applied()).await;
        }
        drop(journal);
        assert!(rusqlite::Connection::open(&path).unwrap().execute(change, ()).unwrap() > 0);
        let refused = SqliteJournal::open(&path).unwrap_err();
        assert!(matches!(&refused, OpenError::Journal(JournalError::Damaged(_))), "{change}: {refused}");
        assert!(refused.to_string().contains("aside"), "it says what to do");
    }
}
