//! The list cases of other clients' bug reports.

use retry_runtime::CallError;
use serde_json::json;

use crate::list::{List, Step, Way};
use crate::walked::{NEW, all_deals, deals_by_start, ids, items_in_capitals};

#[tokio::test(start_paused = true)]
async fn case_b47_a_list_that_filters_by_another_spelling_of_its_id_is_read_to_its_end() {
    let list = List::new([Way::InItems], 1..=120);
    let items = items_in_capitals(&list.client()).all().await.unwrap();
    assert_eq!(items.iter().map(|item| item.id.0).collect::<Vec<_>>(), (1..=120).collect::<Vec<_>>());
    let commands = &list.sent()[1].arguments["cmd"];
    assert!(commands["p01"].as_str().unwrap().contains("filter%5B%3EID%5D=$result[p00][items][49][id]"), "{commands}");
}

#[tokio::test(start_paused = true)]
async fn case_b48_a_page_number_that_never_arrives_is_found_out() {
    let list = List::new([Way::IgnoresStart], 1..=130);
    let mut deals = deals_by_start(&list.client(), &json!({}));
    for _ in 0..50 {
        deals.next().await.unwrap().unwrap();
    }
    let error = deals.next().await.unwrap().unwrap_err();
    assert!(matches!(error, CallError::Undecodable(_)));
    assert!(error.to_string().contains("the list does not follow `start`"), "{error}");
    assert!(list.sent().len() <= 3, "at most two requests are wasted: {}", list.sent().len());
    assert!(deals.next().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn case_b49_the_number_of_rows_is_not_believed() {
    for no_next in [false, true] {
        for count in [Way::CountsThePage, Way::NoTotal] {
            let list = List::new([count].into_iter().chain(no_next.then_some(Way::NoNext)), 1..=130);
            assert_eq!(
                ids(deals_by_start(&list.client(), &json!({}))).await,
                (1..=130).collect::<Vec<_>>(),
                "{count:?}"
            );
        }
    }
    let list = List::new([Way::NoTotal], 1..=130);
    assert_eq!(ids(all_deals(&list.client(), &NEW, &["ID"])).await, (1..=130).collect::<Vec<_>>());
}

#[tokio::test(start_paused = true)]
async fn case_b50_each_row_comes_once_whatever_comes_and_goes_between_its_pages() {
    for (first, rows) in [(0, 120), (1, 120), (1, 260)] {
        let changes = Step::Changes { delete: 7, add: 30 };
        let list = List::of(rows).meets((0..first).map(|_| Step::Honest).chain([changes]));
        let read = ids(all_deals(&list.client(), &NEW, &["ID"])).await;
        // What was given out before the change stays as it was.
        let expected = (1..=rows + 30).filter(|id| *id <= first * 50 || *id > rows || id % 7 != 0);
        assert_eq!(read, expected.collect::<Vec<_>>(), "{rows} rows, changed after {first} requests");
    }
    // In descending order no page begins with the last row of the one before.
    let list = List::new([Way::IgnoresOrder], 1..=120);
    let read = ids(deals_by_start(&list.client(), &json!({"order": {"ID": "DESC"}}))).await;
    assert_eq!(read, (1..=120).rev().collect::<Vec<_>>());
}

#[tokio::test(start_paused = true)]
async fn case_b27_a_limit_in_the_middle_of_a_walk_loses_no_row() {
    let limit = Step::Code("OPERATION_TIME_LIMIT");
    let list = List::of(5_200).meets([Step::Honest, limit, Step::Honest, limit, limit]);
    assert_eq!(ids(all_deals(&list.client(), &NEW, &["ID"])).await, (1..=5_200).collect::<Vec<_>>());
    assert_eq!(list.sent().len(), 1 + 3 + 3);
}
