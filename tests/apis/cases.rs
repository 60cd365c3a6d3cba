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
    let sent = portal.requests();
    assert_eq!((sent.len(), portal.records("deal").len()), (2, 1));
    assert!(sent.iter().all(|request| request.verb == "POST" && request.path == "/v1/deals"), "{sent:?}");
    let waited = sent[1].since_start.checked_sub(sent[0].since_start).unwrap();
    assert!(waited >= Duration::from_secs(2), "{waited:?}");

    // The same status with another code, after the deal was made: it is looked for and found.
    let late = json!({"success": false, "error": {"code": "BITRIX_TIMEOUT"}});
    portal.script("crm.deal.add", [Fault::before(Answer::Raw(Raw::json(504, &late)))]);
    add_deal(&client, &NewDeal::of("k-2")).await.unwrap();
    assert_eq!((portal.count("crm.deal.add"), portal.records("deal").len()), (3, 2));
    assert!(portal.count("crm.deal.list") > 0);
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
    builder.policy(policy.backoff(Duration::from_millis(5), Duration::from_millis(50))).retry_budget(10_000).build().unwrap()
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

/// The portal says how many it refused: that is as many as were sent again, and all of them by the rate.
fn refused(portal: &Portal, calls: usize) -> usize {
    let refused = portal.refused();
    let by_rate = refused.get("QUERY_LIMIT_EXCEEDED").copied().unwrap_or_default();
    assert_eq!(refused.values().sum::<usize>(), by_rate, "{refused:?}");
    assert_eq!(portal.request_count(), calls + by_rate);
    by_rate
}

#[tokio::test]
async fn case_b31_a_loop_of_calls_is_done_whether_the_rate_is_known_or_not() {
    let (portal, limit) = limited().await;
    all_done(&portal, &[patient(&portal, limit)], 130, 5).await;
    let known = refused(&portal, 135);
    let (portal, _) = limited().await;
    all_done(&portal, &[patient(&portal, RateLimit::none())], 130, 5).await;
    let unknown = refused(&portal, 135);
    assert!(known < unknown, "{known} refusals where the rate was known, {unknown} where it was not");
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
