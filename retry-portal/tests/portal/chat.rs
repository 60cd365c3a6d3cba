//! Comments of timelines and messages of chats.

use retry_portal::Portal;
use serde_json::{Value, json};

use crate::client::{envelope, refusal, result};

async fn portal() -> Portal {
    Portal::builder().no_rate_limit().start().await.expect("a portal")
}

fn comment(deal: u64, text: &str) -> Value {
    json!({"fields": {"ENTITY_ID": deal, "ENTITY_TYPE": "deal", "COMMENT": text}})
}

#[tokio::test]
async fn a_comment_is_listed_under_its_owner() {
    let portal = portal().await;
    for _ in 0..2 {
        portal.insert("deal", json!({})).expect("a deal");
    }
    assert_eq!(result(&portal, "crm.timeline.comment.add", &comment(1, "first")).await, json!(1));
    result(&portal, "crm.timeline.comment.add", &comment(2, "other")).await;
    result(&portal, "crm.timeline.comment.add", &comment(1, "second")).await;
    let list = json!({"filter": {"ENTITY_ID": 1, "ENTITY_TYPE": "deal"}, "order": {"ID": "DESC"}, "select": ["COMMENT", "AUTHOR_ID"]});
    let body = envelope(&portal, "crm.timeline.comment.list", &list).await;
    assert_eq!(body["total"], json!(2));
    assert_eq!(
        body["result"],
        json!([{"ID": "3", "COMMENT": "second", "AUTHOR_ID": "1"}, {"ID": "1", "COMMENT": "first", "AUTHOR_ID": "1"}])
    );
    let whole = json!({"filter": {"=ENTITY_ID": "2", "=ENTITY_TYPE": "deal"}});
    assert_eq!(result(&portal, "crm.timeline.comment.list", &whole).await[0]["FILES"], json!({}));
    assert_eq!(portal.records("comment").len(), 3);
}

#[tokio::test]
async fn a_comment_needs_an_owner_and_a_text() {
    let portal = portal().await;
    portal.insert("deal", json!({})).expect("a deal");
    for (params, code) in [
        (json!({}), json!(100)),
        (json!({"FIELDS": {"ENTITY_ID": 1, "ENTITY_TYPE": "deal", "COMMENT": "x"}}), json!(100)),
        (json!({"fields": {"COMMENT": "x"}}), json!(100)),
        (comment(1, ""), json!("INVALID_ARG_VALUE")),
        (comment(404, "x"), json!("OWNER_NOT_FOUND")),
        (json!({"fields": {"ENTITY_ID": 1, "ENTITY_TYPE": "message", "COMMENT": "x"}}), json!("OWNER_NOT_FOUND")),
    ] {
        let refused = refusal(&portal, "crm.timeline.comment.add", &params).await;
        assert_eq!((refused.0, refused.1), (400, code), "{params}");
    }
    for filter in [json!({}), json!({"ENTITY_ID": 1}), json!({"ENTITY_TYPE": "deal"})] {
        let refused = refusal(&portal, "crm.timeline.comment.list", &json!({"filter": filter})).await;
        assert_eq!((refused.0, refused.1), (400, json!("")));
    }
    assert_eq!(portal.records("comment"), []);
}

#[tokio::test]
async fn messages_can_be_read_back() {
    let portal = portal().await;
    for number in 1..=30 {
        let sent =
            result(&portal, "im.message.add", &json!({"DIALOG_ID": "chat29", "MESSAGE": format!("m{number}")})).await;
        assert_eq!(sent, json!(number));
    }
    result(&portal, "im.message.add", &json!({"dialog_id": 6, "message": "private"})).await;
    let shown = async |params: Value| {
        let result = result(&portal, "im.dialog.messages.get", &params).await;
        let messages = result["messages"].as_array().expect("messages").clone();
        messages.iter().map(|message| message["text"].as_str().expect("a text").to_owned()).collect::<Vec<String>>()
    };
    let last = shown(json!({"DIALOG_ID": "chat29"})).await;
    assert_eq!((last.len(), last[0].as_str(), last[19].as_str()), (20, "m30", "m11"));
    assert_eq!(shown(json!({"DIALOG_ID": "chat29", "FIRST_ID": 28})).await, ["m30", "m29"]);
    assert_eq!(shown(json!({"DIALOG_ID": "chat29", "FIRST_ID": 0, "LIMIT": 2})).await, ["m2", "m1"]);
    assert_eq!(shown(json!({"DIALOG_ID": "chat29", "LAST_ID": "3"})).await, ["m2", "m1"]);
    assert_eq!(shown(json!({"DIALOG_ID": "chat29", "LIMIT": 1000})).await.len(), 30);
    assert_eq!(shown(json!({"DIALOG_ID": 6})).await, ["private"]);
    assert_eq!(shown(json!({"DIALOG_ID": "chat1"})).await, [""; 0]);

    let got = result(&portal, "im.dialog.messages.get", &json!({"DIALOG_ID": "chat29", "LIMIT": 1})).await;
    assert_eq!((&got["chat_id"], &got["messages"][0]["author_id"]), (&json!(29), &json!(1)));
}

#[tokio::test]
async fn a_message_needs_a_dialog_and_a_text() {
    let portal = portal().await;
    for (method, params, code) in [
        ("im.message.add", json!({"MESSAGE": "x"}), "USER_ID_EMPTY"),
        ("im.message.add", json!({"DIALOG_ID": "chat1", "MESSAGE": ""}), "MESSAGE_EMPTY"),
        ("im.dialog.messages.get", json!({}), "DIALOG_ID_EMPTY"),
    ] {
        let refused = refusal(&portal, method, &params).await;
        assert_eq!((refused.0, refused.1), (400, json!(code)));
    }
    assert_eq!(portal.records("message"), []);
}
