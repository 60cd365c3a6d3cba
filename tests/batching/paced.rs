//! Batches that wait for their turn: what the rate limit, pauses and breakers do to the calls in the queue.

use retry_runtime::report::Ending;
use retry_runtime::{Batching, Client, ClientBuilder, Effect, Policy, RateLimit};

use super::calls::{add_all, all, batches, one_record_each, sizes, start, start_lists};
use crate::support::{Fake, Seen, Step, ending, millis, secs};

/// Two requests at once, and one each half second.
fn paced(builder: ClientBuilder) -> Client {
    builder.rate_limit(RateLimit::new(2, millis(500))).build().unwrap().with_policy(Policy::new().deadline(secs(600)))
}

#[tokio::test(start_paused = true)]
async fn batches_are_filled_while_they_wait_for_their_turn() {
    let portal = Fake::new();
    let client = paced(portal.builder()).batched();
    let mut calls = start(&client, 0..101);
    for number in 0..20 {
        tokio::time::sleep(millis(10)).await;
        let from = 101 + number * 10;
        calls.extend(start(&client, from..from + 10));
    }
    let results = all(calls).await;
    one_record_each(&portal, &results, 0);
    let times: Vec<_> = portal.received().iter().filter(|request| request.method == "batch").map(|r| r.at).collect();
    assert!(times.len() <= 7, "301 calls: {:?}", batches(&portal));
    for pair in times.windows(3) {
        assert!(pair[2].saturating_sub(pair[0]) >= millis(490), "two at once at the most: {times:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn ten_thousand_calls_take_two_hundred_requests_and_each_keeps_its_place() {
    let portal = Fake::new();
    let client = paced(portal.builder()).batched();
    let results = add_all(&client, 0..10_000).await;
    one_record_each_by_id(&portal, &results);
    assert_eq!(sizes(&portal), [50; 200]);
    let took = portal.elapsed();
    assert!(took >= secs(98) && took < secs(105), "{took:?}");
}

/// The same as for few calls, without a search for each.
fn one_record_each_by_id(portal: &Fake, results: &[Result<retry_runtime::Id, retry_runtime::CallError>]) {
    let records = portal.records();
    assert_eq!(records.len(), results.len());
    for (number, result) in results.iter().enumerate() {
        let id = result.as_ref().unwrap().0;
        let record = &records[usize::try_from(id).unwrap() - 1];
        assert_eq!((record.id, record.origin()), (id, super::calls::order(number).as_str()));
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_whose_turn_can_not_come_in_time_ends_before_it_is_sent() {
    let portal = Fake::new();
    let client = paced(portal.builder()).batched_with(Batching::new().most(2));
    let first = start(&client, 0..60);
    tokio::time::sleep(millis(100)).await;
    let hurried = client.with_policy(Policy::new().deadline(secs(3)));
    for result in add_all(&hurried, 100..102).await {
        let error = result.unwrap_err();
        assert_eq!((error.effect(), error.report().ending()), (Effect::Absent, Ending::Exhausted));
        assert_eq!(error.report().attempts()[0].sent_at, None);
    }
    assert!(portal.elapsed() < secs(5));
    one_record_each(&portal, &all(first).await, 0);
}

#[tokio::test(start_paused = true)]
async fn calls_of_a_method_that_was_asked_to_wait_are_not_sent_to_be_refused() {
    let refused = (0..50).map(|_| Step::code("OPERATION_TIME_LIMIT").asks_to_wait(secs(120)));
    let portal = Fake::new().on("crm.deal.add", refused);
    let seen = Seen::default();
    let client = paced(portal.builder().observer(seen.clone())).batched_with(Batching::new().in_flight(1));
    let calls = start(&client, 0..200);
    tokio::time::sleep(secs(1)).await;
    // Other methods go on meanwhile.
    assert!(all(start_lists(&client, 0..5)).await.iter().all(Result::is_ok));
    assert!(portal.elapsed() < secs(3), "{:?}", portal.elapsed());
    let results = all(calls).await;
    one_record_each(&portal, &results, 0);
    let writes = portal.times("crm.deal.add");
    assert!(writes[49] < secs(1) && writes[50] >= secs(100), "{:?}", &writes[48..52]);
    assert_eq!(writes.len(), 250);
}

#[tokio::test(start_paused = true)]
async fn in_one_batch_each_method_waits_for_itself() {
    let refused = (0..50).map(|_| Step::code("OPERATION_TIME_LIMIT").asks_to_wait(secs(120)));
    let portal = Fake::new().on("crm.deal.add", refused);
    let client = paced(portal.builder()).batched_with(Batching::new().in_flight(1));
    let first = start(&client, 0..50);
    tokio::time::sleep(millis(50)).await;
    // All of these wait for the next batch when the first one is answered.
    let lists = start_lists(&client, 0..5);
    let writes = start(&client, 50..60);
    assert!(all(lists).await.iter().all(Result::is_ok));
    assert!(portal.elapsed() < secs(3), "{:?}", portal.elapsed());
    all(writes).await;
    all(first).await;
    assert!(portal.times("crm.deal.add")[50] >= secs(100), "{:?}", portal.times("crm.deal.add")[50]);
}

#[tokio::test(start_paused = true)]
async fn an_open_breaker_refuses_the_calls_that_wait() {
    let portal =
        Fake::new().on("crm.deal.add", (0..50).map(|_| Step::code("ERROR_LOOP_DETECTED").asks_to_wait(secs(60))));
    let client = paced(portal.builder()).batched_with(Batching::new().in_flight(1));
    let results = add_all(&client, 0..120).await;
    for result in &results {
        assert_eq!((ending(result), result.as_ref().unwrap_err().effect()), (Ending::Refused, Effect::Absent));
    }
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (50, 0));
}

#[tokio::test(start_paused = true)]
async fn a_read_back_takes_the_faster_lane_of_the_limit() {
    // The first batch is lost, and hundreds of single calls of another client stand in line.
    let portal = Fake::new().on("batch", [Step::lost().applied()]);
    let client = paced(portal.builder());
    let seen = start(&client.batched(), 0..5);
    tokio::time::sleep(millis(50)).await;
    let others = start(&client, 10..50);
    let results = all(seen).await;
    assert!(results.iter().all(Result::is_ok));
    assert!(portal.elapsed() < secs(3), "{:?}", portal.elapsed());
    all(others).await;
    assert!(portal.elapsed() > secs(15));
}
