//! The answer of a batch is lost, wholly or for some of its calls.

use retry_runtime::report::{Ending, Outcome};
use retry_runtime::{Effect, Policy};

use super::calls::{add_all, all, one_record_each, order, sizes, start_lists};
use crate::support::{Fake, NewDeal, Seen, Step, Told, add_blind_deal, ending, secs};

#[tokio::test(start_paused = true)]
async fn p1_a_batch_lost_after_k_of_50_writes_ends_with_exactly_50_records() {
    for applied in [0, 1, 17, 49, 50] {
        let portal = Fake::new().on("batch", [Step::lost().applied_first(applied)]);
        let seen = Seen::default();
        let client = portal.builder().observer(seen.clone()).build().unwrap().batched();
        let results = add_all(&client, 0..50).await;
        one_record_each(&portal, &results, 0);
        // Each tells its own story.
        let reports: Vec<_> = seen.all().into_iter().map(|(_, report)| report).collect();
        let found = reports.iter().filter(|report| report.ending() == Ending::Found).count();
        let sent_again: Vec<_> = reports.iter().filter(|report| report.ending() == Ending::Done).collect();
        assert_eq!((found, sent_again.len()), (applied, 50 - applied));
        for report in &reports {
            assert!(matches!(report.attempts()[0].outcome, Outcome::Lost { .. }), "{report}");
            assert!(report.attempts()[0].sent_at.is_some());
        }
        for report in sent_again {
            assert_eq!(report.attempts().len(), 2, "{report}");
            let proof = report.checks().last().unwrap();
            let left = report.attempts()[0].sent_at.unwrap();
            assert!(proof.proves && proof.began.duration_since(left).unwrap() >= secs(90), "{report}");
        }
        assert_eq!(sizes(&portal)[..2], [50, 50], "the first checks travel together");
        assert_eq!(portal.sends("crm.deal.add"), applied + (50 - applied), "as many as reached the portal");
    }
}

#[tokio::test(start_paused = true)]
async fn p3_a_call_in_no_map_of_the_answer_is_an_unknown_outcome() {
    let portal = Fake::new().on("crm.deal.add", [Step::missing(), Step::passed_over(), Step::honest()]);
    let seen = Seen::default();
    let client = portal.builder().observer(seen.clone()).build().unwrap().batched();
    let results = add_all(&client, 0..3).await;
    one_record_each(&portal, &results, 0);
    let mut endings: Vec<_> = seen.all().iter().map(|(_, report)| report.ending()).collect();
    endings.sort_by_key(|ending| format!("{ending:?}"));
    assert_eq!(endings, [Ending::Done, Ending::Done, Ending::Found]);
    let again = portal.times("crm.deal.add")[3];
    assert!(again >= secs(90), "sent again after proof: {again:?}");
}

#[tokio::test(start_paused = true)]
async fn an_unverifiable_write_of_a_lost_batch_stops_and_a_read_is_retried() {
    let portal = Fake::new().on("batch", [Step::lost().applied()]);
    let client = portal.client().batched();
    let blind: Vec<_> = (0..2)
        .map(|number| {
            let client = client.clone();
            tokio::spawn(async move { add_blind_deal(&client, &NewDeal::of(&order(number))).await })
        })
        .collect();
    let lists = start_lists(&client, 0..2);
    for result in all(blind).await {
        assert_eq!(ending(&result), Ending::InDoubt);
        let error = result.unwrap_err();
        assert_eq!((error.effect(), error.report().attempts().len()), (Effect::Unknown, 1));
    }
    let found: Vec<_> = all(lists).await.into_iter().map(|list| list.unwrap().len()).collect();
    assert_eq!((found, portal.effects("crm.deal.add")), (vec![1, 1], 2));
}

#[tokio::test(start_paused = true)]
async fn an_envelope_that_was_not_sent_is_not_sent_for_each() {
    let portal = Fake::new().on("batch", [Step::not_sent(), Step::not_sent()]);
    let seen = Seen::default();
    let client = portal.builder().observer(seen.clone()).build().unwrap().batched();
    let results = add_all(&client, 0..10).await;
    one_record_each(&portal, &results, 0);
    for (told, report) in seen.all() {
        assert_eq!((told, report.checks().len()), (Told::Finished, 0), "nothing to read back: {report}");
        assert!(matches!(report.attempts()[0].outcome, Outcome::NotSent { .. }));
        assert_eq!(report.attempts()[0].sent_at, None);
    }
}

#[tokio::test(start_paused = true)]
async fn a_page_of_html_for_a_batch_is_no_answer_for_anyone() {
    let portal = Fake::new().on("batch", [Step::html().applied_first(3)]);
    let results = add_all(&portal.client().batched(), 0..6).await;
    one_record_each(&portal, &results, 0);
}

#[tokio::test(start_paused = true)]
async fn p1_batch_after_batch_goes_wrong_and_each_order_has_one_record() {
    let wrong = [
        Step::lost().applied_first(20),
        Step::lost().applied_first(0),
        Step::html().applied_first(35),
        Step::silence().applied_first(7),
        Step::not_sent(),
    ];
    let portal = Fake::new().on("batch", wrong);
    let policy = Policy::new().deadline(secs(1_200)).attempts(8);
    // Each resend of each call costs a retry of the budget.
    let client = portal.builder().policy(policy).retry_budget(1_000).build().unwrap().batched();
    let results = add_all(&client, 0..200).await;
    one_record_each(&portal, &results, 0);
}
