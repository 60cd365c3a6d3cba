//! `bitrix-journal` beside the fleet.

use std::process::Command;

use retry_journal::tool;
use retry_runtime::journal::{Change, How, Journal as _, State};

use crate::builder;
use crate::kit::{begun, entry, id};
use crate::server::{schema, shared};

#[tokio::test]
async fn a_person_settles_an_intent_of_the_fleet_with_the_tool() {
    let Some(server) = shared().await else { return };
    let schema = schema();
    let journal = builder(&schema).connect(&server.url()).await.unwrap();
    let held = begun(&journal, "ORDER-1").await;
    journal.record(&entry(held, Change::Manual { why: "two deals carry this key".into() })).await.unwrap();
    let run = |line: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bitrix-journal"));
        command
            .env_clear()
            .env("BITRIX_JOURNAL", server.url())
            .env("BITRIX_JOURNAL_SCHEMA", &schema)
            .env("USER", "ada");
        let output = command.args(line).output().unwrap();
        (
            output.status.code().unwrap(),
            String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap(),
        )
    };
    let number = held.number.to_string();
    let (code, text) = run(&["list", "--state", "manual"]);
    assert!(code == 0 && text.contains("ORDER-1") && text.contains("two deals carry this key"), "{code} {text}");
    let (code, text) = run(&["adopt", &number, "4711", "--epoch", "999", "--note", "n"]);
    assert!(code == 1 && text.contains("has changed since epoch 999"), "{code} {text}");
    let (code, text) = run(&["adopt", &number, "4711", "--note", "looked at it"]);
    assert!(code == 0 && text.contains("adopted"), "{code} {text}");
    let seen = journal.look(&id("ORDER-1")).await.unwrap().unwrap();
    assert_eq!(seen.state, State::Applied { how: How::Person, result: "4711".into() });
    assert_eq!(run(&["stats", "--check"]).0, 0);
    let (code, text) = run(&["show", &number]);
    assert!(code == 0 && text.contains("looked at it"), "{code} {text}");
}

#[tokio::test]
async fn an_address_that_does_not_answer_is_told_without_its_password() {
    let options = <tool::Options as clap::Parser>::parse_from([
        "bitrix-journal",
        "--journal",
        "postgres://ada:secret-word@127.0.0.1:1/x",
        "list",
    ]);
    let Err(ended) = tool::open(&options).await else { panic!("somebody answers at port 1") };
    assert!(!ended.to_string().contains("secret-word"), "{ended}");
}
