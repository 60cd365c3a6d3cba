//! Answers of the gateway that look like something else than they are.

use retry_portal::{Answer, Coded, Fault, Portal, Raw, Shape};
use retry_runtime::report::{Ending, Outcome};
use retry_runtime::{CallError, Effect, Id};
use serde_json::{Value, json};

use crate::setting::{portal, vibe};
use crate::stubs::{NewDeal, add_blind_deal, add_deal, delete_deal, get_deal};

fn raw(status: u16, body: &Value) -> Answer {
    Answer::Raw(Raw::json(status, body))
}

async fn blind(portal: &Portal) -> Result<Id, CallError> {
    add_blind_deal(&vibe(portal), &NewDeal::of("7")).await
}

#[tokio::test]
async fn success_false_under_status_200_is_no_success() {
    let portal = portal().start().await.unwrap();
    for (body, end, effect) in [
        (json!({"success": false, "error": {"code": "VALIDATION_ERROR"}}), Ending::Refused, Effect::Absent),
        (json!({"success": false, "error": {"code": "BITRIX_ERROR"}}), Ending::Refused, Effect::Unknown),
        (json!({"success": false, "error": {"code": "BITRIX_TIMEOUT"}}), Ending::InDoubt, Effect::Unknown),
        (json!({"success": false, "data": {"id": 9}}), Ending::InDoubt, Effect::Unknown),
        (json!({"success": false}), Ending::InDoubt, Effect::Unknown),
        (json!({"success": "true", "data": {"id": 9}}), Ending::InDoubt, Effect::Unknown),
        (json!({"data": {"id": 9}}), Ending::InDoubt, Effect::Unknown),
        (
            json!({"success": true, "data": {"id": 9}, "error": {"code": "BITRIX_TIMEOUT"}}),
            Ending::InDoubt,
            Effect::Unknown,
        ),
    ] {
        portal.script("crm.deal.add", [Fault::never(raw(200, &body))]);
        let error = blind(&portal).await.expect_err(&body.to_string());
        assert_eq!((error.report().ending(), error.effect()), (end, effect), "{body}: {error}");
    }
    assert!(portal.records("deal").is_empty());
}

#[tokio::test]
async fn the_code_is_found_in_each_of_the_three_shapes() {
    for shape in [Shape::Nested, Shape::TopLevel, Shape::Text] {
        let portal = portal().vibe_error_shape(shape).start().await.unwrap();
        for (code, end, effect) in [
            ("SCOPE_DENIED", Ending::Refused, Effect::Absent),
            ("BITRIX_ERROR", Ending::Refused, Effect::Unknown),
            ("POOL_EXHAUSTED", Ending::InDoubt, Effect::Unknown),
            ("BH_APP_TIMEOUT", Ending::InDoubt, Effect::Unknown),
        ] {
            portal.script("crm.deal.add", [Fault::never(Answer::Coded(Coded::of(code)))]);
            let error = blind(&portal).await.unwrap_err();
            assert_eq!((error.report().ending(), error.effect()), (end, effect), "{shape:?}: {error}");
            assert_eq!(error.code().map(retry_runtime::Code::as_str), Some(code), "{shape:?}");
        }
        portal.script("crm.deal.add", [Fault::never(Answer::Coded(Coded::of("QUEUE_TIMEOUT")))]);
        blind(&portal).await.unwrap();
        assert_eq!(portal.records("deal").len(), 1, "{shape:?}");
    }
}

#[tokio::test]
async fn a_connection_that_the_gateway_ended_is_lost_even_under_status_200() {
    let texts = [
        json!({"success": false, "error": {"code": "GATEWAY_CONNECTION_TERMINATED"}}),
        json!({"success": true, "error": "GATEWAY_CONNECTION_TERMINATED"}),
        json!({"error": "GATEWAY_CONNECTION_TERMINATED"}),
        json!({"code": "GATEWAY_CONNECTION_TERMINATED", "message": "the command goes on"}),
    ];
    for body in texts {
        let portal = portal().start().await.unwrap();
        let client = vibe(&portal);
        for (order, fault) in [("applied", Fault::before(raw(200, &body))), ("not", Fault::never(raw(200, &body)))] {
            portal.script("crm.deal.add", [fault]);
            add_deal(&client, &NewDeal::of(order)).await.unwrap();
        }
        assert_eq!((portal.count("crm.deal.add"), portal.records("deal").len()), (3, 2), "{body}");
        portal.script("crm.deal.add", [Fault::never(raw(200, &body))]);
        let error = blind(&portal).await.unwrap_err();
        assert_eq!((error.report().ending(), error.effect()), (Ending::InDoubt, Effect::Unknown), "{body}");
    }
}

#[tokio::test]
async fn status_204_is_the_success_of_a_delete_and_of_nothing_else() {
    let portal = portal().start().await.unwrap();
    let client = vibe(&portal);
    let nothing = || Fault::never(Answer::Raw(Raw::new(204)));
    portal.script("crm.deal.add", [nothing()]);
    let error = add_blind_deal(&client, &NewDeal::of("7")).await.unwrap_err();
    assert_eq!((error.report().ending(), error.effect()), (Ending::InDoubt, Effect::Unknown));
    assert!(matches!(error.report().attempts()[0].outcome, Outcome::NoEnvelope { .. }), "{error}");
    portal.script("crm.deal.get", vec![nothing(); 9]);
    assert_eq!(get_deal(&client, Id(1)).await.unwrap_err().report().ending(), Ending::Exhausted);
    // An empty body under another status says nothing of a delete.
    portal.script("crm.deal.delete", [Fault::never(Answer::Raw(Raw::new(200)))]);
    let error = delete_deal(&client, Id(1)).await.unwrap_err();
    assert_eq!((error.report().ending(), error.effect()), (Ending::InDoubt, Effect::Unknown));
}

#[tokio::test]
async fn the_larger_hint_of_header_and_body_counts() {
    let portal = portal().start().await.unwrap();
    for (header, body) in [(1, 3_600), (3_600, 1)] {
        let coded =
            Coded::of("RATE_LIMITED").retry_after(retry_portal::RetryAfter::Seconds(header)).retry_after_in_body(body);
        portal.script("crm.deal.add", [Fault::never(Answer::Coded(coded))]);
        let error = blind(&portal).await.unwrap_err();
        assert_eq!((error.report().ending(), error.effect()), (Ending::Exhausted, Effect::Absent));
        assert!(error.retry_after().unwrap().as_secs() > 3_500, "{error}");
    }
}
