//! P3 and P5 on clocks that people set and that suspend stops.

use std::time::{Duration, SystemTime};

use retry_runtime::{CallError, Effect, Policy};

use crate::support::{Fake, NewDeal, OriginKey, Step, about, add_deal, add_keyed_deal, list_deals, secs};

/// Does something to the clock after so long.
fn later(portal: &Fake, after: Duration, what: impl FnOnce(&Fake) + Send + 'static) {
    let portal = portal.clone();
    tokio::spawn(async move {
        tokio::time::sleep(after).await;
        what(&portal);
    });
}

#[tokio::test(start_paused = true)]
async fn p3_a_wall_clock_set_forward_or_a_suspend_does_not_shorten_the_settle_time() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost().applied_late(secs(85))]);
    later(&portal, secs(10), |portal| portal.clock().set_forward(secs(3_600)));
    add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn p3_a_wall_clock_set_back_lengthens_the_settle_time() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost()]);
    later(&portal, secs(10), |portal| portal.clock().set_back(secs(60)));
    add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap();
    let times = portal.times("crm.deal.add");
    assert!(about(times[1], 150), "neither clock may say that too little has passed: {times:?}");
}

#[tokio::test(start_paused = true)]
async fn p3_a_wall_clock_set_back_just_before_the_proof_takes_it_away() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost()]);
    later(&portal, Duration::from_millis(89_900), |portal| portal.clock().set_back(secs(30)));
    add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap();
    let times = portal.times("crm.deal.add");
    assert!(about(times[1], 120), "{times:?}");
}

#[tokio::test(start_paused = true)]
async fn p3_the_same_key_waits_on_both_clocks() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost()]);
    let client = portal.client();
    let deal = NewDeal::of("A-1");
    let hasty = client.with_policy(Policy::new().deadline(secs(5)));
    add_keyed_deal(&hasty, &deal).await.unwrap_err();
    portal.clock().set_forward(secs(3_600));
    add_keyed_deal(&client, &deal).await.unwrap();
    assert!(about(portal.times("crm.deal.add")[1], 90), "{:?}", portal.times("crm.deal.add"));
}

#[tokio::test(start_paused = true)]
async fn p3_a_pause_that_a_clock_made_longer_takes_the_room_of_the_next_send_away() {
    // The pause of 60 s becomes 160 s. What is left of 220 s does not cover the settle time of another send and a read-back.
    let portal = Fake::new().on("crm.deal.add", [Step::code("RATE_LIMITED").asks_to_wait(secs(60))]);
    later(&portal, secs(10), |portal| portal.clock().set_back(secs(100)));
    let client = portal.client().with_policy(Policy::new().deadline(secs(220)));
    let error = add_deal(&client, &NewDeal::of("A-1")).await.unwrap_err();
    assert!(matches!(error, CallError::Exhausted(_)), "{error}");
    assert_eq!((error.effect(), portal.sends("crm.deal.add")), (Effect::Absent, 1));
}

#[tokio::test(start_paused = true)]
async fn p5_a_wall_clock_set_back_in_a_settle_wait_does_not_outlast_the_deadline() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost()]);
    later(&portal, secs(10), |portal| portal.clock().set_back(secs(86_400)));
    let error = add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap_err();
    assert!(matches!(error, CallError::InDoubt(_)), "{error}");
    assert_eq!((error.effect(), portal.sends("crm.deal.add")), (Effect::Unknown, 1));
    assert!(portal.elapsed() <= secs(301), "{:?}", portal.elapsed());
}

#[tokio::test(start_paused = true)]
async fn p5_a_wall_clock_set_back_late_in_a_settle_wait_does_not_outlast_the_deadline() {
    // The last check but one waits for the settle time itself, which then is past on one clock and beyond the deadline on the other.
    for (after, by) in [(80, 240), (89, 300), (100, 1_000)] {
        let portal = Fake::new().on("crm.deal.add", [Step::lost()]);
        later(&portal, secs(after), move |portal| portal.clock().set_back(secs(by)));
        let client = portal.client().with_policy(Policy::new().attempts(1));
        let result = add_deal(&client, &NewDeal::of("A-1")).await;
        assert!(portal.elapsed() <= secs(301), "{:?}", portal.elapsed());
        assert!(result.is_err());
    }
}

#[tokio::test(start_paused = true)]
async fn p5_a_wall_clock_set_back_in_a_pause_does_not_outlast_the_deadline() {
    let pause = || Step::code("RATE_LIMITED").asks_to_wait(secs(60));
    let portal = Fake::new().on("crm.deal.add", [pause()]).on("crm.deal.list", [pause()]);
    later(&portal, secs(10), |portal| portal.clock().set_back(secs(86_400)));
    let client = portal.client();
    let (deal, key) = (NewDeal::of("A-1"), OriginKey::of("A-1"));
    let (write, read) = tokio::join!(add_deal(&client, &deal), list_deals(&client, &key));
    assert!(portal.elapsed() <= secs(301), "{:?}", portal.elapsed());
    assert!(!matches!(write, Err(CallError::InDoubt(_))));
    assert!(matches!(read, Ok(_) | Err(CallError::Exhausted(_))));
}

#[tokio::test(start_paused = true)]
async fn p5_a_wall_clock_set_back_in_a_wait_for_an_earlier_send_does_not_outlast_the_deadline() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost()]);
    let client = portal.client();
    let deal = NewDeal::of("A-1");
    let hasty = client.with_policy(Policy::new().deadline(secs(5)));
    add_keyed_deal(&hasty, &deal).await.unwrap_err();
    let before = portal.elapsed();
    later(&portal, secs(10), |portal| portal.clock().set_back(secs(86_400)));
    let error = add_keyed_deal(&client, &deal).await.unwrap_err();
    assert!(matches!(error, CallError::Exhausted(_)), "{error}");
    assert!(portal.elapsed().saturating_sub(before) <= secs(301), "{:?}", portal.elapsed());
    assert_eq!((error.effect(), portal.sends("crm.deal.add")), (Effect::Absent, 1));
}

#[tokio::test(start_paused = true)]
async fn p2_an_error_can_be_shown_whatever_the_wall_clock_says() {
    let year = secs(365 * 86_400);
    let before_1970 = SystemTime::UNIX_EPOCH - year * 10;
    let after_9999 = SystemTime::UNIX_EPOCH + year * 9_000;
    for wall in [SystemTime::UNIX_EPOCH, before_1970, after_9999] {
        let portal = Fake::starting_at(wall).on("crm.deal.add", [Step::lost()]);
        let client = portal.client().with_policy(Policy::new().deadline(secs(5)));
        let error = add_deal(&client, &NewDeal::of("A-1")).await.unwrap_err();
        assert!(error.to_string().contains("may still be applied until"), "{error}");
    }
}
