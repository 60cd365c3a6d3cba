//! Calls that travel together: each has a record of its own.

use retry_runtime::journal::State;

use crate::orders::{Order, add_order, client, journal};
use crate::support::{Fake, Step};

#[tokio::test(start_paused = true)]
async fn p2_each_intent_of_a_batch_is_on_record_before_it_leaves() {
    let portal = Fake::new();
    let journal = journal(&portal);
    let seen = journal.clone();
    let portal = portal.choosing(move |method| {
        if method == "batch" {
            let intents = seen.intents();
            assert_eq!(intents.len(), 20);
            assert!(intents.iter().all(|intent| intent.state == State::Sending));
        }
        None
    });
    let client = client(&portal, &journal).batched();
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..20 {
        let client = client.clone();
        calls.spawn(async move { add_order(&client, &Order::of(&number.to_string())).await });
    }
    for made in calls.join_all().await {
        made.unwrap();
    }
    assert_eq!(portal.sends("batch"), 1);
    assert!(journal.intents().iter().all(|intent| matches!(intent.state, State::Applied { .. })));
}

#[tokio::test(start_paused = true)]
async fn p1_a_lost_batch_is_settled_intent_by_intent() {
    let portal = Fake::new().on("batch", [Step::lost().applied_first(7)]);
    let journal = journal(&portal);
    let client = client(&portal, &journal).batched();
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..20 {
        let client = client.clone();
        calls.spawn(async move { add_order(&client, &Order::of(&number.to_string())).await });
    }
    for made in calls.join_all().await {
        made.unwrap();
    }
    assert_eq!(portal.effects("crm.deal.add"), 20);
    let second = journal.intents().iter().filter(|intent| intent.attempt == 2).count();
    assert_eq!(second, 13);
}
