//! What a person decides.

use bytes::Bytes;
use retry_journal::{Decided, Decision, Desk, DeskError, Signature};
use retry_runtime::journal::{Change, Claim, Epoch, EventKind, Held, How, Intent, Journal, Recorded, State};

use crate::kit::{
    Stores, applied, beginning, begun, changes, ended, held, id, is_now, look, manual, next, ready, record, unknown,
};

fn anna() -> Signature {
    Signature::new("Anna", "looked in the portal").unwrap()
}

async fn decide(desk: &impl Desk, held: Held, decision: &Decision) -> Decided {
    desk.decide(held.number, held.epoch, decision, &anna()).await.unwrap()
}

fn yes(decided: Decided) -> Intent {
    match decided {
        Decided::Yes(intent) => *intent,
        Decided::Changed(intent) | Decided::NotNow(intent) => panic!("not decided: {intent:?}"),
    }
}

pub(crate) async fn each_decision_has_its_states<S: Stores<Store: Desk>>(stores: &S) {
    let store = stores.fresh().await;
    let adopt = Decision::Adopt("17".into());
    let cases: [(&Decision, &[&str], &str); 4] = [
        (&adopt, &["sending", "unknown", "manual"], "applied"),
        (&Decision::Reject, &["sending", "unknown", "manual", "not applied"], "rejected"),
        (&Decision::AllowOnce, &["manual", "rejected"], "not applied"),
        (&Decision::Verify, &["manual"], "unknown"),
    ];
    let befores = changes().map(|(change, _)| Some(change));
    for (decision, from, to) in cases {
        for (number, change) in befores.iter().chain([&None]).enumerate() {
            let key = format!("{} {number}", decision.as_str());
            let held = begun(&store, &key).await;
            if let Some(change) = change {
                assert_eq!(record(&store, held, change.clone()).await, Recorded::Yes);
            }
            let before = look(&store, &key).await;
            let name = before.state.as_str();
            let decided = decide(&store, held, decision).await;
            if from.contains(&name) {
                let intent = yes(decided);
                assert_eq!((intent.state.as_str(), intent.attempt, &intent.owner), (to, 1, &None), "{key}");
                assert_eq!(intent.closed.is_some(), !intent.state.is_open());
                assert!(intent.closed.is_none_or(is_now));
                assert_eq!(look(&store, &key).await, intent);
            } else {
                assert_eq!(decided, Decided::NotNow(Box::new(before.clone())), "{key} of {name}");
                assert_eq!(look(&store, &key).await, before);
            }
        }
    }
    for (record, result) in [("17", "17"), ("D_17", r#""D_17""#), ("007", r#""007""#)] {
        let held = ended(&store, record, manual()).await;
        let intent = yes(decide(&store, held, &Decision::Adopt(record.into())).await);
        assert_eq!(intent.state, State::Applied { how: How::Person, result: Bytes::from(result) });
    }
}

pub(crate) async fn a_decision_counts_only_for_what_was_looked_at<S: Stores<Store: Desk>>(stores: &S) {
    let store = stores.fresh().await;
    let held = ended(&store, "a", manual()).await;
    let before = look(&store, "a").await;
    for epoch in [Epoch(0), next(held), Epoch(u64::MAX)] {
        let decided = decide(&store, Held { epoch, ..held }, &Decision::Reject).await;
        assert_eq!(decided, Decided::Changed(Box::new(before.clone())));
    }
    // Two people looked at the same time: the second has to look again.
    let decided = yes(decide(&store, held, &Decision::Verify).await);
    assert_eq!(decided.epoch, next(held));
    let second = decide(&store, held, &Decision::Reject).await;
    assert_eq!(second, Decided::Changed(Box::new(decided)));
    let absent = store.decide(99, Epoch(1), &Decision::Reject, &anna()).await;
    assert_eq!(absent, Err(DeskError::NoSuch(99)));
}

pub(crate) async fn a_decision_is_on_record_with_name_and_note<S: Stores<Store: Desk>>(stores: &S) {
    let store = stores.fresh().await;
    let held = ended(&store, "a", manual()).await;
    decide(&store, held, &Decision::Adopt("4711".into())).await;
    let told = store.show(held.number).await.unwrap().story;
    assert_eq!((told.len(), told[0].kind), (1, EventKind::Person));
    assert!(is_now(told[0].at));
    for part in ["Anna", "looked in the portal", "adopt", "4711"] {
        assert!(told[0].text.contains(part) || told[0].detail.contains(part), "{part} in {told:?}");
    }
}

pub(crate) async fn a_holder_is_fenced_by_a_decision<S: Stores<Store: Desk>>(stores: &S) {
    let store = stores.fresh().await;
    let sending = begun(&store, "a").await;
    yes(decide(&store, sending, &Decision::Reject).await);
    assert!(matches!(record(&store, sending, unknown()).await, Recorded::Taken(Some(_))));
    assert!(matches!(record(&store, sending, applied()).await, Recorded::Taken(Some(_))));
    assert_eq!(look(&store, "a").await.state.as_str(), "rejected");
    assert!(store.show(sending.number).await.unwrap().story.len() >= 2, "the news is in its story");
    // Only the news of an effect goes through where the intent is open again.
    let lost = ended(&store, "b", manual()).await;
    yes(decide(&store, lost, &Decision::Verify).await);
    assert!(matches!(record(&store, lost, ready()).await, Recorded::Taken(Some(_))));
    assert_eq!(record(&store, lost, applied()).await, Recorded::Yes);
}

pub(crate) async fn what_was_allowed_once_is_begun_anew<S: Stores<Store: Desk>>(stores: &S) {
    let store = stores.fresh().await;
    let first = ended(&store, "a", manual()).await;
    let allowed = yes(decide(&store, first, &Decision::AllowOnce).await);
    let mut again = beginning("a");
    again.expected = Some(allowed.epoch);
    let second = held(store.begin(&again).await.unwrap());
    assert_eq!((look(&store, "a").await.attempt, second.epoch), (2, next(allowed.held())));
}

pub(crate) async fn what_is_to_be_verified_is_claimable<S: Stores<Store: Desk>>(stores: &S) {
    let store = stores.fresh().await;
    let first = ended(&store, "a", Change::Manual { why: "no verifier".into() }).await;
    assert_eq!(store.claim(&Claim::One(id("a"))).await.unwrap(), []);
    yes(decide(&store, first, &Decision::Verify).await);
    let claimed = store.claim(&Claim::One(id("a"))).await.unwrap();
    assert_eq!(claimed.len(), 1);
    assert!(matches!(&claimed[0].state, State::Unknown { why } if why.contains("Anna")));
}
