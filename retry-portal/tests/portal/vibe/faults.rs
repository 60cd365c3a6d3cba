//! Losses and silent modes through the gateway.

use std::time::Duration;

use retry_portal::{Answer, Coded, Cut, Fault, Faults, Outcome, Portal, Raw, Shape};
use serde_json::{Value, json};

use super::{data, portal, vibe};
use crate::client::{Ended, Seen};

async fn first_create(fault: Fault) -> (Portal, Seen) {
    let portal = portal().await;
    portal.script("crm.deal.add", [fault]);
    let seen = vibe(&portal, "POST", "deals", &json!({"title": "x"})).await;
    (portal, seen)
}

#[tokio::test]
async fn an_answer_can_be_lost_after_the_effect_and_without_it() {
    for (effect, made) in [(Fault::before as fn(Answer) -> Fault, 1), (Fault::never, 0)] {
        let (portal, seen) = first_create(effect(Answer::Reset)).await;
        assert_eq!((seen.ended, seen.bytes.len(), portal.records("deal").len()), (Ended::Reset, 0, made));
        let (portal, seen) = first_create(effect(Answer::Html(502))).await;
        assert_eq!((seen.status(), portal.records("deal").len()), (502, made));
        assert!(seen.text().contains("<html>") && seen.header("X-Request-Id").is_none());
        let (portal, seen) = first_create(effect(Answer::Cut(Cut::Percent(50)))).await;
        assert_eq!((seen.status(), portal.records("deal").len()), (201, made));
        assert!(serde_json::from_slice::<Value>(&seen.body()).is_err());
    }
}

#[tokio::test]
async fn the_silent_modes_of_the_gateway() {
    let (portal, seen) =
        first_create(Fault::before(Answer::Coded(Coded::new(200, "GATEWAY_CONNECTION_TERMINATED")))).await;
    assert_eq!((seen.status(), portal.records("deal").len()), (200, 1));
    assert_eq!(seen.json(), json!({"success": false, "error": {"code": "GATEWAY_CONNECTION_TERMINATED"}}));
    let (_portal, seen) = first_create(Fault::before(Answer::Raw(Raw::json(200, &json!({"success": false}))))).await;
    assert_eq!((seen.status(), seen.json()), (200, json!({"success": false})));
    let (_portal, seen) = first_create(Fault::before(Answer::Raw(Raw::new(502)))).await;
    assert_eq!((seen.status(), seen.body()), (502, Vec::new()));
    let (_portal, seen) = first_create(Fault::never(Answer::Coded(Coded::of("SOMETHING_NEW")))).await;
    assert_eq!((seen.status(), &seen.json()["error"]["code"]), (500, &json!("SOMETHING_NEW")));
    let text = Coded::of("BITRIX_UNAVAILABLE").shape(Shape::Text);
    let (_portal, seen) = first_create(Fault::never(Answer::Coded(text))).await;
    assert_eq!((seen.status(), seen.json()), (502, json!({"success": false, "error": "BITRIX_UNAVAILABLE"})));
}

#[tokio::test]
async fn a_late_effect_comes_after_its_code() {
    let late = Fault::late(Duration::from_secs(20), Answer::Coded(Coded::of("BITRIX_UNAVAILABLE")));
    let portal = Portal::builder().time_scale(0.01).script("crm.deal.add", [late]).start().await.expect("a portal");
    assert_eq!(vibe(&portal, "POST", "deals", &json!({"ufCrmKey": "1"})).await.status(), 502);
    assert_eq!(data(&portal, "POST", "deals/search", json!({"filter": {"ufCrmKey": "1"}})).await, json!([]));
    portal.settled().await;
    assert_eq!(data(&portal, "POST", "deals/search", json!({"filter": {"ufCrmKey": "1"}})).await[0]["id"], json!(1));
    assert_eq!(portal.max_lateness(), Duration::from_millis(200));
}

#[tokio::test]
async fn late_product_rows_replace_what_is_there_by_then() {
    let late = Fault::late(Duration::from_secs(20), Answer::Close);
    let portal =
        Portal::builder().time_scale(0.01).script("crm.deal.productrows.set", [late]).start().await.expect("a portal");
    data(&portal, "POST", "deals", json!({"title": "x"})).await;
    vibe(&portal, "PUT", "deals/1/products", &json!({"items": [{"productId": 1}]})).await;
    data(&portal, "PUT", "deals/1/products", json!({"items": [{"productId": 2}, {"productId": 3}]})).await;
    portal.settled().await;
    let products: Vec<Option<String>> =
        portal.records("productrow").iter().map(|row| row.text("PRODUCT_ID").map(str::to_owned)).collect();
    assert_eq!(products, [Some("1".to_owned())]);
}

#[tokio::test]
async fn faults_by_chance_are_the_same_for_the_same_seed_and_use_the_codes_of_the_gateway() {
    let run = |seed| async move {
        let faults = Faults::seeded(seed).share(0.8);
        let portal = Portal::builder()
            .faults(faults)
            .time_scale(0.0005)
            .no_rate_limit()
            .vibe_quarantine(Duration::ZERO)
            .vibe_operation_pause(Duration::ZERO)
            .start()
            .await
            .expect("a portal");
        for number in 0..60 {
            vibe(&portal, "POST", "deals", &json!({"ufCrmKey": number.to_string()})).await;
        }
        portal.settled().await;
        portal.requests().into_iter().map(|request| request.fault.map(|fault| fault.to_string())).collect::<Vec<_>>()
    };
    let (one, same, other) = (run(1).await, run(1).await, run(2).await);
    assert_eq!(one, same);
    assert_ne!(one, other);
    let all = one.into_iter().chain(other).flatten().collect::<Vec<_>>().join("\n");
    for code in ["BITRIX_UNAVAILABLE", "DB_TRANSIENT", "reset", "html 502"] {
        assert!(all.contains(code), "{code} in {all}");
    }
    for native in ["QUERY_LIMIT_EXCEEDED", "INTERNAL_SERVER_ERROR"] {
        assert!(!all.contains(native), "{native} in {all}");
    }
}

#[tokio::test]
async fn a_read_by_post_meets_the_faults_of_reads() {
    let faults = Faults::seeded(1).share(1.0).reads([(1, Fault::never(Answer::Close))]).writes([]);
    let portal = Portal::builder().faults(faults).start().await.expect("a portal");
    assert_eq!(vibe(&portal, "POST", "deals/search", &json!({})).await.ended, Ended::Closed);
    assert_eq!(vibe(&portal, "POST", "deals", &json!({"title": "x"})).await.status(), 201);
    assert_eq!(portal.requests()[1].effect, Outcome::Before);
}
