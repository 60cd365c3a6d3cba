//! The stubs that `retry-explain` prints do their work as they stand: each write loses its answer, and is found by its verifier.

#![cfg(test)]

use std::time::Duration;

use retry_portal::{Answer, Fault, Portal};
use retry_runtime::{Change, Client, Existing, Id, IdempotencyKey, Settle};
use serde_json::json;

// Compared letter by letter with what is printed.
#[rustfmt::skip]
#[path = "ui/pass/explained.rs"]
mod explained;

/// A portal that loses the first answer of the method, and a client that knows its settle time.
async fn losing(method: &str, fault: Fault) -> (Portal, Client) {
    let portal = Portal::builder().time_scale(0.02).script(method, [fault]).start().await.unwrap();
    let none = Duration::ZERO;
    let settle = Settle::self_hosted(portal.max_lateness()).tcp(none).list_lag(none).margin(none);
    let client = Client::builder()
        .webhook(&portal.webhook_url())
        .settle(settle)
        .connect_timeout(Duration::from_millis(500))
        .build()
        .unwrap();
    (portal, client)
}

/// The answer is lost after the effect, and without it.
fn faults() -> [Fault; 2] {
    [Fault::before(Answer::Reset), Fault::never(Answer::Reset)]
}

#[tokio::test]
async fn p1_the_stub_of_a_key_makes_one_record() {
    use explained::crm_deal_add::{NewDeal, add_deal};
    for fault in faults() {
        let (portal, client) = losing("crm.deal.add", fault).await;
        let deal = NewDeal { originator_id: "shop".into(), origin_id: "1017".into() };
        add_deal(&client, &deal).await.unwrap();
        assert_eq!(portal.records("deal").len(), 1);
    }
}

#[tokio::test]
async fn p1_the_stub_of_an_item_makes_one_record() {
    use explained::crm_item_add::{NewItem, add_item};
    for fault in faults() {
        let (portal, client) = losing("crm.item.add", fault).await;
        let item = NewItem { originator_id: "shop".into(), origin_id: "1017".into() };
        let added = add_item(&client, Id(2), &item).await.unwrap();
        assert_eq!(portal.records("deal").len(), 1);
        assert!(added.item.id.0 > 0);
    }
}

#[tokio::test]
async fn p1_the_stub_of_a_marker_writes_one_comment() {
    use explained::crm_deal_add;
    use explained::crm_timeline_comment_add::{NewComment, add_comment};
    for fault in faults() {
        let (portal, client) = losing("crm.timeline.comment.add", fault).await;
        let deal = crm_deal_add::NewDeal { originator_id: "shop".into(), origin_id: "1017".into() };
        let owner = crm_deal_add::add_deal(&client, &deal).await.unwrap();
        let marker = "#1017-paid".to_owned();
        let comment =
            NewComment { entity_id: owner, entity_type: "deal".into(), comment: format!("Paid. {marker}"), marker };
        add_comment(&client, &comment).await.unwrap();
        assert_eq!(portal.records("comment").len(), 1);
    }
}

#[tokio::test]
async fn p1_the_stub_of_a_change_sends_what_is_wanted_and_is_found() {
    use explained::crm_deal_update::{DealFields, get_deal, update_deal};
    for fault in faults() {
        let (portal, client) = losing("crm.deal.update", fault).await;
        let id = Id(portal.insert("deal", json!({"TITLE": "Chair"})).unwrap());
        let before = get_deal(&client, id).await.unwrap();
        let change = Change::new(before, DealFields { title: "Table".into() });
        assert!(update_deal(&client, id, &change).await.unwrap());
        assert_eq!(get_deal(&client, id).await.unwrap().title, "Table");
    }
}

#[tokio::test]
async fn p1_the_stub_of_a_delete_finds_the_record_gone() {
    use explained::crm_item_delete::{delete_item, get_item};
    for fault in faults() {
        let (portal, client) = losing("crm.item.delete", fault).await;
        let id = Id(portal.insert("deal", json!({"TITLE": "Chair"})).unwrap());
        let read = get_item(&client, Id(2), id).await.unwrap();
        let item = Existing::seen(id, &read, |read| read.item.id).unwrap();
        assert!(delete_item(&client, Id(2), item).await.unwrap());
        assert!(portal.records("deal").is_empty());
    }
}

#[tokio::test]
async fn p1_the_stub_of_an_idempotency_key_makes_one_task() {
    use explained::tasks_task_add::{NewTask, add_task};
    for fault in faults() {
        let (portal, client) = losing("tasks.task.add", fault).await;
        let key = IdempotencyKey::of_business("order", "1017").unwrap();
        let task = NewTask { title: "Call back".into(), creator_id: Id(1), responsible_id: Id(1) };
        let added = add_task(&client, &task, &key).await.unwrap();
        assert!(added.item.id.0 > 0);
        assert_eq!(portal.records("task").len(), 1);
    }
}
