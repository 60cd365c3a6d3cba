//! P1: one call has at most one effect on the portal.

use retry_runtime::{CallError, Effect, Policy};

use crate::support::{Fake, NewDeal, Record, Step, add_blind_deal, add_deal, ensure_deal, millis, secs};

/// Every way in which an answer can leave the outcome open.
fn unclear() -> Vec<Step> {
    let codes = ["OPERATION_TIME_LIMIT", "INTERNAL_SERVER_ERROR", "ERROR_UNEXPECTED_ANSWER", "BITRIX_TIMEOUT"]
        .into_iter()
        .chain(["BITRIX_UNAVAILABLE", "POOL_EXHAUSTED", "DB_TRANSIENT", "SERVICE_UNAVAILABLE", "BH_APP_STARTING"])
        .chain(["BH_APP_TIMEOUT", "NEVER_HEARD_OF"]);
    let others = [Step::lost(), Step::html(), Step::silence(), Step::panics()];
    codes.map(Step::code).chain(others).collect()
}

#[tokio::test(start_paused = true)]
async fn p1_a_write_whose_answer_is_lost_is_found_and_not_sent_again() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost().applied()]);
    let id = add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap();
    assert_eq!(id.0, 1);
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (1, 1));
    assert!(portal.elapsed() < secs(1), "presence is believed at once");
}

#[tokio::test(start_paused = true)]
async fn p1_no_unclear_answer_leads_to_a_second_effect() {
    for step in unclear() {
        let portal = Fake::new().on("crm.deal.add", [step.clone().applied()]);
        add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap();
        assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (1, 1), "{step:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn p1_without_a_verifier_no_unclear_answer_leads_to_a_second_send() {
    for step in unclear() {
        let portal = Fake::new().on("crm.deal.add", [step.clone().applied()]);
        add_blind_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap_err();
        assert_eq!(portal.sends("crm.deal.add"), 1, "{step:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn p1_an_effect_that_comes_at_any_second_of_the_settle_time_is_the_only_one() {
    // The send takes 0.1 s, so that the last effect comes 89.9 s after it.
    for late in (0..90).map(|second| millis(second * 1_000 + 800)) {
        let portal = Fake::new().on("crm.deal.add", [Step::lost().applied_late(late)]);
        add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap();
        assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (1, 1), "{late:?} late");
    }
}

#[tokio::test(start_paused = true)]
async fn p1_each_send_after_a_proof_of_absence_is_watched_as_the_first_one_was() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost(), Step::lost(), Step::lost().applied_late(secs(60))]);
    let client = portal.builder().policy(Policy::new().deadline(secs(900))).build().unwrap();
    let id = add_deal(&client, &NewDeal::of("A-1")).await.unwrap();
    assert_eq!((id.0, portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (1, 3, 1));
}

#[tokio::test(start_paused = true)]
async fn p1_a_refusal_by_rate_does_not_hide_what_came_before_it() {
    // The rate refuses the second send; the first one was proved absent before, so the third send is the first effect.
    let portal = Fake::new().on("crm.deal.add", [Step::lost(), Step::code("QUERY_LIMIT_EXCEEDED"), Step::honest()]);
    add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (3, 1));
    assert!(portal.times("crm.deal.add")[1] >= secs(90));
}

#[tokio::test(start_paused = true)]
async fn p1_a_success_that_does_not_read_as_the_result_is_not_sent_again() {
    let portal = Fake::new().on("crm.deal.add", [Step::result(&serde_json::json!({"strange": true}))]);
    let error = add_blind_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap_err();
    assert!(matches!(error, CallError::Undecodable(_)), "{error}");
    assert_eq!((error.effect(), portal.sends("crm.deal.add")), (Effect::Present, 1));
}

#[tokio::test(start_paused = true)]
async fn p1_a_business_error_is_not_sent_again_even_if_it_was_applied() {
    let portal = Fake::new().on("crm.deal.add", [Step::code("ERROR_CORE").applied()]);
    add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn p1_concurrent_calls_make_one_effect_each() {
    let mut steps = unclear();
    for step in &mut steps {
        *step = step.clone().applied();
    }
    steps.extend(vec![Step::code("QUERY_LIMIT_EXCEEDED"); 10]);
    let portal = Fake::new().on("crm.deal.add", steps);
    let client = portal.client();
    let calls = (0..100).map(|number| {
        let client = client.clone();
        tokio::spawn(async move { add_deal(&client, &NewDeal::of(&format!("A-{number}"))).await })
    });
    for call in calls.collect::<Vec<_>>() {
        call.await.unwrap().unwrap();
    }
    let records = portal.records();
    let mut origins: Vec<&str> = records.iter().map(Record::origin).collect();
    origins.sort_unstable();
    origins.dedup();
    assert_eq!((records.len(), origins.len()), (100, 100));
}

#[tokio::test(start_paused = true)]
async fn p1_ten_calls_that_ensure_one_order_make_one_deal() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost().applied_late(secs(40))]);
    let client = portal.client();
    let calls = (0..10).map(|_| {
        let client = client.clone();
        tokio::spawn(async move { ensure_deal(&client, &NewDeal::of("A-1")).await })
    });
    for call in calls.collect::<Vec<_>>() {
        assert_eq!(call.await.unwrap().unwrap().0, 1);
    }
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (1, 1));
}
