//! P3 between calls: one open write for each method and key, and what a dropped or doubtful one leaves to the next.

use retry_runtime::report::MayBeApplied;
use retry_runtime::{CallError, Client, Effect, Policy, Settle};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::support::{Fake, NewDeal, Step, about, add_keyed_deal, ensure_deal, secs};

fn spawn_keyed(client: &Client, order: &str) -> JoinHandle<Result<retry_runtime::Id, CallError>> {
    let (client, deal) = (client.clone(), NewDeal::of(order));
    tokio::spawn(async move { add_keyed_deal(&client, &deal).await })
}

#[tokio::test(start_paused = true)]
async fn p3_the_same_key_is_not_sent_while_a_dropped_send_may_still_be_applied() {
    let portal = Fake::new().on("crm.deal.add", [Step::silence().applied_late(secs(20))]);
    let client = portal.client();
    let deal = NewDeal::of("A-1");
    assert!(timeout(secs(3), add_keyed_deal(&client, &deal)).await.is_err());
    add_keyed_deal(&client, &deal).await.unwrap();
    let times = portal.times("crm.deal.add");
    assert!(about(times[1], 90), "{times:?}");
}

#[tokio::test(start_paused = true)]
async fn p3_after_a_drop_ensure_finds_what_the_dropped_send_did() {
    for late in [5, 40, 84] {
        let portal = Fake::new().on("crm.deal.add", [Step::lost().takes(secs(5)).applied_late(secs(late))]);
        let client = portal.client();
        let deal = NewDeal::of("A-1");
        assert!(timeout(secs(3), ensure_deal(&client, &deal)).await.is_err());
        ensure_deal(&client, &deal).await.unwrap();
        assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (1, 1), "late by {late} s");
    }
}

#[tokio::test(start_paused = true)]
async fn p3_after_a_drop_ensure_believes_an_absence_only_when_the_dropped_send_is_settled() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost().takes(secs(5))]);
    let client = portal.client();
    let deal = NewDeal::of("A-1");
    assert!(timeout(secs(3), ensure_deal(&client, &deal)).await.is_err());
    ensure_deal(&client, &deal).await.unwrap();
    let times = portal.times("crm.deal.add");
    assert!(about(times[1], 90), "{times:?}");
    assert_eq!(portal.effects("crm.deal.add"), 1);
}

#[tokio::test(start_paused = true)]
async fn p3_a_call_dropped_in_its_settle_wait_keeps_its_key_closed() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost().applied_late(secs(80))]);
    let client = portal.client();
    let deal = NewDeal::of("A-1");
    assert!(timeout(secs(30), ensure_deal(&client, &deal)).await.is_err());
    ensure_deal(&client, &deal).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn p3_a_call_that_ended_in_doubt_keeps_its_key_closed() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost()]);
    let client = portal.client();
    let hasty = client.with_policy(Policy::new().deadline(secs(20)));
    let deal = NewDeal::of("A-1");
    let error = add_keyed_deal(&hasty, &deal).await.unwrap_err();
    assert!(matches!(error, CallError::InDoubt(_)), "{error}");
    let error = add_keyed_deal(&hasty, &deal).await.unwrap_err();
    assert!(matches!(error, CallError::Exhausted(_)), "{error}");
    assert!(error.to_string().contains("an earlier write with the same key may still be applied"), "{error}");
    assert_eq!((error.effect(), portal.sends("crm.deal.add")), (Effect::Absent, 1));
    add_keyed_deal(&client, &deal).await.unwrap();
    assert!(about(portal.times("crm.deal.add")[1], 90));
}

#[tokio::test(start_paused = true)]
async fn p3_two_records_of_others_do_not_settle_a_send_of_ones_own() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost().applied_late(secs(80))]);
    portal.insert_deal("A-1");
    portal.insert_deal("A-1");
    let client = portal.client();
    let deal = NewDeal::of("A-1");
    let error = add_keyed_deal(&client, &deal).await.unwrap_err();
    assert!(matches!(error, CallError::Duplicated(_)), "{error}");
    let report = error.report();
    assert_eq!(report.may_be_applied(), MayBeApplied::Until(report.started() + secs(90)), "{error}");
    add_keyed_deal(&client, &deal).await.unwrap();
    assert!(about(portal.times("crm.deal.add")[1], 90));
}

#[tokio::test(start_paused = true)]
async fn p3_without_a_settle_time_a_doubt_closes_its_key_for_good() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost()]);
    let client = portal.builder().settle(Settle::unbounded()).build().unwrap();
    let deal = NewDeal::of("A-1");
    add_keyed_deal(&client, &deal).await.unwrap_err();
    tokio::time::sleep(secs(100_000)).await;
    let error = add_keyed_deal(&client, &deal).await.unwrap_err();
    assert!(matches!(error, CallError::Exhausted(_)), "{error}");
    let error = ensure_deal(&client, &deal).await.unwrap_err();
    assert_eq!((error.effect(), portal.sends("crm.deal.add")), (Effect::Absent, 1), "{error}");
    portal.insert_deal("A-1");
    ensure_deal(&client, &deal).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn p3_calls_with_one_key_go_one_after_the_other_and_others_at_once() {
    let portal = Fake::new().on("crm.deal.add", vec![Step::honest().takes(secs(10)); 4]);
    let client = portal.client();
    let calls = ["A-1", "A-1", "A-2", "A-1"].map(|order| spawn_keyed(&client, order));
    for call in calls {
        call.await.unwrap().unwrap();
    }
    assert_eq!(portal.times("crm.deal.add"), [secs(0), secs(0), secs(10), secs(20)]);
}

#[tokio::test(start_paused = true)]
async fn p3_a_key_is_free_again_after_an_answer_that_settles_it() {
    for step in [Step::honest(), Step::code("ACCESS_DENIED"), Step::moved(), Step::lost().applied()] {
        let portal = Fake::new().on("crm.deal.add", [step.clone()]);
        let client = portal.client();
        let deal = NewDeal::of("A-1");
        let _ = add_keyed_deal(&client, &deal).await;
        let before = portal.elapsed();
        add_keyed_deal(&client, &deal).await.unwrap();
        assert!(portal.elapsed().saturating_sub(before) < secs(1), "{step:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn p3_a_key_that_was_withdrawn_before_the_send_is_free_at_once() {
    let portal = Fake::new().on("crm.deal.add", [Step::honest().waits(secs(10))]);
    let client = portal.client();
    let deal = NewDeal::of("A-1");
    assert!(timeout(secs(3), add_keyed_deal(&client, &deal)).await.is_err());
    add_keyed_deal(&client, &deal).await.unwrap();
    tokio::time::sleep(secs(60)).await;
    assert_eq!(portal.times("crm.deal.add"), [secs(3)], "the withdrawn one never left");
}

#[tokio::test(start_paused = true)]
async fn p3_a_key_stays_closed_if_the_transport_panics_after_its_caller_has_gone() {
    let portal = Fake::new().on("crm.deal.add", [Step::panics().takes(secs(10)).applied_late(secs(70))]);
    let client = portal.client();
    let deal = NewDeal::of("A-1");
    assert!(timeout(secs(3), ensure_deal(&client, &deal)).await.is_err());
    ensure_deal(&client, &deal).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn p3_a_call_does_not_wait_for_its_key_beyond_its_deadline() {
    let portal = Fake::new().on("crm.deal.add", [Step::honest().takes(secs(60))]);
    let client = portal.client();
    let first = spawn_keyed(&client, "A-1");
    tokio::task::yield_now().await;
    let hasty = client.with_policy(Policy::new().deadline(secs(20)));
    let error = add_keyed_deal(&hasty, &NewDeal::of("A-1")).await.unwrap_err();
    assert!(matches!(error, CallError::Exhausted(_)), "{error}");
    assert_eq!((error.effect(), portal.elapsed()), (Effect::Absent, secs(20)));
    first.await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn p3_many_keys_in_doubt_are_all_remembered() {
    let portal = Fake::new().on("crm.deal.add", vec![Step::lost(); 300]);
    let client = portal.client();
    let hasty = client.with_policy(Policy::new().deadline(secs(1)));
    let orders: Vec<String> = (0..300).map(|number| format!("A-{number}")).collect();
    // One hundred after the other: each time the number of keys doubles, those that are done with are forgotten.
    for hundred in orders.chunks(100) {
        for call in hundred.iter().map(|order| spawn_keyed(&hasty, order)).collect::<Vec<_>>() {
            call.await.unwrap().unwrap_err();
        }
    }
    for call in orders.iter().map(|order| spawn_keyed(&client, order)).collect::<Vec<_>>() {
        call.await.unwrap().unwrap();
    }
    let again = portal.times("crm.deal.add").split_off(300);
    assert!(again.iter().all(|time| *time >= secs(90)), "{again:?}");
}
