//! `tasks.task.list`.

use retry_portal::Portal;
use serde_json::{Value, json};

use super::{portal, refusal, result, task};

async fn with_tasks(count: usize) -> Portal {
    let portal = portal().await;
    for number in 1..=count {
        portal.insert("task", json!({"TITLE": format!("t{number}")})).expect("a task");
    }
    portal
}

async fn ids(portal: &Portal, body: Value) -> Vec<u64> {
    let shown = result(portal, "tasks.task.list", body).await;
    shown["items"].as_array().expect("a list").iter().filter_map(|item| item["id"].as_u64()).collect()
}

#[tokio::test]
async fn a_list_shows_ids_unless_more_is_asked_for() {
    let portal = with_tasks(2).await;
    assert_eq!(result(&portal, "tasks.task.list", json!({})).await, json!({"items": [{"id": 1}, {"id": 2}]}));
    let body = json!({"select": ["id", "title"], "order": {"title": "DESC"}});
    let shown = result(&portal, "tasks.task.list", body).await;
    assert_eq!(shown, json!({"items": [{"id": 2, "title": "t2"}, {"id": 1, "title": "t1"}]}));
}

#[tokio::test]
async fn tasks_are_filtered_by_id_alone() {
    let portal = with_tasks(5).await;
    for (filter, found) in [
        (json!(["id", 2]), vec![2]),
        (json!(["id", ">", 3]), vec![4, 5]),
        (json!([["id", ">", 1], ["id", "<=", 3]]), vec![2, 3]),
        (json!([["id", "in", [1, 5]]]), vec![1, 5]),
        (json!([["id", "between", [2, 4]]]), vec![2, 3, 4]),
        (json!({"logic": "or", "conditions": [["id", 1], ["id", "=", 4]]}), vec![1, 4]),
        (json!([["id", "!=", 1]]), vec![2, 3, 4, 5]),
    ] {
        assert_eq!(ids(&portal, json!({"filter": filter.clone()})).await, found, "{filter}");
    }
    for (filter, code) in [
        (json!(["title", "t1"]), "VALIDATION_REQUESTVALIDATIONEXCEPTION"),
        (json!([["nothing", 1]]), "UNKNOWNDTOPROPERTYEXCEPTION"),
        (json!(["id", "~", 1]), "UNKNOWNFILTEROPERATOREXCEPTION"),
        (json!(["id", "x"]), "VALIDATION_REQUESTFILTERVALIDATIONEXCEPTION"),
        (json!(["id"]), "INVALIDFILTEREXCEPTION"),
        (json!({"id": 1}), "INVALIDFILTEREXCEPTION"),
        (json!("id"), "INVALIDFILTEREXCEPTION"),
    ] {
        let refused = refusal(&portal, "tasks.task.list", json!({"filter": filter.clone()})).await;
        assert_eq!(refused, (400, code.to_owned()), "{filter}");
    }
}

#[tokio::test]
async fn a_page_is_of_fifty_unless_the_pagination_says_otherwise() {
    let portal = with_tasks(60).await;
    assert_eq!(ids(&portal, json!({})).await.len(), 50);
    assert_eq!(ids(&portal, json!({"pagination": {"limit": 1000}})).await.len(), 60);
    assert_eq!(ids(&portal, json!({"pagination": {"page": 2, "limit": 20}})).await.first(), Some(&21));
    assert_eq!(ids(&portal, json!({"pagination": {"offset": 59}})).await, [60]);
    for pagination in [json!({"limit": "abc"}), json!({"limit": 0}), json!({"limit": 1001}), json!({"page": -1})] {
        let refused = refusal(&portal, "tasks.task.list", json!({"pagination": pagination})).await;
        assert_eq!(refused, (400, "INVALIDPAGINATIONEXCEPTION".to_owned()));
    }
}

#[tokio::test]
async fn an_order_or_selection_that_is_none_is_refused() {
    let portal = with_tasks(1).await;
    let order = refusal(&portal, "tasks.task.list", json!({"order": {"id": "up"}})).await;
    assert_eq!(order, (400, "INVALIDORDEREXCEPTION".to_owned()));
    let select = refusal(&portal, "tasks.task.get", json!({"id": 1, "select": "title"})).await;
    assert_eq!(select, (400, "INVALIDSELECTEXCEPTION".to_owned()));
    result(&portal, "tasks.task.add", task("x")).await;
}
