//! The cases about codes, statuses and envelopes.

use retry_portal::{Answer, Coded, Fault, Portal, Raw, RetryAfter};
use retry_runtime::report::{Ending, Finding, Outcome};
use retry_runtime::{CallError, Client, Code, Effect, Id, ReadBack, Reader, bitrix_method};
use serde::Serialize;
use serde_json::{Value, json};

use crate::support::{
    NewDeal, OriginKey, Told, add_blind_deal, add_deal, client, list_deals, millis, observed, policy, scripted, secs,
};

fn coded(status: u16, error: impl Into<Value>) -> Fault {
    Fault::never(Answer::Coded(Coded::new(status, error).description("the text of the portal")))
}

fn raw(status: u16, body: &Value) -> Answer {
    Answer::Raw(Raw::json(status, body))
}

#[bitrix_method(name = "tasks.task.get", kind = read)]
async fn get_task(reader: &Reader, #[param(name = "taskId")] task: u32) -> Result<Value, CallError>;

#[bitrix_method(name = "tasks.task.pause", kind = write, verify = is_paused)]
async fn pause_task(client: &Client, #[param(name = "taskId")] task: u32) -> Result<Value, CallError>;

async fn is_paused(reader: &Reader, task: u32) -> Result<ReadBack<Value>, CallError> {
    let task = get_task(reader, task).await?;
    Ok(if task["task"]["status"] == "paused" { ReadBack::Found(task) } else { ReadBack::Absent })
}

fn task_is(status: &str) -> Fault {
    Fault::never(raw(200, &json!({"result": {"task": {"id": 5, "status": status}}})))
}

#[tokio::test]
async fn case_b15_a_success_that_looks_unusual_is_a_success() {
    let odd = json!({"meta": {"new": "field"}, "result": 31, "success": true});
    let portal = scripted("crm.lead.add", [Fault::before(raw(201, &odd))]).await;
    let (client, seen) = observed(&portal.webhook_url());
    assert_eq!(add_lead(&client, &NewDeal::of("l-5")).await.unwrap(), Id(31));
    let report = seen.only(Told::Finished);
    assert_eq!((report.ending(), portal.requests().len()), (Ending::Done, 1), "{report}");
}

#[bitrix_method(name = "crm.lead.add", kind = write, unverifiable = "the case needs none")]
async fn add_lead(client: &Client, fields: &NewDeal) -> Result<Id, CallError>;

#[tokio::test]
async fn case_b19_a_business_code_is_not_sent_again_and_keeps_its_text() {
    let portal = scripted("tasks.task.pause", [coded(400, "1048582")]).await;
    portal.script("tasks.task.get", [task_is("new"), task_is("paused")]);
    let (client, _) = observed(&portal.webhook_url());
    let error = pause_task(&client, 5).await.unwrap_err();
    assert!(matches!(error, CallError::Refused(_)), "{error}");
    assert_eq!(error.code(), Some(&Code::Business("1048582")));
    assert!(error.to_string().contains("the text of the portal") && !error.to_string().contains("attempts"));
    assert_eq!(portal.count("tasks.task.pause"), 1);

    portal.script("tasks.task.pause", [Fault::before(Answer::Close)]);
    assert_eq!(pause_task(&client, 5).await.unwrap()["task"]["status"], "paused");
    assert_eq!(portal.count("tasks.task.pause"), 2);
}

/// Renames a task by REST 3.0.
#[bitrix_method(name = "tasks.task.update", kind = write, version = 3, unverifiable = "the case needs none")]
async fn update_task(client: &Client, fields: &Value) -> Result<Value, CallError>;

#[tokio::test]
async fn case_b20_a_validation_error_names_each_field() {
    let error = json!({"error": {
        "code": "BITRIX_REST_V3_EXCEPTION_VALIDATION_REQUESTVALIDATIONEXCEPTION",
        "message": "not valid",
        "validation": [{"field": "id", "message": "id or filter is required"}, {"field": "x", "message": "y"}],
    }});
    let portal = scripted("tasks.task.pause", [Fault::never(raw(400, &error))]).await;
    portal.script("tasks.task.get", [task_is("new")]);
    portal.script("tasks.task.update", [Fault::never(raw(400, &error))]);
    let (client, _) = observed(&portal.webhook_url());
    let errors = [pause_task(&client, 5).await.unwrap_err(), update_task(&client, &json!({})).await.unwrap_err()];
    for error in errors {
        assert!(matches!(error, CallError::Refused(_)), "{error}");
        assert!(error.to_string().contains("not valid; id: id or filter is required; x: y"), "{error}");
        assert!(!error.to_string().contains("attempts"), "{error}");
    }
    assert_eq!((portal.count("tasks.task.pause"), portal.count("tasks.task.update")), (1, 1));
    assert!(portal.requests().last().unwrap().path.starts_with("/rest/api/"), "by REST 3.0");
}

#[tokio::test]
async fn case_b21_a_safe_code_is_waited_out_and_an_unknown_one_under_its_status_is_not() {
    let busy = json!({"success": false, "error": {"code": "QUEUE_TIMEOUT", "message": "m", "retryAfter": 1}});
    let portal = scripted("crm.deal.add", [Fault::never(raw(504, &busy))]).await;
    let (client, seen) = observed(&portal.webhook_url());
    add_deal(&client, &NewDeal::of("k")).await.unwrap();
    let sent: Vec<_> = portal.requests().iter().map(|request| request.since_start).collect();
    assert_eq!((sent.len(), portal.records("deal").len()), (2, 1));
    assert!(sent[1].checked_sub(sent[0]).unwrap() >= secs(1), "{sent:?}");
    assert_eq!(seen.only(Told::Finished).ending(), Ending::Done);

    portal.script("crm.deal.add", [Fault::before(raw(504, &json!({"error": {"code": "BITRIX_TIMEOUT"}})))]);
    add_deal(&client, &NewDeal::of("k-2")).await.unwrap();
    assert_eq!((portal.count("crm.deal.add"), portal.records("deal").len()), (3, 2));
    assert_eq!(seen.all()[1].1.ending(), Ending::Found);
}

#[bitrix_method(name = "crm.type.list", kind = read)]
async fn list_types(reader: &Reader, select: &[&str]) -> Result<Value, CallError>;

#[tokio::test]
async fn case_b22_a_code_may_be_a_number_and_nothing_is_added_to_the_request() {
    let portal = scripted("crm.type.list", [coded(400, 100)]).await;
    let (client, _) = observed(&portal.webhook_url());
    let error = list_types(&client, &["id"]).await.unwrap_err();
    assert!(matches!(error, CallError::Refused(_)), "{error}");
    assert_eq!(error.code(), Some(&Code::Business("100")));
    assert_eq!(portal.requests().len(), 1);
    assert_eq!(portal.requests()[0].body.as_ref(), br#"{"select":["id"]}"#);
}

#[bitrix_method(name = "crm.deal.get", kind = read)]
async fn get_deal(reader: &Reader, id: u64) -> Result<Value, CallError>;

/// A deal that is to go, and whether somebody saw it before.
#[derive(Debug, Clone, Copy, Serialize)]
struct Doomed {
    id: u64,
    #[serde(skip)]
    was_seen: bool,
}

#[bitrix_method(name = "crm.deal.delete", kind = write, verify = is_gone)]
async fn delete_deal(client: &Client, #[param(flatten)] deal: Doomed) -> Result<bool, CallError>;

async fn is_gone(reader: &Reader, deal: Doomed) -> Result<ReadBack<bool>, CallError> {
    match get_deal(reader, deal.id).await {
        Ok(_) => Ok(ReadBack::Absent),
        Err(error) if error.code() == Some(&Code::Business("")) && deal.was_seen => Ok(ReadBack::Found(true)),
        Err(error) if error.code() == Some(&Code::Business("")) => {
            Ok(ReadBack::Unreliable("it may never have been".into()))
        }
        Err(error) => Err(error),
    }
}

#[tokio::test]
async fn case_b23_the_empty_code_is_a_code() {
    let portal = scripted("crm.deal.delete", [Fault::before(Answer::Close)]).await;
    let (client, _) = observed(&portal.webhook_url());
    let error = get_deal(&client, 404).await.unwrap_err();
    assert!(matches!(error, CallError::Refused(_)), "{error}");
    assert_eq!(error.code(), Some(&Code::Business("")));
    assert!(error.to_string().contains("Not found"), "{error}");
    assert_eq!(portal.requests().len(), 1);

    let id = portal.insert("deal", json!({"TITLE": "old"})).unwrap();
    assert!(delete_deal(&client, Doomed { id, was_seen: true }).await.unwrap());
    assert_eq!((portal.count("crm.deal.delete"), portal.records("deal").len()), (1, 0));

    portal.script("crm.deal.delete", [Fault::never(Answer::Close)]);
    let error = delete_deal(&client, Doomed { id: 404, was_seen: false }).await.unwrap_err();
    assert!(matches!(error, CallError::InDoubt(_)), "{error}");
    assert_eq!(portal.count("crm.deal.delete"), 2);
}

#[tokio::test]
async fn case_b24_the_body_of_a_400_is_read() {
    let answer = Coded::new(400, "ERROR_CORE").description("Field TITLE is required").header("X-Request-Id", "r-77");
    let portal = scripted("crm.deal.add", [Fault::never(Answer::Coded(answer))]).await;
    let (client, _) = observed(&portal.webhook_url());
    let error = add_blind_deal(&client, &NewDeal::of("x")).await.unwrap_err();
    let shown = error.to_string();
    for part in ["ERROR_CORE", "Field TITLE is required", "HTTP 400", "crm.deal.add", "r-77"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let attempt = &error.report().attempts()[0];
    assert_eq!((attempt.status, attempt.request_id.as_deref()), (Some(400), Some("r-77")));
}

#[tokio::test]
async fn case_b25_a_page_of_html_is_no_answer_whatever_its_status() {
    let portal = scripted("crm.deal.list", [Fault::never(Answer::Html(200))]).await;
    portal.script("crm.deal.add", [Fault::before(Answer::Html(200))]);
    let (client, seen) = observed(&portal.webhook_url());
    list_deals(&client, &OriginKey::of("x")).await.unwrap();
    assert_eq!(portal.count("crm.deal.list"), 2);
    add_deal(&client, &NewDeal::of("x")).await.unwrap();
    assert_eq!((portal.count("crm.deal.add"), seen.all()[1].1.ending()), (1, Ending::Found));

    // JSON labelled as HTML, with and without a byte order mark, is read as JSON.
    for body in ["{\"result\":[]}", "\u{feff}{\"result\":[]}"] {
        portal.clear_requests();
        let labelled = Raw::new(200).header("Content-Type", "text/html; charset=utf-8").body(body);
        portal.script("crm.deal.list", [Fault::never(Answer::Raw(labelled))]);
        list_deals(&client, &OriginKey::of("x")).await.unwrap();
        assert_eq!(portal.requests().len(), 1);
    }
}

#[tokio::test]
async fn case_b27_a_429_is_waited_out_within_the_limits() {
    let limit = |id: &str| {
        let coded = Coded::new(429, "OPERATION_TIME_LIMIT").retry_after(RetryAfter::Text("0.5".to_owned()));
        Fault::never(Answer::Coded(coded.header("X-Request-Id", id)))
    };
    let portal = scripted("crm.deal.list", [limit("r-1")]).await;
    let client = client(&portal.webhook_url()).policy(policy().attempts(2)).build().unwrap();
    list_deals(&client, &OriginKey::of("x")).await.unwrap();
    let sent: Vec<_> = portal.requests().iter().map(|request| request.since_start).collect();
    assert!(sent[1].checked_sub(sent[0]).unwrap() >= millis(500), "{sent:?}");

    portal.clear_requests();
    portal.script("crm.deal.list", [limit("r-2"), limit("r-3"), limit("r-4")]);
    let error = list_deals(&client, &OriginKey::of("x")).await.unwrap_err();
    assert!(matches!(error, CallError::Exhausted(_)), "{error}");
    assert_eq!((error.effect(), portal.requests().len()), (Effect::Absent, 2));
    let shown = error.to_string();
    assert!(shown.contains("r-2") && shown.contains("r-3") && shown.contains("send 2, 20"), "{shown}");

    portal.script("crm.deal.add", [Fault::before(Answer::Raw(Raw::new(429)))]);
    add_deal(&client, &NewDeal::of("x")).await.unwrap();
    assert_eq!((portal.count("crm.deal.add"), portal.records("deal").len()), (1, 1));
}

#[bitrix_method(name = "catalog.product.list", kind = read)]
async fn list_products(reader: &Reader, filter: &Value) -> Result<Value, CallError>;

#[tokio::test]
async fn case_b57_a_filter_that_the_method_does_not_take_is_refused_with_its_text() {
    let portal = scripted("catalog.product.list", [coded(400, 0)]).await;
    let (client, _) = observed(&portal.webhook_url());
    let error = list_products(&client, &json!({"@id": [1, 2]})).await.unwrap_err();
    assert!(matches!(error, CallError::Refused(_)), "{error}");
    assert_eq!(error.code(), Some(&Code::Business("0")));
    assert!(error.to_string().contains("code 0: the text of the portal"), "{error}");
    assert_eq!((portal.requests().len(), error.effect()), (1, Effect::Absent));
}

/// What a verified write makes of an answer without a description, after no effect.
async fn after(portal: &Portal, client: &Client, body: &Value) -> Result<Id, CallError> {
    portal.clear_requests();
    portal.script("crm.deal.add", [Fault::never(raw(400, body))]);
    add_deal(client, &NewDeal::of(&body.to_string())).await
}

#[tokio::test]
async fn case_b33_an_error_without_a_description_is_an_error() {
    let portal = scripted("x", []).await;
    let (client, seen) = observed(&portal.webhook_url());
    for body in [json!({"error": "NOT_FOUND"}), json!({"error": "NOT_FOUND", "error_description": null})] {
        let error = after(&portal, &client, &body).await.unwrap_err();
        assert!(matches!(error, CallError::Refused(_)), "{error}");
        assert_eq!((error.code(), portal.count("crm.deal.add")), (Some(&Code::Business("NOT_FOUND")), 1));
    }
    // Nobody knows these: the effect is looked for, and its absence proved before the next send.
    for body in [json!({"error": {"code": "X"}}), json!({"code": "X", "retryAfter": 1})] {
        after(&portal, &client, &body).await.unwrap();
        let report = seen.all().pop().unwrap().1;
        assert_eq!(report.attempts()[0].outcome, Outcome::Code { code: Code::of("X"), text: "".into() });
        let proof = report.checks().last().unwrap();
        assert!(proof.proves && proof.finding == Finding::Absent, "{report}");
        assert_eq!(portal.count("crm.deal.add"), 2);
    }
    assert_eq!(seen.all().pop().unwrap().1.attempts()[0].hint, Some(millis(1_000)));
}

#[tokio::test]
async fn case_b42_a_missing_field_at_the_side_does_not_spoil_a_success() {
    for time in [Some(json!({"start": 1, "finish": 2})), None, Some(Value::Null), Some(json!("odd"))] {
        let mut body = json!({"result": 5});
        if let Some(time) = time {
            body["time"] = time;
        }
        let portal = scripted("crm.deal.add", [Fault::before(raw(200, &body))]).await;
        let (client, seen) = observed(&portal.webhook_url());
        assert_eq!(add_deal(&client, &NewDeal::of("x")).await.unwrap(), Id(5), "{body}");
        assert_eq!((portal.requests().len(), seen.only(Told::Finished).ending()), (1, Ending::Done));
    }
}
