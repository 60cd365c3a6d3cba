//! A dropped caller stops waiting, and nothing else.

use retry_runtime::journal::{Settlement, State};
use tokio::time::timeout;

use crate::orders::{ADD, Order, add_order, client, journal, only};
use crate::support::{Fake, Step, millis, secs};

#[tokio::test(start_paused = true)]
async fn p2_the_task_goes_on_and_its_end_is_on_record() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost().applied_late(secs(30))]);
    let journal = journal(&portal);
    let client = client(&portal, &journal);
    assert!(timeout(millis(50), add_order(&client, &Order::of("A-1"))).await.is_err());
    assert_eq!(client.shutdown(secs(120)).await, 0);
    assert!(matches!(only(&journal).state, State::Applied { .. }), "{journal:?}");
    assert_eq!(portal.sends("crm.deal.add"), 1);
}

#[tokio::test(start_paused = true)]
async fn shutdown_takes_no_further_intent_and_says_what_is_left() {
    let portal = Fake::new().on("crm.deal.add", [Step::silence()]);
    let journal = journal(&portal);
    let client = client(&portal, &journal);
    assert!(timeout(millis(50), add_order(&client, &Order::of("A-1"))).await.is_err());
    assert_eq!(client.shutdown(secs(1)).await, 1);
    let error = add_order(&client, &Order::of("A-2")).await.unwrap_err();
    assert!(error.to_string().contains("shutting down"), "{error}");
    assert_eq!(journal.intents().len(), 1);
}

#[test]
fn p2_a_runtime_that_is_shut_down_lets_go_of_its_intents() {
    let paused = || tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let runtime = paused();
    let (portal, journal) = runtime.block_on(async {
        let portal = Fake::new().on("crm.deal.add", [Step::silence().applied()]);
        let journal = journal(&portal);
        let client = client(&portal, &journal);
        assert!(timeout(secs(1), add_order(&client, &Order::of("A-1"))).await.is_err());
        (portal, journal)
    });
    drop(runtime);
    let intent = only(&journal);
    assert!(matches!(intent.state, State::Unknown { .. }) && intent.owner.is_none(), "{intent:?}");
    // The same process goes on with another runtime: what was let go of can be settled.
    paused().block_on(async {
        let client = client(&portal, &journal);
        let recovered = client.recover([ADD]).await.unwrap();
        assert_eq!(recovered.count(Settlement::Applied), 1, "{recovered:?}");
    });
}
