//! A server that crashes and connections that break.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use retry_runtime::journal::{Begun, Change, How, Journal, JournalError, Recorded, State};

use crate::{beginning, begun, builder, entry, id, open, server};

fn applied(number: usize) -> Change {
    Change::Applied { how: How::Answer, result: Bytes::from(number.to_string()) }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_that_was_acknowledged_is_lost_when_the_server_crashes() {
    let Some(server) = server::Server::start().await else { return };
    let journal = builder("journal").patience(Duration::from_secs(20)).connect(&server.address()).await.unwrap();
    let is_over = Arc::new(AtomicBool::new(false));
    let writers: Vec<_> = (0..8)
        .map(|writer| {
            let (journal, is_over) = (journal.clone(), Arc::clone(&is_over));
            tokio::spawn(async move {
                let (mut begun, mut recorded) = (Vec::new(), Vec::new());
                for number in 0.. {
                    if is_over.load(Ordering::Relaxed) {
                        break;
                    }
                    let key = format!("{writer}-{number}");
                    match journal.begin(&beginning(&key, None)).await {
                        Ok(Begun::Yes(held)) => {
                            begun.push((key.clone(), held));
                            if journal.record(&entry(held, applied(number))).await == Ok(Recorded::Yes) {
                                recorded.push((key, number));
                            }
                        }
                        Ok(Begun::Taken(row)) => panic!("{row:?}"),
                        Err(JournalError::Unavailable(_)) => tokio::time::sleep(Duration::from_millis(20)).await,
                        Err(error) => panic!("{error}"),
                    }
                }
                (begun, recorded)
            })
        })
        .collect();
    for _ in 0..3 {
        tokio::time::sleep(Duration::from_millis(700)).await;
        server.crash();
        assert!(matches!(journal.look(&id("x")).await, Err(JournalError::Unavailable(_))));
        server.up().await;
    }
    tokio::time::sleep(Duration::from_millis(700)).await;
    is_over.store(true, Ordering::Relaxed);
    let mut all = Vec::new();
    let mut acknowledged = 0;
    for writer in writers {
        let (begun, recorded) = writer.await.unwrap();
        for (key, number) in &recorded {
            let state = journal.look(&id(key)).await.unwrap().unwrap().state;
            assert_eq!(state, State::Applied { how: How::Answer, result: Bytes::from(number.to_string()) }, "{key}");
        }
        acknowledged += recorded.len();
        all.extend(begun);
    }
    assert!(acknowledged > 20, "only {acknowledged} were acknowledged");
    // What was not acknowledged was kept in memory, and is on record by now: every attempt has its outcome.
    journal.flush().await.unwrap();
    for (key, held) in all {
        let row = journal.look(&id(&key)).await.unwrap().unwrap();
        assert_eq!((row.held(), row.state.is_open()), (held, false), "{key}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_record_whose_connection_is_cut_is_made_after_the_reconnect() {
    let Some(server) = server::Server::start().await else { return };
    let journal = builder("journal").connect(&server.address()).await.unwrap();
    let mut held = Vec::new();
    for number in 0..300 {
        held.push(begun(&journal, &number.to_string(), None).await);
    }
    let client = server.client().await;
    let is_over = Arc::new(AtomicBool::new(false));
    let cutter = {
        let is_over = Arc::clone(&is_over);
        tokio::spawn(async move {
            let mut cut = 0_i64;
            while !is_over.load(Ordering::Relaxed) {
                let sql = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
                           WHERE application_name = 'bitrix-journal'";
                cut += client.query_one(sql, &[]).await.unwrap().get::<_, i64>(0);
                tokio::time::sleep(Duration::from_millis(30)).await;
            }
            cut
        })
    };
    let mut tasks = Vec::new();
    for (number, held) in held.into_iter().enumerate() {
        let journal = journal.clone();
        tasks.push(tokio::spawn(async move { journal.record(&entry(held, applied(number))).await }));
    }
    let mut refused = 0;
    for task in tasks {
        match task.await.unwrap() {
            Ok(Recorded::Yes) => {}
            Err(JournalError::Unavailable(_)) => refused += 1,
            other => panic!("{other:?}"),
        }
    }
    is_over.store(true, Ordering::Relaxed);
    assert!(cutter.await.unwrap() > 0);
    assert!(refused > 0, "no connection was cut in time: the test shows nothing");
    journal.flush().await.unwrap();
    for number in 0..300 {
        let state = journal.look(&id(&number.to_string())).await.unwrap().unwrap().state;
        assert_eq!(state, State::Applied { how: How::Answer, result: Bytes::from(number.to_string()) });
    }
}

#[tokio::test]
async fn what_waits_for_the_server_does_not_overrule_who_has_taken_over() {
    let Some(server) = server::Server::start().await else { return };
    let journal = builder("journal").lease(Duration::from_secs(1)).connect(&server.address()).await.unwrap();
    let held = begun(&journal, "1", None).await;
    server.crash();
    let change = Change::Ready { why: "refused".into() };
    assert!(matches!(journal.record(&entry(held, change)).await, Err(JournalError::Unavailable(_))));
    // The epoch goes on while the outcome waits: as if another worker had been faster.
    let gate = builder("journal");
    server.up().await;
    let other = loop {
        if let Ok(other) = gate.connect(&server.address()).await {
            break other;
        }
    };
    let sql = "UPDATE journal.intent SET epoch = epoch + 1, owner = $1 WHERE number = $2 AND state < 10";
    let number = i64::try_from(held.number).unwrap();
    let was_open = server.client().await.execute(sql, &[&other.worker(), &number]).await.unwrap();
    journal.flush().await.unwrap();
    let row = other.look(&id("1")).await.unwrap().unwrap();
    // Whoever came first has it whole.
    match was_open {
        1 => assert_eq!((row.state, row.owner.as_deref()), (State::Sending, Some(other.worker()))),
        _ => assert_eq!((row.state, row.owner), (State::Ready { why: "refused".into() }, None)),
    }
}

#[tokio::test]
async fn a_beginning_that_was_not_answered_is_not_held_by_its_living_worker() {
    let Some(server) = server::shared().await else { return };
    let schema = server::schema();
    let builder = builder(&schema).patience(Duration::from_millis(500)).lease(Duration::from_secs(1));
    let journal = builder.connect(&server.address()).await.unwrap();
    let other = crate::builder(&schema).connect(&server.address()).await.unwrap();
    // The server commits, but answers too late: the deferred trigger sleeps within the commit, and can't be ended by the timeout of a statement that has ended.
    let client = server.client().await;
    client
        .batch_execute(&format!(
            "CREATE FUNCTION {schema}.slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
             SET LOCAL statement_timeout = 0; PERFORM pg_sleep(2); RETURN NULL; END $$; \
             CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON {schema}.intent DEFERRABLE INITIALLY DEFERRED \
             FOR EACH ROW EXECUTE FUNCTION {schema}.slow()"
        ))
        .await
        .unwrap();
    let error = journal.begin(&beginning("1", None)).await.unwrap_err();
    assert!(matches!(error, JournalError::Unavailable(_)), "{error}");
    let mut seen = false;
    for _ in 0..200 {
        let claimed = other.claim(&open(1)).await.unwrap();
        if let [intent] = &*claimed {
            assert!(intent.state.why().is_some_and(|why| why.contains("did not send it")), "{intent:?}");
            seen = true;
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(seen, "its worker lives and keeps it, though nobody works on it");
}
