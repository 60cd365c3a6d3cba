//! What may be personal, and where it is not.

use std::path::Path;

use retry_journal::Desk as _;
use retry_journal::sqlite::{Bodies, BodyKey, OpenError, SqliteJournal};
use retry_runtime::journal::Change;

use crate::kit::{applied, begun, beside, ended, look};

/// Whether the bytes are anywhere in the files.
fn has(path: &Path, text: &str) -> bool {
    ["", "-wal", ".head", ".lock"].iter().any(|ending| {
        let bytes = std::fs::read(beside(path, ending)).unwrap_or_default();
        bytes.windows(text.len()).any(|part| part == text.as_bytes())
    })
}

async fn filled(journal: &SqliteJournal) {
    begun(journal, "sending").await;
    ended(journal, "manual", Change::Manual { why: "why of it".into() }).await;
    ended(journal, "ready", Change::Ready { why: "why of it".into() }).await;
    ended(journal, "rejected", Change::Rejected { why: "why of it".into() }).await;
    ended(journal, "applied", applied()).await;
}

#[tokio::test]
async fn by_default_a_body_goes_when_nobody_needs_it_any_more() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    let journal = SqliteJournal::open(&path).unwrap();
    filled(&journal).await;
    for (key, is_there) in
        [("sending", true), ("manual", true), ("ready", true), ("rejected", false), ("applied", false)]
    {
        assert_eq!(look(&journal, key).await.unwrap().arguments.is_some(), is_there, "{key}");
    }
    drop(journal);
    for (body, is_there) in [("sending", true), ("manual", true), ("rejected", false), ("applied", false)] {
        assert_eq!(has(&path, &format!("body of {body}")), is_there, "{body}");
    }
}

#[tokio::test]
async fn kept_bodies_stay() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    let journal = SqliteJournal::builder(&path).bodies(Bodies::Keep).open().unwrap();
    filled(&journal).await;
    for key in ["sending", "manual", "ready", "rejected", "applied"] {
        assert!(look(&journal, key).await.unwrap().arguments.is_some(), "{key}");
    }
}

#[tokio::test]
async fn encrypted_bodies_are_nowhere_in_clear() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    let builder = SqliteJournal::builder(&path).bodies(Bodies::Encrypted(BodyKey::new([3; 32])));
    let journal = builder.open().unwrap();
    filled(&journal).await;
    let personal = ["body of", "result of it", "story of it", "detail of it", "why of it"];
    let check = |path: &Path| {
        for text in personal {
            assert!(!has(path, text), "{text}");
        }
        assert!(has(path, "crm.deal.add"), "the test of the test: what is in clear is found");
    };
    check(&path);
    drop(journal);
    check(&path);
    let journal = builder.open().unwrap();
    assert!(look(&journal, "applied").await.unwrap().arguments.is_some());
    let shown = builder.desk().unwrap().show(2).await.unwrap();
    assert_eq!((shown.intent.state.why(), &*shown.story[0].text), (Some("why of it"), "story of it"));
    assert!(!format!("{builder:?}").contains('3'), "{builder:?}");
}

#[tokio::test]
async fn a_wrong_key_is_said_so_and_changes_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let clear = directory.path().join("clear");
    let sealed = directory.path().join("sealed");
    let key = |byte| Bodies::Encrypted(BodyKey::new([byte; 32]));
    begun(&SqliteJournal::open(&clear).unwrap(), "a").await;
    begun(&SqliteJournal::builder(&sealed).bodies(key(1)).open().unwrap(), "a").await;
    for (path, bodies, says) in [
        (&sealed, key(2), "not the key"),
        (&sealed, Bodies::Keep, "with its key"),
        (&sealed, Bodies::DropAtClose, "with its key"),
        (&clear, key(1), "begin a new journal"),
    ] {
        let builder = SqliteJournal::builder(path).bodies(bodies);
        for refused in [builder.open().map(drop), builder.desk().map(drop)] {
            let refused = refused.unwrap_err();
            assert!(matches!(refused, OpenError::Key { .. }) && refused.to_string().contains(says), "{refused}");
        }
    }
    let journal = SqliteJournal::builder(&sealed).bodies(key(1)).open().unwrap();
    assert!(look(&journal, "a").await.unwrap().arguments.is_some());
}
