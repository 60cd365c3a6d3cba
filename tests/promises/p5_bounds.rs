//! P5: every loop is bounded by a number of attempts and by a deadline.

use std::time::Duration;

use retry_runtime::{CallError, Effect, Policy};
use tokio::time::timeout;

use crate::support::{
    Fake, Judged, NewDeal, OriginKey, Says, Seen, Step, Told, add_blind_deal, add_deal, add_judged, ensure_judged,
    list_deals, millis, secs,
};

#[tokio::test(start_paused = true)]
async fn p5_attempts_bound_a_write_that_is_refused_by_rate_for_ever() {
    let portal = Fake::new().on("crm.deal.add", vec![Step::code("QUERY_LIMIT_EXCEEDED"); 10]);
    let error = add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap_err();
    assert!(matches!(error, CallError::Exhausted(_)), "{error}");
    assert_eq!(error.effect(), Effect::Absent);
    assert_eq!(portal.sends("crm.deal.add"), 4);
}

#[tokio::test(start_paused = true)]
async fn p5_attempts_are_the_number_of_sends_and_zero_counts_as_one() {
    for (attempts, sends) in [(0, 1), (1, 1), (2, 2), (7, 7)] {
        let step = || vec![Step::code("QUERY_LIMIT_EXCEEDED"); 20];
        let portal = Fake::new().on("crm.deal.add", step()).on("crm.deal.list", step());
        let client = portal.client().with_policy(Policy::new().attempts(attempts));
        add_deal(&client, &NewDeal::of("A-1")).await.unwrap_err();
        list_deals(&client, &OriginKey::of("A-1")).await.unwrap_err();
        assert_eq!((portal.sends("crm.deal.add"), portal.sends("crm.deal.list")), (sends, sends));
    }
}

#[tokio::test(start_paused = true)]
async fn p5_attempts_bound_what_is_sent_again_after_proofs() {
    let portal = Fake::new().on("crm.deal.add", vec![Step::lost(); 10]);
    let policy = Policy::new().attempts(3).deadline(secs(10_000));
    let error = add_deal(&portal.client().with_policy(policy), &NewDeal::of("A-1")).await.unwrap_err();
    assert!(matches!(error, CallError::Exhausted(_)), "{error}");
    assert_eq!((error.effect(), portal.sends("crm.deal.add")), (Effect::Absent, 3));
    assert!(error.to_string().contains("all its 3 attempts are used up"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn p5_a_connection_that_never_stands_is_tried_so_often_and_no_more() {
    let portal =
        Fake::new().on("crm.deal.add", vec![Step::not_sent(); 10]).on("crm.deal.list", vec![Step::not_sent(); 10]);
    let client = portal.client();
    let error = add_blind_deal(&client, &NewDeal::of("A-1")).await.unwrap_err();
    assert_eq!((error.effect(), error.report().attempts().len()), (Effect::Absent, 4), "{error}");
    let error = list_deals(&client, &OriginKey::of("A-1")).await.unwrap_err();
    assert_eq!(error.report().attempts().len(), 4);
}

#[tokio::test(start_paused = true)]
async fn p5_the_deadline_ends_a_doubt() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost()]);
    let client = portal.client().with_policy(Policy::new().deadline(secs(60)));
    let error = add_deal(&client, &NewDeal::of("A-1")).await.unwrap_err();
    assert!(matches!(error, CallError::InDoubt(_)), "{error}");
    assert!(portal.elapsed() <= secs(60));
}

#[tokio::test(start_paused = true)]
async fn p5_the_deadline_ends_a_read_that_hangs() {
    let portal = Fake::new().on("crm.deal.list", vec![Step::silence(); 10]);
    let client = portal.client().with_policy(Policy::new().attempts(100).deadline(secs(100)));
    let error = list_deals(&client, &OriginKey::of("A-1")).await.unwrap_err();
    assert!(matches!(error, CallError::Exhausted(_)), "{error}");
    assert_eq!((error.effect(), portal.elapsed()), (Effect::Absent, secs(100)));
}

#[tokio::test(start_paused = true)]
async fn p5_the_deadline_does_not_cut_a_write_that_is_on_its_way() {
    let portal = Fake::new().on("crm.deal.add", [Step::honest().takes(secs(30))]);
    let client = portal.client().with_policy(Policy::new().deadline(secs(10)));
    add_deal(&client, &NewDeal::of("A-1")).await.unwrap();
    assert_eq!(portal.elapsed(), secs(30));
}

#[tokio::test(start_paused = true)]
async fn p5_nothing_begins_after_the_deadline() {
    // The answer is lost after the deadline: no read-back that could not be heard is sent any more.
    let portal = Fake::new().on("crm.deal.add", [Step::lost().takes(secs(30))]);
    let client = portal.client().with_policy(Policy::new().deadline(secs(10)));
    let error = add_deal(&client, &NewDeal::of("A-1")).await.unwrap_err();
    assert!(matches!(error, CallError::InDoubt(_)), "{error}");
    assert_eq!((portal.sends("crm.deal.add"), portal.sends("crm.deal.list")), (1, 0));
}

#[tokio::test(start_paused = true)]
async fn p5_a_deadline_of_zero_sends_nothing() {
    let portal = Fake::new();
    let client = portal.client().with_policy(Policy::new().deadline(Duration::ZERO));
    let error = add_deal(&client, &NewDeal::of("A-1")).await.unwrap_err();
    assert!(matches!(error, CallError::Exhausted(_)), "{error}");
    let error = list_deals(&client, &OriginKey::of("A-1")).await.unwrap_err();
    assert!(matches!(error, CallError::Exhausted(_)), "{error}");
    assert_eq!(portal.received().len(), 0);
}

#[tokio::test(start_paused = true)]
async fn p5_an_endless_policy_works_and_ends_by_its_attempts() {
    let endless = Policy::new().attempts(3).deadline(Duration::MAX).backoff(secs(1), Duration::MAX);
    let portal = Fake::new().on("crm.deal.add", [Step::lost(), Step::lost(), Step::lost()]);
    let client = portal.client().with_policy(endless);
    let error = add_deal(&client, &NewDeal::of("A-1")).await.unwrap_err();
    assert!(matches!(error, CallError::Exhausted(_)), "{error}");
    assert_eq!(portal.sends("crm.deal.add"), 3);
    add_deal(&client, &NewDeal::of("A-1")).await.unwrap();
    let sleepy = portal.client().with_policy(endless.backoff(Duration::MAX, Duration::MAX).deadline(secs(300)));
    portal.then("crm.deal.list", [Step::html()]);
    list_deals(&sleepy, &OriginKey::of("A-1")).await.unwrap_err();
}

#[tokio::test(start_paused = true)]
async fn p5_read_backs_are_bounded_in_attempts_and_in_number() {
    let portal = Fake::new().on("crm.deal.add", vec![Step::lost(); 10]).on("crm.deal.list", vec![Step::html(); 1_000]);
    let error = add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap_err();
    assert!(matches!(error, CallError::InDoubt(_)), "{error}");
    let checks = error.report().checks();
    assert!((2..12).contains(&checks.len()), "{} checks", checks.len());
    assert!(checks.iter().all(|check| check.reads.len() <= 4));
    assert!(portal.elapsed() <= secs(300));
}

#[tokio::test(start_paused = true)]
async fn p5_a_verifier_that_hangs_ends_at_the_deadline() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost()]);
    let client = portal.client();
    let deal = Judged::new("A-1", [Says::Hangs]);
    let error = timeout(secs(1_000), add_judged(&client, &deal)).await.expect("the deadline of the call").unwrap_err();
    assert!(matches!(error, CallError::InDoubt(_)), "{error}");
    assert_eq!((error.effect(), portal.elapsed()), (Effect::Unknown, secs(300)));
    let deal = Judged::new("A-2", [Says::Hangs]);
    let error = timeout(secs(1_000), ensure_judged(&client, &deal)).await.expect("the same before it is sent");
    assert_eq!(error.unwrap_err().effect(), Effect::Absent);
    assert_eq!(portal.sends("crm.deal.add"), 1);
}

#[tokio::test(start_paused = true)]
async fn p5_an_empty_retry_budget_ends_writes_and_reads() {
    let step = || vec![Step::code("QUERY_LIMIT_EXCEEDED"); 10];
    let portal = Fake::new().on("crm.deal.add", step()).on("crm.deal.list", step());
    let client = portal.builder().retry_budget(0).build().unwrap();
    let error = add_deal(&client, &NewDeal::of("A-1")).await.unwrap_err();
    assert!(matches!(error, CallError::Exhausted(_)), "{error}");
    assert!(error.to_string().contains("retry budget of the client is empty"), "{error}");
    assert_eq!((error.effect(), portal.sends("crm.deal.add")), (Effect::Absent, 1));
    list_deals(&client, &OriginKey::of("A-1")).await.unwrap_err();
    assert_eq!(portal.sends("crm.deal.list"), 1);
}

#[tokio::test(start_paused = true)]
async fn p5_read_backs_do_not_need_the_retry_budget() {
    let portal = Fake::new()
        .on("crm.deal.add", [Step::lost().applied()])
        .on("crm.deal.list", vec![Step::code("QUERY_LIMIT_EXCEEDED"); 3]);
    let seen = Seen::default();
    let client = portal.builder().retry_budget(0).observer(seen.clone()).build().unwrap();
    add_deal(&client, &NewDeal::of("A-1")).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.sends("crm.deal.list")), (1, 4));
    assert_eq!(seen.only(Told::Finished).checks().len(), 1, "the first check went on until it could tell");
}

#[tokio::test(start_paused = true)]
async fn p5_a_portal_that_is_down_gets_no_more_than_the_budget_in_retries() {
    let portal = Fake::new().on("crm.deal.list", vec![Step::not_sent(); 10_000]);
    let client = portal.builder().retry_budget(5).build().unwrap();
    let mut tried = 0;
    for _ in 0..100 {
        let error = list_deals(&client, &OriginKey::of("A-1")).await.unwrap_err();
        tried += error.report().attempts().len() - 1;
    }
    let allowed = 5 + usize::try_from(portal.elapsed().as_secs()).unwrap();
    assert!(tried <= allowed, "{tried} retries in {:?}", portal.elapsed());
}

#[tokio::test(start_paused = true)]
async fn p5_the_retry_budget_comes_back_with_time_however_often_it_is_asked() {
    let portal = Fake::new().on("crm.deal.list", vec![Step::code("QUERY_LIMIT_EXCEEDED").takes(millis(0)); 100_000]);
    let client = portal.builder().retry_budget(1).policy(Policy::new().attempts(2)).build().unwrap();
    list_deals(&client, &OriginKey::of("A-1")).await.unwrap_err();
    let before = portal.sends("crm.deal.list");
    // 4,000 calls in 4 s, half a millisecond apart and in pairs.
    for _ in 0..8_000 {
        tokio::time::advance(Duration::from_micros(500)).await;
        list_deals(&client, &OriginKey::of("A-1")).await.unwrap_err();
    }
    let retries = portal.sends("crm.deal.list") - before - 8_000;
    assert!((3..=6).contains(&retries), "{retries} retries in 4 s, where one token a second comes back");
}
