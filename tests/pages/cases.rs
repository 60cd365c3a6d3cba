//! The list cases of other clients' bug reports.

use retry_runtime::CallError;
use serde_json::json;

use crate::list::{List, Way};
use crate::walked::{deals_by_start, ids, items_in_capitals};

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
        let list = List::new([Way::CountsThePage].into_iter().chain(no_next.then_some(Way::NoNext)), 1..=130);
        assert_eq!(ids(deals_by_start(&list.client(), &json!({}))).await, (1..=130).collect::<Vec<_>>());
    }
}
