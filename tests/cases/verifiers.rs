//! D: reading back.

use retry_runtime::report::Ending;
use retry_runtime::{CallError, Client, Effect, Page, ReadBack, Reader, bitrix_method};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::support::{Fake, NewDeal, Step, add_deal, ending, secs};

fn row(id: u64, origin: &str) -> Value {
    json!({"ID": id.to_string(), "ORIGIN_ID": origin})
}

/// The end of a lost write whose read-backs all show this page.
async fn read_back(page: Step) -> (Ending, usize) {
    let portal = Fake::new().on("crm.deal.add", [Step::lost().applied()]).on("crm.deal.list", vec![page; 100]);
    let result = add_deal(&portal.client(), &NewDeal::of("A-1")).await;
    (ending(&result), portal.sends("crm.deal.add"))
}

#[tokio::test(start_paused = true)]
async fn case_b46_the_same_full_page_for_ever_is_no_proof() {
    let rows: Value = (0..50).map(|id| row(id, "B-1")).collect();
    for total in [None, Some(50)] {
        assert_eq!(read_back(Step::page(&rows, None, total)).await, (Ending::InDoubt, 1));
    }
}

#[tokio::test(start_paused = true)]
async fn case_b49_a_total_that_names_the_page_does_not_make_it_complete() {
    let rows: Value = (0..50).map(|id| row(id, if id == 7 { "A-1" } else { "B-1" })).collect();
    assert_eq!(read_back(Step::page(&rows, Some(50), Some(50))).await, (Ending::InDoubt, 1));
}

#[tokio::test(start_paused = true)]
async fn case_b50_the_same_record_twice_is_one_match() {
    assert_eq!(read_back(Step::result(&json!([row(1, "A-1"), row(1, "A-1")]))).await, (Ending::Done, 1));
    assert_eq!(read_back(Step::result(&json!([row(1, "A-1"), row(2, "A-1")]))).await, (Ending::Duplicated, 1));
}

#[tokio::test(start_paused = true)]
async fn case_b54_a_filter_that_is_ignored_shows_others_and_proves_nothing() {
    // Variant 1: all rows come back, ours not among them.
    assert_eq!(read_back(Step::result(&json!([row(1, "B-1"), row(2, "B-2")]))).await, (Ending::InDoubt, 1));
    // The key is compared on each row: ours among them is found.
    assert_eq!(read_back(Step::result(&json!([row(1, "B-1"), row(2, "A-1")]))).await, (Ending::Done, 1));
    // Variant 2: nothing comes back. It is believed after the settle time and not before.
    let portal =
        Fake::new().on("crm.deal.add", [Step::lost()]).on("crm.deal.list", vec![Step::result(&json!([])); 100]);
    add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap();
    assert!(portal.times("crm.deal.add")[1] >= secs(90));
}

#[tokio::test(start_paused = true)]
async fn case_b57_a_filter_that_the_method_refuses_proves_nothing() {
    let refusal = || Step::code("0").status(400).says("unknown filter @id");
    let portal = Fake::new().on("crm.deal.add", [Step::lost().applied()]).on("crm.deal.list", vec![refusal(); 100]);
    let result = add_deal(&portal.client(), &NewDeal::of("A-1")).await;
    assert_eq!((ending(&result), portal.sends("crm.deal.add")), (Ending::InDoubt, 1));
    let error = result.unwrap_err();
    assert_eq!(error.effect(), Effect::Unknown);
    assert!(error.to_string().contains("crm.deal.list: code 0: unknown filter @id"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn case_b58_a_nested_list_arrives_as_it_was_and_is_compared_row_by_row() {
    #[derive(Debug, Deserialize)]
    struct Row {
        #[serde(rename = "PRICE")]
        price: String,
    }

    /// Sets rows.
    #[bitrix_method(name = "crm.deal.productrows.set", kind = write, verify = same_rows)]
    async fn set_rows(client: &Client, id: u64, rows: &[Value]) -> Result<bool, CallError>;

    /// Gets rows.
    #[bitrix_method(name = "crm.deal.productrows.get", kind = read)]
    async fn get_rows(reader: &Reader, id: u64) -> Result<Page<Row>, CallError>;

    async fn same_rows(reader: &Reader, id: u64, rows: &[Value]) -> Result<ReadBack<bool>, CallError> {
        let there = get_rows(reader, id).await?.rows;
        let same = there.len() == rows.len() && there.iter().zip(rows).all(|(a, b)| b["PRICE"] == *a.price);
        Ok(if same { ReadBack::Found(true) } else { ReadBack::Absent })
    }

    let rows = [json!({"PRICE": "100.00"}), json!({"PRICE": "7"})];
    let portal = Fake::new()
        .on("crm.deal.productrows.set", [Step::lost(), Step::result(&json!(true))])
        .shows("crm.deal.productrows.get", |_, _| json!([]));
    assert!(set_rows(&portal.client(), 1, &rows).await.unwrap());
    let sent = portal.received();
    assert_eq!(sent[0].arguments, json!({"id": 1, "rows": rows}));
    // An emptied list is not what was asked for: it is no effect of this call, and it is set again.
    assert_eq!(portal.sends("crm.deal.productrows.set"), 2);
}
