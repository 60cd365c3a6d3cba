//! Callers and workers that go away.

use retry_runtime::report::{Ending, MayBeApplied, Outcome};
use retry_runtime::{Batching, Policy};

use super::calls::{add_all, all, one_record_each, order, sizes, start, start_lists};
use crate::support::{Fake, NewDeal, OriginKey, Seen, Step, Told, add_deal, ending, list_deals, millis, secs};

#[tokio::test(start_paused = true)]
async fn a_call_dropped_before_its_batch_leaves_is_not_in_it() {
    let portal = Fake::new();
    let seen = Seen::default();
    let client =
        portal.builder().observer(seen.clone()).build().unwrap().batched_with(Batching::new().window(millis(50)));
    let mut calls = start(&client, 0..6);
    let lists = start_lists(&client, 10..16);
    tokio::time::sleep(millis(20)).await;
    calls.remove(5).abort();
    calls.remove(0).abort();
    for list in &lists[1..] {
        list.abort();
    }
    let results = all(calls).await;
    one_record_each(&portal, &results, 1);
    assert_eq!(sizes(&portal), [5], "four writes and one read");
    let dropped: Vec<_> = seen.all().into_iter().filter(|(told, _)| *told == Told::Dropped).collect();
    assert_eq!(dropped.len(), 7);
    assert!(dropped.iter().all(|(_, report)| report.may_be_applied() == MayBeApplied::No), "{dropped:?}");
}

#[tokio::test(start_paused = true)]
async fn a_call_dropped_after_its_batch_left_is_told_later_and_the_others_go_on() {
    let portal = Fake::new().on("batch", [Step::honest().takes(secs(2))]);
    let seen = Seen::default();
    let client = portal.builder().observer(seen.clone()).build().unwrap().batched();
    let mut calls = start(&client, 0..5);
    tokio::time::sleep(secs(1)).await;
    calls.remove(0).abort();
    let results = all(calls).await;
    assert!(results.iter().all(Result::is_ok));
    assert_eq!(portal.effects("crm.deal.add"), 5);
    tokio::time::sleep(secs(1)).await;
    let late = seen.only(Told::AnsweredLate);
    assert_eq!((late.attempts()[0].outcome.clone(), late.may_be_applied()), (Outcome::Success, MayBeApplied::No));
    assert_eq!(sizes(&portal), [5]);
}

#[tokio::test(start_paused = true)]
async fn a_batch_of_which_all_callers_went_away_is_not_sent() {
    let portal = Fake::new();
    let client = portal.client().batched_with(Batching::new().window(millis(50)));
    let calls = start(&client, 0..200);
    tokio::task::yield_now().await;
    for call in calls {
        call.abort();
    }
    tokio::time::sleep(secs(5)).await;
    assert!(portal.received().is_empty());
    one_record_each(&portal, &add_all(&client, 0..3).await, 0);
}

#[tokio::test(start_paused = true)]
async fn a_call_whose_deadline_comes_while_it_waits_was_not_sent() {
    let portal = Fake::new().on("batch", [Step::honest().takes(secs(60))]);
    let client = portal.client().batched_with(Batching::new().in_flight(1));
    let first = start(&client, 0..2);
    tokio::time::sleep(millis(100)).await;
    let hurried = client.with_policy(Policy::new().deadline(secs(10)));
    let late = add_all(&hurried, 2..4).await;
    assert!(portal.elapsed() < secs(12));
    for result in &late {
        assert_eq!(ending(result), Ending::Exhausted);
        let error = result.as_ref().unwrap_err();
        assert!(error.to_string().contains("no batch could take it along"), "{error}");
        assert_eq!(error.report().attempts()[0].sent_at, None);
    }
    let read = list_deals(&hurried, &OriginKey::of("A-9")).await;
    assert_eq!(read.unwrap_err().report().attempts()[0].sent_at, None);
    all(first).await;
    assert_eq!(portal.effects("crm.deal.add"), 2);
}

#[tokio::test(start_paused = true)]
async fn p3_a_transport_that_panics_loses_the_calls_it_had_and_the_next_batch_is_sent() {
    let portal = Fake::new().on("batch", [Step::panics().applied_first(2)]);
    let seen = Seen::default();
    let client = portal.builder().observer(seen.clone()).build().unwrap().batched_with(Batching::new().in_flight(1));
    let results = add_all(&client, 0..60).await;
    one_record_each(&portal, &results, 0);
    let firsts: Vec<_> = seen.all().iter().map(|(_, report)| report.attempts()[0].outcome.clone()).collect();
    let lost = firsts.iter().filter(|outcome| matches!(outcome, Outcome::Lost { why } if why.contains("was ended")));
    let not_sent = firsts.iter().filter(|outcome| matches!(outcome, Outcome::NotSent { .. }));
    assert_eq!((lost.count(), not_sent.count()), (50, 10));
}

#[tokio::test(start_paused = true)]
async fn many_calls_that_come_and_go_leave_the_queue_in_order() {
    let portal = Fake::new().on("batch", (0..100).map(|_| Step::honest().takes(millis(500))));
    let client = portal.client().batched_with(Batching::new().in_flight(1));
    let mut kept = Vec::new();
    for round in 0..10 {
        for (place, call) in start(&client, round * 100..(round + 1) * 100).into_iter().enumerate() {
            if place % 10 == 0 {
                kept.push(call);
            } else {
                // Most before they were looked at, the first of each round maybe after.
                call.abort();
            }
        }
        tokio::time::sleep(millis(100)).await;
    }
    let results = all(kept).await;
    assert!(results.iter().all(Result::is_ok));
    let kept: Vec<String> = (0..1_000).step_by(10).map(order).collect();
    let there: Vec<String> = portal.records().iter().map(|record| record.origin().to_owned()).collect();
    assert_eq!(there.iter().filter(|origin| kept.contains(origin)).count(), 100);
    add_deal(&client, &NewDeal::of("A-x")).await.unwrap();
}
