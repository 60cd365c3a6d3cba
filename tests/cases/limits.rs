//! F: waiting, clocks, budgets.

use retry_runtime::report::Ending;
use retry_runtime::{Effect, Observer, Policy, Report};

use crate::support::{
    Fake, NewDeal, OriginKey, Step, about, add_blind_deal, add_deal, ending, list_deals, millis, secs,
};

#[tokio::test(start_paused = true)]
async fn case_b31_creates_that_the_rate_refused_are_sent_again_without_a_look() {
    let refused = || Step::code("QUERY_LIMIT_EXCEEDED").status(503);
    let portal = Fake::new().on("crm.deal.add", vec![refused(); 5]).on("crm.deal.list", vec![refused(); 30]);
    let client = portal.client();
    let creates: Vec<_> = (0..5)
        .map(|number| {
            let client = client.clone();
            tokio::spawn(async move { add_deal(&client, &NewDeal::of(&format!("A-{number}"))).await.map(|_| ()) })
        })
        .collect();
    let reads = (0..30).map(|_| {
        let client = client.clone();
        tokio::spawn(async move { list_deals(&client, &OriginKey::of("none")).await.map(|_| ()) })
    });
    for call in creates.into_iter().chain(reads.collect::<Vec<_>>()) {
        call.await.unwrap().unwrap();
    }
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (10, 5));
    assert!(portal.received().iter().all(|request| !request.read_back));
}

#[tokio::test(start_paused = true)]
async fn case_b67_pauses_without_a_bound_do_not_overflow() {
    let portal = Fake::new().on("crm.deal.list", vec![Step::not_sent(); 100]);
    let endless = Policy::new().attempts(u32::MAX).backoff(std::time::Duration::MAX, std::time::Duration::MAX);
    let result = list_deals(&portal.client().with_policy(endless), &OriginKey::of("A-1")).await;
    assert_eq!(ending(&result), Ending::Exhausted);
    let tiny = Policy::new().attempts(70).backoff(millis(1), millis(2));
    list_deals(&portal.client().with_policy(tiny), &OriginKey::of("A-1")).await.unwrap_err();
}

#[tokio::test(start_paused = true)]
async fn case_b69_a_wait_that_the_server_names_is_spread_upwards_only() {
    let policy = Policy::new().attempts(9).deadline(secs(3_600)).backoff(secs(1), secs(30));
    let refused = Step::code("RATE_LIMITED").takes(secs(0));
    let last = refused.clone().asks_to_wait(secs(7));
    let mut waits = Vec::new();
    for seed in 0..1_000 {
        let portal = Fake::new().on("crm.deal.list", vec![refused.clone(); 7]);
        portal.then("crm.deal.list", [last.clone()]);
        let client = portal.builder().seed(seed).policy(policy).build().unwrap();
        list_deals(&client, &OriginKey::of("A-1")).await.unwrap();
        let times = portal.times("crm.deal.list");
        waits.push(times[8].checked_sub(times[7]).unwrap());
    }
    waits.sort();
    assert!(waits[0] >= secs(7) && waits[999] <= secs(30) + millis(10), "{:?} to {:?}", waits[0], waits[999]);
    assert!(waits[999] > secs(25), "it does spread: {:?}", waits[999]);
}

#[tokio::test(start_paused = true)]
async fn case_b71_the_wait_that_the_server_names_is_kept_and_permits_nothing() {
    let portal = Fake::new().on("crm.deal.list", [Step::html().status(503).asks_to_wait(secs(4))]);
    list_deals(&portal.client(), &OriginKey::of("A-1")).await.unwrap();
    assert!(about(portal.times("crm.deal.list")[1], 4));

    let portal = Fake::new().on("crm.deal.add", [Step::code("NEVER_HEARD_OF").asks_to_wait(secs(4))]);
    let result = add_blind_deal(&portal.client(), &NewDeal::of("A-1")).await;
    assert_eq!((ending(&result), portal.sends("crm.deal.add")), (Ending::InDoubt, 1));
}

#[tokio::test(start_paused = true)]
async fn case_b73_a_date_in_the_past_is_no_wait() {
    let portal = Fake::new().on("crm.deal.list", [Step::html().asks_to_wait(secs(0))]);
    list_deals(&portal.client(), &OriginKey::of("A-1")).await.unwrap();
    assert!(portal.elapsed() < secs(1));
}

#[tokio::test(start_paused = true)]
async fn case_b74_a_wait_beyond_the_deadline_is_shown_and_not_slept() {
    let portal = Fake::new().on("crm.deal.add", [Step::code("QUEUE_TIMEOUT").asks_to_wait(secs(86_400))]);
    let client = portal.client().with_policy(Policy::new().deadline(secs(120)));
    let result = add_deal(&client, &NewDeal::of("A-1")).await;
    assert_eq!((ending(&result), portal.sends("crm.deal.add")), (Ending::Exhausted, 1));
    let error = result.unwrap_err();
    assert_eq!((error.effect(), error.retry_after()), (Effect::Absent, Some(secs(86_400))));
    assert!(portal.elapsed() < secs(1));
}

#[tokio::test(start_paused = true)]
async fn case_b75_a_call_does_not_sleep_into_its_deadline() {
    let step = || Step::code("RATE_LIMITED").takes(secs(8)).asks_to_wait(secs(5));
    let portal = Fake::new().on("crm.deal.add", [step()]).on("crm.deal.list", [step()]);
    let client = portal.client().with_policy(Policy::new().deadline(secs(10)));
    let result = add_blind_deal(&client, &NewDeal::of("A-1")).await;
    assert_eq!((ending(&result), portal.elapsed()), (Ending::Exhausted, secs(8)));
    let result = list_deals(&client, &OriginKey::of("A-1")).await;
    assert_eq!((ending(&result), portal.elapsed()), (Ending::Exhausted, secs(16)));
}

#[tokio::test(start_paused = true)]
async fn case_b94_a_failing_observer_disturbs_none_of_25_calls() {
    struct Fails;

    fn fail() {
        tokio::spawn(async { panic!("a task of the observer fails") });
        panic!("the observer of the test fails");
    }

    impl Observer for Fails {
        fn finished(&self, _: &Report) {
            fail();
        }

        fn distrusted(&self, _: &Report) {
            fail();
        }

        fn dropped(&self, _: &Report) {
            fail();
        }

        fn answered_late(&self, _: &Report) {
            fail();
        }
    }

    let portal = Fake::new();
    let client = portal.builder().observer(Fails).build().unwrap();
    for number in 0..5 {
        add_deal(&client, &NewDeal::of(&format!("A-{number}"))).await.unwrap();
    }
    for _ in 0..20 {
        list_deals(&client, &OriginKey::of("A-1")).await.unwrap();
    }
    assert_eq!((portal.effects("crm.deal.add"), portal.received().len()), (5, 25));
    // Nor one whose caller goes away.
    portal.then("crm.deal.add", [Step::honest().takes(secs(9))]);
    let deal = NewDeal::of("A-9");
    assert!(tokio::time::timeout(secs(1), add_deal(&client, &deal)).await.is_err());
    tokio::time::sleep(secs(9)).await;
    add_deal(&client, &NewDeal::of("A-10")).await.unwrap();
    assert_eq!(portal.effects("crm.deal.add"), 7);
}
