//! How a batch is written in each form, and what goes alone.

use bytes::Bytes;
use serde_json::{Value, json};

use super::{call, read};
use crate::api::batch::BatchForm;
use crate::api::tests::request;
use crate::api::{Access, Rest};
use crate::decision::Route;
use crate::idempotency::IdempotencyKey;
use crate::transport::{Request, Version};

#[test]
fn a_rest_2_batch_is_one_json_object() {
    let calls = [call("crm.deal.add", &json!({"fields": {"TITLE": "a b"}})), call("crm.deal.fields", &json!({}))];
    let pieces: Vec<String> = calls.iter().map(|call| BatchForm::Rest2.piece(call).unwrap()).collect();
    let body = BatchForm::Rest2.envelope(pieces.iter().map(String::as_str));
    let expected = r#"{"halt":0,"cmd":{"c0":"crm.deal.add?fields%5BTITLE%5D=a%20b","c1":"crm.deal.fields"}}"#;
    assert_eq!(body, expected);
    assert!(body.len() <= 40 + pieces.iter().map(|piece| BatchForm::room(piece)).sum::<usize>());
}

#[test]
fn a_rest_3_batch_is_a_root_array() {
    let list = Request {
        arguments: Bytes::from_static(br#"{"filter":[["id","=",7]],"flag":true,"none":null}"#),
        ..read("tasks.task.list", Version::Three)
    };
    let piece = BatchForm::Rest3.piece(&list).unwrap();
    let body = BatchForm::Rest3.envelope([&*piece, &*piece].into_iter());
    let element =
        json!({"method": "tasks.task.list", "query": {"filter": [["id", "=", 7]], "flag": true, "none": null}});
    assert_eq!(serde_json::from_slice::<Value>(&body).unwrap(), json!([element, element]));
}

#[test]
fn a_gateway_batch_names_entity_and_action() {
    let calls = [
        call("crm.deal.add", &json!({"fields": {"title": null}})),
        call("crm.deal.get", &json!({"id": "5"})),
        call("crm.deal.list", &json!({"filter": {"a": 1}, "start": -1})),
        call("crm.lead.update", &json!({"id": 7, "fields": {"b": []}})),
        call("tasks.task.delete", &json!({"taskId": 9})),
        call("crm.contact.fields", &json!({})),
    ];
    let pieces: Vec<String> = calls.iter().map(|call| BatchForm::Vibe.piece(call).unwrap()).collect();
    let body = BatchForm::Vibe.envelope(pieces.iter().map(String::as_str));
    let expected = json!({"calls": [
        {"id": "c0", "entity": "deals", "action": "create", "params": {"title": null}},
        {"id": "c1", "entity": "deals", "action": "get", "entityId": 5},
        {"id": "c2", "entity": "deals", "action": "list", "params": {"filter": {"a": 1}, "withTotal": false}},
        {"id": "c3", "entity": "leads", "action": "update", "entityId": 7, "params": {"b": []}},
        {"id": "c4", "entity": "tasks", "action": "delete", "entityId": 9},
        {"id": "c5", "entity": "contacts", "action": "fields"},
    ]});
    assert_eq!(serde_json::from_slice::<Value>(&body).unwrap(), expected);
}

#[test]
fn what_has_no_form_goes_alone() {
    let alone = [
        call("crm.item.add", &json!({"entityTypeId": 130, "fields": {}})),
        call("crm.item.get", &json!({"entityTypeId": 130, "id": 1})),
        call("crm.deal.productrows.get", &json!({"id": 1})),
        call("crm.deal.productrows.set", &json!({"id": 1, "rows": [1]})),
        call("crm.duplicate.findbycomm", &json!({"type": "EMAIL"})),
        call("im.message.add", &json!({})),
        call("crm.deal.add", &json!({})),
        call("crm.deal.add", &json!({"fields": {"a": "x".repeat(33_000)}})),
    ];
    for call in alone {
        assert_eq!(BatchForm::Vibe.piece(&call), None, "{call:?}");
    }
    let long =
        Request { arguments: format!(r#"{{"a":"{}"}}"#, "x".repeat(33_000)).into(), ..read("m", Version::Three) };
    assert_eq!(BatchForm::Rest3.piece(&long), None);
}

#[test]
fn which_calls_travel_together() {
    let of = |route, oauth, request: &Request| BatchForm::of(route, oauth, request);
    let write = request("m", Version::Two);
    let (write_3, read_3) = (request("m", Version::Three), read("m", Version::Three));
    for oauth in [false, true] {
        assert_eq!(of(Route::Direct, oauth, &write), Some(BatchForm::Rest2));
        assert_eq!(of(Route::Gateway, oauth, &write), Some(BatchForm::Vibe));
        assert_eq!(of(Route::Direct, oauth, &write_3), None);
        assert_eq!(of(Route::Gateway, oauth, &read_3), None);
    }
    assert_eq!(of(Route::Direct, false, &read_3), Some(BatchForm::Rest3));
    assert_eq!(of(Route::Direct, true, &read_3), None, "the token has no place in an array");
    let key = Some(IdempotencyKey::of_business("order", "1").unwrap());
    assert_eq!(of(Route::Direct, false, &Request { idempotency_key: key, ..read_3 }), None);
    assert_eq!(of(Route::Direct, false, &Request { credentials: Some(1), ..write }), None);
}

#[test]
fn a_token_is_never_put_into_an_array() {
    let rest = Rest::oauth(&"https://acme.bitrix24.com/rest/".parse().unwrap());
    let batch = Request { arguments: Bytes::from_static(b"[]"), ..request("batch", Version::Three) };
    let portal = "https://acme.bitrix24.com/rest/".parse().unwrap();
    let refused = rest.outgoing(&batch, Some(Access { portal: &portal, token: "s3cr3t" })).err().unwrap();
    assert!(refused.contains("goes into an object") && !refused.contains("s3cr3t"), "{refused}");
}
