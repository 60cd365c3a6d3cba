//! A caller that goes away takes its place in the line along.

use retry_runtime::report::MayBeApplied;
use retry_runtime::{Client, RateLimit};

use crate::support::{Fake, NewDeal, OriginKey, Seen, Told, add_blind_deal, list_deals, millis, secs};

fn client(portal: &Fake, seen: &Seen) -> Client {
    portal.builder().rate_limit(RateLimit::new(1, millis(990))).observer(seen.clone()).build().unwrap()
}

#[tokio::test(start_paused = true)]
async fn p2_a_dropped_write_leaves_the_line_and_takes_no_turn() {
    let (portal, seen) = (Fake::new(), Seen::default());
    let client = client(&portal, &seen);
    add_blind_deal(&client, &NewDeal::of("A-1")).await.unwrap();
    let deals: Vec<_> = (0..50).map(|number| NewDeal::of(&format!("B-{number}"))).collect();
    let mut waiting: Vec<_> = deals.iter().map(|deal| Box::pin(add_blind_deal(&client, deal))).collect();
    for call in &mut waiting {
        assert!(tokio::time::timeout(millis(1), call).await.is_err());
    }
    let last = tokio::spawn({
        let client = client.clone();
        async move { add_blind_deal(&client, &NewDeal::of("C-1")).await }
    });
    tokio::task::yield_now().await;
    drop(waiting);
    last.await.unwrap().unwrap();
    assert!(portal.elapsed() < secs(2), "{:?}: nobody waits for those who have gone", portal.elapsed());
    assert_eq!(portal.sends("crm.deal.add"), 2);
    let dropped = seen.all().into_iter().filter(|(told, _)| *told == Told::Dropped).collect::<Vec<_>>();
    assert_eq!(dropped.len(), 50);
    for (_, report) in dropped {
        assert_eq!(report.may_be_applied(), MayBeApplied::No);
        assert!(report.to_string().contains("never left: not sent: withdrawn"), "{report}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_dropped_read_leaves_the_line() {
    let (portal, seen) = (Fake::new(), Seen::default());
    let client = client(&portal, &seen);
    let key = OriginKey::of("A-1");
    list_deals(&client, &key).await.unwrap();
    let mut waiting: Vec<_> = (0..50).map(|_| Box::pin(list_deals(&client, &key))).collect();
    for call in &mut waiting {
        assert!(tokio::time::timeout(millis(1), call).await.is_err());
    }
    drop(waiting);
    list_deals(&client, &key).await.unwrap();
    assert!(portal.elapsed() < secs(2), "{:?}", portal.elapsed());
    assert_eq!(portal.sends("crm.deal.list"), 2);
}
