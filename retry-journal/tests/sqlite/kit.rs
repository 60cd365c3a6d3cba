//! What the stories are told with.

use std::path::{Path, PathBuf};

use bytes::Bytes;
use retry_journal::sqlite::SqliteJournal;
use retry_runtime::journal::{
    Beginning, Begun, Change, Digest, Entry, Event, EventKind, Held, How, Intent, IntentId, Journal as _, Recorded,
};
use retry_runtime::transport::Version;

pub(crate) fn id(key: &str) -> IntentId {
    IntentId { portal: "acme.bitrix24.com".into(), method: "crm.deal.add".into(), key: key.into() }
}

pub(crate) fn beginning(key: &str) -> Beginning {
    let arguments = Bytes::from(format!(r#"{{"fields":{{"TITLE":"body of {key}"}}}}"#));
    Beginning {
        id: id(key),
        stub: "shop::add_deal".into(),
        version: Version::Two,
        digest: Digest::of(&arguments),
        arguments,
        idempotency_key: None,
        expected: None,
        story: Vec::new(),
    }
}

pub(crate) async fn begun(journal: &SqliteJournal, key: &str) -> Held {
    match journal.begin(&beginning(key)).await.unwrap() {
        Begun::Yes(held) => held,
        Begun::Taken(intent) => panic!("taken: {intent:?}"),
    }
}

pub(crate) fn applied() -> Change {
    Change::Applied { how: How::Answer, result: Bytes::from_static(b"\"result of it\"") }
}

pub(crate) fn entry(held: Held, change: Change) -> Entry {
    let told = |text: &str| Event {
        at: std::time::UNIX_EPOCH,
        kind: EventKind::Attempt,
        text: text.into(),
        detail: r#"{"told":"detail of it"}"#.into(),
    };
    Entry { held, change, story: vec![told("story of it")] }
}

pub(crate) async fn ended(journal: &SqliteJournal, key: &str, change: Change) -> Held {
    let held = begun(journal, key).await;
    assert_eq!(journal.record(&entry(held, change)).await.unwrap(), Recorded::Yes);
    held
}

pub(crate) async fn look(journal: &SqliteJournal, key: &str) -> Option<Intent> {
    journal.look(&id(key)).await.unwrap()
}

/// The file beside it with this ending.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Copies a journal with all that goes with it, but its lock.
pub(crate) fn copied(from: &Path, to: &Path) {
    for ending in ["", "-wal", ".head"] {
        if beside(from, ending).exists() {
            std::fs::copy(beside(from, ending), beside(to, ending)).unwrap();
        }
    }
}

/// A number that a longer run sets.
pub(crate) fn many(variable: &str, usual: usize) -> usize {
    std::env::var(variable).map_or(usual, |text| text.parse().unwrap())
}
