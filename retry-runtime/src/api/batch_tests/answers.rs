//! What the answer to a batch says of each call.

use serde_json::{Value, json};

use super::{call, code, is_lost, read, result, split, three};
use crate::api::batch::BatchForm;
use crate::api::tests::{heard, request, rest, vibe};
use crate::api::{Answer, Heard, Success};
use crate::clock::{Clock, SystemClock};
use crate::code::Code;
use crate::page::Page;
use crate::transport::Version;

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
    let parts = three(&rest(), r#"{"result":{"result":[5,null,7],"result_error":[null,{"error":"X"},null]}}"#);
    assert_eq!((result::<u64>(&parts[0]), code(&parts[1]), result::<u64>(&parts[2])), (5, "X", 7));
}

#[test]
fn p2_a_list_of_another_length_is_nobodys() {
    for body in [
        r#"{"result":{"result":[5],"result_error":[]}}"#,
        r#"{"result":{"result":[5,6,7,8],"result_error":[]}}"#,
        r#"{"result":{"result":[],"result_error":[{"error":"RATE_LIMITED"}]}}"#,
    ] {
        assert!(three(&rest(), body).iter().all(is_lost), "{body}");
        let vibe_body = body.replace("result_error", "errors").replace(r#"{"result":["#, r#"{"results":["#);
        let body = vibe_body.replace(r#"{"result":{"#, r#"{"success":true,"data":{"#);
        assert!(three(&vibe(), &body).iter().all(is_lost), "{body}");
    }
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
    ] {
        assert!(three(&rest(), body).iter().all(is_lost), "{body}");
    }
    let unreadable = r#"{"result":{"result":{"c0":1,"c1":null},"result_error":{"c0":true,"c1":[],"c2":{"result":1}}}}"#;
    let parts = three(&rest(), unreadable);
    assert!(parts.iter().all(|part| matches!(part.answer.heard, Heard::NoEnvelope { .. })), "{parts:?}");
    let parts = three(&rest(), r#"{"result":{"result":{"c0":null,"c1":[]},"result_error":[]}}"#);
    assert_eq!((result::<Option<u64>>(&parts[0]), result::<Vec<u64>>(&parts[1])), (None, Vec::new()));
    assert!(is_lost(&parts[2]));
}

#[test]
fn an_error_wins_over_a_result_that_says_nothing() {
    let parts = three(
        &rest(),
        r#"{"result":{"result":{"c0":null,"c1":[],"c2":false},"result_error":{"c0":{"error":"X"},"c1":"Y","c2":{"code":7}}}}"#,
    );
    assert_eq!((code(&parts[0]), code(&parts[1]), code(&parts[2])), ("X", "Y", "7"));
}

#[test]
fn p3_a_result_and_an_error_for_one_call_prove_nothing() {
    for (api, body) in [
        (rest(), r#"{"result":{"result":{"c0":1,"c1":2},"result_error":{"c0":{"error":"RATE_LIMITED"},"c2":"X"}}}"#),
        (
            vibe(),
            r#"{"success":true,"data":{"results":{"c0":{"id":1},"c1":{"id":2}},"errors":{"c0":{"code":"RATE_LIMITED"},"c2":{"code":"X"}}}}"#,
        ),
    ] {
        let parts = three(&api, body);
        let what = format!("{:?}", parts[0].answer.heard);
        assert!(matches!(&parts[0].answer.heard, Heard::NoEnvelope { .. }) && what.contains("both"), "{what}");
        assert_eq!((result::<u64>(&parts[1]), code(&parts[2])), (2, "X"));
    }
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
    assert!(parts.iter().all(|part| matches!(part.answer.heard, Heard::NoEnvelope { .. })));
    let parts = three(&rest(), r#"{"result":[],"error":"NO_AUTH_FOUND"}"#);
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

#[test]
fn p3_an_error_behind_the_results_says_nothing_of_any_call() {
    let body = r#"{"result":{"result":[5,6,7],"result_error":[]},"error":"QUERY_LIMIT_EXCEEDED","retryAfter":7}"#;
    for part in three(&rest(), body) {
        assert!(matches!(part.answer.heard, Heard::NoEnvelope { .. }), "{:?}", part.answer.heard);
    }
}
