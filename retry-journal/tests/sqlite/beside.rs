//! A person's desk beside a running program.

use retry_journal::sqlite::SqliteJournal;
use retry_journal::{Decided, Decision, Desk, Query, Signature};
use retry_runtime::journal::{Change, Epoch, Journal, Recorded};

use crate::kit::{applied, begun, ended, entry, look};

fn anna() -> Signature {
    Signature::new("Anna", "looked").unwrap()
}

#[tokio::test]
async fn a_desk_sees_and_decides_while_the_program_runs() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    let journal = SqliteJournal::open(&path).unwrap();
    let desk = SqliteJournal::desk(&path).unwrap();
    assert!(desk.list(&Query::default()).await.unwrap().intents.is_empty());
    let held = ended(&journal, "a", Change::Manual { why: "two records".into() }).await;
    let page = desk.list(&Query::default()).await.unwrap();
    assert_eq!(page.intents, [look(&journal, "a").await.unwrap()]);
    let stale = desk.decide(held.number, Epoch(0), &Decision::Reject, &anna()).await.unwrap();
    assert!(matches!(stale, Decided::Changed(_)));
    let decided = desk.decide(held.number, held.epoch, &Decision::Adopt("17".into()), &anna()).await.unwrap();
    let Decided::Yes(intent) = decided else { panic!("{decided:?}") };
    assert_eq!(look(&journal, "a").await, Some(*intent));
    assert_eq!(journal.record(&entry(held, Change::Ready { why: "x".into() })).await.unwrap(), {
        Recorded::Taken(look(&journal, "a").await.map(Box::new))
    });
    drop((journal, desk));
    let journal = SqliteJournal::open(&path).unwrap();
    assert_eq!(Journal::suspicion(&journal), None, "what the desk wrote is part of what the journal has reached");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_write_at_once_and_nothing_is_lost() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    let journal = SqliteJournal::open(&path).unwrap();
    let desk = SqliteJournal::desk(&path).unwrap();
    let mut waiting = Vec::new();
    for key in 0..40 {
        waiting.push(ended(&journal, &format!("m{key}"), Change::Manual { why: "w".into() }).await);
    }
    let writer = {
        let journal = journal.clone();
        tokio::spawn(async move {
            for key in 0..200 {
                ended(&journal, &format!("w{key}"), applied()).await;
            }
        })
    };
    for held in &waiting {
        let decided = desk.decide(held.number, held.epoch, &Decision::Reject, &anna()).await.unwrap();
        assert!(matches!(decided, Decided::Yes(_)));
    }
    writer.await.unwrap();
    drop((journal, desk));
    let journal = SqliteJournal::open(&path).unwrap();
    assert_eq!(Journal::suspicion(&journal), None);
    let stats = journal.stats().await.unwrap();
    let count = |name| stats.states.iter().find(|(known, _)| *known == name).unwrap().1;
    assert_eq!((count("rejected"), count("applied"), count("manual")), (40, 200, 0));
}

#[tokio::test]
async fn what_a_desk_trusts_the_program_hears_of() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    drop(SqliteJournal::open(&path).unwrap());
    std::fs::remove_file(&path).unwrap();
    let journal = SqliteJournal::open(&path).unwrap();
    let desk = SqliteJournal::desk(&path).unwrap();
    assert!(Desk::suspicion(&desk).await.unwrap().is_some());
    desk.trust(&anna()).await.unwrap();
    begun(&journal, "a").await;
    assert_eq!(Journal::suspicion(&journal), None);
}
