//! Makes a journal with three intents, as a shop leaves them whose program was killed in the middle: one applied, one that waits
//! for a person, and one that was being sent. To try `bitrix-journal` on: see the README.

use std::process::ExitCode;
use std::time::Duration;

use retry_journal::sqlite::SqliteJournal;
use retry_runtime::clock::{Clock as _, SystemClock};
use retry_runtime::journal::{
    Beginning, Begun, Change, Digest, Entry, Event, EventKind, Held, How, IntentId, Journal, JournalError,
};
use retry_runtime::transport::Version;

#[tokio::main]
async fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: doubt FILE");
        return ExitCode::from(2);
    };
    let made = match SqliteJournal::open(&path) {
        Ok(journal) => make(&journal).await.map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    match made {
        Ok(()) => {
            println!("{path} has three intents. Look at them: bitrix-journal --journal {path} list");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("doubt: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn make(journal: &SqliteJournal) -> Result<(), JournalError> {
    if let Some(held) = begin(journal, "ORDER-1001").await? {
        let told = event(29_000, EventKind::Attempt, "attempt 1 was answered", r#"{"status":200,"milliseconds":140}"#);
        let change = Change::Applied { how: How::Answer, result: "4690".into() };
        journal.record(&Entry { held, change, story: vec![told] }).await?;
    }
    if let Some(held) = begin(journal, "ORDER-1002").await? {
        let sent = event(
            30_000,
            EventKind::Attempt,
            "attempt 1 was sent, and no answer came",
            r#"{"attempt":1,"milliseconds":30000}"#,
        );
        let detail = r#"{"request_id":"5f1c2a90","candidates":[4711,4712]}"#;
        let read = event(0, EventKind::Check, "read back by ORIGIN_ID: two deals carry the key", detail);
        let change = Change::Manual { why: "two deals carry this key: which one is ours?".into() };
        journal.record(&Entry { held, change, story: vec![sent, read] }).await?;
    }
    begin(journal, "ORDER-1003").await?;
    journal.flush().await
}

/// Nothing, if the order is on record already.
async fn begin(journal: &SqliteJournal, order: &str) -> Result<Option<Held>, JournalError> {
    let arguments = format!(r#"{{"fields":{{"TITLE":"{order}","ORIGIN_ID":"{order}"}}}}"#).into_bytes();
    let beginning = Beginning {
        id: IntentId { portal: "acme.bitrix24.com:443".into(), method: "crm.deal.add".into(), key: order.into() },
        stub: "shop::add_deal".into(),
        version: Version::Two,
        digest: Digest::of(&arguments),
        arguments: arguments.into(),
        idempotency_key: None,
        expected: None,
        story: Vec::new(),
    };
    match journal.begin(&beginning).await? {
        Begun::Yes(held) => Ok(Some(held)),
        Begun::Taken(_) => Ok(None),
    }
}

/// What is told, this many milliseconds ago.
fn event(ago: u64, kind: EventKind, text: &str, detail: &str) -> Event {
    let now = SystemClock.now().wall();
    let at = now.checked_sub(Duration::from_millis(ago)).unwrap_or(now);
    Event { at, kind, text: text.into(), detail: detail.into() }
}
