//! A caller who goes away before the answer: what was taken for it is not held for ever.

use std::path::Path;
use std::task::{Context, Waker};

use retry_journal::sqlite::SqliteJournal;
use retry_runtime::journal::{Claim, Held, Job, Journal as _, State};

use crate::kit::{beginning, begun, id, look};

/// Asks, and goes away before the answer can be there: somebody else writes to the file meanwhile.
fn drop_early<T>(path: &Path, mut job: Job<'_, T>) {
    let other = rusqlite::Connection::open(path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert!(job.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    drop(job);
    other.execute_batch("ROLLBACK").unwrap();
}

async fn is_free(journal: &SqliteJournal, key: &str) {
    journal.flush().await.unwrap();
    let intent = look(journal, key).await.unwrap();
    assert!(intent.owner.is_none() && matches!(intent.state, State::Unknown { .. }), "{intent:?}");
    let claimed = journal.claim(&Claim::One(id(key))).await.unwrap();
    assert!(claimed.len() == 1 && claimed[0].epoch > intent.epoch, "{claimed:?}");
}

#[tokio::test]
async fn p2_a_beginning_that_nobody_heard_of_is_let_go_of() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    let journal = SqliteJournal::open(&path).unwrap();
    drop_early(&path, journal.begin(&beginning("a")));
    is_free(&journal, "a").await;
}

#[tokio::test]
async fn p2_a_claim_that_nobody_heard_of_is_let_go_of() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    let journal = SqliteJournal::open(&path).unwrap();
    let held: Held = begun(&journal, "a").await;
    journal.release(held, "its task was dropped");
    journal.flush().await.unwrap();
    let claim = Claim::Open { portal: id("a").portal, stubs: vec!["shop::add_deal".into()], limit: 500 };
    drop_early(&path, journal.claim(&claim));
    is_free(&journal, "a").await;
}

#[tokio::test]
async fn p1_what_another_call_has_begun_meanwhile_is_not_let_go_of() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    let journal = SqliteJournal::open(&path).unwrap();
    begun(&journal, "a").await;
    drop_early(&path, journal.begin(&beginning("a")));
    journal.flush().await.unwrap();
    let intent = look(&journal, "a").await.unwrap();
    assert!(intent.owner.is_some() && intent.state == State::Sending, "{intent:?}");
}
