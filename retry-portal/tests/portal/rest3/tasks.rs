//! The methods, their envelopes and their errors.

use retry_portal::{Answer, Coded, Fault, Outcome, Portal, Shape};
use serde_json::{Value, json};

use super::{JSON, portal, refusal, refused, rest3, result, task, titles};
use crate::client::{call, path_of, post};

#[tokio::test]
async fn a_task_lives_from_add_to_delete() {
    let portal = portal().await;
    let seen = rest3(&portal, "tasks.task.add", &task("Call")).await;
    let item = seen.json()["result"]["item"].clone();
    assert_eq!((&item["id"], &item["title"], &item["status"]), (&json!(1), &json!("Call"), &json!("pending")));
    assert_eq!((&item["priority"], &item["creatorId"]), (&json!("average"), &json!(1)));
    assert!(seen.json()["time"]["start"].is_number());
    let yes = json!({"result": true});
    let update = json!({"id": 1, "fields": {"title": "Called", "status": "completed"}});
    assert_eq!(result(&portal, "tasks.task.update", update).await, yes);
    let got = result(&portal, "tasks.task.get", json!({"id": 1, "select": ["title", "status"]})).await;
    assert_eq!(got, json!({"item": {"id": 1, "title": "Called", "status": "completed"}}));
    assert_eq!(portal.records("task")[0].text("STATUS"), Some("5"), "as the old methods have it");
    assert_eq!(result(&portal, "tasks.task.delete", json!({"id": 1})).await, yes);
    assert_eq!(titles(&portal), [""; 0]);
    let noted: Vec<(String, Outcome)> = portal.requests().into_iter().map(|one| (one.method, one.effect)).collect();
    assert_eq!(noted[0], ("tasks.task.add".to_owned(), Outcome::Before));
    assert_eq!(portal.requests()[0].path, "/rest/api/1/***/tasks.task.add");
}

#[tokio::test]
async fn what_is_missing_or_of_the_wrong_type_is_named() {
    let portal = portal().await;
    let seen = rest3(&portal, "tasks.task.add", &json!({"fields": {"title": "x"}})).await;
    assert_eq!(refused(&seen), (400, "VALIDATION_REQUESTVALIDATIONEXCEPTION".to_owned()));
    let validation = seen.json()["error"]["validation"].clone();
    let fields: Vec<&Value> = validation.as_array().expect("a list").iter().map(|one| &one["field"]).collect();
    assert_eq!(fields, [&json!("creatorId"), &json!("responsibleId")]);
    for (method, body) in [
        ("tasks.task.add", json!({})),
        ("tasks.task.add", json!({"fields": []})),
        ("tasks.task.add", json!({"fields": {"title": "x", "creatorId": "me", "responsibleId": 1}})),
        ("tasks.task.add", json!({"fields": {"title": "x", "creatorId": 1, "responsibleId": 1, "deadline": "soon"}})),
        ("tasks.task.get", json!({})),
        ("tasks.task.get", json!({"id": "1"})),
        ("tasks.task.update", json!({"id": 1})),
    ] {
        let refused = refusal(&portal, method, body.clone()).await;
        assert_eq!(refused, (400, "VALIDATION_REQUESTVALIDATIONEXCEPTION".to_owned()), "{body}");
    }
    assert_eq!(titles(&portal), [""; 0]);
}

#[tokio::test]
async fn a_task_that_is_gone_is_not_found_by_get_and_denied_to_the_others() {
    let portal = portal().await;
    assert_eq!(refusal(&portal, "tasks.task.get", json!({"id": 9})).await, (400, "ENTITYNOTFOUNDEXCEPTION".to_owned()));
    for (method, body) in
        [("tasks.task.delete", json!({"id": 9})), ("tasks.task.update", json!({"id": 9, "fields": {}}))]
    {
        assert_eq!(refusal(&portal, method, body).await, (403, "ACCESSDENIEDEXCEPTION".to_owned()));
    }
}

#[tokio::test]
async fn only_json_is_read_and_nothing_of_the_query() {
    let portal = portal().await;
    let path = format!("{}tasks.task.add", path_of(&portal, &portal.rest3_url()));
    let form = "fields[title]=x&fields[creatorId]=1&fields[responsibleId]=1";
    for (content_type, body) in [
        ("Content-Type: application/x-www-form-urlencoded", form),
        (JSON, "{\"fields\":"),
        (JSON, "7"),
        ("Content-Type: text/plain", "{}"),
    ] {
        let seen = call(&portal, "POST", &path, &[content_type], body).await;
        assert_eq!(refused(&seen), (400, "INVALIDJSONEXCEPTION".to_owned()), "{body}");
    }
    let get = format!("{}tasks.task.get?id=1", path_of(&portal, &portal.rest3_url()));
    let seen = call(&portal, "GET", &get, &[], "").await;
    assert_eq!(refused(&seen), (400, "VALIDATION_REQUESTVALIDATIONEXCEPTION".to_owned()));
    assert_eq!(titles(&portal), [""; 0]);
}

#[tokio::test]
async fn each_version_has_its_own_methods() {
    let portal = portal().await;
    let old = post(&portal, "tasks.task.add", &task("x")).await;
    assert_eq!((old.status(), &old.json()["error"]), (404, &json!("ERROR_METHOD_NOT_FOUND")));
    for method in ["crm.deal.add", "tasks.task.fields", "tasks.task.nothing"] {
        assert_eq!(refusal(&portal, method, json!({})).await, (404, "ERROR_METHOD_NOT_FOUND".to_owned()), "{method}");
    }
}

#[tokio::test]
async fn a_wrong_secret_and_too_many_requests_are_refused_in_a_form_that_is_a_switch() {
    let portal = Portal::builder().rate(1, 0.0).start().await.expect("a portal");
    let seen = call(&portal, "POST", "/rest/api/1/wrong/tasks.task.get", &[JSON], "{}").await;
    assert_eq!(refused(&seen), (401, "INVALID_CREDENTIALS".to_owned()));
    assert_eq!(refusal(&portal, "tasks.task.get", json!({})).await, (503, "QUERY_LIMIT_EXCEEDED".to_owned()));
    let flat = Portal::builder().rest3_system_errors(Shape::Flat).start().await.expect("a portal");
    let seen = rest3(&flat, "crm.deal.add", &json!({})).await;
    assert_eq!(seen.json(), json!({"error": "ERROR_METHOD_NOT_FOUND", "error_description": "Method not found!"}));
    assert_eq!(refusal(&flat, "tasks.task.get", json!({"id": 1})).await.1, "ENTITYNOTFOUNDEXCEPTION", "still nested");
}

#[tokio::test]
async fn a_fault_speaks_in_the_nested_form() {
    let portal = portal().await;
    let coded = Coded::new(500, "INTERNAL_SERVER_ERROR").description("oops");
    portal.script("tasks.task.add", [Fault::before(Answer::Coded(coded))]);
    let seen = rest3(&portal, "tasks.task.add", &task("x")).await;
    assert_eq!(seen.json(), json!({"error": {"code": "INTERNAL_SERVER_ERROR", "message": "oops"}}));
    assert_eq!((seen.status(), titles(&portal)), (500, vec!["x".to_owned()]));
}

#[tokio::test]
async fn a_hidden_task_is_seen_by_no_read() {
    let portal = Portal::builder().hide("task").start().await.expect("a portal");
    result(&portal, "tasks.task.add", task("x")).await;
    assert_eq!(refusal(&portal, "tasks.task.get", json!({"id": 1})).await.1, "ENTITYNOTFOUNDEXCEPTION");
    assert_eq!(result(&portal, "tasks.task.list", json!({})).await, json!({"items": []}));
}
