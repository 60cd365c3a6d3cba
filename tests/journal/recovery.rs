//! `client.recover`: what was left open is settled, by the verifier of its stub, once.

use std::time::Duration;

use retry_runtime::journal::{How, MemoryJournal, Recovery, Settlement, State};

use crate::crash::dead;
use crate::orders::{ADD, BLIND, Order, RESEND, add_order, client, journal, only};
use crate::support::{Fake, Step, secs};

/// A process that has sent these orders and died; what the next one finds.
async fn died(portal: &Fake, stub: Recovery, orders: &[&str]) -> MemoryJournal {
    let journal = journal(portal);
    for order in orders {
        dead(portal, &journal, stub, order).await;
    }
    journal.restarted()
}

#[tokio::test(start_paused = true)]
async fn what_is_there_is_applied() {
    let portal = Fake::new().on("crm.deal.add", vec![Step::silence().applied(); 3]);
    let journal = died(&portal, ADD, &["A-1", "A-2", "A-3"]).await;
    let recovered = client(&portal, &journal).recover([ADD]).await.unwrap();
    assert_eq!(recovered.count(Settlement::Applied), 3, "{recovered:?}");
    assert!(journal.intents().iter().all(|intent| matches!(intent.state, State::Applied { how: How::ReadBack, .. })));
    assert!(portal.elapsed() < secs(10), "presence is believed at once");
}

#[tokio::test(start_paused = true)]
async fn what_is_not_there_is_reported_and_not_sent() {
    let portal = Fake::new().on("crm.deal.add", [Step::silence()]);
    let journal = died(&portal, ADD, &["A-1"]).await;
    let client = client(&portal, &journal);
    let recovered = client.recover([ADD]).await.unwrap();
    assert_eq!(recovered.count(Settlement::NotApplied), 1, "{recovered:?}");
    assert!(matches!(only(&journal).state, State::Ready { .. }), "{journal:?}");
    assert_eq!(portal.sends("crm.deal.add"), 1);
    assert!(portal.elapsed() >= secs(90), "absence is proof after the settle time");
    add_order(&client, &Order::of("A-1")).await.unwrap();
    assert_eq!((portal.effects("crm.deal.add"), only(&journal).attempt), (1, 2));
}

#[tokio::test(start_paused = true)]
async fn a_stub_that_says_resend_is_sent_once_more() {
    let portal = Fake::new().on("crm.deal.add", [Step::silence()]);
    let journal = died(&portal, RESEND, &["A-1"]).await;
    let recovered = client(&portal, &journal).recover([RESEND]).await.unwrap();
    assert_eq!(recovered.count(Settlement::Applied), 1, "{recovered:?}");
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (2, 1));
}

#[tokio::test(start_paused = true)]
async fn p3_what_lands_late_is_found_and_not_sent_again() {
    let late = Step::silence().applied_late(secs(20));
    let portal = Fake::new().on("crm.deal.add", [late]);
    let journal = died(&portal, RESEND, &["A-1"]).await;
    client(&portal, &journal).recover([RESEND]).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn what_nobody_can_read_back_goes_to_a_person() {
    let portal = Fake::new().on("crm.deal.add", [Step::silence().applied()]);
    let journal = died(&portal, BLIND, &["A-1"]).await;
    let recovered = client(&portal, &journal).recover([BLIND]).await.unwrap();
    assert_eq!(recovered.count(Settlement::Manual), 1, "{recovered:?}");
    assert!(matches!(only(&journal).state, State::Manual { .. }));
}

#[tokio::test(start_paused = true)]
async fn absence_is_no_proof_an_hour_later() {
    for (later, settlement) in [(Duration::from_secs(3_000), Settlement::Applied), (secs(3_700), Settlement::Manual)] {
        let portal = Fake::new().on("crm.deal.add", [Step::silence()]);
        let journal = died(&portal, RESEND, &["A-1"]).await;
        tokio::time::sleep(later).await;
        let recovered = client(&portal, &journal).recover([RESEND]).await.unwrap();
        assert_eq!(recovered.count(settlement), 1, "{later:?}: {recovered:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn presence_is_believed_at_any_age() {
    let portal = Fake::new().on("crm.deal.add", [Step::silence().applied()]);
    let journal = died(&portal, ADD, &["A-1"]).await;
    tokio::time::sleep(Duration::from_hours(100)).await;
    let recovered = client(&portal, &journal).recover([ADD]).await.unwrap();
    assert_eq!(recovered.count(Settlement::Applied), 1, "{recovered:?}");
}

#[tokio::test(start_paused = true)]
async fn a_verifier_that_fails_leaves_it_for_the_next_recovery() {
    let portal =
        Fake::new().on("crm.deal.add", [Step::silence().applied()]).on("crm.deal.list", vec![Step::html(); 40]);
    let journal = died(&portal, ADD, &["A-1"]).await;
    let client = client(&portal, &journal);
    let recovered = client.recover([ADD]).await.unwrap();
    assert_eq!(recovered.count(Settlement::Open), 1, "{recovered:?}");
    portal.works();
    let again = loop {
        let recovered = client.recover([ADD]).await.unwrap();
        if recovered.count(Settlement::Open) == 0 {
            break recovered;
        }
    };
    assert_eq!(again.count(Settlement::Applied), 1, "{again:?}");
}

#[tokio::test(start_paused = true)]
async fn only_the_stubs_that_are_named_are_settled() {
    let portal = Fake::new().on("crm.deal.add", [Step::silence().applied()]);
    let journal = died(&portal, ADD, &["A-1"]).await;
    let client = client(&portal, &journal);
    assert!(client.recover([RESEND]).await.unwrap().intents.is_empty());
    assert_eq!(client.recover([RESEND, ADD]).await.unwrap().intents.len(), 1);
    assert!(client.recover([RESEND, ADD]).await.unwrap().intents.is_empty(), "it is settled");
}

#[tokio::test(start_paused = true)]
async fn a_call_beside_recovery_gets_the_same_result() {
    let portal = Fake::new().on("crm.deal.add", [Step::silence().applied_late(secs(30))]);
    let journal = died(&portal, ADD, &["A-1"]).await;
    let client = client(&portal, &journal);
    let order = Order::of("A-1");
    let (recovered, called) = tokio::join!(client.recover([ADD]), add_order(&client, &order));
    called.unwrap();
    assert_eq!(recovered.unwrap().count(Settlement::Applied), 1);
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (1, 1));
}
