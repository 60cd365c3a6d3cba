//! Never over the limit of the portal, and never far below.

use std::time::Duration;

use retry_runtime::{Batching, Client, Policy, RateLimit};
use tokio::task::JoinSet;

use crate::strict::{Counts, Strict};
use crate::support::{Fake, NewDeal, OriginKey, add_blind_deal, list_deals, millis, secs};

/// Makes so many calls at once and waits for all. Gives back when the last one left.
async fn calls(portal: &Strict, limit: RateLimit, count: usize) -> Duration {
    burst(&portal.builder(limit).build().unwrap(), count).await;
    portal.left().last().unwrap().at
}

async fn burst(client: &Client, count: usize) {
    let mut tasks = JoinSet::new();
    for number in 0..count {
        let client = client.clone();
        tasks.spawn(async move { list_deals(&client, &OriginKey::of(&number.to_string())).await.map(|_| ()) });
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap().unwrap();
    }
}

#[track_caller]
fn in_order(portal: &Strict) {
    let order: Vec<usize> = portal.left().iter().map(|left| left.key.parse().unwrap()).collect();
    assert!(order.iter().copied().eq(0..order.len()), "in the order in which they came");
}

#[tokio::test(start_paused = true)]
async fn ten_thousand_calls_in_flight_are_never_refused_and_use_nearly_all_of_the_rate() {
    let portal = Strict::new(Counts::bucket(50, millis(500)), millis(2_000));
    let last = calls(&portal, RateLimit::cloud(), 10_000).await;
    assert_eq!(portal.refused(), 0);
    in_order(&portal);
    let allowed = 50.0 + last.as_secs_f64() * 2.0;
    assert!(10_000.0 >= 0.95 * allowed, "{allowed} were allowed");
}

#[tokio::test(start_paused = true)]
async fn ten_thousand_calls_in_batches_are_never_refused_and_use_nearly_all_of_the_rate() {
    let portal = Strict::new(Counts::bucket(50, millis(500)), millis(1_800));
    let client = portal.builder(RateLimit::cloud()).build().unwrap();
    burst(&client.batched(), 10_000).await;
    assert_eq!((portal.refused(), portal.requests()), (0, 200));
    in_order(&portal);
    let last = portal.left().last().unwrap().at;
    let allowed = 50.0 + last.as_secs_f64() * 2.0;
    assert!(200.0 >= 0.95 * allowed, "{allowed} were allowed");
}

#[tokio::test(start_paused = true)]
async fn a_burst_that_arrives_late_leaves_room_for_one_that_does_not() {
    for (counts, limit, between) in [
        (Counts::bucket(50, millis(500)), RateLimit::cloud(), secs(26)),
        (Counts::window(300, secs(60)), RateLimit::gateway(), secs(60)),
    ] {
        let portal = Strict::new(counts, secs(0));
        let client = portal.builder(limit).build().unwrap();
        let size = if between == secs(60) { 300 } else { 50 };
        portal.all_late_by(millis(1_950));
        burst(&client, size).await;
        tokio::time::sleep(between.saturating_sub(portal.elapsed())).await;
        portal.all_late_by(secs(0));
        burst(&client, size).await;
        assert_eq!((portal.refused(), portal.left().len()), (0, 2 * size), "{limit:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_enterprise_portal_takes_more() {
    let portal = Strict::new(Counts::bucket(250, millis(200)), millis(2_000));
    let last = calls(&portal, RateLimit::enterprise(), 5_000).await;
    assert_eq!(portal.refused(), 0);
    in_order(&portal);
    assert!(5_000.0 >= 0.95 * (250.0 + last.as_secs_f64() * 5.0), "{last:?}");
}

#[tokio::test(start_paused = true)]
async fn the_window_of_the_gateway_is_never_overrun() {
    let portal = Strict::new(Counts::window(300, secs(60)), millis(1_800));
    let last = calls(&portal, RateLimit::gateway(), 6_000).await;
    assert_eq!(portal.refused(), 0);
    in_order(&portal);
    assert!(6_000.0 >= 0.95 * 300.0 * (1.0 + (last.as_secs_f64() / 60.0).floor()), "{last:?}");
}

#[tokio::test(start_paused = true)]
async fn what_others_send_under_the_same_key_is_learnt_from_the_headers() {
    let portal = Strict::new(Counts::window(300, secs(60)), millis(0));
    (0..250).for_each(|_| portal.by_others());
    let client = portal.builder(RateLimit::gateway()).build().unwrap();
    list_deals(&client, &OriginKey::of("0")).await.unwrap();
    burst(&client, 99).await;
    assert_eq!(portal.refused(), 0);
    let soon = portal.left().iter().filter(|left| left.at < secs(50)).count();
    assert_eq!((soon, portal.left().len()), (50, 100));
}

#[tokio::test(start_paused = true)]
async fn a_portal_of_another_rate_is_named_by_its_numbers() {
    let portal = Strict::new(Counts::bucket(20, millis(5)), millis(4));
    let last = calls(&portal, RateLimit::new(20, millis(5)), 2_000).await;
    assert_eq!(portal.refused(), 0);
    in_order(&portal);
    assert!(2_000.0 >= 0.95 * (20.0 + last.as_secs_f64() * 200.0), "{last:?}");
    let portal = Strict::new(Counts::bucket(1_000, secs(1)), millis(0));
    assert_eq!(calls(&portal, RateLimit::none(), 1_000).await, Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn case_b31_a_hundred_and_thirty_reads_and_five_creates_at_once_are_all_done() {
    let portal = Strict::new(Counts::bucket(50, millis(500)), millis(300));
    let client = portal.builder(RateLimit::cloud()).build().unwrap();
    let mut tasks = JoinSet::new();
    for number in 0..135 {
        let client = client.clone();
        tasks.spawn(async move {
            let order = number.to_string();
            if number % 27 == 0 {
                add_blind_deal(&client, &NewDeal::of(&order)).await.map(|_| ())
            } else {
                list_deals(&client, &OriginKey::of(&order)).await.map(|_| ())
            }
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap().unwrap();
    }
    assert_eq!((portal.refused(), portal.left().len()), (0, 135));
    let took = portal.elapsed();
    assert!(took > millis(42_500) && took < secs(47), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn case_b31_without_a_limit_of_ours_the_first_refusal_is_heeded() {
    // Half of the bucket is taken by another program of this machine, which no setting of ours knows of.
    let portal = Strict::new(Counts::bucket(50, millis(500)), millis(0));
    (0..25).for_each(|_| portal.by_others());
    let last = calls(&portal, RateLimit::cloud(), 130).await;
    assert_eq!(portal.refused(), 20, "what had left before the first answer came");
    assert!(last > secs(55) && last < secs(70), "{last:?}");
}

#[tokio::test(start_paused = true)]
async fn case_b78_what_another_process_uses_is_made_up_for_by_a_lower_pace() {
    // Half of the bucket is taken.
    let portal = Strict::new(Counts::bucket(50, millis(500)), millis(0));
    (0..25).for_each(|_| portal.by_others());
    let client = portal.builder(RateLimit::cloud()).build().unwrap();
    let mut tasks = JoinSet::new();
    for number in 0..100 {
        let client = client.clone();
        tasks.spawn(async move { add_blind_deal(&client, &NewDeal::of(&number.to_string())).await });
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap().unwrap();
    }
    // Each was carried out once: whatever was sent more often had been refused.
    let left = portal.left();
    assert_eq!(left.len() - portal.refused(), 100);
    assert!(portal.refused() > 0 && portal.refused() <= 25, "{}", portal.refused());
    // Afterwards four leave in the time in which the portal forgets three.
    let later: Vec<_> = left.iter().map(|left| left.at).filter(|at| *at > secs(20)).collect();
    let fastest = later.windows(4).map(|four| four[3].checked_sub(four[0]).unwrap()).min().unwrap();
    assert!(fastest >= millis(1_400), "four requests within {fastest:?}");
}

#[tokio::test(start_paused = true)]
async fn a_wall_clock_that_is_turned_lets_nothing_through_too_early_and_holds_nothing_up() {
    for forward in [true, false] {
        let portal = Fake::new();
        let client = portal.builder().rate_limit(RateLimit::new(2, millis(990))).build().unwrap();
        let client = client.with_policy(Policy::new().deadline(secs(3_600)));
        let batched = client.batched_with(Batching::new().most(2));
        let calls: Vec<_> = (0..40)
            .map(|number| {
                let client = if number % 4 == 0 { client.clone() } else { batched.clone() };
                tokio::spawn(async move { list_deals(&client, &OriginKey::of(&number.to_string())).await.map(|_| ()) })
            })
            .collect();
        for _ in 0..8 {
            tokio::time::sleep(millis(1_300)).await;
            if forward {
                portal.clock().set_forward(secs(86_400));
            } else {
                portal.clock().set_back(secs(86_400));
            }
        }
        for call in calls {
            call.await.unwrap().unwrap();
        }
        // A batch and its commands came at the same time.
        let mut times: Vec<Duration> = portal.received().iter().map(|request| request.at).collect();
        times.dedup();
        assert!(times.windows(2).all(|pair| pair[1].saturating_sub(pair[0]) >= millis(990)), "{times:?}");
        // A clock that is set back costs what lies between two looks, each time.
        assert!(*times.last().unwrap() < secs(60), "{times:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_shows_the_line_its_calls_wait_in() {
    let client = Fake::new().builder().rate_limit(RateLimit::cloud()).build().unwrap();
    let (single, batched) = (format!("{client:?}"), format!("{:?}", client.batched()));
    assert!(single.contains("Limited { line: Fake") && single.contains("waiting: 0"), "{single}");
    assert!(batched.contains("Batched { line: "), "{batched}");
}
