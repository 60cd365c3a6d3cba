//! Walks by offsets.

use serde_json::json;

use crate::list::{List, Way};
use crate::walked::{deals_by_start, ids};

#[tokio::test(start_paused = true)]
async fn every_row_comes_once_and_in_order_and_the_server_counts() {
    for (rows, requests) in [(0, 1), (49, 1), (50, 2), (51, 2), (100, 2), (2_550, 2), (2_551, 3)] {
        let list = List::of(rows);
        let mut deals = deals_by_start(&list.client(), &json!({}));
        assert_eq!(deals.total(), None);
        let first = deals.next().await;
        if rows > 0 {
            first.unwrap().unwrap();
            assert_eq!(deals.total(), Some(rows));
        }
        assert_eq!(ids(deals).await, (2..=rows).collect::<Vec<_>>());
        assert_eq!(list.sent().len(), requests, "requests for {rows} rows");
    }
}

#[tokio::test(start_paused = true)]
async fn only_as_many_pages_are_asked_for_as_are_counted() {
    let list = List::of(170);
    ids(deals_by_start(&list.client(), &json!({"order": {"TITLE": "ASC"}}))).await;
    assert_eq!(list.sent()[0].arguments, json!({"order": {"TITLE": "ASC"}, "start": 0}));
    let commands = list.sent()[1].arguments["cmd"].clone();
    let expected = |start| format!("crm.deal.list?order%5BTITLE%5D=ASC&start={start}");
    assert_eq!(commands, json!({"p00": expected(50), "p01": expected(100), "p02": expected(150)}));
}

#[tokio::test(start_paused = true)]
async fn a_list_that_names_no_next_page_is_read_until_a_page_is_not_full() {
    for rows in [99, 100, 101, 730] {
        let list = List::new([Way::NoNext], 1..=rows);
        assert_eq!(ids(deals_by_start(&list.client(), &json!({}))).await, (1..=rows).collect::<Vec<_>>());
    }
}

#[tokio::test(start_paused = true)]
async fn a_list_that_comes_whole_is_whole() {
    for rows in [30, 50, 51, 200] {
        let list = List::new([Way::Unpaged, Way::NoNext], 1..=rows);
        assert_eq!(ids(deals_by_start(&list.client(), &json!({}))).await, (1..=rows).collect::<Vec<_>>());
    }
}
