//! The array batch of REST 3.0.

use retry_portal::{Answer, Fault, Outcome, Portal};
use serde_json::{Value, json};

use super::{effects, start};
use crate::client::{Seen, call, path_of};

async fn batch(portal: &Portal, body: &Value) -> Seen {
    let path = format!("{}batch", path_of(portal, &portal.rest3_url()));
    call(portal, "POST", &path, &["Content-Type: application/json"], &body.to_string()).await
}

fn add(title: &str) -> Value {
    let fields = json!({"title": title, "creatorId": 1, "responsibleId": 1});
    json!({"method": "tasks.task.add", "query": {"fields": fields}})
}

#[tokio::test]
async fn calls_are_answered_in_their_order() {
    let portal = start(Portal::builder()).await;
    let get = |id: u64| json!({"method": "tasks.task.get", "query": {"id": id, "select": ["id", "title"]}});
    let seen = batch(&portal, &json!([add("a"), get(1), get(9), {"method": "no.such"}, add("b")])).await;
    assert_eq!(seen.status(), 200, "{}", seen.text());
    let result = seen.json()["result"].clone();
    assert_eq!(result[0]["item"]["id"], json!(1));
    assert_eq!(result[1]["item"]["title"], json!("a"));
    assert_eq!(result[2]["error"]["code"], json!("BITRIX_REST_V3_EXCEPTION_ENTITYNOTFOUNDEXCEPTION"));
    assert_eq!(result[3]["error"]["code"], json!("ERROR_METHOD_NOT_FOUND"));
    assert_eq!(result[4]["item"]["id"], json!(2));
    assert_eq!(portal.records("task").len(), 2);
    assert_eq!((portal.count("tasks.task.add"), portal.count("batch")), (2, 1));
}

#[tokio::test]
async fn a_body_that_is_no_array_is_refused() {
    let portal = start(Portal::builder()).await;
    let seen = batch(&portal, &json!({"cmd": ["profile"]})).await;
    let code = json!("BITRIX_REST_V3_EXCEPTION_INVALIDSELECTEXCEPTION");
    assert_eq!((seen.status(), &seen.json()["error"]["code"]), (400, &code));
    assert_eq!(batch(&portal, &json!(7)).await.status(), 400);
}

#[tokio::test]
async fn faults_are_inside_and_around() {
    let portal = start(
        Portal::builder()
            .script("tasks.task.add", [Fault::before(Answer::Reset)])
            .script("batch", [Fault::none(), Fault::after_commands(1, Answer::Html(502))]),
    )
    .await;
    let seen = batch(&portal, &json!([add("a"), add("b")])).await;
    assert_eq!(seen.json()["result"][0], Value::Null, "its answer alone is lost");
    assert_eq!(seen.json()["result"][1]["item"]["id"], json!(2));
    assert_eq!(batch(&portal, &json!([add("c"), add("d")])).await.status(), 502);
    assert_eq!(effects(&portal), [Outcome::Before, Outcome::NotRun]);
    assert_eq!(portal.records("task").len(), 3);
}
