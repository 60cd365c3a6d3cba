//! One client in many hands: policies, clones, runtimes, many calls at once.

use std::time::Duration;

use retry_runtime::{CallError, Client, Policy};
use tokio::runtime::{Builder, Runtime};

use crate::support::{
    Fake, NewDeal, OriginKey, Seen, Step, Told, about, add_deal, add_keyed_deal, ensure_deal, list_deals, secs,
};

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_time().start_paused(true).build().unwrap()
}

#[tokio::test(start_paused = true)]
async fn with_policy_changes_the_limits_of_its_calls_only() {
    let step = || vec![Step::code("QUERY_LIMIT_EXCEEDED"); 20];
    let portal = Fake::new().on("crm.deal.list", step());
    let client = portal.client();
    let other = client.with_policy(Policy::new().attempts(2));
    let key = OriginKey::of("A-1");
    let sends = |error: CallError| error.report().attempts().len();
    assert_eq!(sends(list_deals(&other, &key).await.unwrap_err()), 2);
    assert_eq!(sends(list_deals(&client, &key).await.unwrap_err()), 4);
}

#[tokio::test(start_paused = true)]
async fn with_policy_shares_keys_budget_and_observer() {
    let portal = Fake::new()
        .on("crm.deal.add", [Step::lost()])
        .on("crm.deal.list", [Step::code("ACCESS_DENIED"), Step::code("RATE_LIMITED")]);
    let seen = Seen::default();
    let client = portal.builder().observer(seen.clone()).retry_budget(1).build().unwrap();
    let hasty = client.with_policy(Policy::new().deadline(secs(1)));
    add_keyed_deal(&hasty, &NewDeal::of("A-1")).await.unwrap_err();
    add_keyed_deal(&client, &NewDeal::of("A-1")).await.unwrap();
    assert!(about(portal.times("crm.deal.add")[1], 90), "the key of the other handle was kept");
    assert_eq!(seen.told(), [Told::Finished, Told::Finished]);
    list_deals(&hasty, &OriginKey::of("A-1")).await.unwrap();
    portal.then("crm.deal.list", [Step::code("RATE_LIMITED").takes(Duration::ZERO)]);
    let error = list_deals(&client, &OriginKey::of("A-1")).await.unwrap_err();
    assert!(error.to_string().contains("retry budget"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn the_verifier_reads_under_the_policy_of_its_write() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost()]).on("crm.deal.list", vec![Step::html(); 100]);
    let client = portal.client().with_policy(Policy::new().attempts(2).deadline(secs(20)));
    let error = add_deal(&client, &NewDeal::of("A-1")).await.unwrap_err();
    assert!(error.report().checks().iter().all(|check| check.reads.len() <= 2), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_hundred_calls_at_once_each_end_and_are_told_once() {
    let steps = (0..100).map(|number| match number % 5 {
        0 => Step::lost().applied(),
        1 => Step::code("RATE_LIMITED"),
        2 => Step::code("BITRIX_TIMEOUT").applied_late(secs(30)),
        3 => Step::html(),
        _ => Step::honest(),
    });
    let portal = Fake::new().on("crm.deal.add", steps);
    let seen = Seen::default();
    let client = portal.builder().observer(seen.clone()).build().unwrap();
    let calls: Vec<_> = (0..100)
        .map(|number| {
            let client = client.clone();
            tokio::spawn(async move {
                let deal = NewDeal::of(&format!("A-{number}"));
                // Every fourth caller goes away.
                let patience = if number % 4 == 0 { secs(number % 17) } else { secs(1_000) };
                tokio::time::timeout(patience, add_keyed_deal(&client, &deal)).await
            })
        })
        .collect();
    let mut done = 0;
    for call in calls {
        done += usize::from(matches!(call.await.unwrap(), Ok(Ok(_))));
    }
    tokio::time::sleep(secs(600)).await;
    assert!(done >= 75);
    let ends = |kind| seen.all().iter().filter(|(told, _)| *told == kind).count();
    // A call whose caller had no patience at all may never have begun.
    assert!(ends(Told::Finished) >= 75 && ends(Told::Finished) + ends(Told::Dropped) <= 100);
    let mut keys: Vec<_> = seen
        .all()
        .into_iter()
        .filter(|(told, _)| *told != Told::AnsweredLate)
        .map(|(_, report)| report.key().unwrap().to_owned())
        .collect();
    let all = keys.len();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), all, "no end is told twice");
}

#[test]
fn a_client_works_in_one_runtime_after_the_other() {
    let first = runtime();
    let (portal, client) = first.block_on(async {
        let portal = Fake::new();
        let client: Client = portal.client();
        add_deal(&client, &NewDeal::of("A-1")).await.unwrap();
        (portal, client)
    });
    drop(first);
    let second = runtime();
    second.block_on(async {
        portal.then("crm.deal.add", [Step::lost()]);
        add_deal(&client, &NewDeal::of("A-2")).await.unwrap();
        ensure_deal(&client, &NewDeal::of("A-2")).await.unwrap();
    });
    assert_eq!(portal.effects("crm.deal.add"), 2);
}

#[test]
fn a_write_that_went_down_with_its_runtime_keeps_its_key_closed() {
    let first = runtime();
    let (portal, client) = first.block_on(async {
        let portal = Fake::new().on("crm.deal.add", [Step::silence()]);
        let client = portal.client();
        let deal = NewDeal::of("A-1");
        assert!(tokio::time::timeout(secs(3), add_keyed_deal(&client, &deal)).await.is_err());
        (portal, client)
    });
    // The task that sends is dropped here, with the key.
    drop(first);
    runtime().block_on(async {
        let before = portal.elapsed();
        add_keyed_deal(&client, &NewDeal::of("A-1")).await.unwrap();
        let waited = portal.elapsed().saturating_sub(before);
        assert!(waited >= secs(85), "a request that left may be applied for the settle time: {waited:?}");
    });
    assert_eq!(portal.sends("crm.deal.add"), 2);
}

#[test]
fn a_write_whose_runtime_goes_down_while_it_waits_is_told_as_dropped() {
    let first = runtime();
    let (portal, seen) = first.block_on(async {
        let portal = Fake::new().on("crm.deal.add", [Step::silence()]);
        let seen = Seen::default();
        let client = portal.builder().observer(seen.clone()).build().unwrap();
        tokio::spawn(async move { add_keyed_deal(&client, &NewDeal::of("A-1")).await });
        tokio::time::sleep(secs(3)).await;
        (portal, seen)
    });
    drop(first);
    assert_eq!(seen.told(), [Told::Dropped]);
    assert!(matches!(seen.only(Told::Dropped).may_be_applied(), retry_runtime::report::MayBeApplied::Until(_)));
    assert_eq!(portal.sends("crm.deal.add"), 1);
}
