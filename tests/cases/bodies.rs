//! G and H: the request of a call is made once, and each send of it carries the same bytes.

use retry_runtime::{CallError, Client, Policy, bitrix_method};
use serde_json::{Value, json};

use crate::support::{Fake, NewDeal, Received, Step, add_deal, add_keyed_deal, secs};

/// Fails unless all sends of the method carried the same bytes; returns their number.
#[track_caller]
fn same_bytes(portal: &Fake, method: &str) -> usize {
    let sends: Vec<Received> = portal.received().into_iter().filter(|request| request.method == method).collect();
    assert!(sends.iter().all(|send| send.bytes == sends[0].bytes && !send.bytes.is_empty()), "{sends:?}");
    sends.len()
}

#[tokio::test(start_paused = true)]
async fn case_b44_null_true_and_a_text_with_signs_arrive_unchanged() {
    /// Updates an item.
    #[bitrix_method(name = "crm.item.update", kind = write, unverifiable = "the test does not lose it")]
    async fn update_item(client: &Client, id: u64, fields: &Value, comment: Option<&str>) -> Result<Value, CallError>;

    let portal = Fake::new();
    let fields = json!({"ufCrm1": null, "opened": true, "sum": 1.0, "title": "a&b=c+d % \u{fe0f}\"ё\""});
    update_item(&portal.client(), 1, &fields, None).await.unwrap();
    assert_eq!(portal.received()[0].arguments, json!({"id": 1, "fields": fields}));
    let sent = String::from_utf8(portal.received()[0].bytes.clone()).unwrap();
    assert!(sent.contains("\"ufCrm1\":null") && sent.contains("\"sum\":1.0"), "{sent}");
}

#[tokio::test(start_paused = true)]
async fn case_b82_the_same_operation_asked_for_again_carries_the_same_key() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost(), Step::lost()]);
    let client = portal.client();
    let hasty = client.with_policy(Policy::new().deadline(secs(10)));
    let deal = NewDeal::of("A-1");
    add_keyed_deal(&hasty, &deal).await.unwrap_err();
    add_keyed_deal(&client, &deal).await.unwrap();
    assert_eq!(same_bytes(&portal, "crm.deal.add"), 3);
    assert_eq!(portal.effects("crm.deal.add"), 1);
}

#[tokio::test(start_paused = true)]
async fn case_b85_a_large_body_that_was_not_taken_is_sent_again_whole() {
    let portal = Fake::new().on("crm.deal.add", [Step::code("LARGE_BODY_BACKEND_BUSY").status(503)]);
    let mut deal = NewDeal::of("A-1");
    deal.title = "x".repeat(1 << 20);
    add_deal(&portal.client(), &deal).await.unwrap();
    assert_eq!(same_bytes(&portal, "crm.deal.add"), 2);
    assert!(portal.received()[1].bytes.len() > 1 << 20);
}

#[tokio::test(start_paused = true)]
async fn case_b86_a_retry_has_the_body_of_the_first_send() {
    let portal = Fake::new().on("crm.deal.add", [Step::code("RATE_LIMITED").asks_to_wait(secs(1)), Step::not_sent()]);
    add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap();
    assert_eq!(same_bytes(&portal, "crm.deal.add"), 2);
}
