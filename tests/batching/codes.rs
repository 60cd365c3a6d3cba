//! Each call of a batch is decided by its own code, and the code of a whole batch closes calls only where none had run.

use retry_runtime::report::{Ending, Outcome};
use retry_runtime::{Effect, Policy};

use super::calls::{add_all, all, batches, one_record_each, order, sizes, start_lists};
use crate::support::{Fake, NewDeal, Seen, Step, add_deal, ending, secs};

#[tokio::test(start_paused = true)]
async fn case_b35_one_call_fails_and_the_others_have_their_ids() {
    let portal = Fake::new().on("crm.deal.add", [Step::honest(), Step::code("").says("Company is not found")]);
    let results = add_all(&portal.client().batched(), 0..3).await;
    assert_eq!([&results[0], &results[2]].map(|result| result.as_ref().unwrap().0), [1, 2]);
    assert_eq!((ending(&results[1]), portal.sends("crm.deal.add")), (Ending::Refused, 3));
    let error = results[1].as_ref().unwrap_err();
    assert_eq!((error.effect(), error.code().unwrap().as_str()), (Effect::Unknown, ""));
    assert!(error.to_string().contains("Company is not found"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn only_what_may_be_sent_again_travels_again() {
    // Retried, read back and found, refused, read back and proved absent, done.
    let steps = [
        Step::code("QUERY_LIMIT_EXCEEDED"),
        Step::code("INTERNAL_SERVER_ERROR").applied(),
        Step::code("ACCESS_DENIED"),
        Step::code("NEWS"),
        Step::honest(),
    ];
    let portal = Fake::new().on("crm.deal.add", steps);
    let seen = Seen::default();
    let client = portal.builder().observer(seen.clone()).build().unwrap().batched();
    let results = add_all(&client, 0..5).await;
    let endings: Vec<_> = results.iter().map(ending).collect();
    assert_eq!(endings, [Ending::Done, Ending::Done, Ending::Refused, Ending::Done, Ending::Done]);
    assert_eq!(results[2].as_ref().unwrap_err().effect(), Effect::Absent);
    let sent = |number: usize| {
        let received = portal.received();
        received.iter().filter(|request| request.arguments["fields"]["ORIGIN_ID"] == order(number)).count()
    };
    assert_eq!([0, 1, 2, 3, 4].map(sent), [2, 1, 1, 2, 1]);
    assert_eq!(portal.effects("crm.deal.add"), 4);
}

#[tokio::test(start_paused = true)]
async fn the_pause_that_one_call_is_asked_for_does_not_hold_up_the_others() {
    let portal = Fake::new().on("crm.deal.add", [Step::code("QUEUE_TIMEOUT").asks_to_wait(secs(30))]);
    let seen = Seen::default();
    let client = portal.builder().observer(seen.clone()).build().unwrap().batched();
    let results = add_all(&client, 0..3).await;
    assert!(results.iter().all(Result::is_ok));
    let mut took: Vec<u64> = seen.all().iter().map(|(_, report)| report.elapsed().as_secs()).collect();
    took.sort_unstable();
    assert_eq!(took, [0, 0, 30]);
    let hinted = seen.all().into_iter().find(|(_, report)| report.attempts().len() == 2).unwrap().1;
    assert_eq!((hinted.attempts()[0].hint, hinted.attempts()[0].status), (Some(secs(30)), None));
    assert_eq!(hinted.attempts()[0].request_id.as_deref(), Some("req-1"), "that of the batch");
}

/// What 4 writes and 4 reads do after a first batch that was answered with this code as a whole, and of which these ran.
async fn after_the_whole(code: &str, ran: usize) -> (Fake, Seen) {
    let portal = Fake::new().on("batch", [Step::code(code).applied_first(ran)]);
    let seen = Seen::default();
    let client = portal.builder().observer(seen.clone()).build().unwrap().batched();
    let lists = start_lists(&client, 10..14);
    let results = add_all(&client, 0..4).await;
    let read = all(lists).await;
    assert!(results.iter().all(Result::is_ok) && read.iter().all(Result::is_ok), "{code}: {results:?} {read:?}");
    one_record_each(&portal, &results, 0);
    (portal, seen)
}

#[tokio::test(start_paused = true)]
async fn a_code_from_before_any_ran_is_retried_without_a_check() {
    for code in
        ["QUEUE_OVERFLOW", "QUEUE_TIMEOUT", "QUERY_LIMIT_EXCEEDED", "TIMEOUT_QUARANTINE", "LARGE_BODY_BACKEND_BUSY"]
    {
        let (portal, seen) = after_the_whole(code, 0).await;
        assert!(portal.elapsed() < secs(10), "{code}");
        assert!(seen.all().iter().all(|(_, report)| report.checks().is_empty()), "{code}");
    }
}

#[tokio::test(start_paused = true)]
async fn p3_any_other_code_of_the_whole_is_an_unknown_outcome_for_each_write() {
    for code in ["RATE_LIMITED", "OPERATION_TIME_LIMIT", "INTERNAL_SERVER_ERROR", "BITRIX_TIMEOUT", "NEWS"] {
        // The reads came first.
        let (portal, seen) = after_the_whole(code, 6).await;
        let reports: Vec<_> = seen.all().into_iter().map(|(_, report)| report).collect();
        let writes = reports.iter().filter(|report| report.method() == "crm.deal.add");
        assert!(writes.clone().all(|report| !report.checks().is_empty()), "{code}");
        assert_eq!(writes.filter(|report| report.ending() == Ending::Found).count(), 2, "{code}");
        let again = portal.received().iter().rfind(|request| request.method == "crm.deal.add").unwrap().at;
        assert!(again >= secs(90), "{code}: {again:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_refusal_of_the_whole_refuses_each() {
    let portal = Fake::new().on("batch", [Step::code("insufficient_scope").status(403)]);
    let results = add_all(&portal.client().batched(), 0..3).await;
    for result in &results {
        assert_eq!((ending(result), result.as_ref().unwrap_err().effect()), (Ending::Refused, Effect::Absent));
    }
    assert_eq!((sizes(&portal), portal.effects("crm.deal.add")), (vec![3], 0));
}

#[tokio::test(start_paused = true)]
async fn a_business_error_of_the_whole_does_not_refuse_the_writes() {
    let portal = Fake::new().on("batch", [Step::code("BITRIX_ERROR").applied_first(2)]);
    let seen = Seen::default();
    let client = portal.builder().observer(seen.clone()).build().unwrap().batched();
    let results = add_all(&client, 0..3).await;
    one_record_each(&portal, &results, 0);
    let told = seen.all().remove(0).1.attempts()[0].outcome.to_string();
    assert!(told.contains("BITRIX_ERROR") && told.contains("the batch as a whole"), "{told}");
}

#[tokio::test(start_paused = true)]
async fn a_renewed_token_sends_each_again_at_once_and_a_moved_portal_refuses_each() {
    let portal = Fake::new().on("batch", [Step::token_renewed()]);
    let seen = Seen::default();
    let client = portal.builder().observer(seen.clone()).build().unwrap().batched();
    one_record_each(&portal, &add_all(&client, 0..5).await, 0);
    assert_eq!((sizes(&portal), portal.elapsed() < secs(1)), (vec![5, 5], true));
    assert!(portal.received().last().unwrap().token_renewed);
    assert!(seen.all().iter().all(|(_, report)| report.attempts()[0].outcome == Outcome::TokenRenewed));

    let portal = Fake::new().on("batch", [Step::moved()]);
    for result in add_all(&portal.client().batched(), 0..3).await {
        assert!(result.unwrap_err().to_string().contains("new.example.test"));
    }
    assert_eq!(portal.effects("crm.deal.add"), 0);

    let portal = Fake::new().on("batch", [Step::no_token(true), Step::no_token(false)]);
    for result in add_all(&portal.client().with_policy(Policy::new().backoff(secs(0), secs(0))).batched(), 0..3).await {
        assert_eq!(ending(&result), Ending::Refused);
    }
    assert_eq!(batches(&portal).len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_method_that_is_not_taken_in_a_batch_goes_alone_from_then_on() {
    let portal = Fake::new().on("crm.deal.add", (0..3).map(|_| Step::code("ERROR_BATCH_METHOD_NOT_ALLOWED")));
    let seen = Seen::default();
    let client = portal.builder().observer(seen.clone()).retry_budget(0).build().unwrap().batched();
    let results = add_all(&client, 0..3).await;
    one_record_each(&portal, &results, 0);
    assert_eq!(sizes(&portal), [3], "the second sends are not in a batch");
    assert!(portal.elapsed() < secs(1), "there is nothing to wait for: {:?}", portal.elapsed());
    let told = seen.all().remove(0).1.attempts()[0].to_string();
    assert!(told.contains("goes alone from now on") && told.contains("decided: retry"), "{told}");
    add_deal(&client, &NewDeal::of("A-9")).await.unwrap();
    add_all(&client, 20..22).await;
    assert_eq!(sizes(&portal), [3]);
    // Other methods still travel together.
    all(start_lists(&client, 0..4)).await;
    assert_eq!(sizes(&portal), [3, 4]);
}
