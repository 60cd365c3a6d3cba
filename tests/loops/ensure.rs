//! `ensure`: looked for before the first send, in all its endings.

use retry_runtime::report::{Ending, Finding};
use retry_runtime::{Effect, Policy};

use crate::support::{
    Fake, Judged, NewDeal, Says, Seen, Step, Told, about, add_keyed_deal, ending, ensure_deal, ensure_judged, secs,
};

#[tokio::test(start_paused = true)]
async fn what_is_there_is_the_result_and_nothing_is_sent() {
    let portal = Fake::new();
    let seen = Seen::default();
    let client = portal.builder().observer(seen.clone()).build().unwrap();
    let id = portal.insert_deal("A-1");
    assert_eq!(ensure_deal(&client, &NewDeal::of("A-1")).await.unwrap().0, id);
    assert_eq!(portal.sends("crm.deal.add"), 0);
    let report = seen.only(Told::Finished);
    assert_eq!((report.ending(), report.attempts().len(), report.checks().len()), (Ending::Found, 0, 1));
}

#[tokio::test(start_paused = true)]
async fn what_is_not_there_is_sent_at_once() {
    let portal = Fake::new();
    ensure_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap();
    assert_eq!((portal.sends("crm.deal.list"), portal.sends("crm.deal.add")), (1, 1));
    assert!(portal.elapsed() < secs(1), "nothing of ours can be on its way");
}

#[tokio::test(start_paused = true)]
async fn twice_is_duplicated_and_nothing_is_sent() {
    let portal = Fake::new();
    portal.insert_deal("A-1");
    portal.insert_deal("A-1");
    let result = ensure_deal(&portal.client(), &NewDeal::of("A-1")).await;
    assert_eq!(ending(&result), Ending::Duplicated);
    assert_eq!((result.unwrap_err().effect(), portal.sends("crm.deal.add")), (Effect::Present, 0));
}

#[tokio::test(start_paused = true)]
async fn an_unreliable_look_sends_nothing() {
    let portal = Fake::new();
    let deal = Judged::new("A-1", [Says::Unreliable("the filter was ignored")]);
    let result = ensure_judged(&portal.client(), &deal).await;
    assert_eq!(ending(&result), Ending::Invalid);
    let error = result.unwrap_err();
    assert_eq!((error.effect(), portal.sends("crm.deal.add")), (Effect::Absent, 0));
    assert!(error.to_string().contains("the filter was ignored"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_look_that_fails_sends_nothing() {
    let portal = Fake::new().on("crm.deal.list", vec![Step::html(); 4]);
    let result = ensure_deal(&portal.client(), &NewDeal::of("A-1")).await;
    assert_eq!(ending(&result), Ending::Exhausted);
    let error = result.unwrap_err();
    assert_eq!((error.effect(), portal.sends("crm.deal.add")), (Effect::Absent, 0));
    assert!(error.to_string().contains("to be looked for before the first send"), "{error}");
    assert!(matches!(error.report().checks()[0].finding, Finding::Failed(_)));
}

#[tokio::test(start_paused = true)]
async fn a_look_that_outlasts_the_deadline_sends_nothing() {
    let portal = Fake::new().on("crm.deal.list", [Step::honest().takes(secs(50))]);
    let client = portal.client().with_policy(Policy::new().deadline(secs(50)));
    let result = ensure_deal(&client, &NewDeal::of("A-1")).await;
    assert_eq!(ending(&result), Ending::Exhausted);
    assert_eq!((result.unwrap_err().effect(), portal.sends("crm.deal.add")), (Effect::Absent, 0));
}

#[tokio::test(start_paused = true)]
async fn after_its_first_send_it_is_a_write_like_any_other() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost()]);
    ensure_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (2, 1));
    assert!(about(portal.times("crm.deal.add")[1], 90));

    let portal = Fake::new().on("crm.deal.add", [Step::code("ERROR_CORE")]);
    let result = ensure_deal(&portal.client(), &NewDeal::of("A-1")).await;
    assert_eq!(ending(&result), Ending::Refused);
    assert_eq!(result.unwrap_err().effect(), Effect::Unknown);

    let portal = Fake::new().on("crm.deal.add", [Step::code("RATE_LIMITED")]);
    ensure_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap();
    assert_eq!((portal.sends("crm.deal.list"), portal.sends("crm.deal.add")), (1, 2));
}

#[tokio::test(start_paused = true)]
async fn its_first_look_does_not_count_as_an_attempt() {
    let portal = Fake::new().on("crm.deal.add", [Step::code("RATE_LIMITED")]);
    let client = portal.client().with_policy(Policy::new().attempts(2));
    ensure_deal(&client, &NewDeal::of("A-1")).await.unwrap();
    assert_eq!(portal.sends("crm.deal.add"), 2);
}

#[tokio::test(start_paused = true)]
async fn run_again_it_creates_nothing_new() {
    let portal =
        Fake::new().on("crm.deal.add", [Step::lost().applied(), Step::code("BITRIX_TIMEOUT").applied_late(secs(5))]);
    let client = portal.client();
    for _ in 0..3 {
        for order in ["A-1", "A-2", "A-3"] {
            ensure_deal(&client, &NewDeal::of(order)).await.unwrap();
        }
    }
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (3, 3));
}

#[tokio::test(start_paused = true)]
async fn p1_right_after_a_success_a_list_that_lags_is_no_proof() {
    let lagging = Step::page(&serde_json::json!([]), None, None);
    let portal = Fake::new().on("crm.deal.list", [Step::honest(), lagging]);
    let client = portal.client();
    let deal = NewDeal::of("A-1");
    let first = ensure_deal(&client, &deal).await.unwrap();
    assert_eq!(ensure_deal(&client, &deal).await.unwrap(), first);
    assert_eq!(portal.effects("crm.deal.add"), 1);
    assert!(portal.elapsed() < secs(16));
}

#[tokio::test(start_paused = true)]
async fn p1_after_a_success_that_nobody_waited_for_a_list_that_lags_is_no_proof() {
    let lagging = Step::page(&serde_json::json!([]), None, None);
    let portal =
        Fake::new().on("crm.deal.list", [Step::honest(), lagging]).on("crm.deal.add", [Step::honest().takes(secs(5))]);
    let client = portal.client();
    let deal = NewDeal::of("A-1");
    assert!(tokio::time::timeout(secs(3), ensure_deal(&client, &deal)).await.is_err());
    tokio::time::sleep(secs(3)).await;
    ensure_deal(&client, &deal).await.unwrap();
    assert_eq!(portal.effects("crm.deal.add"), 1);
}

#[tokio::test(start_paused = true)]
async fn p1_a_refused_write_does_not_hide_the_success_before_it() {
    let lagging = Step::page(&serde_json::json!([]), None, None);
    let portal = Fake::new()
        .on("crm.deal.list", [Step::honest(), lagging])
        .on("crm.deal.add", [Step::honest(), Step::code("ACCESS_DENIED")]);
    let client = portal.client();
    let deal = NewDeal::of("A-1");
    ensure_deal(&client, &deal).await.unwrap();
    add_keyed_deal(&client, &deal).await.unwrap_err();
    ensure_deal(&client, &deal).await.unwrap();
    assert_eq!(portal.effects("crm.deal.add"), 1);
}
