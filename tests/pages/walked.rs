//! Walks that go well: every row, in order, once, and no request more than needed.

use retry_runtime::{Id, Pages, Reader, bitrix_method};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::list::{List, Step, Way};

#[derive(Debug, Deserialize, PartialEq, Eq)]
pub(crate) struct Deal {
    #[serde(rename = "ID")]
    pub(crate) id: Id,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Item {
    pub(crate) id: Id,
}

#[derive(Debug, Serialize)]
pub(crate) struct InStage<'a> {
    #[serde(rename = "STAGE_ID")]
    pub(crate) stage: Option<&'a str>,
}

/// Every deal in a stage.
#[bitrix_method(name = "crm.deal.list", kind = read, pages = "ID")]
pub(crate) fn all_deals(reader: &Reader, filter: &InStage<'_>, select: &[&str]) -> Pages<Deal>;

/// Every deal, with whatever arguments.
#[bitrix_method(name = "crm.deal.list", kind = read, pages = "ID")]
pub(crate) fn deals_with(reader: &Reader, #[param(flatten)] arguments: &Value) -> Pages<Deal>;

/// Every deal, by offsets.
#[bitrix_method(name = "crm.deal.list", kind = read, pages = start)]
pub(crate) fn deals_by_start(reader: &Reader, #[param(flatten)] arguments: &Value) -> Pages<Deal>;

/// Every record of a type.
#[bitrix_method(name = "crm.item.list", kind = read, pages = "id")]
pub(crate) fn all_items(reader: &Reader, #[param(name = "entityTypeId")] entity: u64) -> Pages<Item>;

/// Every item, though the field is spelled as the filter has it.
#[bitrix_method(name = "crm.item.list", kind = read, pages = "ID")]
pub(crate) fn items_in_capitals(reader: &Reader) -> Pages<Item>;

pub(crate) const NEW: InStage<'static> = InStage { stage: Some("NEW") };

/// The ids of all rows.
pub(crate) async fn ids(pages: Pages<Deal>) -> Vec<u64> {
    pages.all().await.unwrap().iter().map(|deal| deal.id.0).collect()
}

/// Rows, and the requests that a walk by ids takes for them. With 100 the page behind the first reference is empty: it is asked for again.
const SIZES: [(u64, usize); 10] =
    [(0, 1), (1, 1), (49, 1), (50, 2), (51, 2), (100, 3), (2_499, 2), (2_500, 2), (2_549, 2), (2_550, 3)];

#[tokio::test(start_paused = true)]
async fn every_row_comes_once_and_in_order_whatever_their_number() {
    for (rows, requests) in SIZES {
        let list = List::of(rows);
        let mut deals = all_deals(&list.client(), &NEW, &["ID"]);
        for id in 1..=rows {
            assert_eq!(deals.next().await.unwrap().unwrap().id, Id(id), "of {rows}");
        }
        assert!(deals.next().await.is_none() && deals.next().await.is_none());
        assert_eq!((deals.read(), deals.total()), (rows, None));
        assert_eq!(list.sent().len(), requests, "requests for {rows} rows");
    }
}

#[tokio::test(start_paused = true)]
async fn the_first_request_is_one_page_and_the_next_one_fifty() {
    let list = List::of(120);
    ids(all_deals(&list.client(), &NEW, &["ID"])).await;
    let sent = list.sent();
    assert_eq!(sent[0].method, "crm.deal.list");
    let first = json!({"filter": {"STAGE_ID": "NEW"}, "select": ["ID"], "order": {"ID": "ASC"}, "start": -1});
    assert_eq!(sent[0].arguments, first);
    assert_eq!((sent[1].method, &sent[1].arguments["halt"]), ("batch", &json!(1)));
    let commands = sent[1].arguments["cmd"].as_object().unwrap();
    assert_eq!(commands.len(), 50);
    let command = |after: &str| {
        format!(
            "crm.deal.list?filter%5B%3EID%5D={after}&filter%5BSTAGE_ID%5D=NEW&order%5BID%5D=ASC&select%5B0%5D=ID&start=-1"
        )
    };
    assert_eq!(commands["p00"], command("50"));
    assert_eq!(commands["p01"], command("$result[p00][49][ID]"));
    assert_eq!(commands["p49"], command("$result[p48][49][ID]"));
}

#[tokio::test(start_paused = true)]
async fn rows_in_an_object_are_found_by_the_portal_too() {
    let list = List::new([Way::InItems], (1..=3_000).map(|id| id * 7));
    let items = all_items(&list.client(), 1030).all().await.unwrap();
    assert_eq!(
        items.iter().map(|item| item.id.0).collect::<Vec<_>>(),
        (1..=3_000).map(|id| id * 7).collect::<Vec<_>>()
    );
    assert_eq!(list.methods(), ["crm.item.list", "batch", "batch"]);
    let commands = &list.sent()[1].arguments["cmd"];
    assert!(commands["p01"].as_str().unwrap().contains("filter%5B%3Eid%5D=$result[p00][items][49][id]"), "{commands}");
}

#[tokio::test(start_paused = true)]
async fn what_is_added_and_deleted_meanwhile_moves_no_row() {
    // Between the first request and the second every third deal goes, and a hundred come.
    let list = List::of(2_000).meets([Step::Honest, Step::Changes { delete: 3, add: 100 }]);
    let read = ids(all_deals(&list.client(), &NEW, &["ID"])).await;
    let expected: Vec<u64> = (1..=2_100).filter(|id| *id <= 50 || *id > 2_000 || id % 3 != 0).collect();
    assert_eq!(read, expected);
}

#[tokio::test(start_paused = true)]
async fn arguments_that_no_query_can_carry_are_read_page_by_page() {
    for filter in
        [json!({"STAGE_ID": null}), json!({"OPENED": true}), json!({"@STAGE_ID": []}), json!({"TITLE": "$result[x]"})]
    {
        let list = List::of(170);
        let read = ids(deals_with(&list.client(), &json!({"filter": filter}))).await;
        assert_eq!(read, (1..=170).collect::<Vec<_>>());
        assert_eq!(list.methods(), ["crm.deal.list"; 4], "{filter}");
        let mut expected = filter.clone();
        expected[">ID"] = json!(50);
        assert_eq!(list.sent()[1].arguments["filter"], expected, "the rest of the filter goes as it is");
    }
}

#[tokio::test(start_paused = true)]
async fn a_portal_that_knows_no_references_is_read_page_by_page() {
    let list = List::new([Way::NoReferences], 1..=220);
    assert_eq!(ids(all_deals(&list.client(), &NEW, &["ID"])).await, (1..=220).collect::<Vec<_>>());
    // The first page of the batch is good, the others are the same again.
    assert_eq!(list.methods(), ["crm.deal.list", "batch", "crm.deal.list", "crm.deal.list", "crm.deal.list"]);
}

#[test]
fn a_stream_of_rows_is_a_stream_and_may_cross_threads() {
    fn stream<S: futures_core::Stream + Send + Unpin + 'static>(_: &S) {}
    let client = List::of(1).client();
    stream(&all_deals(&client, &NEW, &["ID"]));
    stream(&all_items(&client, 1));
}
