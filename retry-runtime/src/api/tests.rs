//! Every code through the real parser of each API, in each of its shapes, under every status.

use bytes::Bytes;
use http::{HeaderMap, StatusCode};

use super::{Answer, Api, Heard, Response, Rest, Vibe};
use crate::clock::{Clock, SystemClock};
use crate::code::Code;
use crate::decision::{Decision, decide};
use crate::effect::OperationKind;
use crate::transport::{Request, Version};

const STATUSES: [u16; 19] =
    [200, 201, 202, 400, 401, 402, 403, 404, 405, 408, 409, 413, 422, 429, 500, 502, 503, 504, 599];

pub(super) fn request(method: &'static str, version: Version) -> Request {
    Request {
        method,
        kind: OperationKind::Write,
        version,
        arguments: Bytes::from_static(b"{}"),
        idempotency_key: None,
        credentials: None,
        token_renewed: false,
        read_back: false,
        send_by: SystemClock.now(),
        record: None,
    }
}

pub(super) fn rest() -> Api {
    Api::Rest(Rest::webhook("https://acme.bitrix24.com/rest/1/s3cr3t/").unwrap())
}

pub(super) fn vibe() -> Api {
    Api::Vibe(Vibe::new("vibe_api_s3cr3t", None, None).unwrap())
}

pub(super) fn heard(api: &Api, request: &Request, status: u16, body: impl Into<Bytes>) -> Answer {
    let now = SystemClock.now();
    let response = Response {
        request,
        path: "/rest/1/s3cr3t/crm.deal.add",
        status: StatusCode::from_u16(status).unwrap(),
        headers: HeaderMap::new(),
        body: body.into(),
        received: now,
        last_byte_by: now,
    };
    let mut answer = api.answer(&response, api.secrets());
    if let Heard::Success(success) = answer.heard {
        answer.heard = success.opened().0;
    }
    answer
}

/// The shapes an error comes in.
fn shapes(code: &str) -> Vec<String> {
    vec![
        format!(r#"{{"error":"{code}","error_description":"text"}}"#),
        format!(r#"{{"error":{{"code":"{code}","message":"text"}}}}"#),
        format!(r#"{{"success":false,"error":{{"code":"{code}","message":"text","retryAfter":7}}}}"#),
        format!(r#"{{"code":"{code}","message":"text","retryAfter":7}}"#),
        format!(r#"{{"success":false,"error":"{code}"}}"#),
        format!("\u{feff} {{\"error\":\"{code}\"}}\n"),
    ]
}

fn lines(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.lines()
}

const CLASSIFIED: [(&str, Decision); 16] = [
    ("QUEUE_OVERFLOW", Decision::Retry),
    ("QUEUE_TIMEOUT", Decision::Retry),
    ("RATE_LIMITED", Decision::Retry),
    ("TIMEOUT_QUARANTINE", Decision::Retry),
    ("LARGE_BODY_BACKEND_BUSY", Decision::Retry),
    ("OPERATION_TIME_LIMIT", Decision::ReadBack),
    ("BITRIX_TIMEOUT", Decision::ReadBack),
    ("BITRIX_UNAVAILABLE", Decision::ReadBack),
    ("POOL_EXHAUSTED", Decision::ReadBack),
    ("DB_TRANSIENT", Decision::ReadBack),
    ("SERVICE_UNAVAILABLE", Decision::ReadBack),
    ("BH_APP_STARTING", Decision::ReadBack),
    ("BH_APP_TIMEOUT", Decision::ReadBack),
    ("BITRIX_ERROR", Decision::Fix),
    ("TOKEN_REFRESH_FAILED", Decision::Fix),
    ("ERROR_LOOP_DETECTED", Decision::Fix),
];

/// Each code of an API and what it means for a write there.
fn codes(api: &Api) -> Vec<(&'static str, Decision)> {
    let lists = match api {
        Api::Rest(_) => [include_str!("../code/rest_refusals.txt"), include_str!("../code/rest_business.txt")],
        Api::Vibe(_) => [include_str!("../code/vibe_refusals.txt"), include_str!("../code/vibe_business.txt")],
    };
    let listed = lists.into_iter().flat_map(lines).map(|code| (code, Decision::Fix));
    let unknown = ["SOMETHING_NEW", "INTERNAL_ERROR_2", "RATE_LIMIT"].map(|code| (code, Decision::ReadBack));
    CLASSIFIED.into_iter().chain(listed).chain(unknown).collect()
}

#[test]
fn a_code_means_the_same_in_every_shape_under_every_status_of_each_api() {
    let calls = [(rest(), Version::Two), (rest(), Version::Three), (vibe(), Version::Two)];
    for (api, version) in calls {
        let request = request("crm.deal.add", version);
        for (code, expected) in codes(&api) {
            for body in shapes(code) {
                for status in STATUSES {
                    let answer = heard(&api, &request, status, body.clone());
                    let Heard::Code { code: read, .. } = &answer.heard else {
                        panic!("{api:?} {status} {body}: {:?}", answer.heard)
                    };
                    assert_eq!(read.as_str(), code);
                    assert_eq!(decide(read, OperationKind::Write), expected, "{api:?} {status} {body}");
                    let on_read = if expected == Decision::Fix { Decision::Fix } else { Decision::Retry };
                    assert_eq!(decide(read, OperationKind::Read), on_read, "{api:?} {status} {body}");
                }
            }
        }
    }
}

#[test]
fn the_gateway_reads_its_own_meaning_of_a_code() {
    let error = |code: &str| format!(r#"{{"success":false,"error":{{"code":"{code}"}}}}"#);
    let code_of = |api: &Api, code: &str| {
        let answer = heard(api, &request("crm.deal.add", Version::Two), 500, error(code));
        let Heard::Code { code, .. } = answer.heard else { panic!("{answer:?}") };
        code
    };
    assert_eq!(code_of(&vibe(), "INTERNAL_ERROR"), Code::Other("INTERNAL_ERROR".into()));
    assert_eq!(code_of(&rest(), "INTERNAL_ERROR"), Code::Business("INTERNAL_ERROR"));
    assert_eq!(code_of(&vibe(), "ACCESS_DENIED"), Code::Business("ACCESS_DENIED"));
    assert_eq!(code_of(&rest(), "ACCESS_DENIED"), Code::Refusal("ACCESS_DENIED"));
}

#[test]
fn p3_an_error_beside_a_success_proves_nothing() {
    for (api, bodies) in [
        (
            rest(),
            [
                r#"{"result":17,"error":"QUERY_LIMIT_EXCEEDED"}"#,
                r#"{"error":"ACCESS_DENIED","error_description":"x","result":{"id":17}}"#,
            ],
        ),
        (
            vibe(),
            [
                r#"{"success":true,"data":{"id":17},"error":{"code":"RATE_LIMITED"}}"#,
                r#"{"error":"QUEUE_TIMEOUT","data":{"id":17},"success":true}"#,
            ],
        ),
    ] {
        for body in bodies {
            let answer = heard(&api, &request("crm.deal.add", Version::Two), 200, body);
            assert!(matches!(answer.heard, Heard::NoEnvelope { .. }), "{body}: {:?}", answer.heard);
        }
    }
    let nothing = r#"{"result":false,"error":"QUERY_LIMIT_EXCEEDED"}"#;
    let answer = heard(&rest(), &request("crm.deal.add", Version::Two), 200, nothing);
    assert!(matches!(answer.heard, Heard::Code { code: Code::QueryLimitExceeded, .. }), "{:?}", answer.heard);
}

#[test]
fn what_is_no_envelope_is_none_under_every_status() {
    let bodies = [
        "",
        " ",
        "null",
        "5",
        "\"QUEUE_TIMEOUT\"",
        "[]",
        "[1,2]",
        "{}",
        "{",
        "<html>QUEUE_TIMEOUT</html>",
        "{\"result\":5",
        "{\"result\":}",
        "{\"result\":5}}",
        "{\"result\":1,\"error\":null}",
        "{\"error\":true}",
        "{\"error\":[]}",
        "{\"error\":{}}",
        "{\"error\":{\"code\":null}}",
        "{\"success\":true}",
        "{\"success\":\"yes\",\"data\":1}",
        "{\"success\":true,\"data\":1,\"error\":{}}",
        "{\"success\":false,\"data\":1}",
        "{\"success\":true,\"data\":1}trailing",
        "{\"code\":[]}",
        "{\"time\":{}}",
    ];
    for api in [rest(), vibe()] {
        for body in bodies {
            for status in STATUSES {
                let answer = heard(&api, &request("crm.deal.add", Version::Two), status, body);
                assert!(
                    matches!(answer.heard, Heard::NoEnvelope { .. }),
                    "{api:?} {status} {body}: {:?}",
                    answer.heard
                );
            }
        }
        let not_utf8 = Bytes::from_static(b"{\"result\":\"\xff\"}");
        let answer = heard(&api, &request("crm.deal.add", Version::Two), 200, not_utf8);
        assert!(matches!(answer.heard, Heard::NoEnvelope { .. }), "{:?}", answer.heard);
    }
    let cut_off = "{\"success\":false,\"error\":{\"code\":\"GATEWAY_CONNECTION_TERMINATED\"}}";
    let answer = heard(&vibe(), &request("crm.deal.add", Version::Two), 200, cut_off);
    assert!(matches!(answer.heard, Heard::NoEnvelope { .. }), "lost, not success and no code: {:?}", answer.heard);
}

#[test]
fn a_success_is_one_under_every_status() {
    for (api, body) in [
        (rest(), r#"{"result":{"a":1},"time":{}}"#),
        (rest(), r#"{"time":{},"result":{"a":1}}"#),
        (vibe(), r#"{"success":true,"data":{"a":1}}"#),
        (vibe(), r#"{"data":{"a":1},"success":true,"meta":{"new":1}}"#),
    ] {
        for status in STATUSES {
            let answer = heard(&api, &request("crm.deal.get", Version::Two), status, body);
            let Heard::Success(success) = answer.heard else { panic!("{status} {body}: {:?}", answer.heard) };
            assert_eq!(success.read::<serde_json::Value>().unwrap().0, serde_json::json!({"a": 1}));
        }
    }
    let deleted = heard(&vibe(), &request("crm.deal.delete", Version::Two), 204, "");
    assert!(matches!(deleted.heard, Heard::Success(_)));
    let added = heard(&vibe(), &request("crm.deal.add", Version::Two), 204, "");
    assert!(matches!(added.heard, Heard::NoEnvelope { .. }), "only a delete may be empty");
}

#[test]
fn the_gateways_data_becomes_what_the_method_returns() {
    let read = |method, data: &str| {
        let body = format!(r#"{{"success":true,"data":{data}}}"#);
        let answer = heard(&vibe(), &request(method, Version::Two), 200, body);
        let Heard::Success(success) = answer.heard else { panic!("{answer:?}") };
        success
    };
    let whole = r#"{"id":17,"title":"x"}"#;
    assert_eq!(read("crm.deal.add", whole).read::<crate::Id>().unwrap().0, crate::Id(17));
    assert_eq!(read("crm.deal.add", whole).read::<Echo>().unwrap().0.title, "x", "a stub may ask for the whole record");
    for method in ["crm.deal.update", "crm.deal.delete"] {
        assert!(read(method, whole).read::<bool>().unwrap().0);
        assert!(read(method, "true").read::<bool>().unwrap().0);
        assert!(
            !read(method, "false").read::<bool>().unwrap().0,
            "what says that it did not is not turned into the opposite"
        );
    }
    assert_eq!(read("crm.item.get", whole).read::<Item>().unwrap().0.item.title, "x");
    assert_eq!(read("crm.deal.get", whole).read::<Echo>().unwrap().0.title, "x");
}

#[derive(serde::Deserialize)]
struct Echo {
    title: String,
}

#[derive(serde::Deserialize)]
struct Item {
    item: Echo,
}

#[test]
fn p3_a_list_that_the_gateway_could_not_read_to_its_end_is_not_complete() {
    let complete = |beside: &str| {
        let body = format!(r#"{{"success":true,"data":[1]{beside}}}"#);
        let answer = heard(&vibe(), &request("crm.deal.list", Version::Two), 200, body);
        let Heard::Success(success) = answer.heard else { panic!("{answer:?}") };
        success.read::<crate::Page<u8>>().unwrap().0.is_complete()
    };
    for whole in [
        "",
        r#","total":1"#,
        r#","meta":{"total":1,"hasMore":false,"truncated":false,"windowErrors":0}"#,
        r#","meta":null"#,
        r#","meta":[]"#,
    ] {
        assert!(complete(whole), "{whole}");
    }
    for cut in [
        r#","meta":{"windowErrors":1}"#,
        r#","meta":{"truncated":true}"#,
        r#","meta":{"hasMore":true}"#,
        r#","total":2"#,
        r#","meta":{"total":2}"#,
        r#","meta":{"windowErrors":"unknown"}"#,
    ] {
        assert!(!complete(cut), "{cut}");
    }
}

#[test]
fn p7_a_secret_that_is_cut_within_a_letter_is_not_shown() {
    let api = Api::Rest(Rest::webhook("https://acme.bitrix24.com/rest/1/пароль/").unwrap());
    for shown in 631..640 {
        let body = format!("{}пароль{}", " ".repeat(shown), "x".repeat(100));
        let answer = heard(&api, &request("crm.deal.add", Version::Two), 500, body);
        assert!(!format!("{answer:?}").contains("пар"), "{answer:?}");
    }
}

#[test]
fn p7_an_answer_that_echoes_a_secret_is_shown_without_it() {
    for (api, secret) in [(rest(), "s3cr3t"), (vibe(), "vibe_api_s3cr3t")] {
        for body in [
            format!("<html>{secret}</html>"),
            format!(r#"{{"error":"X","error_description":"{secret}","message":"{secret}"}}"#),
        ] {
            let answer = heard(&api, &request("crm.deal.add", Version::Two), 500, body);
            assert!(!format!("{answer:?}").contains("s3cr3t"), "{answer:?}");
        }
        assert!(!format!("{api:?}").contains("s3cr3t"));
    }
}

#[test]
fn bytes_that_are_no_text_matter_only_where_they_are_read() {
    #[derive(serde::Deserialize)]
    struct WithId {
        id: u64,
    }
    let body = b"{\"result\":{\"id\":7,\"title\":\"\xff\"}}";
    assert_eq!(super::rest::envelope::read::<WithId>(body).unwrap().0.id, 7);
    assert!(super::rest::envelope::read::<std::collections::BTreeMap<String, serde_json::Value>>(body).is_err());
}
