//! Settings and answers that nobody should give.

use std::time::Duration;

use retry_runtime::{Batching, Policy, RateLimit};
use serde_json::json;

use super::calls::{add_all, all, one_record_each, order, sizes, start};
use crate::support::{Fake, Seen, Step, millis, secs};

#[tokio::test(start_paused = true)]
async fn a_window_without_an_end_waits_for_a_full_batch() {
    let portal = Fake::new();
    let client = portal.client().batched_with(Batching::new().window(Duration::MAX));
    let mut calls = start(&client, 0..20);
    tokio::time::sleep(millis(100)).await;
    calls.extend(start(&client, 20..50));
    let results = all(calls).await;
    one_record_each(&portal, &results, 0);
    assert_eq!((sizes(&portal), portal.elapsed() < secs(1)), (vec![50], true));
    // Those who wait for more than comes end by their deadline, and nothing was sent.
    let hurried = client.with_policy(Policy::new().deadline(secs(10)));
    for result in add_all(&hurried, 50..53).await {
        let error = result.unwrap_err();
        assert!(error.to_string().contains("no batch could take it along"), "{error}");
        assert_eq!(error.report().attempts()[0].sent_at, None);
    }
    assert_eq!(portal.effects("crm.deal.add"), 50);
}

/// What three creations come to whose batch is applied and answered like this.
async fn answered(result: serde_json::Value) -> Vec<usize> {
    let portal = Fake::new().on("batch", [Step::result(&result)]);
    let seen = Seen::default();
    let client = portal.builder().observer(seen.clone()).build().unwrap().batched();
    let results = add_all(&client, 0..3).await;
    one_record_each(&portal, &results, 0);
    seen.all().iter().map(|(_, report)| report.checks().len()).collect()
}

#[tokio::test(start_paused = true)]
async fn p1_an_answer_that_contradicts_itself_is_an_unknown_outcome_for_each() {
    for code in ["QUERY_LIMIT_EXCEEDED", "ACCESS_DENIED", "ERROR_BATCH_METHOD_NOT_ALLOWED"] {
        let errors = json!({"c0": {"error": code}, "c1": {"error": code}, "c2": {"error": code}});
        let checks = answered(json!({"result": {"c0": 1, "c1": 2, "c2": 3}, "result_error": errors})).await;
        assert!(checks.iter().all(|checks| *checks > 0), "{code}: {checks:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn p2_results_in_a_list_of_another_length_are_nobodys() {
    for results in [json!([2, 3]), json!([3]), json!([9, 1, 2, 3])] {
        let checks = answered(json!({"result": results, "result_error": []})).await;
        assert!(checks.iter().all(|checks| *checks > 0), "{results}: {checks:?}");
    }
    let errors = json!([{"error": "QUERY_LIMIT_EXCEEDED"}]);
    let checks = answered(json!({"result": {"c0": 1, "c1": 2}, "result_error": errors})).await;
    assert!(checks.iter().all(|checks| *checks > 0), "the error may be that of any of them: {checks:?}");
}

#[tokio::test(start_paused = true)]
async fn calls_that_waited_out_a_pause_of_their_method_keep_their_order() {
    let refused = (0..50).map(|_| Step::code("OPERATION_TIME_LIMIT").asks_to_wait(secs(120)));
    let portal = Fake::new().on("crm.deal.add", refused);
    let policy = Policy::new().deadline(secs(3_600));
    let client = portal.builder().rate_limit(RateLimit::new(2, millis(500))).policy(policy).build().unwrap();
    let client = client.batched_with(Batching::new().in_flight(1));
    let results = all(start(&client, 0..400)).await;
    one_record_each(&portal, &results, 0);
    let origins: Vec<String> = portal.records().iter().map(|record| record.origin().to_owned()).collect();
    let fresh: Vec<String> = origins.into_iter().filter(|origin| !(0..50).any(|n| *origin == order(n))).collect();
    assert_eq!(fresh, (50..400).map(order).collect::<Vec<_>>());
}
