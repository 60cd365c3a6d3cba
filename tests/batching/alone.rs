//! Calls that a batch would change, or has no form for.

use retry_runtime::{CallError, Client, Id, bitrix_method};
use serde_json::{Value, json};

use super::calls::{all, order};
use crate::support::{Fake, NewTask, Step, add_task, once};

/// Creates a deal of any fields.
#[bitrix_method(name = "crm.deal.add", kind = write, unverifiable = "the test says so")]
async fn add_any(client: &Client, fields: &Value) -> Result<Id, CallError>;

/// Sends these at the same time, and tells how many went in batches.
async fn together(fields: Vec<Value>) -> (Fake, usize) {
    let portal = Fake::new();
    let client = portal.client().batched();
    let calls = fields.into_iter().map(|fields| {
        let client = client.clone();
        tokio::spawn(async move { add_any(&client, &fields).await })
    });
    assert!(all(calls.collect()).await.iter().all(Result::is_ok));
    let batched = super::calls::sizes(&portal).iter().sum();
    (portal, batched)
}

#[tokio::test(start_paused = true)]
async fn case_b44_the_portal_reads_the_same_in_a_batch_and_alone() {
    let fields = [
        json!({"T": "a&b=c+d %", "U": "ёлка 🎄", "R": "x[y]=z#?;"}),
        json!({"T": "plain"}),
        json!({"T": null}),
        json!({"T": [], "U": "x"}),
        json!({"T": {"A": true}}),
        json!({"T": false}),
        json!({"T": {}}),
        json!({"T": "$result[c0]"}),
        json!({"T": "x".repeat(40_000)}),
    ];
    let (portal, batched) = together(fields.to_vec()).await;
    assert_eq!(batched, 2);
    let mut read: Vec<String> = portal.records().iter().map(|record| record.arguments["fields"].to_string()).collect();
    let mut sent = fields.map(|fields| fields.to_string()).to_vec();
    read.sort();
    sent.sort();
    assert_eq!(read, sent);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_goes_alone_is_not_held_up_by_the_window() {
    let portal = Fake::new();
    let client =
        portal.client().batched_with(retry_runtime::Batching::new().window(std::time::Duration::from_secs(60)));
    add_any(&client, &json!({"T": null})).await.unwrap();
    assert!(portal.elapsed() < std::time::Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn rest_3_writes_and_calls_with_an_idempotency_key_go_alone() {
    let portal = Fake::new().on("tasks.task.add", [Step::lost().applied()]);
    let client = portal.client().batched();
    let calls = (0..3).map(|number| {
        let client = client.clone();
        tokio::spawn(async move { add_task(&client, &NewTask::of(&order(number)), &once(&order(number))).await })
    });
    assert!(all(calls.collect()).await.iter().all(Result::is_ok));
    assert_eq!((portal.sends("batch"), portal.effects("tasks.task.add")), (0, 3));
    let keys = portal.received().iter().filter(|request| request.idempotency_key.is_some()).count();
    assert_eq!(keys, 4, "the replay of the lost one too");
}
