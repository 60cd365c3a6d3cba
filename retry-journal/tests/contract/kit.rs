//! What the rules are told with.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use retry_runtime::journal::{
    Beginning, Begun, Change, Digest, Entry, Epoch, Event, EventKind, Held, How, Intent, IntentId, Journal, Recorded,
    State,
};
use retry_runtime::transport::Version;

/// Makes stores of one kind.
pub(crate) trait Stores {
    type Store: Journal + Clone;

    /// A store that nobody has used.
    async fn fresh(&self) -> Self::Store;

    /// The same store as a later process finds it; the process before is gone, and was seen to be gone.
    async fn later(&self, store: Self::Store) -> Self::Store;
}

pub(crate) const PORTAL: &str = "acme.bitrix24.com";
pub(crate) const STUB: &str = "shop::add_deal";

pub(crate) fn id(key: &str) -> IntentId {
    IntentId { portal: PORTAL.into(), method: "crm.deal.add".into(), key: key.into() }
}

pub(crate) fn beginning(key: &str) -> Beginning {
    let arguments = Bytes::from(format!(r#"{{"fields":{{"TITLE":"{key}"}}}}"#));
    Beginning {
        id: id(key),
        stub: STUB.into(),
        version: Version::Two,
        digest: Digest::of(&arguments),
        arguments,
        idempotency_key: None,
        expected: None,
        story: Vec::new(),
    }
}

pub(crate) fn event(kind: EventKind, text: &str) -> Event {
    let at = UNIX_EPOCH + Duration::from_micros(1_790_000_000_123_456);
    Event { at, kind, text: text.into(), detail: r#"{"code":"X","ms":17}"#.into() }
}

/// Begins an intent for the first time.
pub(crate) async fn begun(store: &impl Journal, key: &str) -> Held {
    held(store.begin(&beginning(key)).await.unwrap())
}

pub(crate) fn held(begun: Begun) -> Held {
    match begun {
        Begun::Yes(held) => held,
        Begun::Taken(intent) => panic!("taken: {intent:?}"),
    }
}

pub(crate) fn taken(begun: Begun) -> Option<Intent> {
    match begun {
        Begun::Yes(held) => panic!("begun: {held:?}"),
        Begun::Taken(intent) => intent.map(|intent| *intent),
    }
}

pub(crate) fn entry(held: Held, change: Change) -> Entry {
    Entry { held, change, story: Vec::new() }
}

pub(crate) async fn record(store: &impl Journal, held: Held, change: Change) -> Recorded {
    store.record(&entry(held, change)).await.unwrap()
}

/// Begins an intent and brings it into the state that this change makes.
pub(crate) async fn ended(store: &impl Journal, key: &str, change: Change) -> Held {
    let held = begun(store, key).await;
    assert_eq!(record(store, held, change).await, Recorded::Yes);
    held
}

pub(crate) async fn look(store: &impl Journal, key: &str) -> Intent {
    store.look(&id(key)).await.unwrap().expect("on record")
}

pub(crate) fn next(held: Held) -> Epoch {
    Epoch(held.epoch.0 + 1)
}

pub(crate) fn unknown() -> Change {
    Change::Unknown { why: "no answer".into(), let_go: false }
}

pub(crate) fn ready() -> Change {
    Change::Ready { why: "read back twice".into() }
}

pub(crate) fn rejected() -> Change {
    Change::Rejected { why: "ERROR_CORE: no title".into() }
}

pub(crate) fn manual() -> Change {
    Change::Manual { why: "two records".into() }
}

pub(crate) fn applied() -> Change {
    Change::Applied { how: How::Answer, result: Bytes::from_static(b"17") }
}

/// All changes with the state that each makes.
pub(crate) fn changes() -> [(Change, State); 5] {
    [
        (unknown(), State::Unknown { why: "no answer".into() }),
        (ready(), State::Ready { why: "read back twice".into() }),
        (rejected(), State::Rejected { why: "ERROR_CORE: no title".into() }),
        (manual(), State::Manual { why: "two records".into() }),
        (applied(), State::Applied { how: How::Answer, result: Bytes::from_static(b"17") }),
    ]
}

/// The changes that end an intent.
pub(crate) fn ends() -> impl Iterator<Item = (Change, State)> {
    changes().into_iter().filter(|(_, state)| !state.is_open())
}

/// A time of the store that lies within a minute of this machine's.
#[expect(clippy::disallowed_methods, reason = "what the store says is compared with the machine's clock")]
pub(crate) fn is_now(at: SystemTime) -> bool {
    let now = SystemTime::now();
    let apart = now.duration_since(at).unwrap_or_else(|error| error.duration());
    apart < Duration::from_secs(60)
}
