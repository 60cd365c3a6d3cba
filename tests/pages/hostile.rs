//! Answers that no portal should give.

use std::time::Duration;

use serde_json::json;
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
