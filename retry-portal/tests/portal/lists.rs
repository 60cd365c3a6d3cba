//! The old lists: pages, order, selection, odd input.

use retry_portal::{Portal, UnknownFilterField};
use serde_json::{Value, json};

use crate::client::{LONG, envelope, refusal, request, result, send};

async fn with_deals(count: usize) -> Portal {
    let portal = Portal::builder().no_rate_limit().start().await.expect("a portal");
    for number in 1..=count {
        portal.insert("deal", json!({"ORIGIN_ID": format!("A-{number}"), "OPPORTUNITY": number % 7})).expect("a deal");
    }
    portal
}

fn ids(body: &Value) -> Vec<u64> {
    let rows = body["result"].as_array().expect("rows");
    rows.iter().map(|row| row["ID"].as_str().expect("an id as text").parse().expect("a number")).collect()
}

#[tokio::test]
async fn pages_have_fifty_rows_and_the_last_has_no_next() {
    let portal = with_deals(120).await;
    let mut start = json!(0);
    let mut seen = Vec::new();
    loop {
        let body = envelope(&portal, "crm.deal.list", &json!({"start": start})).await;
        assert_eq!(body["total"], json!(120));
        seen.extend(ids(&body));
        match body.get("next") {
            Some(next) => start = next.clone(),
            None => break,
        }
    }
    assert_eq!(seen, (1..=120).collect::<Vec<u64>>());
    assert_eq!(start, json!(100));
}

#[tokio::test]
async fn a_page_that_ends_with_the_rows_has_no_next() {
    let body = envelope(&with_deals(50).await, "crm.deal.list", &json!({})).await;
    assert_eq!((ids(&body).len(), &body["total"], body.get("next")), (50, &json!(50), None));
    let body = envelope(&with_deals(0).await, "crm.deal.list", &json!({})).await;
    assert_eq!((&body["result"], &body["total"], body.get("next")), (&json!([]), &json!(0), None));
}

#[tokio::test]
async fn an_uncounted_list_has_no_total_and_no_next() {
    let portal = with_deals(120).await;
    for start in [json!(-1), json!("-1")] {
        let params = json!({"start": start, "filter": {">ID": 30}, "order": {"ID": "ASC"}});
        let body = envelope(&portal, "crm.deal.list", &params).await;
        assert_eq!((&body["total"], body.get("next")), (&json!(0), None));
        assert_eq!(ids(&body), (31..=80).collect::<Vec<u64>>());
    }
}

#[tokio::test]
async fn an_odd_start_is_the_page_it_lies_in() {
    let portal = with_deals(120).await;
    for (start, first) in
        [(json!(50), 51), (json!("50"), 51), (json!(99), 51), (json!("x"), 1), (json!(null), 1), (json!([50]), 1)]
    {
        let body = envelope(&portal, "crm.deal.list", &json!({"start": start})).await;
        assert_eq!(ids(&body)[0], first, "{start}");
    }
    for beyond in [json!(150), json!(1e300), json!("99999999999999999999999")] {
        let body = envelope(&portal, "crm.deal.list", &json!({"start": beyond})).await;
        assert_eq!((&body["result"], &body["total"], body.get("next")), (&json!([]), &json!(120), None), "{beyond}");
    }
}

#[tokio::test]
async fn order_follows_the_kind_of_the_field_and_keeps_ids_for_equals() {
    let portal = with_deals(20).await;
    let by = async |order: Value| ids(&envelope(&portal, "crm.deal.list", &json!({"order": order})).await);
    assert_eq!(by(json!({"ID": "DESC"})).await, (1..=20).rev().collect::<Vec<u64>>());
    assert_eq!(by(json!({"OPPORTUNITY": "asc"})).await.get(..4), Some(&[7, 14, 1, 8][..]));
    // As text: `json!` would sort the fields.
    let two = r#"{"order": {"OPPORTUNITY": "DESC", "ID": "DESC"}}"#;
    let seen = send(&portal, request(&portal, "POST", "crm.deal.list", "application/json", two), LONG).await;
    assert_eq!(ids(&seen.json()).get(..4), Some(&[20, 13, 6, 19][..]));
    assert_eq!(by(json!({"NOTHING": "DESC"})).await, (1..=20).collect::<Vec<u64>>());
    assert_eq!(by(json!({"ID": "UP"})).await, (1..=20).collect::<Vec<u64>>());
    assert_eq!(by(json!("ID")).await, (1..=20).collect::<Vec<u64>>());
}

#[tokio::test]
async fn select_takes_names_and_masks() {
    let portal = with_deals(0).await;
    portal.insert("contact", json!({"NAME": "Ann", "UF_CRM_KEY": "k", "PHONE": [{"VALUE": "+7"}]})).expect("a contact");
    let row = async |select: Value| result(&portal, "crm.contact.list", &json!({"select": select})).await[0].clone();
    assert_eq!(row(json!(["NAME", "NOTHING"])).await, json!({"ID": "1", "NAME": "Ann"}));
    assert_eq!(row(json!(["UF_*"])).await, json!({"ID": "1", "UF_CRM_KEY": "k"}));
    let standard = row(json!(["*"])).await;
    assert!(
        standard.get("LAST_NAME").is_some() && standard.get("UF_CRM_KEY").is_none() && standard.get("PHONE").is_none()
    );
    for default in [json!([]), Value::Null] {
        let row = row(default).await;
        assert!(row.get("LAST_NAME").is_some() && row.get("UF_CRM_KEY").is_some() && row.get("PHONE").is_none());
    }
    let phones = row(json!(["PHONE"])).await;
    assert_eq!(phones["PHONE"][0]["VALUE"], json!("+7"));
}

#[tokio::test]
async fn parameters_may_be_in_capitals() {
    let portal = with_deals(3).await;
    let params = json!({"FILTER": {"=ORIGIN_ID": "A-2"}, "SELECT": ["ID"], "ORDER": {"ID": "DESC"}, "START": -1});
    let body = envelope(&portal, "crm.deal.list", &params).await;
    assert_eq!((&body["result"], &body["total"]), (&json!([{"ID": "2"}]), &json!(0)));
}

#[tokio::test]
async fn an_unknown_filter_field_is_ignored_or_refused() {
    let portal = with_deals(3).await;
    let misspelt = json!({"filter": {"=originId": "A-2"}});
    assert_eq!(ids(&envelope(&portal, "crm.deal.list", &misspelt).await), [1, 2, 3]);
    portal.unknown_filter_field(UnknownFilterField::Refuse);
    let (status, code, text) = refusal(&portal, "crm.deal.list", &misspelt).await;
    assert_eq!((status, code), (400, json!("ERROR_ARGUMENT")));
    assert!(text.contains("originId"), "{text}");
}
