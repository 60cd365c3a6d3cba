//! Who goes first.

use retry_runtime::RateLimit;

use crate::support::{Fake, NewDeal, OriginKey, Step, add_blind_deal, add_deal, list_deals, millis, secs};

/// One at once, and one each second.
fn one_a_second() -> RateLimit {
    RateLimit::new(1, millis(990))
}

#[tokio::test(start_paused = true)]
async fn a_read_back_goes_before_writes_that_came_earlier() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost().applied().takes(secs(2))]);
    let client = portal.builder().rate_limit(one_a_second()).build().unwrap();
    let doubt = {
        let client = client.clone();
        tokio::spawn(async move { add_deal(&client, &NewDeal::of("A-1")).await })
    };
    tokio::task::yield_now().await;
    let others: Vec<_> = (0..20)
        .map(|number| {
            let client = client.clone();
            tokio::spawn(async move { add_blind_deal(&client, &NewDeal::of(&format!("B-{number}"))).await })
        })
        .collect();
    doubt.await.unwrap().unwrap();
    let before = portal.received().iter().position(|request| request.read_back).unwrap();
    assert!(before <= 4, "{before} requests before the read-back");
    for other in others {
        other.await.unwrap().unwrap();
    }
    let numbers: Vec<_> = portal
        .received()
        .iter()
        .filter_map(|request| request.arguments["fields"]["ORIGIN_ID"].as_str().map(str::to_owned))
        .filter(|key| key.starts_with('B'))
        .collect();
    assert_eq!(numbers, (0..20).map(|number| format!("B-{number}")).collect::<Vec<_>>());
}

#[tokio::test(start_paused = true)]
async fn what_waited_out_a_pause_goes_in_the_order_in_which_it_came() {
    let portal = Fake::new().on("crm.deal.list", [Step::code("RATE_LIMITED").asks_to_wait(secs(30))]);
    let client = portal.builder().rate_limit(RateLimit::new(30, millis(100))).build().unwrap();
    let first = {
        let client = client.clone();
        tokio::spawn(async move { list_deals(&client, &OriginKey::of("first")).await })
    };
    tokio::time::sleep(secs(1)).await;
    let calls: Vec<_> = (0..60)
        .map(|number| {
            let client = client.clone();
            tokio::spawn(async move { add_blind_deal(&client, &NewDeal::of(&number.to_string())).await })
        })
        .collect();
    for call in calls {
        call.await.unwrap().unwrap();
    }
    first.await.unwrap().unwrap();
    let order: Vec<String> = portal.records().iter().map(|record| record.origin().to_owned()).collect();
    let sent: Vec<String> = portal
        .received()
        .iter()
        .filter_map(|request| request.arguments["fields"]["ORIGIN_ID"].as_str().map(str::to_owned))
        .collect();
    assert_eq!(sent, (0..60).map(|number| number.to_string()).collect::<Vec<_>>());
    assert_eq!(order.len(), 60);
    assert!(portal.times("crm.deal.add").iter().all(|at| *at >= secs(30)));
}

#[tokio::test(start_paused = true)]
async fn the_wait_is_in_the_report_and_the_send_is_told_from_when_it_left() {
    let portal = Fake::new().on("crm.deal.add", [Step::honest(), Step::code("BITRIX_ERROR")]);
    let client = portal.builder().rate_limit(one_a_second()).build().unwrap();
    add_blind_deal(&client, &NewDeal::of("A-1")).await.unwrap();
    let error = add_blind_deal(&client, &NewDeal::of("A-2")).await.unwrap_err();
    let attempt = &error.report().attempts()[0];
    assert!(attempt.waited >= millis(850) && attempt.waited <= secs(1), "{attempt:?}");
    assert_eq!(attempt.took, millis(100));
    assert!(error.to_string().contains("for its turn"), "{error}");
}
