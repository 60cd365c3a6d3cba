//! `Key`: one place says what a list is asked for and what its rows are compared with.

use retry_portal::{Answer, Fault};
use retry_runtime::report::Ending;
use retry_runtime::{CallError, Client, Effect, Id, Key, KeyRow, Page, Proof, ReadBack, Reader, bitrix_method};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::setting::{ending, portal, scaled};
use crate::support::{Seen, Told};

/// Deals by a key.
#[bitrix_method(name = "crm.deal.list", kind = read)]
async fn list_deals(reader: &Reader, #[param(flatten)] key: &Key<'_>) -> Result<Page<KeyRow>, CallError>;

/// Records of any type by a key.
#[bitrix_method(name = "crm.item.list", kind = read)]
async fn list_items(
    reader: &Reader,
    #[param(name = "entityTypeId")] kind: u32,
    #[param(flatten)] key: &Key<'_>,
) -> Result<Page<KeyRow>, CallError>;

/// Creates a deal.
#[bitrix_method(name = "crm.deal.add", kind = write, verify = find_deal)]
async fn add_deal(client: &Client, fields: &NewDeal) -> Result<Id, CallError>;

async fn find_deal(reader: &Reader, fields: &NewDeal) -> Result<ReadBack<Id>, CallError> {
    let key = Key::origin("shop", &*fields.origin_id);
    Ok(key.find_in(list_deals(reader, &key).await?))
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
struct NewDeal {
    title: &'static str,
    originator_id: &'static str,
    origin_id: String,
}

fn deal(order: &str) -> NewDeal {
    NewDeal { title: "Chair", originator_id: "shop", origin_id: order.to_owned() }
}

#[derive(Debug, PartialEq, Deserialize)]
struct Made {
    item: Item,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Item {
    id: Id,
}

/// Creates a record of any type, with fields as they are given.
#[bitrix_method(name = "crm.item.add", kind = write, verify = find_item)]
async fn add_item(
    client: &Client,
    #[param(name = "entityTypeId")] kind: u32,
    fields: &Value,
) -> Result<Made, CallError>;

async fn find_item(reader: &Reader, kind: u32, fields: &Value) -> Result<ReadBack<Made>, CallError> {
    let key = Key::item_origin("shop", fields["title"].as_str().unwrap_or_default());
    Ok(key.find_in(list_items(reader, kind, &key).await?).map(|id| Made { item: Item { id } }))
}

#[tokio::test]
async fn each_spelling_finds_its_record_on_a_portal_and_no_other() {
    let portal = portal().start().await.unwrap();
    let client = scaled(Client::builder().webhook(&portal.webhook_url())).build().unwrap();
    for order in ["7", "70"] {
        portal.insert("deal", json!({"TITLE": "x", "ORIGINATOR_ID": "shop", "ORIGIN_ID": order})).unwrap();
    }
    let classic = |order| Key::origin("shop", order);
    let newer = |order| Key::item_origin("shop", order);
    for (order, expected) in [("7", ReadBack::Found(Id(1))), ("70", ReadBack::Found(Id(2))), ("700", ReadBack::Absent)]
    {
        let page = list_deals(&client, &classic(order)).await.unwrap();
        assert_eq!(classic(order).find_in(page), expected);
        let page = list_items(&client, 2, &newer(order)).await.unwrap();
        assert_eq!(newer(order).find_in(page), expected);
    }
    portal.insert("deal", json!({"TITLE": "x", "ORIGINATOR_ID": "shop", "ORIGIN_ID": "7"})).unwrap();
    let page = list_deals(&client, &classic("7")).await.unwrap();
    assert_eq!(classic("7").find_in(page), ReadBack::Multiple(vec![Id(1), Id(3)]));
}

#[tokio::test]
async fn p3_a_field_that_the_list_does_not_know_is_never_absent() {
    let portal = portal().start().await.unwrap();
    let client = scaled(Client::builder().webhook(&portal.webhook_url())).build().unwrap();
    portal.insert("deal", json!({"TITLE": "x", "ORIGINATOR_ID": "shop", "ORIGIN_ID": "7"})).unwrap();
    // The newer list refuses the filter, the older one leaves it out.
    let wrong = Key::item_field("orderNumber", "7");
    assert_eq!(ending(&list_items(&client, 2, &wrong).await), Ending::Refused);
    let wrong = Key::field("ORDER_NUMBER", "7");
    let verdict = wrong.find_in(list_deals(&client, &wrong).await.unwrap());
    assert!(matches!(verdict, ReadBack::Unreliable(_)), "{verdict:?}");
}

#[tokio::test]
async fn p1_lost_answers_make_one_deal_each_and_the_proof_is_one_read() {
    let faults = [Fault::none(), Fault::before(Answer::Reset), Fault::before(Answer::Html(504))];
    let portal = portal().script("crm.deal.add", faults).start().await.unwrap();
    let client = scaled(Client::builder().webhook(&portal.webhook_url())).proof(Proof::Demanded).build().unwrap();
    for (order, looks) in [("1", 1), ("2", 2), ("3", 3), ("4", 3)] {
        add_deal(&client, &deal(order)).await.unwrap();
        assert_eq!(portal.count("crm.deal.list"), looks);
    }
    assert_eq!((portal.count("crm.deal.add"), portal.records("deal").len()), (4, 4));
}

#[tokio::test]
async fn p1_a_key_that_the_portal_drops_makes_no_second_record() {
    let faults = [Fault::none(), Fault::before(Answer::Reset)];
    let portal = portal().script("crm.item.add", faults).start().await.unwrap();
    let seen = Seen::default();
    let builder = scaled(Client::builder().webhook(&portal.webhook_url())).observer(seen.clone());
    let client = builder.build().unwrap();
    // The names of the older methods: the portal leaves them out and says nothing.
    let fields = |order: &str| json!({"title": order, "ORIGINATOR_ID": "shop", "ORIGIN_ID": order});
    add_item(&client, 2, &fields("1")).await.unwrap();
    seen.only(Told::Distrusted);
    let result = add_item(&client, 2, &fields("2")).await;
    assert_eq!(ending(&result), Ending::InDoubt);
    assert_eq!(result.unwrap_err().effect(), Effect::Unknown);
    assert_eq!((portal.count("crm.item.add"), portal.records("deal").len()), (2, 2));
}
