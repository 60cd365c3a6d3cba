//! Batches in each form: how they are written, and what their answers say of each call.

use bytes::Bytes;
use serde_json::{Value, json};

use super::batch::{BatchForm, Part};
use super::tests::{heard, request, rest, vibe};
use super::{Answer, Api, Heard, Response, Rest, Success};
use crate::clock::{Clock, SystemClock};
use crate::code::Code;
use crate::decision::Route;
use crate::decode::FromAnswer;
use crate::effect::OperationKind;
use crate::idempotency::IdempotencyKey;
use crate::page::Page;
use crate::transport::{Request, Version};

fn call(method: &'static str, arguments: &Value) -> Request {
    Request { arguments: arguments.to_string().into(), ..request(method, Version::Two) }
}

fn read(method: &'static str, version: Version) -> Request {
    Request { kind: OperationKind::Read, ..request(method, version) }
}

/// What each of so many calls hears of this body of a batch.
fn split(api: &Api, calls: &[Request], body: impl Into<Bytes>) -> Vec<Part> {
    let route = api.route();
    let form = BatchForm::of(route, false, &calls[0]).unwrap();
    let envelope = request("batch", form.version());
    let now = SystemClock.now();
    let response = Response {
        request: &envelope,
        path: "/rest/1/s3cr3t/batch",
        status: http::StatusCode::OK,
        headers: [("x-request-id", "req-1")]
            .map(|(k, v)| (k.parse().unwrap(), v.parse().unwrap()))
            .into_iter()
            .collect(),
        body: body.into(),
        received: now,
        last_byte_by: now,
    };
    let calls: Vec<&Request> = calls.iter().collect();
    let parts = form.split(&api.answer(&response, api.secrets()).opened(), &calls);
    assert_eq!(parts.len(), calls.len());
    for Part { answer, .. } in &parts {
        assert_eq!((answer.request_id.as_deref(), answer.last_byte_by), (Some("req-1"), now));
    }
    parts
}

fn three(api: &Api, body: &str) -> Vec<Part> {
    let calls = ["1", "2", "3"].map(|id| call("crm.deal.add", &json!({"fields": {"A": id}})));
    split(api, &calls, body.to_owned())
}

fn result<T: FromAnswer>(part: &Part) -> T {
    let Heard::Success(success) = &part.answer.heard else { panic!("{:?}", part.answer.heard) };
    success.read().unwrap().0
}

fn code(part: &Part) -> &str {
    let Heard::Code { code, .. } = &part.answer.heard else { panic!("{:?}", part.answer.heard) };
    code.as_str()
}

fn is_lost(part: &Part) -> bool {
    matches!(&part.answer.heard, Heard::NoEnvelope { what } if what.contains("neither result nor error"))
}

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
    let refused = rest.outgoing(&batch, Some(super::Access { portal: &portal, token: "s3cr3t" })).err().unwrap();
    assert!(refused.contains("goes into an object") && !refused.contains("s3cr3t"), "{refused}");
}

#[test]
fn case_b35_each_call_has_its_own_result_or_its_own_code() {
    let parts = three(
        &rest(),
        r#"{"result":{"result":{"c0":1,"c2":3},"result_error":{"c1":{"error":"","error_description":"Company is not found"}},
            "result_total":[],"result_next":[],"result_time":{"c2":{"finish":10,"operating":1.5,"operating_reset_at":70}}},"time":{}}"#,
    );
    assert_eq!((result::<u64>(&parts[0]), result::<u64>(&parts[2])), (1, 3));
    assert!(
        matches!(&parts[1].answer.heard, Heard::Code { code, text } if *code == Code::Business("") && **text == *"Company is not found")
    );
    assert!(parts.iter().all(|part| part.answer.status.is_none()));
    assert_eq!(parts.iter().map(|part| part.usage.is_some()).collect::<Vec<_>>(), [false, false, true]);
}

#[test]
fn case_b36_lists_in_place_of_maps() {
    let parts = three(&rest(), r#"{"result":{"result":[5,null,7],"result_error":[null,{"error":"X"}]}}"#);
    assert_eq!((result::<u64>(&parts[0]), code(&parts[1]), result::<u64>(&parts[2])), (5, "X", 7));
    let parts = three(&rest(), r#"{"result":{"result":[5],"result_error":[]}}"#);
    assert_eq!(result::<u64>(&parts[0]), 5);
    assert!(is_lost(&parts[1]) && is_lost(&parts[2]));
}

#[test]
fn case_b37_results_are_found_by_name_whatever_their_order() {
    let parts = three(&rest(), r#"{"result":{"result":{"c2":3,"c10":9,"c0":1,"c1":2},"result_error":[]}}"#);
    assert_eq!(parts.iter().map(result::<u64>).collect::<Vec<_>>(), [1, 2, 3]);
}

#[test]
fn case_b39_what_is_in_no_map_is_lost() {
    for body in [
        r#"{"result":[]}"#,
        r#"{"result":{}}"#,
        r#"{"result":null}"#,
        r#"{"result":true}"#,
        r#"{"result":{"result":[],"result_error":[]}}"#,
        r#"{"result":{"result":"x","result_error":7}}"#,
        r#"{"result":{"result":{"d0":1},"result_error":{"c3":{"error":"X"}}}}"#,
        r#"{"result":{"result":{"c0":1,"c1":1,"c2":1},"result_error":{"c0":true,"c1":[],"c2":{"result":1}}}}"#,
    ] {
        assert!(three(&rest(), body).iter().all(is_lost), "{body}");
    }
    let parts = three(&rest(), r#"{"result":{"result":{"c0":null,"c1":[]},"result_error":[]}}"#);
    assert_eq!((result::<Option<u64>>(&parts[0]), result::<Vec<u64>>(&parts[1])), (None, Vec::new()));
    assert!(is_lost(&parts[2]));
}

#[test]
fn an_error_wins_over_a_result() {
    let parts = three(
        &rest(),
        r#"{"result":{"result":{"c0":1,"c1":2,"c2":3},"result_error":{"c0":{"error":"X"},"c1":"Y","c2":{"code":7}}}}"#,
    );
    assert_eq!((code(&parts[0]), code(&parts[1]), code(&parts[2])), ("X", "Y", "7"));
}

#[test]
fn case_b40_case_b43_each_list_has_its_own_rows_and_totals() {
    let lists = ["crm.status.list", "crm.deal.list", "crm.deal.get"].map(|method| read(method, Version::Two));
    let parts = split(
        &rest(),
        &lists,
        r#"{"result":{"result":{"c0":[1,2],"c1":[3],"c2":{"ID":3}},"result_error":[],"result_total":{"c1":"70"},"result_next":{"c1":50}}}"#,
    );
    let page = result::<Page<u64>>(&parts[0]);
    assert_eq!((page.rows, page.next, page.total), (vec![1, 2], None, None));
    let page = result::<Page<u64>>(&parts[1]);
    assert_eq!((page.rows, page.next, page.total), (vec![3], Some(50), Some(70)));
    assert_eq!(result::<Value>(&parts[2]), json!({"ID": 3}));
}

#[test]
fn what_only_begins_as_a_success_is_lost_for_all() {
    for body in [r#"{"result":{"result":{"c0":1,"c1":2,"c2":3}"#, r#"{"result":{"result":{"c0":1}}} x"#, "<html>", ""] {
        let parts = three(&rest(), body);
        assert!(parts.iter().all(|part| matches!(part.answer.heard, Heard::NoEnvelope { .. })), "{body}");
    }
    let parts = three(&rest(), r#"{"result":{"result":{"c0":1}},"error":"NO_AUTH_FOUND"}"#);
    assert!(parts.iter().all(|part| code(part) == "NO_AUTH_FOUND"));
}

#[test]
fn a_method_that_is_not_allowed_in_a_batch_did_not_run() {
    let parts = three(
        &rest(),
        r#"{"result":{"result":[],"result_error":{"c0":{"error":"ERROR_BATCH_METHOD_NOT_ALLOWED"},"c1":{"error":"ERROR_BATCH_LENGTH_EXCEEDED"}}}}"#,
    );
    assert!(matches!(parts[0].answer.heard, Heard::NotInBatch));
    assert_eq!(code(&parts[1]), "ERROR_BATCH_LENGTH_EXCEEDED");
}

#[test]
fn elements_of_a_rest_3_batch_are_in_order_and_may_be_errors() {
    let lists = ["a.list", "b.get"].map(|method| read(method, Version::Three));
    let parts = split(
        &rest(),
        &lists,
        r#"{"result":[{"items":[1]},{"error":{"code":"BITRIX_REST_V3_EXCEPTION_ENTITYNOTFOUNDEXCEPTION","message":"x"}}]}"#,
    );
    assert_eq!(result::<Page<u64>>(&parts[0]).rows, [1]);
    assert!(code(&parts[1]).ends_with("ENTITYNOTFOUNDEXCEPTION"));
    for body in [r#"{"result":[1]}"#, r#"{"result":[1,2,3]}"#, r#"{"result":{"a":1}}"#, r#"{"result":[]}"#] {
        assert!(split(&rest(), &lists, body).iter().all(is_lost), "{body}");
    }
}

#[test]
fn the_gateway_answers_by_id_with_the_views_of_each_method() {
    let calls = [
        call("crm.deal.add", &json!({"fields": {}})),
        call("crm.deal.delete", &json!({"id": 1})),
        call("crm.deal.list", &json!({})),
        call("tasks.task.get", &json!({"id": 2})),
        call("crm.deal.update", &json!({"id": 3, "fields": {}})),
    ];
    for nothing in ["{}", "[]"] {
        let body = json!({"success": true, "data": {
            "results": {"c0": {"id": 17, "title": "x"}, "c1": null, "c2": [{"id": 1}], "c3": {"id": 2}},
            "errors": {"c4": {"code": "RATE_LIMITED", "message": "slow down", "retryAfter": 7}},
            "totals": {"c2": 90}, "meta": {"c2": {"hasMore": true}}, "summary": {"failed": 1}}});
        let body = body.to_string().replace("\"summary\":{\"failed\":1}", &format!("\"x\":{nothing}"));
        let parts = split(&vibe(), &calls, body);
        assert_eq!(result::<u64>(&parts[0]), 17);
        assert!(result::<bool>(&parts[1]));
        let page = result::<Page<Value>>(&parts[2]);
        assert_eq!((page.rows.len(), page.total, page.partial), (1, Some(90), true));
        assert_eq!(result::<Value>(&parts[3]), json!({"task": {"id": 2}}));
        assert_eq!((code(&parts[4]), parts[4].answer.hint.map(|hint| hint.as_secs())), ("RATE_LIMITED", Some(7)));

        let all = format!(
            r#"{{"success":true,"data":{{"results":{{"c0":{{"id":1}},"c1":{{"id":2}},"c2":{{"id":3}}}},"errors":{nothing},"totals":{nothing},"meta":{nothing}}}}}"#
        );
        assert_eq!(three(&vibe(), &all).iter().map(result::<u64>).collect::<Vec<_>>(), [1, 2, 3]);
        let none = format!(r#"{{"success":true,"data":{{"results":{nothing},"errors":{nothing}}}}}"#);
        assert!(three(&vibe(), &none).iter().all(is_lost));
    }
}

#[test]
fn a_gateway_batch_without_one_valid_call_says_of_each_why() {
    let body = r#"{"success":false,"error":{"code":"INVALID_REQUEST","message":"all invalid"},"data":{"errors":{"c0":{"code":"UNKNOWN_ENTITY","message":"x"},"c2":{"code":"MISSING_PARAMS"}}}}"#;
    let parts = three(&vibe(), body);
    assert_eq!((code(&parts[0]), code(&parts[2])), ("UNKNOWN_ENTITY", "MISSING_PARAMS"));
    assert!(is_lost(&parts[1]));
    let bare = r#"{"success":false,"error":{"code":"INVALID_REQUEST","message":"more than 50"}}"#;
    assert!(three(&vibe(), bare).iter().all(|part| code(part) == "INVALID_REQUEST"));
    let other = body.replace("INVALID_REQUEST", "INTERNAL_ERROR");
    assert!(three(&vibe(), &other).iter().all(|part| code(part) == "INTERNAL_ERROR"));
    // Only a batch is read so.
    let alone = heard(&vibe(), &request("crm.deal.add", Version::Two), 400, body);
    assert!(matches!(alone.heard, Heard::Code { code: Code::Refusal("INVALID_REQUEST"), .. }));
}

/// What a write and a read hear of a code of the whole batch; `None` is an unknown outcome without a code.
fn of_the_whole(form: BatchForm, code: Code) -> [Option<Code>; 2] {
    let calls = [request("a", Version::Two), read("b", Version::Two)];
    let answer = Answer::new(Heard::Code { code: code.clone(), text: "said".into() }, SystemClock.now());
    let parts = form.split(&answer.opened(), &[&calls[0], &calls[1]]);
    [&parts[0], &parts[1]].map(|part| match &part.answer.heard {
        Heard::Code { code, .. } => Some(code.clone()),
        Heard::NoEnvelope { what } => {
            assert!(what.contains(code.as_str()) && what.contains("said"), "{what}");
            None
        }
        other => panic!("{other:?}"),
    })
}

#[test]
fn p3_the_code_of_a_whole_batch_closes_a_write_only_where_none_had_run() {
    for (text, direct, gateway) in [
        ("QUEUE_OVERFLOW", true, true),
        ("QUEUE_TIMEOUT", true, true),
        ("LARGE_BODY_BACKEND_BUSY", true, true),
        ("TIMEOUT_QUARANTINE", true, true),
        ("TOKEN_REFRESH_FAILED", true, true),
        ("expired_token", true, true),
        ("QUERY_LIMIT_EXCEEDED", true, false),
        ("RATE_LIMITED", false, false),
        ("OPERATION_TIME_LIMIT", false, true),
        ("INTERNAL_SERVER_ERROR", false, true),
        ("BITRIX_ERROR", false, false),
        ("ERROR_LOOP_DETECTED", false, false),
        ("ERROR_BATCH_LENGTH_EXCEEDED", false, true),
        ("ERROR_BATCH_METHOD_NOT_ALLOWED", false, true),
        // These leave the outcome open by themselves.
        ("BITRIX_TIMEOUT", true, true),
        ("BITRIX_UNAVAILABLE", true, true),
        ("POOL_EXHAUSTED", true, true),
        ("DB_TRANSIENT", true, true),
        ("SERVICE_UNAVAILABLE", true, true),
        ("BH_APP_TIMEOUT", true, true),
        ("NEWS", true, true),
    ] {
        let (rest, vibe) = (Code::of(text), Code::of_gateway(text));
        assert_eq!(of_the_whole(BatchForm::Rest2, rest.clone()), [direct.then(|| rest.clone()), Some(rest)], "{text}");
        assert_eq!(of_the_whole(BatchForm::Vibe, vibe.clone()), [gateway.then(|| vibe.clone()), Some(vibe)], "{text}");
    }
    for refusal in ["insufficient_scope", "ACCESS_DENIED", "NO_AUTH_FOUND"].map(Code::of) {
        assert_eq!(of_the_whole(BatchForm::Rest2, refusal.clone()), [Some(refusal.clone()), Some(refusal)]);
    }
    let denied = Code::of_gateway("ACCESS_DENIED");
    assert_eq!(of_the_whole(BatchForm::Vibe, denied.clone()), [None, Some(denied)], "Bitrix24 may say it of one call");
}

#[test]
fn other_answers_to_the_whole_are_the_answer_for_each() {
    let calls = [request("a", Version::Two), read("b", Version::Two)];
    for heard in [
        Heard::Moved { host: "new.example".into() },
        Heard::TokenRenewed,
        Heard::NoToken { why: "x".into(), passing: true },
        Heard::NoEnvelope { what: "a page".into() },
    ] {
        let hint = Some(std::time::Duration::from_secs(9));
        let answer = Answer { hint, status: Some(503), ..Answer::new(heard.clone(), SystemClock.now()) };
        for part in BatchForm::Rest2.split(&answer, &[&calls[0], &calls[1]]) {
            assert_eq!(format!("{:?}", part.answer.heard), format!("{heard:?}"));
            assert_eq!((part.answer.hint, part.answer.status), (hint, Some(503)));
        }
    }
}

#[test]
fn p7_the_texts_of_each_call_hide_the_secret() {
    let parts = three(
        &rest(),
        r#"{"result":{"result":{"c1":"s3cr3t"},"result_error":{"c0":{"error":"A","error_description":"at /rest/1/s3cr3t/"},"c2":{"error":"s3cr3t"}}}}"#,
    );
    let Heard::Success(success) = &parts[1].answer.heard else { panic!("{:?}", parts[1]) };
    let error = success.read::<u64>().err().unwrap();
    for shown in [format!("{:?}", parts[0].answer.heard), success.shown(&error), format!("{:?}", parts[2].answer.heard)]
    {
        assert!(shown.contains("[secret]") && !shown.contains("s3cr3t"), "{shown}");
    }
}

#[test]
fn a_success_of_a_script_splits_as_a_body_does() {
    let data = Success::new(r#"{"result":{"c0":1},"result_error":[]}"#);
    let call = request("a", Version::Two);
    let parts = BatchForm::Rest2.split(&Answer::new(Heard::Success(data), SystemClock.now()).opened(), &[&call]);
    assert_eq!(result::<u64>(&parts[0]), 1);
}
