//! How each ending of a call goes on record.

use retry_runtime::Effect;
use retry_runtime::journal::{EventKind, How, State};

use crate::orders::{Order, add_order, blind_order, client, journal, only};
use crate::support::{Fake, Step, secs};

#[tokio::test(start_paused = true)]
async fn a_success_is_on_record_with_its_result() {
    let portal = Fake::new();
    let journal = journal(&portal);
    let id = add_order(&client(&portal, &journal), &Order::of("A-1")).await.unwrap();
    let intent = only(&journal);
    let State::Applied { how: How::Answer, result } = &intent.state else { panic!("{intent:?}") };
    assert_eq!(*result, id.to_string());
    assert_eq!((&*intent.id.method, &*intent.id.key, intent.attempt), ("crm.deal.add", "A-1", 1));
    assert!(intent.closed.is_some() && intent.owner.is_none());
}

#[tokio::test(start_paused = true)]
async fn p2_an_intent_is_on_record_before_its_first_byte() {
    let portal = Fake::new();
    let journal = journal(&portal);
    let seen = journal.clone();
    let portal = portal.choosing(move |method| {
        if method == "crm.deal.add" {
            assert_eq!(only(&seen).state, State::Sending);
        }
        None
    });
    add_order(&client(&portal, &journal), &Order::of("A-1")).await.unwrap();
    assert_eq!(portal.sends("crm.deal.add"), 1);
}

#[tokio::test(start_paused = true)]
async fn a_lost_answer_is_found_and_its_story_told() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost().applied()]);
    let journal = journal(&portal);
    add_order(&client(&portal, &journal), &Order::of("A-1")).await.unwrap();
    let intent = only(&journal);
    assert!(matches!(intent.state, State::Applied { how: How::ReadBack, .. }), "{intent:?}");
    let story = journal.story(intent.number);
    let kinds: Vec<_> = story.iter().map(|event| event.kind).collect();
    assert_eq!(kinds, [EventKind::Attempt, EventKind::Check]);
    assert!(story[0].text.contains("connection reset") && story[1].text.contains("found"), "{story:?}");
}

#[tokio::test(start_paused = true)]
async fn a_resend_is_a_second_attempt_under_a_new_epoch() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost()]);
    let journal = journal(&portal);
    add_order(&client(&portal, &journal), &Order::of("A-1")).await.unwrap();
    let intent = only(&journal);
    assert_eq!((intent.attempt, intent.epoch.0, portal.effects("crm.deal.add")), (2, 2, 1));
    assert!(journal.story(1).iter().any(|event| event.text.contains("absent") && event.detail.contains("true")));
}

#[tokio::test(start_paused = true)]
async fn a_refusal_is_rejected_and_the_next_call_is_sent_even_with_other_arguments() {
    let portal = Fake::new().on("crm.deal.add", [Step::code("ACCESS_DENIED")]);
    let journal = journal(&portal);
    let client = client(&portal, &journal);
    let error = add_order(&client, &Order::of("A-1")).await.unwrap_err();
    assert_eq!(error.effect(), Effect::Absent);
    let State::Rejected { why } = only(&journal).state else { panic!("{journal:?}") };
    assert!(why.contains("ACCESS_DENIED"), "{why}");
    let fixed = Order { title: "With a right".into(), ..Order::of("A-1") };
    add_order(&client, &fixed).await.unwrap();
    assert!(matches!(only(&journal).state, State::Applied { .. }));
    assert_eq!(portal.effects("crm.deal.add"), 1);
}

#[tokio::test(start_paused = true)]
async fn what_was_not_applied_may_be_called_again() {
    let portal = Fake::new().on("crm.deal.add", vec![Step::code("QUEUE_OVERFLOW"); 4]);
    let journal = journal(&portal);
    let client = client(&portal, &journal);
    add_order(&client, &Order::of("A-1")).await.unwrap_err();
    assert!(matches!(only(&journal).state, State::Ready { .. }), "{journal:?}");
    add_order(&client, &Order::of("A-1")).await.unwrap();
    assert_eq!((only(&journal).attempt, portal.effects("crm.deal.add")), (5, 1));
}

#[tokio::test(start_paused = true)]
async fn two_matches_wait_for_a_person_and_the_next_call_sends_nothing() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost()]);
    portal.insert_deal("A-1");
    portal.insert_deal("A-1");
    let journal = journal(&portal);
    let client = client(&portal, &journal);
    add_order(&client, &Order::of("A-1")).await.unwrap_err();
    let State::Manual { why } = only(&journal).state else { panic!("{journal:?}") };
    assert!(why.contains("2 records match"), "{why}");
    let error = add_order(&client, &Order::of("A-1")).await.unwrap_err();
    assert_eq!((error.effect(), portal.sends("crm.deal.add")), (Effect::Unknown, 1));
    assert!(error.to_string().contains("intent 1"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn what_nobody_can_read_back_waits_for_a_person() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost().applied()]);
    let journal = journal(&portal);
    blind_order(&client(&portal, &journal), &Order::of("A-1")).await.unwrap_err();
    let State::Manual { why } = only(&journal).state else { panic!("{journal:?}") };
    assert!(why.contains("may still be applied until"), "who decides has to know how long to wait: {why}");
}

#[tokio::test(start_paused = true)]
async fn a_doubt_that_only_time_can_end_stays_open_for_recovery() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost()]).on("crm.deal.list", vec![Step::html(); 60]);
    let journal = journal(&portal);
    add_order(&client(&portal, &journal), &Order::of("A-1")).await.unwrap_err();
    let intent = only(&journal);
    assert!(matches!(intent.state, State::Unknown { .. }) && intent.owner.is_none(), "{intent:?}");
    assert!(portal.elapsed() > secs(90));
}

#[tokio::test(start_paused = true)]
async fn a_stub_that_says_journal_sends_nothing_without_one() {
    let portal = Fake::new();
    let error = add_order(&portal.client(), &Order::of("A-1")).await.unwrap_err();
    assert_eq!((error.effect(), portal.sends("crm.deal.add")), (Effect::Absent, 0));
    assert!(error.to_string().contains("ClientBuilder::journal"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn p7_the_record_shows_no_arguments() {
    let portal = Fake::new();
    let journal = journal(&portal);
    let order = Order { title: "Ann Smith, 12 Elm Street".into(), ..Order::of("A-1") };
    add_order(&client(&portal, &journal), &order).await.unwrap();
    assert!(!format!("{journal:?} {:?}", only(&journal)).contains("Elm Street"));
}
