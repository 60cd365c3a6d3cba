//! What may be personal, and where it is not.

use std::process::Command;
use std::time::Duration;

use bytes::Bytes;
use retry_journal::postgres::{Bodies, BodyKey, ConnectError, PostgresJournal};
use retry_journal::{Desk as _, Signature};
use retry_runtime::journal::{Beginning, Change, EventKind, How, Journal as _, State};

use crate::kit::{beginning, begun, ended, event, held, id, look};
use crate::{builder, open, server};

const KEYS: [&str; 5] = ["sending", "manual", "ready", "rejected", "applied"];

fn key(byte: u8) -> Bodies {
    Bodies::Encrypted(BodyKey::new([byte; 32]))
}

async fn filled(journal: &PostgresJournal) {
    let why: Box<str> = "why of it".into();
    let story = vec![event(EventKind::Attempt, "story of it")];
    held(journal.begin(&Beginning { story, ..beginning("sending") }).await.unwrap());
    ended(journal, "manual", Change::Manual { why: why.clone() }).await;
    ended(journal, "ready", Change::Ready { why: why.clone() }).await;
    ended(journal, "rejected", Change::Rejected { why }).await;
    let result = Bytes::from_static(b"result of it");
    ended(journal, "applied", Change::Applied { how: How::Answer, result }).await;
}

/// Which of the intents have arguments.
async fn kept(journal: &PostgresJournal) -> Vec<&'static str> {
    let mut kept = Vec::new();
    for key in KEYS {
        if look(journal, key).await.arguments.is_some() {
            kept.push(key);
        }
    }
    kept
}

#[tokio::test]
async fn by_default_a_body_goes_when_nobody_needs_it_any_more() {
    let Some(server) = server::shared().await else { return };
    let journal = builder(&server::schema()).connect(&server.address()).await.unwrap();
    filled(&journal).await;
    assert_eq!(kept(&journal).await, ["sending", "manual", "ready"]);
    // Nor does a person's decision leave it.
    let manual = look(&journal, "manual").await;
    let by = Signature::new("ada", "looked at it").unwrap();
    journal.decide(manual.number, manual.epoch, &retry_journal::Decision::Reject, &by).await.unwrap();
    assert_eq!(kept(&journal).await, ["sending", "ready"]);
}

#[tokio::test]
async fn kept_bodies_stay() {
    let Some(server) = server::shared().await else { return };
    let journal = builder(&server::schema()).bodies(Bodies::Keep).connect(&server.address()).await.unwrap();
    filled(&journal).await;
    assert_eq!(kept(&journal).await, KEYS);
}

#[tokio::test]
async fn encrypted_bodies_are_nowhere_in_clear() {
    let Some(server) = server::shared().await else { return };
    let (schema, clear) = (server::schema(), server::schema());
    let journal = builder(&schema).bodies(key(3)).connect(&server.address()).await.unwrap();
    let beside = builder(&clear).connect(&server.address()).await.unwrap();
    let client = server.client().await;
    for (journal, schema, is_there) in [(&journal, &schema, false), (&beside, &clear, true)] {
        filled(journal).await;
        let sql = format!(
            "SELECT string_agg(concat_ws(' ', encode(arguments, 'escape'), encode(result, 'escape'), why), ' ') \
             || (SELECT string_agg(text || detail, ' ') FROM {schema}.event) FROM {schema}.intent"
        );
        // Letters are left as they are by `escape`, so that text in clear is seen.
        let all: String = client.query_one(&sql, &[]).await.unwrap().get(0);
        for text in ["TITLE", "result of it", "story of it", "\"ms\":17", "why of it"] {
            assert_eq!(all.contains(text), is_there, "{text}");
        }
    }
    assert_eq!(kept(&journal).await, KEYS);
    let state = State::Applied { how: How::Answer, result: Bytes::from_static(b"result of it") };
    assert_eq!(look(&journal, "applied").await.state, state);
    let shown = journal.show(look(&journal, "sending").await.number).await.unwrap();
    assert_eq!((&*shown.story[0].text, &*shown.story[0].detail), ("story of it", r#"{"code":"X","ms":17}"#));
}

#[tokio::test]
async fn what_the_journal_itself_says_of_an_encrypted_intent_is_read() {
    let Some(server) = server::shared().await else { return };
    let schema = server::schema();
    let builder = builder(&schema).bodies(key(3)).lease(Duration::from_secs(1));
    let journal = builder.connect(&server.address()).await.unwrap();
    begun(&journal, "1").await;
    journal.close().await;
    let journal = builder.connect(&server.address()).await.unwrap();
    let claimed = journal.claim(&open(1)).await.unwrap();
    assert!(claimed[0].state.why().is_some_and(|why| why.contains("its process ended")), "{claimed:?}");
}

#[tokio::test]
async fn a_body_that_was_put_elsewhere_is_damage() {
    let Some(server) = server::shared().await else { return };
    let schema = server::schema();
    let journal = builder(&schema).bodies(key(3)).connect(&server.address()).await.unwrap();
    filled(&journal).await;
    let sql = format!(
        "UPDATE {schema}.intent SET why = (SELECT why FROM {schema}.intent WHERE key = 'manual') WHERE key = 'ready'"
    );
    server.client().await.batch_execute(&sql).await.unwrap();
    let error = journal.look(&id("ready")).await.unwrap_err();
    assert!(error.to_string().contains("can't be decrypted"), "{error}");
}

#[tokio::test]
async fn a_wrong_key_is_said_so_and_changes_nothing() {
    let Some(server) = server::shared().await else { return };
    let (clear, sealed) = (server::schema(), server::schema());
    let connect = async |schema: &str, bodies| builder(schema).bodies(bodies).connect(&server.address()).await;
    begun(&connect(&clear, Bodies::Keep).await.unwrap(), "a").await;
    begun(&connect(&sealed, key(1)).await.unwrap(), "a").await;
    for (schema, bodies, says) in [
        (&sealed, key(2), "not the key"),
        (&sealed, Bodies::Keep, "with its key"),
        (&sealed, Bodies::DropAtClose, "with its key"),
        (&clear, key(1), "begin a new journal"),
    ] {
        let refused = connect(schema, bodies).await.unwrap_err();
        assert!(matches!(refused, ConnectError::Key { .. }) && refused.to_string().contains(says), "{refused}");
    }
    assert!(look(&connect(&sealed, key(1)).await.unwrap(), "a").await.arguments.is_some());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_workers_that_start_at_once_with_two_keys_one_key_is_taken() {
    let Some(server) = server::shared().await else { return };
    let schema = server::schema();
    let starts: Vec<_> = (0..8_u8)
        .map(|number| {
            let (builder, address) = (builder(&schema).bodies(key(number % 2)), server.address());
            tokio::spawn(async move { (number % 2, builder.connect(&address).await.map(drop)) })
        })
        .collect();
    let mut with = [0, 0];
    for start in starts {
        match start.await.unwrap() {
            (byte, Ok(())) => with[usize::from(byte)] += 1,
            (_, Err(error)) => assert!(matches!(error, ConnectError::Key { .. }), "{error}"),
        }
    }
    assert!(with == [4, 0] || with == [0, 4], "{with:?}");
}

#[tokio::test]
async fn tables_of_the_version_before_get_what_they_lack_and_keep_what_they_hold() {
    let Some(server) = server::shared().await else { return };
    let schema = server::schema();
    let journal = builder(&schema).connect(&server.address()).await.unwrap();
    begun(&journal, "a").await;
    journal.close().await;
    let before = format!("DROP TABLE {schema}.guard; UPDATE {schema}.schema_version SET version = 1");
    server.client().await.batch_execute(&before).await.unwrap();
    let refused = builder(&schema).bodies(key(1)).connect(&server.address()).await.unwrap_err();
    assert!(matches!(refused, ConnectError::Key { .. }), "{refused}");
    let journal = builder(&schema).connect(&server.address()).await.unwrap();
    assert!(look(&journal, "a").await.arguments.is_some());
}

#[tokio::test]
async fn the_tool_opens_an_encrypted_journal_with_its_key_file() {
    let Some(server) = server::shared().await else { return };
    let schema = server::schema();
    let journal = builder(&schema).bodies(key(9)).connect(&server.url()).await.unwrap();
    ended(&journal, "1", Change::Manual { why: "two of Anna Muster".into() }).await;
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("key");
    std::fs::write(&file, "09".repeat(32)).unwrap();
    let list = |with_key: bool| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bitrix-journal"));
        command.env_clear().args(["--journal", &server.url(), "--schema", &schema, "list"]);
        if with_key {
            command.arg("--key-file").arg(&file);
        }
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    };
    let (code, text) = list(true);
    assert!(code == Some(0) && text.contains("two of Anna Muster"), "{code:?} {text}");
    let (code, text) = list(false);
    assert!(code == Some(1) && text.contains("Open it with its key"), "{code:?} {text}");
}
