//! What can be turned on a running portal.

use std::time::Duration;

use retry_portal::Portal;
use serde_json::{Value, json};

use crate::client::{envelope, refusal, result};

async fn found(portal: &Portal, method: &str, filter: Value) -> Value {
    envelope(portal, method, &json!({"entityTypeId": 2, "filter": filter})).await["total"].clone()
}

#[tokio::test]
async fn lists_lag_behind_and_get_does_not() {
    let portal = Portal::builder().time_scale(0.01).index_lag(Duration::from_secs(60)).start().await.expect("a portal");
    result(&portal, "crm.deal.add", &json!({"fields": {"ORIGIN_ID": "A-1"}})).await;
    assert_eq!(found(&portal, "crm.deal.list", json!({})).await, json!(0));
    assert_eq!(found(&portal, "crm.item.list", json!({})).await, json!(0));
    assert_eq!(result(&portal, "crm.deal.get", &json!({"id": 1})).await["ORIGIN_ID"], json!("A-1"));
    tokio::time::sleep(Duration::from_millis(620)).await;
    assert_eq!(found(&portal, "crm.deal.list", json!({})).await, json!(1));
    // What is inserted by hand was always there.
    portal.insert("deal", json!({})).expect("a deal");
    assert_eq!(found(&portal, "crm.deal.list", json!({})).await, json!(2));
}

#[tokio::test]
async fn filters_can_be_ignored() {
    let portal = Portal::builder().ignore_filters(true).start().await.expect("a portal");
    for origin in ["A-1", "A-2", "A-3"] {
        portal.insert("deal", json!({"ORIGIN_ID": origin})).expect("a deal");
    }
    assert_eq!(found(&portal, "crm.deal.list", json!({"=ORIGIN_ID": "A-2"})).await, json!(3));
    assert_eq!(found(&portal, "crm.item.list", json!({"=originId": "A-2"})).await, json!(3));
    portal.ignore_filters(false);
    assert_eq!(found(&portal, "crm.item.list", json!({"=originId": "A-2"})).await, json!(1));
}

#[tokio::test]
async fn a_hidden_entity_has_empty_lists_and_can_still_be_added_to() {
    let portal = Portal::builder().hide("deal").start().await.expect("a portal");
    assert_eq!(result(&portal, "crm.deal.add", &json!({"fields": {}})).await, json!(1));
    assert_eq!(found(&portal, "crm.deal.list", json!({})).await, json!(0));
    assert_eq!(found(&portal, "crm.item.list", json!({})).await, json!(0));
    for action in ["get", "update", "delete"] {
        let params = json!({"id": 1, "entityTypeId": 2, "fields": {}});
        let refused = refusal(&portal, &format!("crm.deal.{action}"), &params).await;
        assert_eq!(refused, (400, json!(""), "Access denied.".to_owned()));
        let (status, code, _) = refusal(&portal, &format!("crm.item.{action}"), &params).await;
        assert_eq!((status, code), (403, json!("ACCESS_DENIED")));
    }
    assert_eq!(portal.records("deal").len(), 1, "the owner sees it");
    portal.show("deal");
    assert_eq!(found(&portal, "crm.deal.list", json!({})).await, json!(1));
    portal.hide("Deal");
    assert_eq!(found(&portal, "crm.deal.list", json!({})).await, json!(0));
}
