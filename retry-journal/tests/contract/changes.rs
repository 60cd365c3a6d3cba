//! How intents change after an attempt.

use bytes::Bytes;
use retry_runtime::journal::{Change, Epoch, Held, How, Journal as _, Recorded, State};

use crate::kit::{
    Stores, applied, beginning, begun, changes, ended, ends, entry, held, is_now, look, manual, ready, record,
    rejected, unknown,
};

pub(crate) async fn each_change_is_on_record_and_keeps_the_epoch(stores: &impl Stores) {
    let store = stores.fresh().await;
    for (key, (change, state)) in ["a", "b", "c", "d", "e"].into_iter().zip(changes()) {
        let held = begun(&store, key).await;
        assert_eq!(record(&store, held, change).await, Recorded::Yes);
        let intent = look(&store, key).await;
        assert_eq!((intent.held(), intent.attempt), (held, 1));
        assert_eq!(intent.state, state);
        if state.is_open() {
            assert!(intent.owner.is_some() && intent.closed.is_none(), "it is still held");
        } else {
            assert_eq!(intent.owner, None);
            assert!(intent.closed.is_some_and(is_now));
        }
    }
    let how = How::ReadBack;
    let held = begun(&store, "f").await;
    record(&store, held, unknown()).await;
    record(&store, held, Change::Applied { how, result: Bytes::from_static(b"{}") }).await;
    assert_eq!(look(&store, "f").await.state, State::Applied { how, result: Bytes::from_static(b"{}") });
}

pub(crate) async fn another_epoch_changes_nothing(stores: &impl Stores) {
    let store = stores.fresh().await;
    let held = begun(&store, "a").await;
    let before = look(&store, "a").await;
    for epoch in [0, 2, u64::MAX] {
        for change in [unknown(), ready(), rejected(), manual()] {
            let other = Held { epoch: Epoch(epoch), ..held };
            assert_eq!(record(&store, other, change).await, Recorded::Taken(Some(Box::new(before.clone()))));
        }
    }
    assert_eq!(look(&store, "a").await, before);
}

pub(crate) async fn a_closed_intent_changes_no_more(stores: &impl Stores) {
    let store = stores.fresh().await;
    for (key, (end, _)) in ["a", "b", "c", "d"].into_iter().zip(ends()) {
        let held = ended(&store, key, end).await;
        let before = look(&store, key).await;
        for change in [unknown(), ready(), rejected(), manual()] {
            assert_eq!(record(&store, held, change).await, Recorded::Taken(Some(Box::new(before.clone()))));
        }
        assert_eq!(look(&store, key).await, before);
    }
}

pub(crate) async fn the_news_that_it_was_applied_is_taken_from_anybody(stores: &impl Stores) {
    let store = stores.fresh().await;
    let first = begun(&store, "a").await;
    let mut again = beginning("a");
    again.expected = Some(first.epoch);
    let second = held(store.begin(&again).await.unwrap());
    assert_eq!(record(&store, first, applied()).await, Recorded::Yes);
    let intent = look(&store, "a").await;
    assert_eq!((intent.epoch, intent.owner), (second.epoch, None));
    assert!(matches!(intent.state, State::Applied { .. }));
    assert!(matches!(record(&store, second, ready()).await, Recorded::Taken(Some(_))));
}

pub(crate) async fn news_of_an_effect_after_the_end_changes_no_state(stores: &impl Stores) {
    let store = stores.fresh().await;
    for (key, (end, _)) in ["a", "b", "c", "d"].into_iter().zip(ends()) {
        let held = ended(&store, key, end).await;
        let before = look(&store, key).await;
        for epoch in [held.epoch, Epoch(0)] {
            let news = entry(Held { epoch, ..held }, Change::Applied { how: How::Answer, result: "18".into() });
            assert_eq!(store.record(&news).await.unwrap(), Recorded::Taken(Some(Box::new(before.clone()))));
        }
        assert_eq!(look(&store, key).await, before);
    }
}

pub(crate) async fn an_intent_that_is_not_there_is_taken_by_nobody(stores: &impl Stores) {
    let store = stores.fresh().await;
    for number in [0, 1, u64::MAX] {
        for (change, _) in changes() {
            assert_eq!(record(&store, Held { number, epoch: Epoch(1) }, change).await, Recorded::Taken(None));
        }
    }
}
