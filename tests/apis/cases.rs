//! Reports of people who do this job, as far as they are about the gateway or about the real limits of a portal.

use std::time::Duration;

use retry_portal::{Answer, Fault, Portal, Raw};
use retry_runtime::{CallError, Client, Id, Policy, RateLimit, bitrix_method};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::setting::{portal, scaled, vibe};
use crate::stubs::{NewDeal, PlainDeal, add_blind_deal, add_deal, add_plain_deal, profile};

/// Creates a lead.
#[bitrix_method(name = "crm.lead.add", kind = write, unverifiable = "the case needs none")]
async fn add_lead(client: &Client, fields: &Value) -> Result<Id, CallError>;

#[tokio::test]
async fn case_b15_an_unusual_success_of_the_gateway_is_a_success() {
    let odd = json!({"success": true, "data": {"id": 31}, "meta": {"new": "field"}});
    let portal = portal().start().await.unwrap();
    portal.script("crm.lead.add", [Fault::never(Answer::Raw(Raw::json(201, &odd)))]);
    assert_eq!(add_lead(&vibe(&portal), &json!({"title": "l-5"})).await.unwrap(), Id(31));
    assert_eq!(portal.count("crm.lead.add"), 1);
}

#[tokio::test]
async fn case_b21_the_queue_of_the_gateway_names_its_own_wait() {
    let portal = portal().start().await.unwrap();
    let client = vibe(&portal);
    let busy = json!({"success": false, "error": {"code": "QUEUE_TIMEOUT", "message": "m", "retryAfter": 2}});
    let busy = Raw::json(504, &busy).header("Retry-After", "2");
    portal.script("crm.deal.add", [Fault::never(Answer::Raw(busy))]);
    add_deal(&client, &NewDeal::of("k")).await.unwrap();
    let sent: Vec<_> = portal.requests().into_iter().filter(|request| request.method == "crm.deal.add").collect();
    assert_eq!((sent.len(), portal.records("deal").len()), (2, 1));
    assert!(sent.iter().all(|request| request.verb == "POST" && request.path == "/v1/deals"), "{sent:?}");
    let waited = sent[1].since_start.checked_sub(sent[0].since_start).unwrap();
    assert!(waited >= Duration::from_secs(2), "{waited:?}");

    // The same status with another code, after the deal was made: it is looked for and found.
    let looks = portal.count("crm.deal.list");
    let late = json!({"success": false, "error": {"code": "BITRIX_TIMEOUT"}});
    portal.script("crm.deal.add", [Fault::before(Answer::Raw(Raw::json(504, &late)))]);
    add_deal(&client, &NewDeal::of("k-2")).await.unwrap();
    assert_eq!((portal.count("crm.deal.add"), portal.records("deal").len()), (3, 2));
    assert!(portal.count("crm.deal.list") > looks);
}

/// Creates a deal of any fields.
#[bitrix_method(name = "crm.deal.add", kind = write, unverifiable = "the case needs none")]
async fn add_any(client: &Client, fields: &Value) -> Result<Id, CallError>;

#[tokio::test]
async fn case_b35_of_three_creates_in_a_batch_the_portal_refuses_one() {
    let portal = portal().require("deal", "TITLE").start().await.unwrap();
    let client = scaled(Client::builder().webhook(&portal.webhook_url())).build().unwrap().batched();
    let [x, y, z] = [json!({"TITLE": "x"}), json!({"COMMENTS": "y"}), json!({"TITLE": "z"})];
    let (x, y, z) = tokio::join!(add_any(&client, &x), add_any(&client, &y), add_any(&client, &z));
    let titles: Vec<_> =
        portal.records("deal").iter().map(|deal| (deal.id(), deal.text("TITLE").unwrap().to_owned())).collect();
    assert_eq!(titles, [(x.unwrap().0, "x".to_owned()), (z.unwrap().0, "z".to_owned())]);
    let error = y.unwrap_err();
    assert!(matches!(error, CallError::Refused(_)) && error.code().is_some(), "{error}");
    assert_eq!((portal.request_count(), portal.command_count()), (1, 3), "{error}");
}

/// A portal with the bucket of the cloud, a hundred times as fast, and what a client has to know of it.
async fn limited() -> (Portal, RateLimit) {
    let portal = Portal::builder().rate(50, 2.0).time_scale(0.01).start().await.unwrap();
    (portal, RateLimit::new(50, Duration::from_millis(5)))
}

/// A client with time.
fn patient(portal: &Portal, limit: RateLimit) -> Client {
    let builder = scaled(Client::builder().webhook(&portal.webhook_url())).rate_limit(limit);
    let policy = Policy::new().attempts(1_000).deadline(Duration::from_secs(300));
    builder
        .policy(policy.backoff(Duration::from_millis(5), Duration::from_millis(50)))
        .retry_budget(10_000)
        .build()
        .unwrap()
}

/// So many reads and creates at once, in turn through these clients. Fails unless each is done, and each deal there once.
async fn all_done(portal: &Portal, clients: &[Client], reads: usize, creates: usize) {
    let mut calls = JoinSet::new();
    for number in 0..reads.max(creates) {
        let client = &clients[number % clients.len()];
        if number < reads {
            let client = client.clone();
            calls.spawn(async move { profile(&client).await.map(|_| ()) });
        }
        if number < creates {
            let (client, deal) = (client.clone(), PlainDeal { title: number.to_string() });
            calls.spawn(async move { add_plain_deal(&client, &deal).await.map(|_| ()) });
        }
    }
    assert_eq!(calls.len(), reads + creates);
    for call in calls.join_all().await {
        call.unwrap();
    }
    assert_eq!((portal.records("deal").len(), portal.duplicates_by("deal", "TITLE").len()), (creates, 0));
}

/// Where the rate is not known, the portal refuses what is too much, and that is sent again.
#[tokio::test]
async fn case_b31_a_loop_of_calls_is_done_whether_the_rate_is_known_or_not() {
    for known in [true, false] {
        let (portal, limit) = limited().await;
        let limit = if known { limit } else { RateLimit::none() };
        all_done(&portal, &[patient(&portal, limit)], 130, 5).await;
        let refused = portal.refused().get("QUERY_LIMIT_EXCEEDED").copied().unwrap_or_default();
        assert_eq!(portal.request_count(), 135 + refused, "{:?}", portal.refused());
    }
}

#[tokio::test]
async fn case_b78_two_clients_and_another_program_share_a_portal_without_a_duplicate() {
    let (portal, limit) = limited().await;
    // The other program has used half of the bucket.
    let other = patient(&portal, RateLimit::none());
    all_done(&portal, &[other], 25, 0).await;
    portal.clear_requests();
    let clients = [patient(&portal, limit), patient(&portal, limit)];
    all_done(&portal, &clients, 100, 100).await;
}

/// B13 through the gateway: its answer without a body says nothing, and there is nothing to look for.
#[tokio::test]
async fn case_b13_an_empty_504_of_the_gateway_stops_a_write_that_has_no_key() {
    let portal = portal().start().await.unwrap();
    portal.script("crm.deal.add", [Fault::before(Answer::Raw(Raw::new(504)))]);
    let error = add_blind_deal(&vibe(&portal), &NewDeal::of("7")).await.unwrap_err();
    assert!(matches!(error, CallError::InDoubt(_)), "{error}");
    assert_eq!((portal.request_count(), portal.records("deal").len()), (1, 1));
}
