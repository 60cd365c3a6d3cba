//! A portal with many records.

use retry_portal::Portal;
use serde_json::{Value, json};

use crate::client::{envelope, refusal, result};

const DEALS: u64 = 120_000;

/// All ids, in batches of fifty pages by id.
async fn walk(portal: &Portal) -> Vec<u64> {
    let mut ids: Vec<u64> = Vec::new();
    loop {
        let last = ids.last().copied().unwrap_or(0).to_string();
        let page = |at: usize| {
            let after = if at == 0 { last.clone() } else { format!("$result[p{}][49][ID]", at - 1) };
            let query = format!("start=-1&select[]=ID&order[ID]=ASC&filter[>ID]={after}");
            (format!("p{at}"), Value::from(format!("crm.deal.list?{query}")))
        };
        let cmd: serde_json::Map<String, Value> = (0..50).map(page).collect();
        // A map of serde_json is sorted, and p10 must not come before p2.
        let ordered: Vec<String> = (0..50).map(|at| format!("\"p{at}\":{}", cmd[&format!("p{at}")])).collect();
        let body = format!("{{\"cmd\":{{{}}}}}", ordered.join(","));
        let request = crate::client::request(portal, "POST", "batch", "application/json", &body);
        let seen = crate::client::send(portal, request, crate::client::LONG).await.json();
        let before = ids.len();
        for at in 0..50 {
            let rows = seen["result"]["result"][format!("p{at}")].as_array().cloned().unwrap_or_default();
            ids.extend(rows.iter().filter_map(|row| row["ID"].as_str()?.parse::<u64>().ok()));
            if rows.len() < 50 {
                return ids;
            }
        }
        assert!(ids.len() > before, "{seen}");
    }
}

#[tokio::test]
async fn a_hundred_and_twenty_thousand_deals_are_read_in_forty_nine_requests() {
    let portal = Portal::builder().no_rate_limit().deals(DEALS).start().await.expect("a portal");
    let ids = walk(&portal).await;
    assert_eq!((ids.len(), ids.first(), ids.last()), (120_000, Some(&1), Some(&DEALS)));
    assert!(ids.is_sorted());
    // 48 full batches, and one that finds the end.
    assert_eq!((portal.request_count(), portal.count("crm.deal.list")), (49, 49 * 50));
    let deal = result(&portal, "crm.deal.get", &json!({"id": 70_000})).await;
    assert_eq!(
        (&deal["ID"], &deal["TITLE"], &deal["STAGE_ID"]),
        (&json!("70000"), &json!("Deal #70000"), &json!("NEW"))
    );
}

#[tokio::test]
async fn seeded_records_are_like_any_other() {
    let portal = Portal::builder().no_rate_limit().deals(200).start().await.expect("a portal");
    let last = envelope(&portal, "crm.deal.list", &json!({"start": 150, "select": ["ID"]})).await;
    assert_eq!((&last["total"], last.get("next"), &last["result"][49]["ID"]), (&json!(200), None, &json!("200")));
    result(&portal, "crm.deal.update", &json!({"id": 7, "fields": {"TITLE": "mine", "OPPORTUNITY": 5}})).await;
    result(&portal, "crm.deal.delete", &json!({"id": 8})).await;
    let deals = portal.records("deal");
    assert_eq!((deals[6].text("TITLE"), deals[6].text("OPPORTUNITY")), (Some("mine"), Some("5.00")));
    assert_eq!((deals[5].text("TITLE"), deals[5].fields()["OPPORTUNITY"].clone()), (Some("Deal #6"), json!("0.00")));
    assert_eq!((deals.len(), deals[7].id()), (199, 9));
    assert_eq!(result(&portal, "crm.deal.add", &json!({"fields": {}})).await, json!(201));
    let one = portal.insert("deal", json!({})).expect("a deal");
    let seeded: Vec<String> = deals[0].fields().keys().cloned().collect();
    let fields: Vec<String> = portal.records("deal").last().expect("it").fields().keys().cloned().collect();
    assert_eq!((one, fields), (202, seeded));
    let (status, code, _) = refusal(&portal, "crm.deal.get", &json!({"id": 8})).await;
    assert_eq!((status, code), (400, json!("")));
}

#[tokio::test]
async fn ids_filter_and_order_as_before() {
    let portal = Portal::builder().no_rate_limit().deals(130).start().await.expect("a portal");
    let ids = async |params: Value| {
        let seen = envelope(&portal, "crm.deal.list", &params).await;
        let rows = seen["result"].as_array().cloned().unwrap_or_default();
        let ends = [rows.first(), rows.last()].map(|row| row.map_or(Value::Null, |row| row["ID"].clone()));
        (ends, rows.len(), seen["total"].clone())
    };
    let deal = |first: u64, last: u64| [json!(first.to_string()), json!(last.to_string())];
    assert_eq!(ids(json!({"filter": {">ID": 100}})).await, (deal(101, 130), 30, json!(30)));
    assert_eq!(ids(json!({"filter": {">=ID": "99.5", "<ID": 110}})).await, (deal(100, 109), 10, json!(10)));
    assert_eq!(ids(json!({"filter": {"<=ID": 3}, "order": {"ID": "DESC"}})).await, (deal(3, 1), 3, json!(3)));
    assert_eq!(ids(json!({"filter": {"ID": 7}})).await, (deal(7, 7), 1, json!(1)));
    assert_eq!(ids(json!({"filter": {"ID": [7, 9]}})).await, (deal(7, 9), 2, json!(2)));
    assert_eq!(ids(json!({"filter": {">ID": -1}, "start": 100})).await, (deal(101, 130), 30, json!(130)));
    assert_eq!(ids(json!({"filter": {">ID": 50, "<ID": 20}})).await.1, 0);
    assert_eq!(ids(json!({"filter": {">ID": 1e30}})).await.1, 0);
    assert_eq!(ids(json!({"filter": {">ID": "$result[p0][49][ID]"}})).await.1, 0);
    assert_eq!(ids(json!({"filter": {"!ID": "x"}})).await.2, json!(130));
    assert_eq!(ids(json!({"filter": {"=ID": 7.5}})).await.1, 0);
    assert_eq!(ids(json!({"order": {"ID": "DESC"}, "start": -1})).await, (deal(130, 81), 50, json!(0)));
    assert_eq!(ids(json!({"order": {"TITLE": "ASC"}})).await, (deal(1, 26), 50, json!(130)));
}
