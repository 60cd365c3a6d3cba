//! Calls with an access token.

use std::time::Duration;

use retry_portal::{Faults, Portal};
use serde_json::{Value, json};

use super::{portal, refresh, refused, rest2, text};
use crate::client::{Seen, call};

const JSON: &str = "Content-Type: application/json";

async fn rest3(portal: &Portal, token: &str, key: &str, title: &str) -> Seen {
    let body = json!({"fields": {"title": title, "creatorId": 1, "responsibleId": 1}, "auth": token});
    let key = format!("Idempotency-Key: {key}");
    call(portal, "POST", "/rest/api/tasks.task.add", &[JSON, &key], &body.to_string()).await
}

#[tokio::test]
async fn a_token_may_stand_in_the_body_or_in_the_query() {
    let portal = portal().await;
    let (access, _) = portal.oauth_tokens();
    let created = rest2(&portal, "crm.deal.add", &access, json!({"fields": {"TITLE": "x"}})).await;
    assert_eq!((created.status(), &created.json()["result"]), (200, &json!(1)));
    let got = call(&portal, "GET", &format!("/rest/crm.deal.get.json?id=1&auth={access}"), &[], "").await;
    assert_eq!(got.json()["result"]["TITLE"], json!("x"));
    let form = call(
        &portal,
        "POST",
        "/rest/crm.deal.get",
        &["Content-Type: application/x-www-form-urlencoded"],
        &format!("id=1&auth={access}"),
    )
    .await;
    assert_eq!(form.status(), 200);
    assert!(portal.requests().iter().all(|one| one.access_token == Some(1)));
}

#[tokio::test]
async fn a_call_without_a_token_or_with_a_wrong_one_is_refused() {
    let portal = portal().await;
    let none = call(&portal, "POST", "/rest/crm.deal.add", &[JSON], "{}").await;
    assert_eq!(refused(&none), (401, json!("NO_AUTH_FOUND")));
    assert_eq!(refused(&rest2(&portal, "crm.deal.add", "other", json!({})).await), (401, json!("INVALID_CREDENTIALS")));
    let (access, _) = portal.oauth_tokens();
    let in_query = call(&portal, "POST", &format!("/rest/api/tasks.task.list?auth={access}"), &[JSON], "{}").await;
    assert_eq!(
        (in_query.status(), &in_query.json()["error"]["code"]),
        (401, &json!("NO_AUTH_FOUND")),
        "REST 3.0 reads no query"
    );
    assert!(portal.records("deal").is_empty());
}

#[tokio::test]
async fn an_access_token_lives_an_hour_or_until_it_is_told_to_die() {
    let portal = Portal::builder().time_scale(0.000_02).start().await.expect("a portal");
    let (access, _) = portal.oauth_tokens();
    assert_eq!(rest2(&portal, "profile", &access, json!({})).await.status(), 200);
    tokio::time::sleep(Duration::from_millis(90)).await;
    assert_eq!(refused(&rest2(&portal, "profile", &access, json!({})).await), (401, json!("expired_token")));

    let portal = super::portal().await;
    let (access, token) = portal.oauth_tokens();
    portal.expire_tokens();
    assert_eq!(
        refused(&rest2(&portal, "crm.deal.add", &access, json!({"fields": {}})).await),
        (401, json!("expired_token"))
    );
    assert!(portal.records("deal").is_empty());
    let expired = rest3(&portal, &access, "k", "a").await;
    assert_eq!((expired.status(), &expired.json()["error"]["code"]), (401, &json!("expired_token")));
    let new = text(&refresh(&portal, &token).await.json()["access_token"]);
    assert_eq!(rest2(&portal, "crm.deal.add", &new, json!({"fields": {}})).await.status(), 200);
    let tokens: Vec<Option<u64>> = portal.requests().iter().map(|one| one.access_token).collect();
    assert_eq!(tokens, [None, None, None, Some(2)]);
}

#[tokio::test]
async fn the_user_of_the_token_makes_the_call() {
    let portal = portal().await;
    let (_, token) = portal.oauth_tokens();
    portal.token_user(7);
    let access = text(&refresh(&portal, &token).await.json()["access_token"]);
    rest2(&portal, "crm.deal.add", &access, json!({"fields": {"TITLE": "x"}})).await;
    assert_eq!(portal.records("deal")[0].text("CREATED_BY_ID"), Some("7"));
}

#[tokio::test]
async fn whether_the_token_counts_as_a_part_of_the_body_is_a_switch() {
    for (compares, status) in [(false, 200), (true, 422)] {
        let portal = Portal::builder().idempotency_compares_auth(compares).start().await.expect("a portal");
        let ((first, _), (second, _)) = (portal.oauth_tokens(), portal.oauth_tokens());
        rest3(&portal, &first, "k-1", "a").await;
        let again = rest3(&portal, &second, "k-1", "a").await;
        assert_eq!((again.status(), portal.records("task").len()), (status, 1));
        assert_eq!(again.header("Idempotent-Replayed").is_some(), !compares);
    }
}

#[tokio::test]
async fn a_key_is_of_one_application_and_one_user() {
    let portal = portal().await;
    let (access, token) = portal.oauth_tokens();
    rest3(&portal, &access, "k-1", "a").await;
    portal.token_user(7);
    let other = text(&refresh(&portal, &token).await.json()["access_token"]);
    assert_eq!(rest3(&portal, &other, "k-1", "a").await.header("Idempotent-Replayed"), None);
    let path = crate::client::path_of(&portal, &portal.rest3_url());
    let body = json!({"fields": {"title": "a", "creatorId": 1, "responsibleId": 1}}).to_string();
    let by_webhook =
        call(&portal, "POST", &format!("{path}tasks.task.add"), &[JSON, "Idempotency-Key: k-1"], &body).await;
    assert_eq!(by_webhook.header("Idempotent-Replayed"), None);
    assert_eq!(portal.records("task").len(), 3);
}

#[tokio::test]
async fn a_token_changes_no_fault_by_chance() {
    let run = || async {
        let portal = Portal::builder()
            .faults(Faults::seeded(3).share(0.5))
            .time_scale(0.001)
            .no_rate_limit()
            .start()
            .await
            .expect("a portal");
        for number in 0..30 {
            let (access, _) = portal.oauth_tokens();
            rest2(&portal, "crm.deal.add", &access, json!({"fields": {"ORIGIN_ID": number.to_string()}})).await;
        }
        portal.requests().into_iter().map(|one| one.fault.map(|fault| fault.to_string())).collect::<Vec<_>>()
    };
    assert_eq!(run().await, run().await);
}

#[tokio::test]
async fn the_token_server_meets_no_fault_by_chance() {
    let portal = Portal::builder().faults(Faults::seeded(1).share(1.0)).start().await.expect("a portal");
    let (_, token) = portal.oauth_tokens();
    let body: Value = refresh(&portal, &token).await.json();
    assert!(body["access_token"].is_string());
}
