//! What a person sees.

use std::time::Duration;

use retry_journal::{Desk, DeskError, Query};
use retry_runtime::journal::{Change, EventKind, How, Journal as _};

use crate::kit::{
    STUB, Stores, applied, beginning, begun, ended, event, held, is_now, look, manual, ready, record, rejected, unknown,
};

async fn keys(desk: &impl Desk, query: &Query) -> Vec<String> {
    desk.list(query).await.unwrap().intents.into_iter().map(|intent| intent.id.key.into_string()).collect()
}

pub(crate) async fn pages_go_from_the_newest_to_the_oldest_and_end<S: Stores<Store: Desk>>(stores: &S) {
    let store = stores.fresh().await;
    for key in 0..7 {
        begun(&store, &key.to_string()).await;
    }
    assert_eq!(keys(&store, &Query::default()).await, ["6", "5", "4", "3", "2", "1", "0"]);
    let mut query = Query { limit: 3, ..Query::default() };
    let mut pages = Vec::new();
    loop {
        let page = store.list(&query).await.unwrap();
        for intent in &page.intents {
            assert_eq!(look(&store, &intent.id.key).await, *intent);
        }
        pages.push(page.intents.len());
        query.before = page.next;
        if page.next.is_none() {
            break;
        }
    }
    assert_eq!(pages, [3, 3, 1]);
    query = Query { limit: 7, ..Query::default() };
    assert_eq!(store.list(&query).await.unwrap().next, None, "a full last page has none after it");
}

pub(crate) async fn a_list_is_narrowed_by_state_and_text<S: Stores<Store: Desk>>(stores: &S) {
    let store = stores.fresh().await;
    begun(&store, "Order-1").await;
    ended(&store, "Заказ-2", manual()).await;
    ended(&store, "100%_3", ready()).await;
    let mut other = beginning("4");
    other.id.portal = "Beta.example".into();
    other.stub = "shop::Special".into();
    held(store.begin(&other).await.unwrap());
    let query = |states: &[&str], text: Option<&str>| Query {
        states: states.iter().map(|state| (*state).into()).collect(),
        text: text.map(Into::into),
        ..Query::default()
    };
    assert_eq!(keys(&store, &query(&["manual"], None)).await, ["Заказ-2"]);
    assert_eq!(keys(&store, &query(&["not applied", "manual"], None)).await, ["100%_3", "Заказ-2"]);
    assert_eq!(keys(&store, &query(&["no such state"], None)).await, [""; 0]);
    for (text, found) in [
        ("order", vec!["Order-1"]),
        ("зАКАЗ", vec!["Заказ-2"]),
        ("%", vec!["100%_3"]),
        ("_", vec!["100%_3", "Заказ-2", "Order-1"]),
        ("beta.EX", vec!["4"]),
        ("SPECIAL", vec!["4"]),
        ("DEAL.add", vec!["4", "100%_3", "Заказ-2", "Order-1"]),
        ("absent", vec![]),
    ] {
        assert_eq!(keys(&store, &query(&[], Some(text))).await, found, "{text}");
    }
    assert_eq!(keys(&store, &query(&["sending"], Some("order"))).await, ["Order-1"]);
    assert!(STUB.contains('_'), "which is why the text _ finds three");
}

pub(crate) async fn a_story_is_told_in_order<S: Stores<Store: Desk>>(stores: &S) {
    let store = stores.fresh().await;
    let events = [
        event(EventKind::Change, "begun"),
        event(EventKind::Attempt, "sent"),
        event(EventKind::Check, "Прочитано"),
        event(EventKind::Person, "Anna: looked"),
    ];
    let mut first = beginning("a");
    first.story = events[..1].to_vec();
    let held = held(store.begin(&first).await.unwrap());
    assert_eq!(store.show(held.number).await.unwrap().story, events[..1]);
    let entry = retry_runtime::journal::Entry { held, change: unknown(), story: events[1..].to_vec() };
    store.record(&entry).await.unwrap();
    let shown = store.show(held.number).await.unwrap();
    assert_eq!(shown.story, events);
    assert_eq!(shown.intent, look(&store, "a").await);
    // What is not taken tells nothing.
    let mut fenced = entry.clone();
    fenced.held.epoch.0 += 1;
    store.record(&fenced).await.unwrap();
    let mut refused = beginning("a");
    refused.story = events.to_vec();
    store.begin(&refused).await.unwrap();
    assert_eq!(store.show(held.number).await.unwrap().story, events);
}

pub(crate) async fn late_news_is_in_the_story<S: Stores<Store: Desk>>(stores: &S) {
    let store = stores.fresh().await;
    for (key, end) in [("a", ready()), ("b", rejected()), ("c", manual())] {
        let held = ended(&store, key, end).await;
        let change = Change::Applied { how: How::Answer, result: "4711".into() };
        let before = vec![event(EventKind::Attempt, "answered after all")];
        store.record(&retry_runtime::journal::Entry { held, change, story: before.clone() }).await.unwrap();
        let told = store.show(held.number).await.unwrap().story;
        assert_eq!(told[..1], before);
        assert_eq!((told.len(), told[1].kind), (2, EventKind::Change));
        assert!(told[1].text.contains("4711") && is_now(told[1].at), "{told:?}");
    }
}

pub(crate) async fn stats_count_each_state_and_the_oldest<S: Stores<Store: Desk>>(stores: &S) {
    let store = stores.fresh().await;
    let empty = store.stats().await.unwrap();
    assert!(empty.states.iter().all(|(_, count)| *count == 0));
    assert_eq!((empty.oldest_open, empty.oldest_manual), (None, None));
    ended(&store, "a", manual()).await;
    tokio::time::sleep(Duration::from_millis(30)).await;
    for (key, change) in [("b", unknown()), ("c", applied()), ("d", applied()), ("e", rejected()), ("f", ready())] {
        ended(&store, key, change).await;
    }
    let sending = begun(&store, "g").await;
    let stats = store.stats().await.unwrap();
    let count = |name| stats.states.iter().find(|(known, _)| *known == name).map_or(0, |(_, count)| *count);
    for (name, wanted) in
        [("sending", 1), ("unknown", 1), ("not applied", 1), ("applied", 2), ("rejected", 1), ("manual", 1)]
    {
        assert_eq!(count(name), wanted, "{name}");
    }
    let (open, waiting) = (stats.oldest_open.unwrap(), stats.oldest_manual.unwrap());
    assert!(open < Duration::from_secs(60) && waiting >= open + Duration::from_millis(25), "{open:?} {waiting:?}");
    assert!(stats.at.is_some_and(is_now));
    record(&store, sending, ready()).await;
    assert!(store.stats().await.unwrap().oldest_open.is_some());
}

pub(crate) async fn what_does_not_exist_is_said_so<S: Stores<Store: Desk>>(stores: &S) {
    let store = stores.fresh().await;
    begun(&store, "a").await;
    for number in [0, 99, u64::MAX] {
        assert_eq!(store.show(number).await, Err(DeskError::NoSuch(number)));
    }
    assert_eq!(Desk::suspicion(&store).await.unwrap(), None);
}
