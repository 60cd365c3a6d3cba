//! `kill -9` at any moment.

use retry_journal::sqlite::SqliteJournal;
use retry_runtime::journal::Journal as _;

use crate::child::{Told, command, heard};
use crate::kit::many;

/// `RETRY_JOURNAL_KILLS` sets how often; 30 by default.
#[tokio::test]
async fn nothing_acknowledged_is_lost_by_kill_9() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    let mut random = fastrand::Rng::with_seed(9);
    let mut all = Told::default();
    let kills = many("RETRY_JOURNAL_KILLS", 30);
    for kill in 0..kills {
        let child = command(&[], &path, &kill.to_string()).spawn().unwrap();
        let told = heard(child, random.usize(1..400));
        assert_eq!(told.stopped, None);
        all.add(told);
        let journal = SqliteJournal::open(&path).unwrap();
        assert_eq!(journal.suspicion(), None, "a killed process leaves its head where it was");
        assert_eq!(all.missing(&journal).await, [""; 0]);
    }
    println!("{kills} kills, {} intents and {} outcomes acknowledged, 0 lost", all.begun.len(), all.ended.len());
    assert!(all.begun.len() >= kills && !all.ended.is_empty());
}
