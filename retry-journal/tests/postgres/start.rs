//! Opening a journal.

use std::time::Duration;

use retry_journal::postgres::ConnectError;
use retry_runtime::journal::{Journal, JournalError};

use crate::{begun, builder, id, server};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn eight_workers_that_start_at_once_make_the_tables_once() {
    let Some(server) = server::shared().await else { return };
    let schema = server::schema();
    let starts: Vec<_> = (0..8)
        .map(|_| {
            let (builder, address) = (builder(&schema), server.address());
            tokio::spawn(async move { builder.connect(&address).await.unwrap() })
        })
        .collect();
    let mut journals = Vec::new();
    for start in starts {
        journals.push(start.await.unwrap());
    }
    let versions = server.client().await.query(&format!("SELECT version FROM {schema}.schema_version"), &[]).await;
    assert_eq!(versions.unwrap().len(), 1);
    begun(&journals[0], "1", None).await;
    for journal in &journals {
        assert!(journal.look(&id("1")).await.unwrap().is_some());
    }
}

#[tokio::test]
async fn tables_of_a_newer_program_are_left_alone() {
    let Some(server) = server::shared().await else { return };
    let schema = server::schema();
    drop(builder(&schema).connect(&server.url()).await.unwrap());
    let client = server.client().await;
    client.batch_execute(&format!("UPDATE {schema}.schema_version SET version = 99")).await.unwrap();
    let error = builder(&schema).connect(&server.url()).await.unwrap_err();
    assert!(matches!(error, ConnectError::Newer { found: 99, .. }), "{error}");
}

#[tokio::test]
async fn a_commit_is_durable_whatever_the_role_says() {
    let Some(server) = server::shared().await else { return };
    let client = server.client().await;
    client
        .batch_execute("CREATE ROLE hasty LOGIN SUPERUSER; ALTER ROLE hasty SET synchronous_commit TO off")
        .await
        .unwrap();
    let address = server.address().replace("user=postgres", "user=hasty");
    let schema = server::schema();
    let journal = builder(&schema).connect(&address).await.unwrap();
    // The server itself tells: a trigger notes the setting that each write is committed with.
    client
        .batch_execute(&format!(
            "CREATE TABLE {schema}.noted (setting text); \
             CREATE FUNCTION {schema}.note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
             INSERT INTO {schema}.noted VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$; \
             CREATE TRIGGER note AFTER INSERT ON {schema}.intent EXECUTE FUNCTION {schema}.note(); \
             CREATE TRIGGER note AFTER INSERT ON {schema}.limiter EXECUTE FUNCTION {schema}.note()"
        ))
        .await
        .unwrap();
    begun(&journal, "1", None).await;
    journal.turn("portal", Duration::from_millis(1)).await.unwrap();
    // Also on the connection that the line has just used.
    begun(&journal, "2", None).await;
    let rows = client.query(&format!("SELECT setting FROM {schema}.noted"), &[]).await.unwrap();
    let settings: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    assert_eq!(settings, ["on", "off", "on"]);
}

#[tokio::test]
async fn what_can_not_be_opened_says_why_and_no_password() {
    let closed = "postgres://me:sesame@127.0.0.1:1/x";
    let cases = [
        (builder("journal").connect(closed).await, "can't be reached"),
        (builder("journal").connect("postgres://me:sesame@[x").await, "postgres://USER"),
        (builder("No Name").connect(closed).await, "schema"),
        (builder("journal").lease(Duration::from_millis(1)).connect(closed).await, "lease"),
    ];
    for (result, part) in cases {
        let error = result.unwrap_err().to_string();
        assert!(error.contains(part) && !error.contains("sesame"), "{error}");
    }
    let error = builder("journal").connect(closed).await.unwrap_err();
    assert!(matches!(error, ConnectError::Journal(JournalError::Unavailable(_))), "{error}");
}
