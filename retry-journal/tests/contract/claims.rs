//! Who gets the intents that nobody holds.

use std::collections::BTreeSet;

use retry_runtime::journal::{Begun, Change, Claim, Intent, Journal, Recorded, State};

use crate::kit::{PORTAL, STUB, Stores, beginning, begun, ended, ends, held, id, look, next, ready, record, unknown};

fn open(limit: u32) -> Claim {
    Claim::Open { portal: PORTAL.into(), stubs: vec![STUB.into()], limit }
}

async fn claimed(store: &impl Journal, claim: Claim) -> Vec<Intent> {
    let claimed = store.claim(&claim).await.unwrap();
    for intent in &claimed {
        assert_eq!(store.look(&intent.id).await.unwrap().as_ref(), Some(intent), "as it is on record");
    }
    claimed
}

pub(crate) async fn what_is_held_is_given_to_nobody_else(stores: &impl Stores) {
    let store = stores.fresh().await;
    let sending = begun(&store, "a").await;
    ended(&store, "b", unknown()).await;
    assert_eq!(claimed(&store, open(10)).await, []);
    assert_eq!(claimed(&store, Claim::One(id("a"))).await, []);
    assert_eq!(record(&store, sending, ready()).await, Recorded::Yes);
}

pub(crate) async fn a_later_process_claims_what_was_open(stores: &impl Stores) {
    let store = stores.fresh().await;
    let sending = begun(&store, "a").await;
    let lost = ended(&store, "b", unknown()).await;
    let owner = look(&store, "a").await.owner;
    let store = stores.later(store).await;
    let found = claimed(&store, open(10)).await;
    let names: Vec<_> = found.iter().map(|intent| &*intent.id.key).collect();
    assert_eq!(names, ["a", "b"]);
    for (intent, before) in found.iter().zip([sending, lost]) {
        assert_eq!((intent.number, intent.epoch, intent.attempt), (before.number, next(before), 1));
        assert!(matches!(intent.state, State::Unknown { .. }));
        assert!(intent.owner.is_some() && intent.owner != owner);
        assert_eq!(intent.arguments, Some(beginning(&intent.id.key).arguments));
    }
    assert_eq!(found[1].state, State::Unknown { why: "no answer".into() });
    assert_eq!(claimed(&store, open(10)).await, [], "it is held now");
    assert!(matches!(record(&store, sending, ready()).await, Recorded::Taken(Some(_))));
    assert_eq!(record(&store, found[0].held(), ready()).await, Recorded::Yes);
}

pub(crate) async fn what_was_let_go_of_is_claimed_again(stores: &impl Stores) {
    let store = stores.fresh().await;
    let first = ended(&store, "a", Change::Unknown { why: "no read-back".into(), let_go: true }).await;
    assert_eq!(look(&store, "a").await.owner, None);
    let found = claimed(&store, open(10)).await;
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].number, found[0].epoch), (first.number, next(first)));
}

pub(crate) async fn a_claim_names_portal_and_stubs_and_takes_the_oldest_up_to_its_limit(stores: &impl Stores) {
    let store = stores.fresh().await;
    let mut numbers = Vec::new();
    for (key, portal, stub) in [
        ("a", PORTAL, STUB),
        ("b", "other.bitrix24.com", STUB),
        ("c", PORTAL, "shop::other"),
        ("d", PORTAL, STUB),
        ("e", PORTAL, "shop::add_lead"),
        ("f", PORTAL, STUB),
    ] {
        let mut beginning = beginning(key);
        beginning.id.portal = portal.into();
        beginning.stub = stub.into();
        numbers.push(held(store.begin(&beginning).await.unwrap()).number);
    }
    let store = stores.later(store).await;
    let claim = |stubs: &[&str], limit| Claim::Open {
        portal: PORTAL.into(),
        stubs: stubs.iter().map(|stub| (*stub).into()).collect(),
        limit,
    };
    let keys = |found: Vec<Intent>| found.into_iter().map(|intent| intent.id.key.into_string()).collect::<Vec<_>>();
    assert_eq!(keys(claimed(&store, claim(&[], 10)).await), [""; 0]);
    assert_eq!(keys(claimed(&store, claim(&[STUB], 0)).await), [""; 0]);
    assert_eq!(keys(claimed(&store, claim(&[STUB, "shop::add_lead"], 2)).await), ["a", "d"]);
    assert_eq!(keys(claimed(&store, claim(&[STUB, "shop::add_lead"], 5)).await), ["e", "f"]);
}

pub(crate) async fn one_intent_is_claimed_by_its_name(stores: &impl Stores) {
    let store = stores.fresh().await;
    begun(&store, "a").await;
    begun(&store, "b").await;
    let store = stores.later(store).await;
    assert_eq!(claimed(&store, Claim::One(id("c"))).await, []);
    let found = claimed(&store, Claim::One(id("b"))).await;
    assert_eq!(found.iter().map(|intent| &intent.id).collect::<Vec<_>>(), [&id("b")]);
    assert_eq!(claimed(&store, Claim::One(id("b"))).await, []);
    assert_eq!(look(&store, "a").await.state, State::Sending);
}

pub(crate) async fn what_is_closed_is_not_claimed(stores: &impl Stores) {
    let store = stores.fresh().await;
    for (key, (end, _)) in ["a", "b", "c", "d"].into_iter().zip(ends()) {
        ended(&store, key, end).await;
    }
    let store = stores.later(store).await;
    assert_eq!(claimed(&store, open(10)).await, []);
    for (key, (_, state)) in ["a", "b", "c", "d"].into_iter().zip(ends()) {
        assert_eq!(claimed(&store, Claim::One(id(key))).await, []);
        assert_eq!(look(&store, key).await.state, state);
    }
}

pub(crate) async fn a_release_is_on_record_after_a_flush(stores: &impl Stores) {
    let store = stores.fresh().await;
    let first = begun(&store, "a").await;
    store.release(first, "its task was dropped");
    store.flush().await.unwrap();
    let intent = look(&store, "a").await;
    assert_eq!((intent.held(), intent.owner), (first, None));
    assert_eq!(intent.state, State::Unknown { why: "its task was dropped".into() });
    assert_eq!(claimed(&store, open(10)).await.len(), 1);
    // Whoever has lost it lets go of nothing.
    store.release(first, "again");
    store.flush().await.unwrap();
    let intent = look(&store, "a").await;
    assert!(intent.owner.is_some() && intent.epoch == next(first));
}

pub(crate) async fn of_many_at_once_one_begins(stores: &impl Stores) {
    let store = stores.fresh().await;
    let tasks: Vec<_> = (0..16)
        .map(|_| {
            let store = store.clone();
            tokio::spawn(async move { store.begin(&beginning("a")).await.unwrap() })
        })
        .collect();
    let mut begun = 0;
    let mut seen = BTreeSet::new();
    for task in tasks {
        match task.await.unwrap() {
            Begun::Yes(held) => {
                begun += 1;
                seen.insert(held.number);
            }
            Begun::Taken(intent) => {
                seen.insert(intent.expect("it is there").number);
            }
        }
    }
    assert_eq!((begun, seen.len()), (1, 1));
}
