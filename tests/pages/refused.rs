//! Arguments that leave the walk no room: refused before anything is sent, and the words say what to do.

use retry_runtime::{CallError, Pages, Reader, bitrix_method};
use serde_json::{Value, json};

use crate::list::List;
use crate::walked::{Deal, deals_by_start, deals_with};

#[bitrix_method(name = "tasks.task.list", kind = read, version = 3, pages = "id")]
fn tasks_with(reader: &Reader, #[param(flatten)] arguments: &Value) -> Pages<Deal>;

async fn told(list: &List, mut pages: Pages<Deal>) -> String {
    let error = pages.next().await.unwrap().unwrap_err();
    assert!(matches!(error, CallError::Invalid(_)), "{error}");
    assert!(pages.next().await.is_none(), "an error is the last item");
    assert!(list.sent().is_empty());
    error.failure().why().to_owned()
}

#[tokio::test(start_paused = true)]
async fn case_b59_what_the_walk_says_itself_is_no_argument() {
    let list = List::of(120);
    let client = list.client();
    for (arguments, words) in [
        (json!({"order": {"ORIGIN_ID": "DESC"}}), "it takes no `order`; with `pages = start` it may"),
        (json!({"ORDER": {"ID": "ASC"}}), "it takes no `ORDER`"),
        (json!({"start": 0}), "it takes no `start`"),
        (json!({"filter": {">ID": 5}}), "say `>=ID`"),
        (json!({"FILTER": {">id": 5}}), "say `>=ID`"),
        (json!({"filter": "x"}), "must be an object"),
        (json!({"filter": [1]}), "must be an object"),
        (json!({"select": ["TITLE", "UF_*"]}), "add \"ID\" to `select`"),
    ] {
        let why = told(&list, deals_with(&client, &arguments)).await;
        assert!(why.contains(words), "{arguments}: {why}");
    }
    let why = told(&list, deals_by_start(&client, &json!({"start": 50}))).await;
    assert!(why.contains("takes no `start`"), "{why}");
    for (arguments, words) in [
        (json!({"pagination": {"limit": 5}}), "takes no `pagination`"),
        (json!({"filter": {"id": 5}}), "a filter of REST 3.0 is a list of conditions"),
    ] {
        let why = told(&list, tasks_with(&client, &arguments)).await;
        assert!(why.contains(words), "{arguments}: {why}");
    }
}

#[tokio::test(start_paused = true)]
async fn arguments_that_are_no_request_are_refused_as_of_any_read() {
    let list = List::of(1);
    let why = told(&list, deals_with(&list.client(), &json!([]))).await;
    assert!(why.contains("`arguments` is to be spliced"), "{why}");
}

#[tokio::test(start_paused = true)]
async fn what_leaves_room_is_taken() {
    let list = List::of(3);
    let client = list.client();
    for arguments in [
        json!({}),
        json!({"filter": {}}),
        json!({"filter": []}),
        json!({"filter": {">=ID": 2, "ID": [1, 2]}}),
        json!({"select": ["*"]}),
        json!({"select": ["id"]}),
        json!({"select": []}),
    ] {
        assert_eq!(deals_with(&client, &arguments).all().await.unwrap().len(), 3, "{arguments}");
    }
    assert_eq!(deals_by_start(&client, &json!({"order": {"TITLE": "DESC"}})).all().await.unwrap().len(), 3);
}
