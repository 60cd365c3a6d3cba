//! How attempts begin.

use bytes::Bytes;
use retry_runtime::journal::{Begun, Digest, Epoch, Journal as _, Recorded, State};
use retry_runtime::transport::Version;

use crate::kit::{
    STUB, Stores, applied, beginning, begun, ended, ends, held, id, is_now, look, manual, next, ready, record,
    rejected, taken,
};

pub(crate) async fn a_first_beginning_is_on_record_as_sending(stores: &impl Stores) {
    let store = stores.fresh().await;
    assert_eq!(store.look(&id("a")).await.unwrap(), None);
    let held = begun(&store, "a").await;
    assert_eq!(held.epoch, Epoch(1));
    let intent = look(&store, "a").await;
    assert_eq!(intent.held(), held);
    assert_eq!((intent.id, &*intent.stub, intent.version), (id("a"), STUB, Version::Two));
    assert_eq!(intent.arguments, Some(beginning("a").arguments));
    assert_eq!(intent.digest, beginning("a").digest);
    assert_eq!((intent.state, intent.attempt, intent.idempotency_key), (State::Sending, 1, None));
    assert!(intent.owner.is_some());
    assert_eq!(intent.closed, None);
    assert!(is_now(intent.began) && is_now(intent.sent));
    let other = begun(&store, "b").await;
    assert!(other.number > held.number, "numbers grow");
}

pub(crate) async fn nothing_is_begun_over_an_intent_that_was_not_expected(stores: &impl Stores) {
    let store = stores.fresh().await;
    let first = begun(&store, "a").await;
    let before = look(&store, "a").await;
    assert_eq!(taken(store.begin(&beginning("a")).await.unwrap()), Some(before.clone()));
    for epoch in [0, 2, u64::MAX] {
        let mut again = beginning("a");
        again.expected = Some(Epoch(epoch));
        assert_eq!(taken(store.begin(&again).await.unwrap()), Some(before.clone()));
    }
    let mut absent = beginning("b");
    absent.expected = Some(first.epoch);
    assert_eq!(taken(store.begin(&absent).await.unwrap()), None);
    assert_eq!(store.look(&id("b")).await.unwrap(), None);
    assert_eq!(look(&store, "a").await, before);
}

pub(crate) async fn a_further_attempt_raises_epoch_and_attempt(stores: &impl Stores) {
    let store = stores.fresh().await;
    let first = begun(&store, "a").await;
    let before = look(&store, "a").await;
    let mut again = beginning("a");
    again.expected = Some(first.epoch);
    let second = held(store.begin(&again).await.unwrap());
    assert_eq!((second.number, second.epoch), (first.number, next(first)));
    let intent = look(&store, "a").await;
    assert_eq!((intent.attempt, intent.epoch, intent.state), (2, second.epoch, State::Sending));
    assert_eq!(intent.began, before.began);
    assert!(intent.sent >= before.sent);
    // The one before is fenced.
    assert!(matches!(record(&store, first, ready()).await, Recorded::Taken(Some(_))));
    assert_eq!(record(&store, second, ready()).await, Recorded::Yes);
}

pub(crate) async fn an_intent_without_effect_is_begun_anew_with_other_arguments(stores: &impl Stores) {
    let store = stores.fresh().await;
    for (key, change) in [("a", ready()), ("b", rejected())] {
        let first = ended(&store, key, change).await;
        let mut again = beginning(key);
        again.arguments = Bytes::from_static(br#"{"fields":{"TITLE":"another"}}"#);
        again.digest = Digest::of(&again.arguments);
        again.stub = "shop::add_deal_2".into();
        again.version = Version::Three;
        again.idempotency_key = Some("0190".into());
        assert!(matches!(store.begin(&again).await.unwrap(), Begun::Taken(Some(_))), "without its epoch");
        again.expected = Some(first.epoch);
        let second = held(store.begin(&again).await.unwrap());
        let intent = look(&store, key).await;
        assert_eq!((intent.held(), intent.attempt, intent.closed), (second, 2, None));
        assert_eq!(intent.arguments, Some(again.arguments));
        assert_eq!((intent.digest, intent.stub), (again.digest, again.stub));
        assert_eq!((intent.version, intent.idempotency_key), (again.version, again.idempotency_key));
        assert_eq!(intent.state, State::Sending);
        assert!(intent.owner.is_some());
    }
}

pub(crate) async fn an_applied_or_manual_intent_is_not_begun_again(stores: &impl Stores) {
    let store = stores.fresh().await;
    for (key, change) in [("a", applied()), ("b", manual())] {
        let first = ended(&store, key, change).await;
        let before = look(&store, key).await;
        let mut again = beginning(key);
        again.expected = Some(first.epoch);
        assert_eq!(taken(store.begin(&again).await.unwrap()), Some(before.clone()));
        assert_eq!(look(&store, key).await, before);
    }
}

pub(crate) async fn the_arguments_stay_while_somebody_may_need_them(stores: &impl Stores) {
    let store = stores.fresh().await;
    for (key, change) in [("a", ready()), ("b", manual())] {
        ended(&store, key, change).await;
        assert_eq!(look(&store, key).await.arguments, Some(beginning(key).arguments));
    }
    // What tells them from others stays for good.
    for (key, (change, _)) in ["c", "d", "e", "f"].into_iter().zip(ends()) {
        ended(&store, key, change).await;
        assert_eq!(look(&store, key).await.digest, beginning(key).digest);
    }
}

pub(crate) async fn whatever_is_written_reads_back(stores: &impl Stores) {
    let store = stores.fresh().await;
    let long = "ж\u{0}".repeat(40_000).replace('\u{0}', "'\"\\%_\n");
    for key in ["", "Заказ №1", "a'b\"c", "%", "_", "crm deal", &long[..3000]] {
        let mut first = beginning(key);
        first.idempotency_key = Some(key.into());
        first.arguments = Bytes::from(long.clone());
        let held = held(store.begin(&first).await.unwrap());
        let intent = look(&store, key).await;
        assert_eq!((intent.held(), intent.arguments), (held, Some(first.arguments)));
        assert_eq!(intent.idempotency_key.as_deref(), Some(key));
        let why: Box<str> = long.clone().into();
        record(&store, held, retry_runtime::journal::Change::Manual { why: why.clone() }).await;
        assert_eq!(look(&store, key).await.state, State::Manual { why });
    }
}
