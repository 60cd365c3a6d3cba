//! Walks that can't go on: the error says why, and there is no endless loop.

use retry_runtime::{CallError, Effect, Pages, Reader, bitrix_method};
use serde::Deserialize;

use crate::list::{List, Way};
use crate::walked::{Deal, NEW, all_deals};

/// The rows before the error, and its words.
async fn ended(mut pages: Pages<Deal>) -> (u64, String) {
    loop {
        match pages.next().await {
            Some(Ok(_)) => assert!(pages.read() < 10_000, "there is no end to it"),
            Some(Err(error)) => {
                assert!(matches!(error, CallError::Undecodable(_)) && error.effect() == Effect::Absent, "{error}");
                assert!(pages.next().await.is_none(), "an error is the last item");
                return (pages.read(), error.to_string());
            }
            None => panic!("the walk ended as if all were well, after {} rows", pages.read()),
        }
    }
}

fn list(way: Option<Way>) -> List {
    List::new(way, 1..=130)
}

#[tokio::test(start_paused = true)]
async fn case_b46_a_portal_that_ignores_the_filter_ends_the_walk() {
    // The same full page again and again, of a list that has more rows and of one that has no others.
    for (rows, more) in [(130, None), (50, None), (50, Some(Way::NoTotal))] {
        let list = List::new([Way::IgnoresFilter].into_iter().chain(more), 1..=rows);
        let (read, words) = ended(all_deals(&list.client(), &NEW, &["ID"])).await;
        assert_eq!(read, 50);
        assert!(words.contains("row 1 comes after row 50: the list does not follow the filter `>ID`"), "{words}");
        assert!(words.contains("try `pages = start`"), "{words}");
        assert_eq!(list.sent().len(), 2, "one request is wasted");
    }
}

#[tokio::test(start_paused = true)]
async fn a_portal_that_ignores_the_order_ends_the_walk_before_a_row_is_left_out() {
    let list = list(Some(Way::IgnoresOrder));
    let (read, words) = ended(all_deals(&list.client(), &NEW, &["ID"])).await;
    assert_eq!((read, list.sent().len()), (0, 1));
    assert!(words.contains("row 129 comes after row 130: the list does not follow the order by `ID`"), "{words}");
}

#[derive(Debug, Deserialize)]
struct Strict {
    #[expect(dead_code, reason = "it is there to be read")]
    #[serde(rename = "TITLE")]
    title: u64,
}

#[bitrix_method(name = "crm.deal.list", kind = read, pages = "ID")]
fn strict_deals(reader: &Reader) -> Pages<Strict>;

#[bitrix_method(name = "crm.deal.list", kind = read, pages = "DEAL_ID")]
fn deals_of_another_id(reader: &Reader) -> Pages<Deal>;

#[tokio::test(start_paused = true)]
async fn a_row_that_does_not_fit_and_one_without_an_id_say_so() {
    let list = list(None);
    let error = strict_deals(&list.client()).all().await.unwrap_err();
    assert!(matches!(error, CallError::Undecodable(_)));
    assert!(error.failure().why().contains("a row does not read as the row type of the stub"), "{error}");
    assert_eq!(error.report().method(), "crm.deal.list");
    let (read, words) = ended(deals_of_another_id(&list.client())).await;
    assert!(words.contains("its rows have no `DEAL_ID`"), "{words}");
    assert_eq!((read, list.sent().len()), (0, 2));
}
