//! The pauses that the portal asks for are kept by all calls that they are about.

use std::time::Duration;

use retry_runtime::report::Ending;
use retry_runtime::{Client, Effect, Policy, RateLimit};

use crate::support::{
    Fake, NewDeal, OriginKey, Step, about, add_blind_deal, add_deal, ending, list_deals, millis, secs,
};

fn patient(portal: &Fake) -> Client {
    portal.builder().rate_limit(RateLimit::none()).policy(Policy::new().deadline(secs(3_600))).build().unwrap()
}

async fn list(client: &Client) {
    list_deals(client, &OriginKey::of("none")).await.unwrap();
}

/// Lets one read meet this and end; gives back when the first calls after it went out, of this method and of another.
async fn after(steps: impl IntoIterator<Item = Step>) -> (Duration, Duration) {
    after_by(RateLimit::none(), steps).await
}

async fn after_by(limit: RateLimit, steps: impl IntoIterator<Item = Step>) -> (Duration, Duration) {
    let portal = Fake::new().on("crm.deal.list", steps);
    let client = portal.builder().rate_limit(limit).policy(Policy::new().deadline(secs(3_600))).build().unwrap();
    let once = client.with_policy(Policy::new().attempts(1));
    list_deals(&once, &OriginKey::of("none")).await.unwrap_err();
    let sent = portal.sends("crm.deal.list");
    let deal = NewDeal::of("A-1");
    let (same, other) = (list(&client), add_blind_deal(&client, &deal));
    let ((), other) = tokio::join!(same, other);
    other.unwrap();
    (portal.times("crm.deal.list")[sent], portal.times("crm.deal.add")[0])
}

#[tokio::test(start_paused = true)]
async fn a_pause_of_the_portal_holds_all_its_calls() {
    for code in ["RATE_LIMITED", "QUERY_LIMIT_EXCEEDED", "QUEUE_OVERFLOW", "QUEUE_TIMEOUT"] {
        let (same, other) = after([Step::code(code).asks_to_wait(secs(30))]).await;
        assert!(about(same, 30) && about(other, 30), "{code}: {same:?} {other:?}");
        let (same, other) = after([Step::code(code)]).await;
        assert!(same < secs(1) && other < secs(1), "{code}: {same:?} {other:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_pause_of_a_method_holds_that_method_alone() {
    for code in ["TIMEOUT_QUARANTINE", "LARGE_BODY_BACKEND_BUSY", "OPERATION_TIME_LIMIT"] {
        let (same, other) = after([Step::code(code).asks_to_wait(secs(30))]).await;
        assert!(about(same, 30) && other < secs(1), "{code}: {same:?} {other:?}");
    }
    let (same, other) = after_by(RateLimit::cloud(), [Step::code("OPERATION_TIME_LIMIT")]).await;
    assert!(about(same, 60) && other < secs(1), "a minute if nothing says more: {same:?} {other:?}");
    let (same, other) = after([Step::code("OPERATION_TIME_LIMIT")]).await;
    assert!(same < secs(1) && other < secs(1), "where no limit is known: {same:?} {other:?}");
}

#[tokio::test(start_paused = true)]
async fn other_codes_and_pages_hold_nobody_whatever_they_ask_for() {
    for step in [Step::code("BITRIX_TIMEOUT"), Step::code("SERVICE_UNAVAILABLE"), Step::html(), Step::lost()] {
        let (same, other) = after([step.clone().asks_to_wait(secs(30))]).await;
        assert!(same < secs(1) && other < secs(1), "{step:?}: {same:?} {other:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_longest_pause_wins() {
    let portal = Fake::new().on(
        "crm.deal.list",
        [40, 5].map(|pause| Step::code("RATE_LIMITED").asks_to_wait(secs(pause)).takes(millis(100 + pause))),
    );
    let once = patient(&portal).with_policy(Policy::new().attempts(1));
    let key = OriginKey::of("none");
    let (first, second) = tokio::join!(list_deals(&once, &key), list_deals(&once, &key));
    assert!(first.is_err() && second.is_err());
    list(&once.with_policy(Policy::new())).await;
    assert!(about(portal.times("crm.deal.list")[2], 40));
}

#[tokio::test(start_paused = true)]
async fn case_b74_a_pause_of_a_day_blocks_nobody_for_a_day() {
    let day = || Step::code("RATE_LIMITED").asks_to_wait(secs(86_400));
    let portal = Fake::new().on("crm.deal.list", [day(), day()]);
    let client = patient(&portal);
    for _ in 0..2 {
        let error = list_deals(&client, &OriginKey::of("none")).await.unwrap_err();
        assert!(error.retry_after().unwrap() > secs(86_000), "{error}");
    }
    let times = portal.times("crm.deal.list");
    assert!(
        about(times[1], 600),
        "{times:?}: the pause is kept for ten minutes, and what is refused then brings it back"
    );
}

#[tokio::test(start_paused = true)]
async fn a_pause_beyond_the_deadline_ends_a_call_at_once_and_unsent() {
    let portal = Fake::new().on("crm.deal.list", [Step::code("RATE_LIMITED").asks_to_wait(secs(400))]);
    let client = portal.builder().rate_limit(RateLimit::none()).build().unwrap();
    list_deals(&client, &OriginKey::of("none")).await.unwrap_err();
    let before = portal.elapsed();
    let result = add_deal(&client, &NewDeal::of("A-1")).await;
    assert_eq!((ending(&result), portal.elapsed()), (Ending::Exhausted, before));
    let error = result.unwrap_err();
    assert_eq!((error.effect(), portal.sends("crm.deal.add")), (Effect::Absent, 0));
    let text = error.to_string();
    assert!(text.contains("the portal asks to wait 6m 40s more") && text.contains("never left"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn p3_a_pause_makes_no_write_safe() {
    let portal = Fake::new().on("crm.deal.add", [Step::code("OPERATION_TIME_LIMIT").asks_to_wait(secs(30)).applied()]);
    add_deal(&patient(&portal), &NewDeal::of("A-1")).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (1, 1));
    let portal = Fake::new().on("crm.deal.add", [Step::code("OPERATION_TIME_LIMIT").asks_to_wait(secs(30))]);
    let result = add_blind_deal(&patient(&portal), &NewDeal::of("A-1")).await;
    assert_eq!((ending(&result), portal.sends("crm.deal.add")), (Ending::InDoubt, 1));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_waits_in_the_line_heeds_a_pause_of_its_method_and_lets_others_go() {
    let portal =
        Fake::new().on("crm.deal.list", [Step::code("TIMEOUT_QUARANTINE").asks_to_wait(secs(30)).takes(millis(500))]);
    let client = portal.builder().rate_limit(RateLimit::new(1, millis(990))).build().unwrap();
    let reads: Vec<_> = (0..3)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move { list(&client).await })
        })
        .collect();
    tokio::task::yield_now().await;
    add_blind_deal(&client, &NewDeal::of("A-1")).await.unwrap();
    assert!(
        portal.elapsed() < secs(2),
        "{:?}: it took the place of a read that waits for its method",
        portal.elapsed()
    );
    for read in reads {
        read.await.unwrap();
    }
    assert!(portal.times("crm.deal.list").iter().skip(1).all(|at| *at >= secs(30)));
}

#[tokio::test(start_paused = true)]
async fn a_wall_clock_that_is_set_back_holds_nobody_up() {
    let portal = Fake::new().on("crm.deal.list", [Step::code("RATE_LIMITED").asks_to_wait(secs(30))]);
    let client = patient(&portal);
    let once = client.with_policy(Policy::new().attempts(1));
    list_deals(&once, &OriginKey::of("none")).await.unwrap_err();
    let waits = {
        let client = client.clone();
        tokio::spawn(async move { list(&client).await })
    };
    tokio::time::sleep(secs(10)).await;
    portal.clock().set_back(secs(3_600));
    waits.await.unwrap();
    let at = portal.times("crm.deal.list")[1];
    assert!(at >= secs(30) && at < secs(62), "{at:?}");
}
