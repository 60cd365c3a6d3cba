//! Waiting for one's turn counts against the deadline.

use retry_runtime::report::Ending;
use retry_runtime::{Effect, Policy, RateLimit};

use crate::support::NewTask;
use crate::support::{
    Fake, NewDeal, OriginKey, Step, add_blind_deal, add_deal, add_task, ending, list_deals, millis, once, secs,
};

/// One at once, and one each second.
fn one_a_second() -> RateLimit {
    RateLimit::new(1, millis(990))
}

#[tokio::test(start_paused = true)]
async fn a_call_whose_turn_comes_too_late_ends_at_once_and_unsent() {
    let portal = Fake::new();
    let client = portal.builder().rate_limit(one_a_second()).build().unwrap();
    let waiting: Vec<_> = (0..30)
        .map(|number| {
            let client = client.clone();
            tokio::spawn(async move { add_blind_deal(&client, &NewDeal::of(&number.to_string())).await })
        })
        .collect();
    tokio::task::yield_now().await;
    let hurried = client.with_policy(Policy::new().deadline(secs(10)));
    let write = add_deal(&hurried, &NewDeal::of("A-1")).await.map(|_| ());
    let read = list_deals(&hurried, &OriginKey::of("A-1")).await.map(|_| ());
    for result in [write, read] {
        assert_eq!(ending(&result), Ending::Exhausted);
        let error = result.unwrap_err();
        assert_eq!(error.effect(), Effect::Absent);
        let text = error.to_string();
        assert!(text.contains("the rate limit of the portal leaves no room before the deadline"), "{text}");
        assert!(text.contains("29 requests wait before it") && text.contains("never left"), "{text}");
    }
    assert_eq!(portal.elapsed(), secs(0));
    for call in waiting {
        call.await.unwrap().unwrap();
    }
    assert_eq!(portal.received().len(), 30);
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_comes_in_time_is_taken() {
    let portal = Fake::new();
    let client = portal.builder().rate_limit(one_a_second()).build().unwrap();
    let hurried = client.with_policy(Policy::new().deadline(secs(10)));
    let calls: Vec<_> = (0..10)
        .map(|number| {
            let client = hurried.clone();
            tokio::spawn(async move { add_blind_deal(&client, &NewDeal::of(&number.to_string())).await })
        })
        .collect();
    for call in calls {
        call.await.unwrap().unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn one_that_is_overtaken_until_its_deadline_ends_then() {
    let portal = Fake::new().on("crm.deal.add", [Step::code("QUERY_LIMIT_EXCEEDED").takes(millis(1_900))]);
    let client = portal.builder().rate_limit(RateLimit::new(10, millis(990))).build().unwrap();
    let first = {
        let client = client.clone();
        tokio::spawn(async move { add_blind_deal(&client, &NewDeal::of("first")).await })
    };
    let others: Vec<_> = (0..10)
        .map(|number| {
            let client = client.with_policy(Policy::new().deadline(millis(2_500)));
            tokio::spawn(async move { add_blind_deal(&client, &NewDeal::of(&number.to_string())).await })
        })
        .collect();
    let mut late = 0;
    for call in others {
        if let Err(error) = call.await.unwrap() {
            assert_eq!(error.effect(), Effect::Absent);
            assert!(portal.elapsed() <= millis(2_502), "{:?}", portal.elapsed());
            late += 1;
        }
    }
    assert_eq!(late, 1, "the bucket was full by the word of the portal when its turn should have come");
    first.await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn p6_a_replay_that_gets_no_turn_leaves_the_call_in_doubt() {
    let portal = Fake::new().on("tasks.task.add", [Step::lost().applied()]);
    let client = portal.builder().rate_limit(RateLimit::new(2, secs(200))).build().unwrap();
    let patient = client.with_policy(Policy::new().deadline(secs(150)));
    let result = add_task(&patient, &NewTask::of("A-1"), &once("A-1")).await;
    assert_eq!(ending(&result), Ending::InDoubt);
    let error = result.unwrap_err();
    assert_eq!((error.effect(), portal.sends("tasks.task.add")), (Effect::Unknown, 1));
    assert!(error.to_string().contains("the rate limit of the portal leaves no room"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_resend_that_gets_no_turn_in_time_ends_absent() {
    let portal = Fake::new().on("crm.deal.add", vec![Step::code("RATE_LIMITED"); 5]);
    let client = portal.builder().rate_limit(RateLimit::new(2, secs(250))).build().unwrap();
    let result = add_deal(&client, &NewDeal::of("A-1")).await;
    assert_eq!((ending(&result), portal.sends("crm.deal.add")), (Ending::Exhausted, 1));
    assert_eq!(result.unwrap_err().effect(), Effect::Absent);
    assert!(portal.elapsed() < secs(2), "{:?}: it would leave no room to settle it", portal.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_first_send_may_wait_for_its_turn_without_room_to_settle_it() {
    let portal = Fake::new();
    let limited = portal.builder().rate_limit(RateLimit::new(1, secs(1))).build().unwrap();
    let client = limited.with_policy(Policy::new().deadline(secs(50)));
    for order in ["A-1", "A-2"] {
        add_deal(&client, &NewDeal::of(order)).await.unwrap();
    }
    assert_eq!(portal.sends("crm.deal.add"), 2);
}
