//! Batches of each API over real sockets, with answers that get lost after a part of their calls ran.

use std::collections::BTreeSet;

use retry_portal::{Answer, Fault, Portal};
use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::oauth_renewal::expired;
use crate::setting::{portal, scaled, vibe};
use crate::stubs::{NewDeal, NewTask, add_deal, add_task, get_task};

/// A deal as REST 2 takes it, with letters that a query escapes.
#[derive(Debug, Clone, Serialize)]
struct Origin {
    #[serde(rename = "TITLE")]
    title: String,
    #[serde(rename = "ORIGIN_ID")]
    origin: String,
}

#[derive(Debug, Deserialize)]
struct Row {
    #[serde(rename = "ID")]
    id: Id,
    #[serde(rename = "ORIGIN_ID")]
    origin: Option<String>,
}

/// Lists deals.
#[bitrix_method(name = "crm.deal.list", kind = read)]
async fn list(reader: &Reader, filter: &Value, select: &[&str]) -> Result<Page<Row>, CallError>;

/// Creates a deal.
#[bitrix_method(name = "crm.deal.add", kind = write, verify = find)]
async fn add(client: &Client, fields: &Origin) -> Result<Id, CallError>;

async fn find(reader: &Reader, fields: &Origin) -> Result<ReadBack<Id>, CallError> {
    let page = list(reader, &json!({"ORIGIN_ID": fields.origin}), &["ID", "ORIGIN_ID"]).await?;
    Ok(ReadBack::by_key(page, |row| (row.origin.as_ref() == Some(&fields.origin)).then_some(row.id)))
}

fn title(number: usize) -> String {
    format!("№ {number}: a&b=c+d % [x] #?")
}

/// Creates so many deals at the same time.
async fn add_all(client: &Client, count: usize) -> BTreeSet<u64> {
    let mut calls = JoinSet::new();
    for number in 0..count {
        let client = client.clone();
        let deal = Origin { title: title(number), origin: number.to_string() };
        calls.spawn(async move { add(&client, &deal).await });
    }
    calls.join_all().await.into_iter().map(|made| made.unwrap().0).collect()
}

fn losses(k: usize) -> [Fault; 2] {
    [Fault::after_commands(k, Answer::Reset), Fault::after_commands(49 - k, Answer::Html(502))]
}

/// Fails unless the portal has each of so many deals once, as it was sent.
fn each_once(portal: &Portal, ids: &BTreeSet<u64>, count: usize) {
    let titles: BTreeSet<String> =
        portal.records("deal").iter().filter_map(|deal| deal.text("TITLE").map(str::to_owned)).collect();
    assert_eq!((portal.records("deal").len(), ids.len()), (count, count));
    assert_eq!(titles, (0..count).map(title).collect());
}

#[tokio::test]
async fn p1_a_rest_2_batch_that_is_cut_anywhere_makes_each_deal_once() {
    for k in [0, 1, 30, 49] {
        let portal = portal().script("batch", losses(k)).start().await.unwrap();
        let client = scaled(Client::builder().webhook(&portal.webhook_url())).build().unwrap().batched();
        let ids = add_all(&client, 120).await;
        each_once(&portal, &ids, 120);
        assert!(portal.request_count() < 120, "{} requests", portal.request_count());
    }
}

#[tokio::test]
async fn an_oauth_application_renews_its_token_between_its_batches() {
    let portal = portal().script("batch", losses(20)).start().await.unwrap();
    let client = expired(&portal).batched();
    let ids = add_all(&client, 60).await;
    each_once(&portal, &ids, 60);
    let batches = portal.requests().iter().filter(|request| request.method == "batch").count();
    assert!((2..30).contains(&batches), "{batches} batches");
}

#[tokio::test]
async fn reads_of_rest_3_travel_in_an_array() {
    let portal = portal().start().await.unwrap();
    let client = scaled(Client::builder().webhook(&portal.webhook_url())).build().unwrap();
    let mut ids = Vec::new();
    for number in 0..3 {
        let order = number.to_string();
        let once = retry_runtime::IdempotencyKey::of_business("order", &order).unwrap();
        ids.push(add_task(&client.batched(), &NewTask::of(&order), &once).await.unwrap().item.id);
    }
    assert_eq!(portal.count("batch"), 0);
    let batched = client.batched();
    let mut calls = JoinSet::new();
    for id in ids.clone() {
        let client = batched.clone();
        calls.spawn(async move { get_task(&client, id).await.map(|made| made.item.id) });
    }
    // One that is not there.
    let missing = batched.clone();
    calls.spawn(async move { get_task(&missing, Id(999)).await.map(|made| made.item.id) });
    let (found, failed): (Vec<_>, Vec<_>) = calls.join_all().await.into_iter().partition(Result::is_ok);
    let mut found: Vec<Id> = found.into_iter().flatten().collect();
    found.sort();
    assert_eq!(found, ids);
    let error = failed.into_iter().next().unwrap().unwrap_err();
    assert!(error.code().is_some(), "{error}");
    assert_eq!((portal.count("batch"), portal.request_count()), (1, 4));
}

#[tokio::test]
async fn p1_a_batch_through_the_gateway_that_is_cut_anywhere_makes_each_deal_once() {
    for k in [0, 25, 49] {
        let portal = portal().script("batch", losses(k)).start().await.unwrap();
        let client = vibe(&portal).batched();
        let mut calls = JoinSet::new();
        for number in 0..120 {
            let client = client.clone();
            calls.spawn(async move { add_deal(&client, &NewDeal::of(&number.to_string())).await });
        }
        let ids: BTreeSet<u64> = calls.join_all().await.into_iter().map(|made| made.unwrap().0).collect();
        assert_eq!((ids.len(), portal.records("deal").len()), (120, 120));
        assert!(portal.duplicates_by("deal", "UF_CRM_ORDER").is_empty());
        assert!(portal.request_count() < 120, "{} requests", portal.request_count());
    }
}

/// Creates a contact.
#[bitrix_method(name = "crm.contact.add", kind = write, unverifiable = "the test says so")]
async fn add_contact(client: &Client, fields: &Value) -> Result<Id, CallError>;

/// Shows a contact.
#[bitrix_method(name = "crm.contact.get", kind = read)]
async fn get_contact(reader: &Reader, id: Id) -> Result<Value, CallError>;

#[tokio::test]
async fn case_b58_nested_lists_arrive_the_same_in_a_batch_and_alone() {
    let portal = portal().start().await.unwrap();
    let single = scaled(Client::builder().webhook(&portal.webhook_url())).build().unwrap();
    let fields = json!({"NAME": "Чай & кофе", "LAST_NAME": "b=c+d %", "PHONE": [
        {"VALUE": "+7 900 1", "VALUE_TYPE": "WORK"}, {"VALUE": "+7 900 2", "VALUE_TYPE": "HOME"}]});
    let alone = shown(&get_contact(&single, add_contact(&single, &fields).await.unwrap()).await.unwrap());
    assert_eq!(alone, json!(["Чай & кофе", "b=c+d %", ["+7 900 1", "WORK"], ["+7 900 2", "HOME"]]));
    let batched = single.batched();
    let (first, second) = tokio::join!(add_contact(&batched, &fields), add_contact(&batched, &fields));
    let (first, second) = (first.unwrap(), second.unwrap());
    assert_eq!(portal.count("batch"), 1);
    let (first, second) = tokio::join!(get_contact(&batched, first), get_contact(&batched, second));
    assert_eq!([first, second].map(|contact| shown(&contact.unwrap())), [alone.clone(), alone]);
    assert_eq!(portal.count("batch"), 2);
}

/// A contact without what differs from one to the next.
fn shown(contact: &Value) -> Value {
    let phone = |at: usize| json!([contact["PHONE"][at]["VALUE"], contact["PHONE"][at]["VALUE_TYPE"]]);
    json!([contact["NAME"], contact["LAST_NAME"], phone(0), phone(1)])
}
