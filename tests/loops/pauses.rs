//! The pause before a send: the server's hint, our backoff, the deadline and the retry budget.

use std::time::Duration;

use retry_runtime::report::Ending;
use retry_runtime::{Effect, Policy};

use crate::support::{
    Fake, NewDeal, OriginKey, Step, about, add_blind_deal, add_deal, ending, list_deals, millis, secs,
};

fn limited() -> Step {
    Step::code("QUERY_LIMIT_EXCEEDED")
}

#[tokio::test(start_paused = true)]
async fn a_hint_larger_than_the_backoff_is_kept() {
    let portal = Fake::new()
        .on("crm.deal.add", [limited().asks_to_wait(secs(40))])
        .on("crm.deal.list", [limited().asks_to_wait(secs(40))]);
    let client = portal.client();
    add_deal(&client, &NewDeal::of("A-1")).await.unwrap();
    let write = portal.times("crm.deal.add")[1];
    assert!(write >= secs(40) && write < millis(40_200), "{write:?}");
    let before = portal.elapsed();
    list_deals(&client, &OriginKey::of("A-1")).await.unwrap();
    assert!(about(portal.elapsed().saturating_sub(before), 40));
}

#[tokio::test(start_paused = true)]
async fn a_hint_smaller_than_the_backoff_does_not_shorten_it() {
    let mut longer = 0;
    for seed in 0..50 {
        let portal = Fake::new().on("crm.deal.list", [limited().asks_to_wait(millis(1))]);
        let client = portal.builder().seed(seed).policy(Policy::new().backoff(secs(20), secs(20))).build().unwrap();
        list_deals(&client, &OriginKey::of("A-1")).await.unwrap();
        longer += usize::from(portal.times("crm.deal.list")[1] > secs(5));
    }
    assert!(longer > 20, "{longer} of 50 pauses were longer than 5 s");
}

#[tokio::test(start_paused = true)]
async fn backoff_grows_and_stays_under_its_cap() {
    let mut total = [Duration::ZERO; 6];
    for seed in 0..50 {
        let portal = Fake::new().on("crm.deal.list", vec![limited().takes(millis(0)); 6]);
        let policy = Policy::new().attempts(7).backoff(secs(1), secs(8)).deadline(secs(1_000));
        let client = portal.builder().seed(seed).policy(policy).build().unwrap();
        list_deals(&client, &OriginKey::of("A-1")).await.unwrap();
        let times = portal.times("crm.deal.list");
        for ((pair, most), sum) in times.windows(2).zip([1, 2, 4, 8, 8, 8]).zip(&mut total) {
            let pause = pair[1].saturating_sub(pair[0]);
            // Timers are exact to the millisecond.
            assert!(pause <= secs(most) + millis(2), "{pause:?}");
            *sum += pause;
        }
    }
    assert!(total[0] * 2 < total[2] && total[1] * 2 < total[3], "{total:?}");
}

#[tokio::test(start_paused = true)]
async fn a_hint_that_passes_the_deadline_ends_the_call_at_once_and_is_handed_over() {
    for hint in [secs(86_400), Duration::MAX] {
        let portal = Fake::new()
            .on("crm.deal.add", [limited().asks_to_wait(hint)])
            .on("crm.deal.list", [limited().asks_to_wait(hint)]);
        let client = portal.client();
        let write = add_blind_deal(&client, &NewDeal::of("A-1")).await.map(|_| ());
        let read = list_deals(&client, &OriginKey::of("A-1")).await.map(|_| ());
        for result in [write, read] {
            assert_eq!(ending(&result), Ending::Exhausted);
            let error = result.unwrap_err();
            assert_eq!(error.effect(), Effect::Absent);
            assert!(error.retry_after().unwrap() >= secs(86_000), "{error}");
            assert!(error.to_string().contains("the server asks to wait"), "{error}");
        }
        assert!(portal.elapsed() < secs(1));
        assert_eq!(portal.received().len(), 2);
    }
}

#[tokio::test(start_paused = true)]
async fn a_hint_of_nothing_leaves_the_backoff() {
    let portal = Fake::new().on("crm.deal.list", [limited().asks_to_wait(Duration::ZERO)]);
    list_deals(&portal.client(), &OriginKey::of("A-1")).await.unwrap();
    assert!(portal.elapsed() < secs(1));
}

#[tokio::test(start_paused = true)]
async fn only_the_last_answer_has_a_hint() {
    let portal = Fake::new().on("crm.deal.list", [limited().asks_to_wait(secs(20)), Step::lost()]);
    list_deals(&portal.client(), &OriginKey::of("A-1")).await.unwrap();
    let times = portal.times("crm.deal.list");
    assert!(times[1] >= secs(20) && times[2] < secs(22), "{times:?}");
}

#[tokio::test(start_paused = true)]
async fn a_hint_on_an_unknown_outcome_is_waited_for_after_the_proof_and_permits_nothing() {
    // Shorter than the settle time: over by then. Longer: the rest of it is kept.
    for (hint, second) in [(2, 90), (120, 120)] {
        let portal = Fake::new().on("crm.deal.add", [Step::code("BITRIX_TIMEOUT").asks_to_wait(secs(hint))]);
        add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap();
        let times = portal.times("crm.deal.add");
        assert!(about(times[1], second), "{times:?}");
    }
    let portal = Fake::new().on("crm.deal.add", [Step::code("BITRIX_TIMEOUT").asks_to_wait(secs(2))]);
    let result = add_blind_deal(&portal.client(), &NewDeal::of("A-1")).await;
    assert_eq!((ending(&result), portal.sends("crm.deal.add")), (Ending::InDoubt, 1));
}

#[tokio::test(start_paused = true)]
async fn a_hint_beyond_the_deadline_does_not_end_a_doubt_before_its_read_back() {
    let portal = Fake::new()
        .on("crm.deal.add", [Step::code("BITRIX_TIMEOUT").asks_to_wait(secs(86_400)).applied_late(secs(50))]);
    add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn the_retry_budget_is_spent_by_resends_and_comes_back() {
    let portal = Fake::new().on("crm.deal.list", vec![limited(); 1_000]);
    let policy = Policy::new().attempts(2).backoff(millis(1), millis(1));
    let client = portal.builder().retry_budget(3).policy(policy).build().unwrap();
    let key = OriginKey::of("A-1");
    // Three tokens, and what comes back in the 0.1 s that an answer takes.
    let mut sends = Vec::new();
    for _ in 0..5 {
        let before = portal.sends("crm.deal.list");
        list_deals(&client, &key).await.unwrap_err();
        sends.push(portal.sends("crm.deal.list") - before);
    }
    assert_eq!(sends, [2, 2, 2, 1, 1]);
    tokio::time::sleep(secs(10)).await;
    let before = portal.sends("crm.deal.list");
    for _ in 0..5 {
        list_deals(&client, &key).await.unwrap_err();
    }
    assert_eq!(portal.sends("crm.deal.list") - before, 8, "never more than it holds");
}

#[tokio::test(start_paused = true)]
async fn ten_successes_bring_a_token_back() {
    let portal = Fake::new().on("crm.deal.list", [limited()]);
    let client = portal.builder().retry_budget(1).build().unwrap();
    let key = OriginKey::of("A-1");
    list_deals(&client, &key).await.unwrap();
    for _ in 0..10 {
        portal.then("crm.deal.list", [Step::honest().takes(millis(0))]);
        list_deals(&client, &key).await.unwrap();
    }
    portal.then("crm.deal.list", [limited().takes(millis(0))]);
    list_deals(&client, &key).await.unwrap();
}
