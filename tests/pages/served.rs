//! Against the local portal, over real sockets.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use retry_portal::Portal;
use retry_runtime::oauth::{Application, MemoryStore, Tokens};
use retry_runtime::{CallError, Client, Id, Pages, Reader, bitrix_method};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::walked::{Deal, Item, all_items, deals_by_start, deals_with};

const DEALS: u64 = 120_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_and_twenty_thousand_deals_are_read_once_each_while_others_come_and_go() {
    let portal = Portal::builder().no_rate_limit().deals(DEALS).start().await.unwrap();
    let client = Client::webhook(&portal.webhook_url()).unwrap();
    let reading = Arc::new(AtomicBool::new(true));
    // Deals go from both ends, and for every fourth of them one comes.
    let writer = tokio::spawn({
        let (portal, reading) = (portal.clone(), Arc::clone(&reading));
        async move {
            let http = reqwest::Client::new();
            let mut changed = (Vec::new(), Vec::new());
            for step in (7..DEALS / 2).step_by(10) {
                if !reading.load(Ordering::Relaxed) {
                    break;
                }
                for id in [step, DEALS - 3 - (step - 7)] {
                    let delete = format!("{}crm.deal.delete", portal.webhook_url());
                    let answer: Value =
                        http.post(delete).json(&json!({"id": id})).send().await.unwrap().json().await.unwrap();
                    assert_eq!(answer["result"], true, "{answer}");
                    changed.0.push(id);
                }
                if step % 20 == 7 {
                    changed.1.push(portal.insert("deal", json!({})).unwrap());
                }
            }
            changed
        }
    });
    let mut deals = deals_with(&client, &json!({"select": ["ID"]}));
    let mut read = Vec::new();
    while let Some(deal) = deals.next().await {
        read.push(deal.unwrap().id.0);
    }
    reading.store(false, Ordering::Relaxed);
    let (deleted, added) = writer.await.unwrap();
    assert!(deleted.len() > 20, "the others had time: {}", deleted.len());
    assert!(read.is_sorted_by(|one, other| one < other), "in order, each once");
    let missing: Vec<u64> = (1..=DEALS).filter(|id| read.binary_search(id).is_err() && !deleted.contains(id)).collect();
    assert!(missing.is_empty(), "left out: {missing:?}");
    assert!(read.iter().all(|id| *id <= DEALS || added.contains(id)), "only what there was");

    let requests = portal.requests().iter().filter(|request| request.method != "crm.deal.delete").count();
    // Every page was full but the last, and after the first one they came by fifty: as few requests as there can be.
    let page_by_page = read.len() / 50 + 1;
    assert_eq!(requests, 1 + (page_by_page - 1).div_ceil(50), "for what takes {page_by_page} by pages");
    assert!(requests <= 49, "{requests}");
}

#[tokio::test]
async fn records_of_a_type_are_read_through_their_object() {
    let portal = Portal::builder().no_rate_limit().deals(3_000).start().await.unwrap();
    let client = Client::webhook(&portal.webhook_url()).unwrap();
    let items: Vec<u64> = all_items(&client, 2).all().await.unwrap().iter().map(|item| item.id.0).collect();
    assert_eq!(items, (1..=3_000).collect::<Vec<_>>());
    assert_eq!(portal.request_count(), 3);
}

#[tokio::test]
async fn offsets_are_followed_to_the_last_page() {
    let portal = Portal::builder().no_rate_limit().deals(2_620).start().await.unwrap();
    let client = Client::webhook(&portal.webhook_url()).unwrap();
    let deals: Vec<Deal> = deals_by_start(&client, &json!({"order": {"ID": "DESC"}})).all().await.unwrap();
    assert_eq!(deals.iter().map(|deal| deal.id.0).collect::<Vec<_>>(), (1..=2_620).rev().collect::<Vec<_>>());
    assert_eq!(portal.request_count(), 3);
}

#[derive(Debug, Deserialize)]
struct Task {
    id: Id,
}

#[bitrix_method(name = "tasks.task.list", kind = read, version = 3, pages = "id")]
fn all_tasks(reader: &Reader, filter: Option<&Value>, select: &[&str]) -> Pages<Task>;

#[bitrix_method(name = "tasks.task.list", kind = read, version = 3, pages = start)]
fn tasks_by_start(reader: &Reader) -> Pages<Task>;

#[tokio::test]
async fn rest_3_is_read_page_by_page() {
    let portal = Portal::builder().no_rate_limit().start().await.unwrap();
    portal.insert_many("task", 130, |_| json!({})).unwrap();
    let client = Client::webhook(&portal.webhook_url()).unwrap();
    let ids = |tasks: Vec<Task>| tasks.iter().map(|task| task.id.0).collect::<Vec<_>>();
    let filter = json!([["id", "<=", 120]]);
    assert_eq!(ids(all_tasks(&client, Some(&filter), &["id"]).all().await.unwrap()), (1..=120).collect::<Vec<_>>());
    assert_eq!(portal.request_count(), 3);
    assert_eq!(ids(all_tasks(&client, None, &["id"]).all().await.unwrap()), (1..=130).collect::<Vec<_>>());
    assert_eq!(ids(tasks_by_start(&client).all().await.unwrap()), (1..=130).collect::<Vec<_>>());
    assert_eq!(portal.request_count(), 9);
}

fn through_the_gateway(portal: &Portal) -> Client {
    Client::builder().vibe(&portal.vibe_key()).vibe_base(&portal.vibe_url()).build().unwrap()
}

#[bitrix_method(name = "crm.deal.list", kind = read, pages = "id")]
fn deals_of_the_gateway(reader: &Reader, select: &[&str]) -> Pages<Item>;

#[bitrix_method(name = "crm.deal.list", kind = read, pages = start)]
fn gateway_by_start(reader: &Reader) -> Pages<Item>;

#[tokio::test]
async fn the_gateway_is_read_by_five_hundred() {
    let portal = Portal::builder().no_rate_limit().deals(1_200).start().await.unwrap();
    let client = through_the_gateway(&portal);
    let ids = |items: Vec<Item>| items.iter().map(|item| item.id.0).collect::<Vec<_>>();
    assert_eq!(ids(deals_of_the_gateway(&client, &["id"]).all().await.unwrap()), (1..=1_200).collect::<Vec<_>>());
    assert_eq!(portal.request_count(), 3);
    assert_eq!(ids(gateway_by_start(&client).all().await.unwrap()), (1..=1_200).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_search_of_the_gateway_with_failed_windows_is_no_end_of_the_list() {
    let portal = Portal::builder().no_rate_limit().deals(70).start().await.unwrap();
    portal.vibe_window_errors(1);
    let client = through_the_gateway(&portal);
    for pages in [deals_of_the_gateway(&client, &["id"]), gateway_by_start(&client)] {
        let error = pages.all().await.unwrap_err();
        assert!(matches!(error, CallError::Undecodable(_)));
        assert!(error.to_string().contains("rows are missing"), "{error}");
    }
}

#[tokio::test]
async fn a_batched_client_reads_lists_too() {
    let portal = Portal::builder().no_rate_limit().deals(2_600).start().await.unwrap();
    let client = Client::webhook(&portal.webhook_url()).unwrap().batched();
    let (by_ids, by_offsets) = (deals_with(&client, &json!({})), deals_by_start(&client, &json!({})));
    let (by_ids, by_offsets) = tokio::try_join!(by_ids.all(), by_offsets.all()).unwrap();
    assert_eq!(by_ids.iter().map(|deal| deal.id.0).collect::<Vec<_>>(), (1..=2_600).collect::<Vec<_>>());
    assert_eq!(by_ids, by_offsets);
    assert_eq!(portal.request_count(), 1 + 2 * 2, "the first pages travel together");
}

#[tokio::test]
async fn an_application_reads_lists_and_renews_its_token_under_way() {
    let portal = Portal::builder().no_rate_limit().deals(2_600).start().await.unwrap();
    let (id, secret) = portal.oauth_application();
    let application = Application::new(id, secret).server(&portal.token_url()).unwrap();
    let (access, refresh) = portal.oauth_tokens();
    let tokens = Tokens::new(access, refresh, &portal.oauth_endpoint()).unwrap();
    let client = Client::oauth(application, MemoryStore::new(tokens)).await.unwrap();
    let mut deals = deals_with(&client, &json!({}));
    for _ in 0..50 {
        deals.next().await.unwrap().unwrap();
    }
    // The first batch meets it.
    portal.expire_tokens();
    let rest: Vec<u64> = deals.all().await.unwrap().iter().map(|deal| deal.id.0).collect();
    assert_eq!(rest, (51..=2_600).collect::<Vec<_>>());
    assert_eq!((portal.count("oauth.token"), portal.count("batch")), (1, 3));
}
