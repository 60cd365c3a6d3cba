//! Which calls leave in which request.

use retry_runtime::Batching;

use super::calls::{add_all, all, batches, one_record_each, order, sizes, start, start_lists};
use crate::support::{Fake, NewDeal, Step, add_deal, list_tasks, millis, secs};

#[tokio::test(start_paused = true)]
async fn concurrent_calls_leave_in_one_request() {
    let portal = Fake::new();
    let client = portal.client().batched();
    let results = add_all(&client, 0..20).await;
    one_record_each(&portal, &results, 0);
    assert_eq!(sizes(&portal), [20]);
}

#[tokio::test(start_paused = true)]
async fn a_batch_holds_fifty_calls_and_is_not_held_back_when_full() {
    let portal = Fake::new();
    let client = portal.client().batched_with(Batching::new().window(secs(1)));
    let results = add_all(&client, 0..130).await;
    one_record_each(&portal, &results, 0);
    let batches = batches(&portal);
    let mut held: Vec<usize> = batches.iter().map(|(_, calls)| *calls).collect();
    held.sort_unstable();
    assert_eq!(held, [30, 50, 50]);
    let full = batches.iter().filter(|(_, calls)| *calls == 50);
    assert!(full.clone().count() == 2 && full.clone().all(|(at, _)| *at < millis(20)), "{batches:?}");
    let rest = batches.iter().find(|(_, calls)| *calls == 30).unwrap();
    assert!(rest.0 >= secs(1) && rest.0 < millis(1_020), "the rest waited out its window: {batches:?}");
}

#[tokio::test(start_paused = true)]
async fn the_window_opens_with_the_first_call_and_is_not_prolonged() {
    let portal = Fake::new();
    let client = portal.client().batched_with(Batching::new().window(millis(10)));
    let mut calls = Vec::new();
    for number in 0..6 {
        calls.extend(start(&client, number..number + 1));
        tokio::time::sleep(millis(4)).await;
    }
    let results = all(calls).await;
    one_record_each(&portal, &results, 0);
    // The calls of 0, 4 and 8 ms; those of 12, 16 and 20.
    assert_eq!(sizes(&portal), [3, 3]);
    let times: Vec<_> = batches(&portal).into_iter().map(|(at, _)| at).collect();
    assert!(times[0] >= millis(10) && times[0] < millis(12), "{times:?}");
    assert!(times[1] >= millis(22) && times[1] < millis(24), "{times:?}");
}

#[tokio::test(start_paused = true)]
async fn a_batch_of_one_goes_plain() {
    let portal = Fake::new();
    let client = portal.client().batched();
    add_deal(&client, &NewDeal::of("A-0")).await.unwrap();
    let methods: Vec<_> = portal.received().iter().map(|request| request.method).collect();
    assert_eq!(methods, ["crm.deal.add"]);
    assert_eq!(add_all(&portal.client().batched_with(Batching::new().most(1)), 1..4).await.len(), 3);
    assert_eq!((portal.sends("crm.deal.add"), portal.sends("batch")), (4, 0));
}

#[tokio::test(start_paused = true)]
async fn the_order_of_arrival_is_kept() {
    let portal = Fake::new();
    let client = portal.client().batched_with(Batching::new().in_flight(1));
    let results = add_all(&client, 0..500).await;
    one_record_each(&portal, &results, 0);
    let origins: Vec<String> = portal.records().iter().map(|record| record.origin().to_owned()).collect();
    assert_eq!(origins, (0..500).map(order).collect::<Vec<_>>());
    assert_eq!(sizes(&portal), [50; 10]);
}

#[tokio::test(start_paused = true)]
async fn no_more_batches_are_under_way_than_allowed_and_no_fewer() {
    for in_flight in [1, 3] {
        let portal = Fake::new().on("batch", (0..10).map(|_| Step::honest().takes(secs(1))));
        let client = portal.client().batched_with(Batching::new().in_flight(in_flight));
        let results = add_all(&client, 0..500).await;
        one_record_each(&portal, &results, 0);
        let times = batches(&portal);
        assert_eq!(times.len(), 10);
        for (place, (at, _)) in times.iter().enumerate() {
            // Each takes a second: batch n leaves when n - in_flight has ended.
            let round = u64::try_from(place / in_flight).unwrap();
            assert!(*at >= secs(round) && *at < secs(round) + millis(100), "{in_flight}: {times:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn while_batches_are_under_way_the_next_one_fills() {
    let portal = Fake::new().on("batch", [Step::honest().takes(secs(1))]);
    let client = portal.client().batched_with(Batching::new().in_flight(1));
    let mut calls = start(&client, 0..2);
    tokio::time::sleep(millis(100)).await;
    for number in 2..12 {
        calls.extend(start(&client, number..number + 1));
        tokio::time::sleep(millis(50)).await;
    }
    all(calls).await;
    assert_eq!(sizes(&portal), [2, 10]);
}

#[tokio::test(start_paused = true)]
async fn read_backs_go_ahead_of_new_writes() {
    // The batch is lost: its ten writes are read back while 200 new ones come.
    let portal = Fake::new().on("batch", [Step::lost().applied().takes(secs(1))]);
    let client = portal.client().batched_with(Batching::new().in_flight(1));
    let mut calls = start(&client, 0..10);
    tokio::time::sleep(millis(100)).await;
    calls.extend(start(&client, 10..210));
    let results = all(calls).await;
    one_record_each(&portal, &results, 0);
    // What came after the lost batch: at the first chance after the answer was lost, the reads are in front.
    let received = portal.received();
    let first_read = received.iter().position(|request| request.read_back && request.method != "batch").unwrap();
    let writes_before = received[..first_read].iter().filter(|request| request.method == "crm.deal.add").count();
    assert!(writes_before <= 60, "{writes_before} writes went before the first read-back");
    let reads: Vec<_> = received[first_read..first_read + 10].iter().map(|request| request.method).collect();
    assert_eq!(reads, ["crm.deal.list"; 10], "they are in front, in one batch");
}

#[tokio::test(start_paused = true)]
async fn reads_and_writes_of_rest_2_share_a_batch_and_rest_3_reads_have_their_own() {
    let portal = Fake::new();
    let client = portal.client().batched();
    let writes = start(&client, 0..3);
    let lists = start_lists(&client, 3..6);
    let tasks: Vec<_> = (0..4)
        .map(|number| {
            let client = client.clone();
            tokio::spawn(async move { list_tasks(&client, &crate::support::NewTask::of(&order(number))).await })
        })
        .collect();
    assert!(all(writes).await.iter().all(Result::is_ok) && all(lists).await.iter().all(Result::is_ok));
    assert!(all(tasks).await.iter().all(Result::is_ok));
    let mut held = sizes(&portal);
    held.sort_unstable();
    assert_eq!(held, [4, 6]);
    let kinds: Vec<_> = portal.received().iter().map(|request| request.method).collect();
    assert_eq!(kinds.iter().filter(|method| **method == "tasks.task.list").count(), 4);
}

#[tokio::test(start_paused = true)]
async fn the_bytes_of_a_batch_stay_within_the_send_window() {
    let portal = Fake::new();
    let client = portal.client().batched();
    let calls: Vec<_> = (0..50)
        .map(|number| {
            let client = client.clone();
            let mut deal = NewDeal::of(&order(number));
            deal.title = "x".repeat(5_000);
            tokio::spawn(async move { add_deal(&client, &deal).await })
        })
        .collect();
    one_record_each(&portal, &all(calls).await, 0);
    let envelopes: Vec<_> = portal.received().into_iter().filter(|request| request.method == "batch").collect();
    assert!(envelopes.iter().all(|request| request.bytes.len() <= 64 * 1024));
    assert!(envelopes.len() < 8, "{} batches", envelopes.len());
}

#[tokio::test(start_paused = true)]
async fn a_batched_client_shares_everything_else() {
    let portal = Fake::new().on("crm.deal.add", vec![Step::code("QUERY_LIMIT_EXCEEDED"); 100]);
    let client = portal.builder().retry_budget(1).build().unwrap();
    let (one, other) = (client.batched().batched(), client.batched());
    let (first, second) = tokio::join!(add_all(&one, 0..50), add_all(&other, 50..100));
    let ended = first.iter().chain(&second).filter(|result| result.is_err()).count();
    assert_eq!(ended, 50, "one token in the store of both, which pays for one batch of fifty");
}
