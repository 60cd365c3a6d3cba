//! What a person does.

use bytes::Bytes;
use retry_journal::{Decided, Decision, Desk, DeskError, Query, Signature};
use retry_runtime::journal::{Begun, Change, Epoch, EventKind, How, Journal, Recorded, State};

use crate::{beginning, begun, builder, entry, id, open, server};

fn me() -> Signature {
    Signature::new("Ann", "looked at the portal").unwrap()
}

#[tokio::test]
async fn a_person_decides_by_the_epoch_that_was_looked_at_and_the_word_is_on_record() {
    let Some(server) = server::shared().await else { return };
    let journal = builder(&server::schema()).connect(&server.address()).await.unwrap();
    let held = begun(&journal, "1", None).await;
    journal.record(&entry(held, Change::Manual { why: "two".into() })).await.unwrap();
    let adopt = Decision::Adopt("17".into());
    let changed = journal.decide(held.number, Epoch(7), &adopt, &me()).await.unwrap();
    assert!(matches!(changed, Decided::Changed(_)), "{changed:?}");
    let Decided::Yes(intent) = journal.decide(held.number, held.epoch, &adopt, &me()).await.unwrap() else {
        panic!("not decided")
    };
    assert_eq!(intent.state, State::Applied { how: How::Person, result: Bytes::from_static(b"17") });
    let again = journal.decide(held.number, intent.epoch, &adopt, &me()).await.unwrap();
    assert!(matches!(again, Decided::NotNow(_)), "{again:?}");
    let story = Desk::show(&journal, held.number).await.unwrap().story;
    let word = story.last().unwrap();
    assert_eq!(word.kind, EventKind::Person);
    assert!(word.text.contains("Ann") && word.text.contains("looked at the portal"), "{word:?}");
    let unknown = Desk::show(&journal, 1_000_000).await.unwrap_err();
    assert_eq!(unknown, DeskError::NoSuch(1_000_000));
}

#[tokio::test]
async fn each_decision_is_of_its_states_alone() {
    let Some(server) = server::shared().await else { return };
    let journal = builder(&server::schema()).connect(&server.address()).await.unwrap();
    let why: Box<str> = "".into();
    let states = [
        Change::Unknown { why: why.clone(), let_go: false },
        Change::Ready { why: why.clone() },
        Change::Rejected { why: why.clone() },
        Change::Manual { why },
        Change::Applied { how: How::Answer, result: Bytes::from_static(b"1") },
    ];
    let decisions = [
        (Decision::Adopt("a1".into()), [true, false, false, true, false]),
        (Decision::Reject, [true, true, false, true, false]),
        (Decision::AllowOnce, [false, false, true, true, false]),
        (Decision::Verify, [false, false, false, true, false]),
    ];
    for (decision, allowed) in decisions {
        for (change, may) in states.iter().zip(allowed) {
            let key = format!("{decision:?} {change:?}");
            let held = begun(&journal, &key, None).await;
            journal.record(&entry(held, change.clone())).await.unwrap();
            let decided = journal.decide(held.number, held.epoch, &decision, &me()).await.unwrap();
            assert_eq!(matches!(decided, Decided::Yes(_)), may, "{key}");
            assert!(may || matches!(decided, Decided::NotNow(_)), "{key}");
        }
    }
}

#[tokio::test]
async fn who_held_an_intent_that_a_person_rejected_can_not_send_it_again() {
    let Some(server) = server::shared().await else { return };
    let journal = builder(&server::schema()).connect(&server.address()).await.unwrap();
    let held = begun(&journal, "1", None).await;
    journal.decide(held.number, held.epoch, &Decision::Reject, &me()).await.unwrap();
    assert!(matches!(journal.begin(&beginning("1", Some(held.epoch))).await.unwrap(), Begun::Taken(Some(_))));
    let ready = Change::Ready { why: "".into() };
    assert!(matches!(journal.record(&entry(held, ready)).await.unwrap(), Recorded::Taken(Some(_))));
}

#[tokio::test]
async fn what_is_to_be_verified_is_held_by_nobody() {
    let Some(server) = server::shared().await else { return };
    let schema = server::schema();
    let journal = builder(&schema).connect(&server.address()).await.unwrap();
    let other = builder(&schema).connect(&server.address()).await.unwrap();
    let held = begun(&journal, "1", None).await;
    journal.record(&entry(held, Change::Manual { why: "".into() })).await.unwrap();
    journal.decide(held.number, held.epoch, &Decision::Verify, &me()).await.unwrap();
    assert_eq!(other.claim(&open(5)).await.unwrap().len(), 1);
}

#[tokio::test]
async fn the_list_is_paged_newest_first_and_searched_by_its_letters() {
    let Some(server) = server::shared().await else { return };
    let journal = builder(&server::schema()).connect(&server.address()).await.unwrap();
    for number in 0..5 {
        let held = begun(&journal, &format!("Order_{number}%"), None).await;
        if number % 2 == 0 {
            journal.record(&entry(held, Change::Manual { why: "".into() })).await.unwrap();
        }
    }
    let query = Query { limit: 2, ..Query::default() };
    let first = journal.list(&query).await.unwrap();
    assert_eq!(first.intents.iter().map(|intent| &*intent.id.key).collect::<Vec<_>>(), ["Order_4%", "Order_3%"]);
    let second = journal.list(&Query { before: first.next, ..query.clone() }).await.unwrap();
    let third = journal.list(&Query { before: second.next, ..query }).await.unwrap();
    assert_eq!((second.intents.len(), third.intents.len(), third.next), (2, 1, None));
    let found = async |states: &[&str], text: Option<&str>| {
        let states = states.iter().map(|state| (*state).into()).collect();
        let query = Query { states, text: text.map(Into::into), ..Query::default() };
        journal.list(&query).await.unwrap().intents.len()
    };
    assert_eq!(found(&["manual"], None).await, 3);
    assert_eq!(found(&["manual", "sending"], Some("oRDER_1%")).await, 1);
    assert_eq!(found(&[], Some("order-")).await, 0);
    assert_eq!(found(&["no state"], None).await, 0);
}

#[tokio::test]
async fn the_counts_tell_how_long_people_and_machines_were_waited_for() {
    let Some(server) = server::shared().await else { return };
    let schema = server::schema();
    let journal = builder(&schema).connect(&server.address()).await.unwrap();
    let held = begun(&journal, "1", None).await;
    journal.record(&entry(held, Change::Manual { why: "".into() })).await.unwrap();
    begun(&journal, "2", None).await;
    let sql = format!("UPDATE {schema}.intent SET began = began - interval '1 hour' WHERE key = '1'");
    server.client().await.batch_execute(&sql).await.unwrap();
    let stats = journal.stats().await.unwrap();
    let mut states = stats.states.clone();
    states.sort_unstable();
    assert_eq!(states, [("manual", 1), ("sending", 1)]);
    assert!(stats.oldest_manual.unwrap().as_secs() >= 3600);
    assert!(stats.oldest_open.unwrap().as_secs() < 3600);
    assert!(journal.look(&id("1")).await.unwrap().unwrap().began < stats.at.unwrap());
}
