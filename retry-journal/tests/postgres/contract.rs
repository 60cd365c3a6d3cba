//! What every journal does, here by PostgreSQL.

use bytes::Bytes;
use retry_runtime::journal::{Begun, Change, Claim, Epoch, Held, How, Journal, Recorded, State};

use crate::{beginning, begun, builder, entry, id, open, server};

#[tokio::test]
async fn an_attempt_is_on_record_before_it_is_answered_and_so_is_its_outcome() {
    let Some(server) = server::shared().await else { return };
    let journal = builder(&server::schema()).connect(&server.address()).await.unwrap();
    let held = begun(&journal, "1", None).await;
    assert_eq!(held.epoch, Epoch(1));
    let row = journal.look(&id("1")).await.unwrap().unwrap();
    assert_eq!((row.held(), row.attempt, &row.state), (held, 1, &State::Sending));
    assert_eq!(row.owner.as_deref(), Some(journal.worker()));
    assert_eq!(row.arguments, Some(beginning("1", None).arguments));
    let change = Change::Applied { how: How::Answer, result: Bytes::from_static(b"17") };
    assert_eq!(journal.record(&entry(held, change)).await.unwrap(), Recorded::Yes);
    let row = journal.look(&id("1")).await.unwrap().unwrap();
    assert_eq!(row.state, State::Applied { how: How::Answer, result: Bytes::from_static(b"17") });
    assert_eq!((row.owner, row.epoch, row.closed.is_some()), (None, Epoch(1), true));
}

#[tokio::test]
async fn an_intent_begins_once_and_again_only_by_its_epoch() {
    let Some(server) = server::shared().await else { return };
    let journal = builder(&server::schema()).connect(&server.address()).await.unwrap();
    assert_eq!(journal.begin(&beginning("1", Some(Epoch(1)))).await.unwrap(), Begun::Taken(None));
    let first = begun(&journal, "1", None).await;
    let Begun::Taken(Some(row)) = journal.begin(&beginning("1", None)).await.unwrap() else { panic!("begun twice") };
    assert_eq!(row.held(), first);
    let second = begun(&journal, "1", Some(first.epoch)).await;
    assert_eq!(second, Held { number: first.number, epoch: Epoch(2) });
    assert!(matches!(journal.begin(&beginning("1", Some(first.epoch))).await.unwrap(), Begun::Taken(Some(_))));
    assert_eq!(journal.look(&id("1")).await.unwrap().unwrap().attempt, 2);
}

#[tokio::test]
async fn what_has_no_effect_may_begin_anew_and_what_may_have_one_may_not() {
    let Some(server) = server::shared().await else { return };
    let journal = builder(&server::schema()).connect(&server.address()).await.unwrap();
    let why: Box<str> = "why".into();
    let changes = [
        (Change::Ready { why: why.clone() }, true),
        (Change::Rejected { why: why.clone() }, true),
        (Change::Manual { why: why.clone() }, false),
        (Change::Applied { how: How::ReadBack, result: Bytes::from_static(b"1") }, false),
        (Change::Unknown { why, let_go: true }, true),
    ];
    for (number, (change, may)) in changes.into_iter().enumerate() {
        let key = number.to_string();
        let held = begun(&journal, &key, None).await;
        assert_eq!(journal.record(&entry(held, change.clone())).await.unwrap(), Recorded::Yes);
        let mut anew = beginning(&key, Some(held.epoch));
        anew.arguments = Bytes::from_static(b"{\"other\":1}");
        let is_begun = matches!(journal.begin(&anew).await.unwrap(), Begun::Yes(_));
        assert_eq!(is_begun, may, "{change:?}");
        let row = journal.look(&id(&key)).await.unwrap().unwrap();
        assert_eq!(row.arguments == Some(anew.arguments), may, "{change:?}");
    }
}

#[tokio::test]
async fn an_older_epoch_changes_nothing_but_brings_the_news_that_it_was_applied() {
    let Some(server) = server::shared().await else { return };
    let journal = builder(&server::schema()).connect(&server.address()).await.unwrap();
    let old = begun(&journal, "1", None).await;
    let now = begun(&journal, "1", Some(old.epoch)).await;
    let why: Box<str> = "late".into();
    for change in [
        Change::Ready { why: why.clone() },
        Change::Rejected { why: why.clone() },
        Change::Manual { why: why.clone() },
        Change::Unknown { why, let_go: true },
    ] {
        let Recorded::Taken(Some(row)) = journal.record(&entry(old, change)).await.unwrap() else { panic!("recorded") };
        assert_eq!((row.held(), row.state), (now, State::Sending));
    }
    let applied = Change::Applied { how: How::Answer, result: Bytes::from_static(b"17") };
    assert_eq!(journal.record(&entry(old, applied.clone())).await.unwrap(), Recorded::Yes);
    assert!(matches!(journal.look(&id("1")).await.unwrap().unwrap().state, State::Applied { .. }));
    let nothing = Held { number: 1_000_000, epoch: Epoch(1) };
    assert_eq!(journal.record(&entry(nothing, applied)).await.unwrap(), Recorded::Taken(None));
}

#[tokio::test]
async fn news_of_a_closed_intent_goes_into_its_story_and_leaves_its_state() {
    use retry_journal::Desk as _;
    let Some(server) = server::shared().await else { return };
    let journal = builder(&server::schema()).connect(&server.address()).await.unwrap();
    let held = begun(&journal, "1", None).await;
    let manual = Change::Manual { why: "two".into() };
    assert_eq!(journal.record(&entry(held, manual)).await.unwrap(), Recorded::Yes);
    let applied = Change::Applied { how: How::Answer, result: Bytes::from_static(b"17") };
    assert!(matches!(journal.record(&entry(held, applied)).await.unwrap(), Recorded::Taken(Some(_))));
    let shown = journal.show(held.number).await.unwrap();
    assert_eq!(shown.intent.state, State::Manual { why: "two".into() });
    assert!(shown.story.iter().any(|event| event.text.contains("applied") && event.detail.contains("17")));
}

#[tokio::test]
async fn what_was_let_go_of_is_claimed_by_one_and_what_is_held_by_nobody_else() {
    let Some(server) = server::shared().await else { return };
    let schema = server::schema();
    let journal = builder(&schema).connect(&server.address()).await.unwrap();
    let other = builder(&schema).connect(&server.address()).await.unwrap();
    let held = begun(&journal, "1", None).await;
    begun(&journal, "2", None).await;
    for claim in [open(10), Claim::One(id("1"))] {
        assert_eq!(other.claim(&claim).await.unwrap(), []);
        assert_eq!(journal.claim(&claim).await.unwrap(), []);
    }
    journal.release(held, "dropped");
    journal.flush().await.unwrap();
    let claimed = other.claim(&open(10)).await.unwrap();
    assert_eq!(claimed.len(), 1);
    assert_eq!(claimed[0].id, id("1"));
    assert_eq!(claimed[0].epoch, Epoch(2));
    assert_eq!(claimed[0].state, State::Unknown { why: "dropped".into() });
    assert_eq!(claimed[0].owner.as_deref(), Some(other.worker()));
    assert_eq!(journal.claim(&Claim::One(id("1"))).await.unwrap(), []);
    assert!(matches!(
        journal.record(&entry(held, Change::Ready { why: "".into() })).await.unwrap(),
        Recorded::Taken(_)
    ));
}

#[tokio::test]
async fn texts_with_a_nul_are_kept_without_it_and_keys_with_one_are_refused() {
    let Some(server) = server::shared().await else { return };
    let journal = builder(&server::schema()).connect(&server.address()).await.unwrap();
    let error = journal.begin(&beginning("a\0b", None)).await.unwrap_err();
    assert!(error.to_string().contains("NUL"), "{error}");
    let held = begun(&journal, "1", None).await;
    let change = Change::Rejected { why: "a\0b".into() };
    assert_eq!(journal.record(&entry(held, change)).await.unwrap(), Recorded::Yes);
    assert_eq!(journal.look(&id("1")).await.unwrap().unwrap().state.why(), Some("a\u{fffd}b"));
}
