//! Walks through losses, codes and dropped callers.

use std::time::Duration;

use retry_runtime::{CallError, Effect, Policy};
use tokio::time::timeout;

use crate::list::{List, Step};
use crate::walked::{NEW, all_deals, ids};

const FAR: &str = "INTERNAL_SERVER_ERROR";

fn to(last: u64) -> Vec<u64> {
    (1..=last).collect()
}

#[tokio::test(start_paused = true)]
async fn lost_answers_are_asked_for_again_and_no_row_comes_twice() {
    let three = [Step::Lost, Step::Lost, Step::Lost, Step::Honest];
    let list = List::of(5_000).meets(three.into_iter().chain(three).chain([Step::Code(FAR), Step::Honest]));
    assert_eq!(ids(all_deals(&list.client(), &NEW, &["ID"])).await, to(5_000));
    assert_eq!(list.sent().len(), 3 + 3 + 3 + 1, "3 requests, 3 losses of two each and a code");
}

#[tokio::test(start_paused = true)]
async fn a_page_that_fails_within_a_batch_is_asked_for_again_from_the_last_good_row() {
    for code in ["OPERATION_TIME_LIMIT", "QUERY_LIMIT_EXCEEDED", FAR, "A_NEW_CODE"] {
        let list = List::of(2_000).meets([Step::Honest, Step::Fails(7, code), Step::Fails(0, code)]);
        assert_eq!(ids(all_deals(&list.client(), &NEW, &["ID"])).await, to(2_000), "{code}");
        // The failed batch had 7 good pages, the one after it none, then it works.
        assert_eq!(list.methods(), ["crm.deal.list", "batch", "batch", "batch"], "{code}");
        let cmd = |request: usize| list.sent()[request].arguments["cmd"]["p00"].as_str().unwrap().to_owned();
        assert!(cmd(2).contains("=400&") && cmd(2) == cmd(3), "{}", cmd(2));
    }
}

#[tokio::test(start_paused = true)]
async fn a_refusal_is_told_once_behind_the_good_rows() {
    let refused = [Step::Honest, Step::Fails(3, "insufficient_scope"), Step::Fails(0, "insufficient_scope")];
    let list = List::of(2_000).meets(refused.into_iter().chain([Step::Code("insufficient_scope")]));
    let mut deals = all_deals(&list.client(), &NEW, &["ID"]);
    for id in to(200) {
        assert_eq!(deals.next().await.unwrap().unwrap().id.0, id);
    }
    let error = deals.next().await.unwrap().unwrap_err();
    assert!(matches!(error, CallError::Refused(_)), "{error}");
    assert_eq!((error.effect(), error.report().method()), (Effect::Absent, "crm.deal.list"));
    assert!(deals.next().await.is_none() && deals.next().await.is_none());
    assert_eq!((deals.read(), list.sent().len()), (200, 4));
}

#[tokio::test(start_paused = true)]
async fn where_the_batch_is_refused_the_pages_are_read_one_by_one() {
    let list = List::of(170).meets([Step::Honest, Step::Code("ERROR_BATCH_METHOD_NOT_ALLOWED")]);
    assert_eq!(ids(all_deals(&list.client(), &NEW, &["ID"])).await, to(170));
    assert_eq!(list.methods(), ["crm.deal.list", "batch", "crm.deal.list", "crm.deal.list", "crm.deal.list"]);
}

#[tokio::test(start_paused = true)]
async fn p5_a_batch_that_is_never_answered_becomes_smaller_and_the_end_is_an_error() {
    let list = List::of(1_000).meets([Step::Honest, Step::Lost, Step::Lost, Step::Lost, Step::Lost]);
    assert_eq!(ids(all_deals(&list.client(), &NEW, &["ID"])).await, to(1_000));
    let sizes: Vec<_> =
        list.sent().iter().map(|sent| sent.arguments["cmd"].as_object().map_or(1, serde_json::Map::len)).collect();
    assert_eq!(sizes, [1, 50, 50, 50, 50, 7, 7, 7]);

    let dead = List::of(1_000).meets([Step::Honest]).meets([Step::Lost; 99]);
    let mut deals = all_deals(&dead.client(), &NEW, &["ID"]);
    for id in to(50) {
        assert_eq!(deals.next().await.unwrap().unwrap().id.0, id);
    }
    assert!(matches!(deals.next().await, Some(Err(CallError::Exhausted(_)))));
    assert!(deals.next().await.is_none());
    assert_eq!(dead.sent().len(), 1 + 3 * 4, "the batch of 50, that of 7, and the page alone, four times each");
}

#[tokio::test(start_paused = true)]
async fn the_policy_holds_for_each_request() {
    let slow = Step::Slow(Duration::from_secs(50));
    let list = List::of(7_000).meets([slow; 9]);
    let client = list.client().with_policy(Policy::new().deadline(Duration::from_secs(60)));
    assert_eq!(ids(all_deals(&client, &NEW, &["ID"])).await, to(7_000));

    let list = List::of(7_000).meets([slow, Step::Slow(Duration::from_secs(61))]);
    let client = list.client().with_policy(Policy::new().deadline(Duration::from_secs(60)).attempts(1));
    let read = all_deals(&client, &NEW, &["ID"]).all().await;
    assert_eq!(read.map(|deals| deals.len()).ok(), Some(7_000), "a smaller batch is in time");
}

#[tokio::test(start_paused = true)]
async fn a_dropped_wait_loses_no_row_and_asks_for_none_twice() {
    let list = List::of(2_000).meets([Step::Slow(Duration::from_secs(3)); 2]);
    let mut deals = all_deals(&list.client(), &NEW, &["ID"]);
    let mut read = Vec::new();
    let mut dropped = 0;
    loop {
        match timeout(Duration::from_millis(100), deals.next()).await {
            Err(_) => dropped += 1,
            Ok(Some(deal)) => read.push(deal.unwrap().id.0),
            Ok(None) => break,
        }
    }
    assert_eq!(read, to(2_000));
    assert!(dropped >= 58, "{dropped}");
    assert_eq!(list.sent().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_nobody_asks_sends_nothing() {
    let list = List::of(10);
    let deals = all_deals(&list.client(), &NEW, &["ID"]);
    tokio::time::sleep(Duration::from_secs(9)).await;
    drop(deals);
    assert!(list.sent().is_empty());
}
