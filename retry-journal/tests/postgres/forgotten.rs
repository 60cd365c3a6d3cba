//! What a journal notices of what it may have forgotten.

use std::time::Duration;

use retry_journal::{Desk, Signature};
use retry_runtime::journal::Journal;

use crate::{builder, server};

#[tokio::test]
async fn a_journal_that_must_be_there_and_is_not_is_under_suspicion_until_it_is_trusted() {
    let Some(server) = server::shared().await else { return };
    let schema = server::schema();
    let first = builder(&schema).must_exist().connect(&server.address()).await.unwrap();
    assert!(Journal::suspicion(&first).is_some_and(|why| why.contains("were not there")));
    first.close().await;
    // The tables keep it, also for a worker that expects nothing.
    let later = builder(&schema).connect(&server.address()).await.unwrap();
    assert!(Journal::suspicion(&later).is_some());
    assert_eq!(Desk::suspicion(&later).await.unwrap().as_deref(), Journal::suspicion(&later).as_deref());
    later.trust(&Signature::new("ada", "all orders are there").unwrap()).await.unwrap();
    assert_eq!(Journal::suspicion(&later), None);
    later.close().await;
    let after = builder(&schema).must_exist().connect(&server.address()).await.unwrap();
    assert_eq!(Journal::suspicion(&after), None);
    let sql = format!("SELECT trusted FROM {schema}.guard");
    let trusted: String = server.client().await.query_one(&sql, &[]).await.unwrap().get(0);
    assert!(trusted.starts_with("ada: all orders are there (it was: the tables"), "{trusted}");
}

#[tokio::test]
async fn a_first_journal_is_not_under_suspicion() {
    let Some(server) = server::shared().await else { return };
    let schema = server::schema();
    let journal = builder(&schema).connect(&server.address()).await.unwrap();
    assert_eq!(Desk::suspicion(&journal).await.unwrap(), None);
    journal.trust(&Signature::new("ada", "nothing to trust").unwrap()).await.unwrap();
    let sql = format!("SELECT trusted FROM {schema}.guard");
    let trusted: Option<String> = server.client().await.query_one(&sql, &[]).await.unwrap().get(0);
    assert_eq!(trusted, None);
}

#[tokio::test]
async fn what_an_operator_says_of_a_restored_journal_is_seen_by_a_running_worker() {
    let Some(server) = server::shared().await else { return };
    let schema = server::schema();
    let journal = builder(&schema).lease(Duration::from_secs(1)).connect(&server.address()).await.unwrap();
    assert_eq!(Journal::suspicion(&journal), None);
    let sql = format!("UPDATE {schema}.guard SET suspicion = 'restored from the dump of Monday'");
    server.client().await.batch_execute(&sql).await.unwrap();
    let mut waited = 0;
    while Journal::suspicion(&journal).is_none() {
        waited += 1;
        assert!(waited < 200, "it is not seen");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
