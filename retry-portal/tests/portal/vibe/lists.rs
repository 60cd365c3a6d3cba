//! Lists and searches.

use std::time::Duration;

use retry_portal::{Portal, UnknownFilterField};
use serde_json::{Value, json};

use super::{data, portal, refusal, vibe};

async fn with_deals() -> Portal {
    let portal = portal().await;
    for (title, amount, key) in [("one", 10, "k-1"), ("two", 20, "k-2"), ("three", 30, "k-17")] {
        let fields = json!({"TITLE": title, "OPPORTUNITY": amount, "UF_CRM_KEY": key, "STAGE_ID": "WON"});
        portal.insert("deal", fields).expect("a deal");
    }
    portal
}

async fn titles(portal: &Portal, filter: Value) -> Vec<String> {
    let rows = data(portal, "POST", "deals/search", json!({"filter": filter, "order": {"id": "asc"}})).await;
    let rows = rows.as_array().expect("a list");
    rows.iter().filter_map(|row| row["title"].as_str().map(str::to_owned)).collect()
}

#[tokio::test]
async fn a_search_filters_by_each_of_three_syntaxes() {
    let portal = with_deals().await;
    for (filter, found) in [
        (json!({"amount": {"$gte": 20}}), vec!["two", "three"]),
        (json!({">=amount": 20}), vec!["two", "three"]),
        (json!({"amount": {">=": 20}}), vec!["two", "three"]),
        (json!({"amount": {"$gt": 10, "$lt": 30}}), vec!["two"]),
        (json!({"title": {"$ne": "two"}}), vec!["one", "three"]),
        (json!({"!title": "two"}), vec!["one", "three"]),
        (json!({"title": {"$in": ["one", "two"]}}), vec!["one", "two"]),
        (json!({"title": {"$contains": "e"}}), vec!["one", "three"]),
        (json!({"ufCrmKey": "k-1"}), vec!["one"]),
        (json!({"UF_CRM_KEY": "k-17"}), vec!["three"]),
        (json!({"UF_CRM_KEY": {"$contains": "k-1"}}), vec!["one", "three"]),
        (json!({"id": 2, "stageId": "WON"}), vec!["two"]),
        (json!({"ufCrmKey": "k-9"}), vec![]),
        (json!({"createdAt": {"$gte": "2020-01-01T00:00:00"}}), vec!["one", "two", "three"]),
    ] {
        assert_eq!(titles(&portal, filter.clone()).await, found, "{filter}");
    }
    assert_eq!(portal.count("crm.deal.list"), 14);
}

#[tokio::test]
async fn an_unknown_filter_is_ignored_and_the_rows_have_nothing_to_do_with_it() {
    let portal = with_deals().await;
    for filter in [json!({"originId": "7"}), json!({"xmlId": "7"}), json!({"noSuchField": {"$gt": 1}})] {
        assert_eq!(titles(&portal, filter.clone()).await.len(), 3, "{filter}");
    }
    portal.unknown_filter_field(UnknownFilterField::Refuse);
    let refused = refusal(&portal, "POST", "deals/search", json!({"filter": {"originId": "7"}})).await;
    assert_eq!(refused, (400, "INVALID_FILTER_FIELD".to_owned()));
}

#[tokio::test]
async fn what_makes_no_filter_or_order_is_refused() {
    let portal = portal().await;
    for (body, code) in [
        (json!({"filter": {"amount": {"$near": 1}}}), "INVALID_FILTER_OPERATOR"),
        (json!({"filter": "x"}), "INVALID_FILTER"),
        (json!({"sort": 7}), "INVALID_SORT_TYPE"),
        (json!({"sort": {"id": "up"}}), "INVALID_SORT_DIRECTION"),
        (json!({"sort": "-nothing"}), "UNKNOWN_SORT_FIELD"),
    ] {
        assert_eq!(refusal(&portal, "POST", "deals/search", body).await, (400, code.to_owned()));
    }
}

#[tokio::test]
async fn a_list_tells_how_much_of_it_there_is() {
    let portal = with_deals().await;
    let body = json!({"limit": 2, "select": ["id", "title"], "sort": "-amount"});
    let shown = vibe(&portal, "POST", "deals/search", &body).await.json();
    assert_eq!(shown["data"], json!([{"id": 3, "title": "three"}, {"id": 2, "title": "two"}]));
    let meta =
        json!({"total": 3, "hasMore": true, "returned": 2, "truncated": false, "windowCount": 1, "windowErrors": 0});
    assert_eq!((&shown["total"], &shown["meta"]), (&json!(3), &meta));
    let rest = vibe(&portal, "POST", "deals/search", &json!({"limit": 2, "offset": 2})).await.json();
    assert_eq!((&rest["meta"]["returned"], &rest["meta"]["hasMore"]), (&json!(1), &json!(false)));
    let uncounted = vibe(&portal, "POST", "deals/search", &json!({"withTotal": false})).await.json();
    assert_eq!((uncounted.get("total"), &uncounted["meta"]["total"]), (None, &Value::Null));
    assert_eq!(uncounted["data"].as_array().map(Vec::len), Some(3));
}

#[tokio::test]
async fn a_list_by_get_takes_its_parameters_from_the_query() {
    let portal = with_deals().await;
    let query = "deals?limit=2&order[amount]=desc&filter[stageId]=WON&select=id,amount";
    let shown = vibe(&portal, "GET", query, &Value::Null).await.json();
    assert_eq!(shown["data"], json!([{"id": 3, "amount": 30.0}, {"id": 2, "amount": 20.0}]));
    assert_eq!((&shown["total"], &shown["page"], &shown["limit"]), (&json!(3), &json!(1), &json!(2)));
    let sorted = vibe(&portal, "GET", "deals?sort=-id&select=id", &Value::Null).await.json();
    assert_eq!(sorted["data"][0], json!({"id": 3}));
}

#[tokio::test]
async fn more_than_fifty_rows_come_when_they_are_asked_for() {
    let portal = portal().await;
    for _ in 0..60 {
        portal.insert("deal", json!({})).expect("a deal");
    }
    let returned = async |body: Value| {
        vibe(&portal, "POST", "deals/search", &body).await.json()["meta"]["returned"].as_u64().expect("a number")
    };
    assert_eq!(returned(json!({})).await, 50);
    assert_eq!(returned(json!({"limit": 5000})).await, 60);
}

#[tokio::test]
async fn a_search_that_lost_a_window_succeeds_without_its_rows() {
    let portal = with_deals().await;
    portal.vibe_window_errors(1);
    let shown = vibe(&portal, "POST", "deals/search", &json!({"filter": {"ufCrmKey": "k-1"}})).await.json();
    assert_eq!((&shown["success"], &shown["data"]), (&json!(true), &json!([])));
    assert_eq!((&shown["meta"]["windowErrors"], &shown["meta"]["windowCount"]), (&json!(1), &json!(2)));
    portal.vibe_window_errors(0);
    assert_eq!(titles(&portal, json!({"ufCrmKey": "k-1"})).await, ["one"]);
}

#[tokio::test]
async fn the_index_lag_and_ignored_filters_hold_here_too() {
    let portal = with_deals().await;
    portal.ignore_filters(true);
    assert_eq!(titles(&portal, json!({"ufCrmKey": "k-1"})).await.len(), 3);
    portal.ignore_filters(false);
    portal.index_lag(Duration::from_secs(3600));
    let new = data(&portal, "POST", "deals", json!({"title": "new", "ufCrmKey": "k-n"})).await;
    assert_eq!(titles(&portal, json!({"ufCrmKey": "k-n"})).await, [""; 0]);
    assert_eq!(data(&portal, "GET", &format!("deals/{}", new["id"]), Value::Null).await["title"], json!("new"));
}
