//! Several workers on one journal.

use std::collections::HashMap;
use std::time::Duration;

use bytes::Bytes;
use retry_journal::postgres::PostgresJournal;
use retry_runtime::journal::{Beginning, Begun, Change, Epoch, How, Journal, Recorded, State};
use tokio::time::Instant;

use crate::kit::{beginning, begun, entry, id};
use crate::{builder, open, server};

/// A worker whose process ends without a word: its runtime is gone, and with it the heartbeat.
fn dead_worker(schema: &str, address: &str, lease: Duration, keys: &[&str]) {
    let (builder, address) = (builder(schema).lease(lease), address.to_owned());
    let keys: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
    let work = move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let journal = runtime.block_on(async {
            let journal = builder.connect(&address).await.unwrap();
            for key in &keys {
                begun(&journal, key).await;
            }
            journal
        });
        runtime.shutdown_background();
        drop(journal);
    };
    std::thread::spawn(work).join().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn eight_workers_claim_two_hundred_open_intents_each_exactly_once() {
    let Some(server) = server::shared().await else { return };
    let schema = server::schema();
    let first = builder(&schema).connect(&server.address()).await.unwrap();
    for number in 0..200 {
        begun(&first, &number.to_string()).await;
    }
    first.close().await;
    let workers: Vec<_> = (0..8)
        .map(|_| {
            let (builder, address) = (builder(&schema), server.address());
            tokio::spawn(async move {
                let journal = builder.connect(&address).await.unwrap();
                let mut mine = Vec::new();
                loop {
                    let claimed = journal.claim(&open(7)).await.unwrap();
                    if claimed.is_empty() {
                        return (journal, mine);
                    }
                    mine.extend(claimed);
                }
            })
        })
        .collect();
    let mut times: HashMap<u64, u32> = HashMap::new();
    let mut alive: Vec<PostgresJournal> = Vec::new();
    for worker in workers {
        let (journal, mine) = worker.await.unwrap();
        alive.push(journal);
        for intent in mine {
            assert_eq!(intent.epoch, Epoch(2));
            *times.entry(intent.number).or_default() += 1;
        }
    }
    assert_eq!(times.len(), 200);
    assert!(times.values().all(|times| *times == 1));
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "a real server on real time")]
async fn what_a_dead_worker_held_is_claimed_after_its_lease_and_not_before() {
    let Some(server) = server::shared().await else { return };
    let schema = server::schema();
    let lease = Duration::from_secs(3);
    let journal = builder(&schema).connect(&server.address()).await.unwrap();
    let before = Instant::now();
    dead_worker(&schema, &server.address(), lease, &["1", "2"]);
    let after = Instant::now();
    let claimed = loop {
        let asked = Instant::now();
        let claimed = journal.claim(&open(10)).await.unwrap();
        if !claimed.is_empty() {
            assert!(before.elapsed() >= lease, "claimed after {:?}", before.elapsed());
            break claimed;
        }
        assert!(asked.duration_since(after) < lease, "not claimed {:?} after its death", after.elapsed());
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert_eq!(claimed.len(), 2);
    let why = "its process ended before its outcome was on record".into();
    assert_eq!(claimed[0].state, State::Unknown { why });
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "a real server on real time")]
async fn a_living_worker_keeps_what_it_holds_beyond_its_lease() {
    let Some(server) = server::shared().await else { return };
    let schema = server::schema();
    let holder = builder(&schema).lease(Duration::from_secs(2)).connect(&server.address()).await.unwrap();
    let other = builder(&schema).connect(&server.address()).await.unwrap();
    let held = begun(&holder, "1").await;
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(5) {
        assert_eq!(other.claim(&open(1)).await.unwrap(), []);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let ready = Change::Ready { why: "refused".into() };
    assert_eq!(holder.record(&entry(held, ready)).await.unwrap(), Recorded::Yes);
}

#[tokio::test]
async fn a_paused_owner_is_fenced_by_the_epoch() {
    let Some(server) = server::shared().await else { return };
    let schema = server::schema();
    let paused = builder(&schema).connect(&server.address()).await.unwrap();
    let other = builder(&schema).connect(&server.address()).await.unwrap();
    let held = begun(&paused, "1").await;
    // For the others it has not been seen for an hour.
    let sql = format!("UPDATE {schema}.worker SET seen = seen - interval '1 hour' WHERE id = $1");
    server.client().await.execute(&sql, &[&paused.worker()]).await.unwrap();
    let taken = other.claim(&open(1)).await.unwrap();
    assert_eq!(taken.len(), 1);
    for change in [Change::Ready { why: "".into() }, Change::Rejected { why: "".into() }] {
        assert!(matches!(paused.record(&entry(held, change)).await.unwrap(), Recorded::Taken(Some(_))));
    }
    let again = paused.begin(&Beginning { expected: Some(held.epoch), ..beginning("1") }).await.unwrap();
    assert!(matches!(again, Begun::Taken(Some(_))), "{again:?}");
    let applied = Change::Applied { how: How::Answer, result: Bytes::from_static(b"1") };
    assert_eq!(paused.record(&entry(held, applied)).await.unwrap(), Recorded::Yes);
}

#[tokio::test]
async fn a_worker_that_is_closed_lets_go_at_once() {
    let Some(server) = server::shared().await else { return };
    let schema = server::schema();
    let journal = builder(&schema).connect(&server.address()).await.unwrap();
    let clone = journal.clone();
    let other = builder(&schema).connect(&server.address()).await.unwrap();
    begun(&journal, "1").await;
    journal.close().await;
    assert_eq!(other.claim(&open(1)).await.unwrap(), [], "a handle of the worker is left");
    clone.close().await;
    assert_eq!(other.claim(&open(1)).await.unwrap().len(), 1);
}

#[tokio::test]
async fn what_is_past_its_time_is_dropped_and_what_waits_for_a_person_stays() {
    let Some(server) = server::shared().await else { return };
    let schema = server::schema();
    let builder = builder(&schema).lease(Duration::from_secs(1)).retention(Duration::from_secs(3600));
    let journal = builder.connect(&server.address()).await.unwrap();
    let why: Box<str> = "".into();
    let changes = [
        ("applied", Change::Applied { how: How::Answer, result: Bytes::new() }),
        ("manual", Change::Manual { why: why.clone() }),
        ("unknown", Change::Unknown { why: why.clone(), let_go: false }),
        ("young", Change::Rejected { why }),
    ];
    for (key, change) in changes {
        let held = begun(&journal, key).await;
        journal.record(&entry(held, change)).await.unwrap();
    }
    let old = format!(
        "UPDATE {schema}.intent SET closed = closed - interval '2 hours', began = began - interval '2 hours' \
         WHERE key <> 'young'"
    );
    server.client().await.batch_execute(&old).await.unwrap();
    // It looks at its first heartbeat.
    journal.close().await;
    let journal = builder.connect(&server.address()).await.unwrap();
    let mut waited = 0;
    while journal.look(&id("applied")).await.unwrap().is_some() {
        waited += 1;
        assert!(waited < 200, "an old row is still there");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    for key in ["manual", "unknown", "young"] {
        assert!(journal.look(&id(key)).await.unwrap().is_some(), "{key}");
    }
}
