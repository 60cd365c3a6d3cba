//! Answers that no portal should give.

use std::sync::Arc;
use std::time::Duration;

use retry_runtime::clock::{Clock as _, SystemClock};
use retry_runtime::transport::{Answer, BoxFuture, Heard, Loss, Request, Success, Transport, Wire};
use retry_runtime::{Beside, CallError, Client, RateLimit, Settle};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::list::{List, Way};
use crate::walked::{NEW, all_deals, deals_by_start, ids};

#[tokio::test(start_paused = true)]
async fn a_next_page_beyond_all_numbers_does_not_overflow() {
    for next in [1 << 62, 1 << 63, u64::MAX] {
        let list = List::new([Way::NamesNext(next)], 1..=130);
        let mut deals = deals_by_start(&list.client(), &json!({}));
        for _ in 0..50 {
            deals.next().await.unwrap().unwrap();
        }
        // The list has nothing there, however it says so.
        let end = timeout(Duration::from_secs(600), deals.next()).await.unwrap();
        assert!(end.is_none_or(|end| end.is_err()), "{next}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_empty_page_behind_a_reference_that_was_not_followed_is_not_the_end() {
    let list = List::new([Way::NoReferences, Way::NothingAfterText], 1..=220);
    assert_eq!(ids(all_deals(&list.client(), &NEW, &["ID"])).await, (1..=220).collect::<Vec<_>>());
}

#[tokio::test(start_paused = true)]
async fn once_references_are_followed_an_empty_page_is_the_end() {
    for (rows, requests) in [(100, 3), (150, 2), (2_550, 3)] {
        let list = List::of(rows);
        assert_eq!(ids(all_deals(&list.client(), &NEW, &["ID"])).await, (1..=rows).collect::<Vec<_>>());
        assert_eq!(list.sent().len(), requests, "{rows}");
    }
}

/// The gateway with so many rows, so many in a page; what it answers past the end is any row.
#[derive(Debug)]
struct Gateway {
    rows: u64,
    page: u64,
}

impl Transport for Gateway {
    fn send<'a>(&'a self, request: &'a Request, wire: &'a Arc<Wire>) -> BoxFuture<'a, Result<Answer, Loss>> {
        let now = SystemClock.now();
        assert!(wire.claim(now));
        let arguments: Value = serde_json::from_slice(&request.arguments).unwrap();
        let start = arguments["start"].as_u64().unwrap();
        let ids = if start < self.rows { start + 1..=self.rows.min(start + self.page) } else { 7..=9 };
        let rows: Value = ids.map(|id| json!({"ID": id})).collect();
        let partial = start + self.page < self.rows;
        let success = Success::new(rows.to_string()).beside(Beside { next: None, total: Some(self.rows), partial });
        Box::pin(async move { Ok(Answer::new(Heard::Success(success), now)) })
    }
}

async fn through_the_gateway(gateway: Gateway) -> Result<Vec<u64>, CallError> {
    let client = Client::builder().transport(gateway).vibe("vibe_api_test").settle(Settle::cloud());
    let client = client.clock(SystemClock).rate_limit(RateLimit::none()).build().unwrap();
    let deals = deals_by_start(&client, &json!({})).all().await?;
    Ok(deals.iter().map(|deal| deal.id.0).collect())
}

#[tokio::test(start_paused = true)]
async fn no_page_is_asked_for_past_the_end_that_the_gateway_has_counted() {
    for rows in [50, 100, 101] {
        let read = through_the_gateway(Gateway { rows, page: 50 }).await.unwrap();
        assert_eq!(read, (1..=rows).collect::<Vec<_>>());
    }
}

#[tokio::test(start_paused = true)]
async fn a_larger_page_of_which_the_gateway_says_that_there_is_more_is_not_the_end() {
    let read = through_the_gateway(Gateway { rows: 250, page: 100 }).await;
    assert!(read.as_ref().is_err_and(|error| error.to_string().contains("rows are missing")), "{read:?}");
}
