//! Many calls at once, and what of them the portal saw.

use std::ops::Range;
use std::time::Duration;

use retry_runtime::{CallError, Client, Id};
use serde_json::Value;
use tokio::task::JoinHandle;

use crate::support::{Fake, NewDeal, OriginKey, Record, add_deal, list_deals};

/// The order of a number.
pub(crate) fn order(number: usize) -> String {
    format!("A-{number}")
}

/// Starts to create a deal for each of these orders.
pub(crate) fn start(client: &Client, orders: Range<usize>) -> Vec<JoinHandle<Result<Id, CallError>>> {
    let add = |number| {
        let client = client.clone();
        tokio::spawn(async move { add_deal(&client, &NewDeal::of(&order(number))).await })
    };
    orders.map(add).collect()
}

/// Starts to list the deals of each of these orders.
pub(crate) fn start_lists(client: &Client, orders: Range<usize>) -> Vec<JoinHandle<Result<Vec<Id>, CallError>>> {
    let list = |number| {
        let client = client.clone();
        tokio::spawn(async move {
            let page = list_deals(&client, &OriginKey::of(&order(number))).await?;
            Ok(page.rows.into_iter().map(|row| row.id).collect())
        })
    };
    orders.map(list).collect()
}

/// Waits for all of them.
pub(crate) async fn all<T>(calls: Vec<JoinHandle<T>>) -> Vec<T> {
    let mut results = Vec::new();
    for call in calls {
        results.push(call.await.unwrap());
    }
    results
}

/// Creates a deal for each of these orders, at the same time.
pub(crate) async fn add_all(client: &Client, orders: Range<usize>) -> Vec<Result<Id, CallError>> {
    all(start(client, orders)).await
}

/// When each batch came, and how many calls it held.
pub(crate) fn batches(portal: &Fake) -> Vec<(Duration, usize)> {
    let received = portal.received();
    let batches = received.iter().filter(|request| request.method == "batch");
    batches.map(|request| (request.at, commands(&request.arguments))).collect()
}

/// How many calls each batch held.
pub(crate) fn sizes(portal: &Fake) -> Vec<usize> {
    batches(portal).into_iter().map(|(_, calls)| calls).collect()
}

fn commands(envelope: &Value) -> usize {
    envelope["cmd"].as_object().map_or_else(|| envelope.as_array().unwrap().len(), serde_json::Map::len)
}

/// Fails unless each result is the id of the one record of its order.
#[track_caller]
pub(crate) fn one_record_each(portal: &Fake, results: &[Result<Id, CallError>], first: usize) {
    let records = portal.records();
    assert_eq!(records.len(), results.len());
    for (number, result) in (first..).zip(results) {
        let of_the_order: Vec<&Record> = records.iter().filter(|record| record.origin() == order(number)).collect();
        assert_eq!(of_the_order.len(), 1, "order {number}");
        assert_eq!(result.as_ref().unwrap().0, of_the_order[0].id, "order {number}");
    }
}
