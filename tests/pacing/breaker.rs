//! `ERROR_LOOP_DETECTED` opens a circuit breaker for its method until its time is over.

use retry_runtime::report::Ending;
use retry_runtime::{Client, Code, Effect, Policy, RateLimit};

use crate::support::{Fake, NewDeal, OriginKey, Step, add_blind_deal, add_deal, ending, list_deals, millis, secs};

fn looping() -> Step {
    Step::code("ERROR_LOOP_DETECTED").status(429)
}

fn client(portal: &Fake) -> Client {
    portal.builder().rate_limit(RateLimit::new(2, millis(990))).build().unwrap()
}

#[tokio::test(start_paused = true)]
async fn calls_of_an_open_breaker_end_refused_without_being_sent() {
    let portal = Fake::new().on("crm.deal.add", [looping().asks_to_wait(secs(40))]);
    let client = client(&portal);
    add_blind_deal(&client, &NewDeal::of("A-1")).await.unwrap_err();
    let before = portal.elapsed();
    let result = add_deal(&client, &NewDeal::of("A-2")).await;
    assert_eq!((ending(&result), portal.elapsed(), portal.received().len()), (Ending::Refused, before, 1));
    let error = result.unwrap_err();
    assert_eq!((error.effect(), error.code()), (Effect::Absent, Some(&Code::ErrorLoopDetected)));
    let text = error.to_string();
    assert!(text.contains("this client's circuit breaker") && text.contains("40s more"), "{text}");
    assert!(text.contains("send 1, never left: code ERROR_LOOP_DETECTED: not sent"), "{text}");
    assert_eq!(error.report().attempts()[0].sent_at, None);
    assert_eq!(error.report().attempts()[0].hint, Some(secs(40)), "until it closes");

    list_deals(&client, &OriginKey::of("A-1")).await.unwrap();
    tokio::time::sleep(secs(40)).await;
    add_deal(&client, &NewDeal::of("A-3")).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn calls_that_wait_when_it_opens_end_too() {
    let portal = Fake::new().on("crm.deal.add", [looping().takes(millis(1_500))]);
    let client = client(&portal);
    let writes: Vec<_> = (0..20)
        .map(|number| {
            let client = client.clone();
            tokio::spawn(async move { add_blind_deal(&client, &NewDeal::of(&number.to_string())).await })
        })
        .collect();
    tokio::task::yield_now().await;
    let read = {
        let client = client.clone();
        tokio::spawn(async move { list_deals(&client, &OriginKey::of("A-1")).await.map(|_| ()) })
    };
    let mut refused = 0;
    for write in writes {
        let result = write.await.unwrap();
        if ending(&result) == Ending::Refused {
            assert_eq!(result.unwrap_err().effect(), Effect::Absent);
            refused += 1;
        }
    }
    assert_eq!((refused, portal.sends("crm.deal.add")), (19, 2), "one had left before");
    assert_eq!(portal.elapsed(), millis(1_500));
    read.await.unwrap().unwrap();
    assert!(portal.elapsed() < secs(3), "{:?}: the places of the others are not waited for", portal.elapsed());
}

#[tokio::test(start_paused = true)]
async fn without_a_hint_it_is_open_for_a_minute_and_an_old_one_does_not_prolong_it() {
    let portal = Fake::new().on("crm.deal.add", [looping()]);
    let client = client(&portal);
    add_blind_deal(&client, &NewDeal::of("A-1")).await.unwrap_err();
    for _ in 0..5 {
        tokio::time::sleep(secs(11)).await;
        add_blind_deal(&client, &NewDeal::of("A-2")).await.unwrap_err();
    }
    tokio::time::sleep(secs(5)).await;
    add_blind_deal(&client, &NewDeal::of("A-3")).await.unwrap();
    assert_eq!(portal.sends("crm.deal.add"), 2);
}

#[tokio::test(start_paused = true)]
async fn a_write_in_doubt_whose_read_back_is_kept_back_stays_in_doubt() {
    let portal = Fake::new()
        .on("crm.deal.list", [looping().asks_to_wait(secs(600))])
        .on("crm.deal.add", [Step::lost().applied()]);
    let client = client(&portal);
    list_deals(&client.with_policy(Policy::new().attempts(1)), &OriginKey::of("A-1")).await.unwrap_err();
    let result = add_deal(&client, &NewDeal::of("A-1")).await;
    assert_eq!(ending(&result), Ending::InDoubt);
    assert_eq!((result.unwrap_err().effect(), portal.sends("crm.deal.list")), (Effect::Unknown, 1));
}
