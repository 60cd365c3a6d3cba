//! Create, get, update and delete.

use retry_portal::{Outcome, Portal, UserFieldNames};
use serde_json::{Value, json};

use super::{data, portal, refusal, vibe};
use crate::client::result;

#[tokio::test]
async fn a_create_answers_201_with_the_whole_object() {
    let portal = portal().await;
    let body = json!({"title": "Order 7", "amount": 150, "currency": "EUR", "opened": false, "UF_CRM_ORDER_KEY": "7"});
    let seen = vibe(&portal, "POST", "deals", &body).await;
    assert_eq!(seen.status(), 201);
    assert!(seen.body().starts_with(b"{\"success\":true,\"data\":{"), "{}", seen.text());
    let deal = seen.json()["data"].clone();
    assert_eq!((&deal["id"], &deal["title"], &deal["entityTypeId"]), (&json!(1), &json!("Order 7"), &json!(2)));
    assert_eq!((&deal["amount"], &deal["currency"], &deal["opened"]), (&json!(150.0), &json!("EUR"), &json!(false)));
    assert_eq!((&deal["UF_CRM_ORDER_KEY"], &deal["ufCrmOrderKey"]), (&json!("7"), &json!("7")));
    assert!(deal["createdAt"].as_str().and_then(|date| date.strip_suffix(".000Z")).is_some(), "{deal}");
    assert_eq!(portal.records("deal")[0].text("OPPORTUNITY"), Some("150.00"));
    let noted = &portal.requests()[0];
    assert_eq!((noted.method.as_str(), noted.effect), ("crm.deal.add", Outcome::Before));
    assert_eq!((noted.status, noted.verb.as_str(), noted.path.as_str()), (Some(201), "POST", "/v1/deals"));
}

#[tokio::test]
async fn the_fields_may_come_in_a_member_of_their_own() {
    let portal = portal().await;
    let deal = data(&portal, "POST", "deals", json!({"fields": {"title": "x", "ufCrm_123": "k"}})).await;
    assert_eq!((&deal["title"], &deal["UF_CRM_123"]), (&json!("x"), &json!("k")));
    let updated = data(&portal, "PATCH", "deals/1", json!({"fields": {"title": "y"}})).await;
    assert_eq!(updated["title"], json!("y"));
}

#[tokio::test]
async fn update_answers_200_with_the_whole_object_and_delete_204_without_a_body() {
    let portal = portal().await;
    data(&portal, "POST", "companies", json!({"title": "Acme"})).await;
    let seen = vibe(&portal, "PATCH", "companies/1", &json!({"title": "Acme Ltd"})).await;
    assert_eq!((seen.status(), &seen.json()["data"]["title"]), (200, &json!("Acme Ltd")));
    assert_eq!(data(&portal, "GET", "companies/1", Value::Null).await["title"], json!("Acme Ltd"));
    let gone = vibe(&portal, "DELETE", "companies/1", &Value::Null).await;
    assert_eq!((gone.status(), gone.body()), (204, Vec::new()));
    for (verb, body) in [("GET", Value::Null), ("DELETE", Value::Null), ("PATCH", json!({"title": "z"}))] {
        assert_eq!(refusal(&portal, verb, "companies/1", body).await, (404, "ENTITY_NOT_FOUND".to_owned()), "{verb}");
    }
    let methods: Vec<String> = portal.requests().iter().map(|request| request.method.clone()).collect();
    assert_eq!(methods[..4], ["crm.company.add", "crm.company.update", "crm.company.get", "crm.company.delete"]);
}

#[tokio::test]
async fn the_keys_of_another_system_are_dropped_and_custom_fields_are_kept() {
    let body = json!({"title": "x", "originId": "7", "originatorId": "shop", "xmlId": "7", "ufCrmOrderKey": "7"});
    let portal = portal().await;
    let deal = data(&portal, "POST", "deals", body.clone()).await;
    for name in ["originId", "originatorId", "xmlId"] {
        assert_eq!(deal.get(name), None, "{name}");
    }
    let kept = &portal.records("deal")[0];
    assert_eq!((kept.text("ORIGIN_ID"), kept.text("UF_CRM_ORDER_KEY")), (None, Some("7")));

    let keeps = Portal::builder().vibe_keeps_origin(true).start().await.expect("a portal");
    let deal = data(&keeps, "POST", "deals", body).await;
    assert_eq!((&deal["originId"], &deal["originatorId"]), (&json!("7"), &json!("shop")));
    assert_eq!(keeps.records("deal")[0].text("ORIGIN_ID"), Some("7"));
}

#[tokio::test]
async fn the_names_of_custom_fields_are_a_switch() {
    for (names, shown) in [
        (UserFieldNames::Both, vec!["UF_CRM_KEY", "ufCrmKey"]),
        (UserFieldNames::Original, vec!["UF_CRM_KEY"]),
        (UserFieldNames::Camel, vec!["ufCrmKey"]),
    ] {
        let portal = Portal::builder().vibe_user_field_names(names).start().await.expect("a portal");
        let deal = data(&portal, "POST", "deals", json!({"UF_CRM_KEY": "k"})).await;
        let found: Vec<&str> = ["UF_CRM_KEY", "ufCrmKey"].into_iter().filter(|name| deal.get(name).is_some()).collect();
        assert_eq!(found, shown);
    }
}

#[tokio::test]
async fn phones_come_in_fm() {
    let portal = portal().await;
    let body = json!({"name": "Ann", "fm": [{"typeId": "PHONE", "value": "+7 900", "valueType": "WORK"}],
                      "email": [{"value": "ann@example.com"}]});
    let contact = data(&portal, "POST", "contacts", body).await;
    assert_eq!((&contact["phone"], &contact["email"]), (&Value::Null, &Value::Null));
    let values: Vec<&Value> = contact["fm"].as_array().expect("a list").iter().map(|one| &one["value"]).collect();
    assert_eq!(values, [&json!("+7 900"), &json!("ann@example.com")]);
    let bad = refusal(&portal, "POST", "contacts", json!({"email": "no address"})).await;
    assert_eq!(bad, (422, "BITRIX_ERROR".to_owned()));
}

#[tokio::test]
async fn all_apis_share_the_records() {
    let portal = portal().await;
    result(&portal, "crm.deal.add", &json!({"fields": {"TITLE": "by REST 2", "UF_CRM_KEY": "1"}})).await;
    assert_eq!(data(&portal, "GET", "deals/1", Value::Null).await["title"], json!("by REST 2"));
    data(&portal, "POST", "deals", json!({"title": "by the gateway", "ufCrmKey": "2"})).await;
    let deal = result(&portal, "crm.deal.get", &json!({"id": 2})).await;
    assert_eq!((&deal["TITLE"], &deal["UF_CRM_KEY"]), (&json!("by the gateway"), &json!("2")));
    assert_eq!(portal.count("crm.deal.add"), 2, "one name for both routes");
}

#[tokio::test]
async fn fields_tells_what_gets_through() {
    let portal = portal().await;
    let fields = data(&portal, "GET", "deals/fields", Value::Null).await["fields"].clone();
    assert_eq!(fields["amount"]["type"], json!("double"));
    assert_eq!(fields["id"]["isReadOnly"], json!(true));
    assert_eq!(fields.get("originId"), None);
    let keeps = Portal::builder().vibe_keeps_origin(true).start().await.expect("a portal");
    assert!(data(&keeps, "GET", "deals/fields", Value::Null).await["fields"].get("originId").is_some());
}

#[tokio::test]
async fn what_an_administrator_requires_and_who_may_read_hold_here_too() {
    let portal = Portal::builder().require("deal", "UF_CRM_KEY").hide("lead").start().await.expect("a portal");
    assert_eq!(refusal(&portal, "POST", "deals", json!({"title": "x"})).await, (422, "BITRIX_ERROR".to_owned()));
    data(&portal, "POST", "leads", json!({"title": "x"})).await;
    for (verb, body) in [("GET", Value::Null), ("PATCH", json!({"title": "y"})), ("DELETE", Value::Null)] {
        assert_eq!(refusal(&portal, verb, "leads/1", body).await, (403, "ACCESS_DENIED".to_owned()), "{verb}");
    }
    assert_eq!(data(&portal, "POST", "leads/search", json!({})).await, json!([]));
}
