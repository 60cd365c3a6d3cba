//! Addresses, encodings, and what the journal keeps.

use std::time::Duration;

use retry_portal::{Answer, Fault, Outcome, Portal};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::client::{Ended, LONG, hear, post, request, send};

async fn portal() -> Portal {
    Portal::builder().secret("s3cret").start().await.expect("a portal")
}

#[tokio::test]
async fn a_form_is_as_good_as_json() {
    let portal = portal().await;
    let form = "fields%5BTITLE%5D=M%C3%BCller+%26+Co&fields[PHONE][0][VALUE]=%2B7&fields[PHONE][0][VALUE_TYPE]=WORK&fields[ORIGIN_ID]=A-1";
    let bytes = request(&portal, "POST", "crm.lead.add", "application/x-www-form-urlencoded", form);
    let seen = send(&portal, bytes, LONG).await;
    assert_eq!(seen.json()["result"], json!(1));
    let lead = &portal.records("lead")[0];
    assert_eq!((lead.text("TITLE"), lead.text("ORIGIN_ID")), (Some("Müller & Co"), Some("A-1")));
    assert_eq!(lead.get("PHONE").map(|phones| phones[0]["VALUE"].clone()), Some(json!("+7")));
}

#[tokio::test]
async fn a_get_can_read_and_write() {
    let portal = portal().await;
    let get = |query: &str| format!("GET /rest/1/s3cret/{query} HTTP/1.1\r\nHost: portal\r\nConnection: close\r\n\r\n");
    let seen = send(&portal, get("crm.deal.add.json?fields%5BORIGIN_ID%5D=A-1"), LONG).await;
    assert_eq!(seen.json()["result"], json!(1));
    let seen = send(&portal, get("CRM.Deal.List?filter[%3DORIGIN_ID]=A-1&select[]=ID"), LONG).await;
    assert_eq!(seen.json()["result"], json!([{"ID": "1"}]));
    let first = &portal.requests()[0];
    assert_eq!((first.verb.as_str(), first.method.as_str()), ("GET", "crm.deal.add"));
    assert_eq!(
        (first.path.as_str(), first.query.as_str()),
        ("/rest/1/***/crm.deal.add.json", "fields%5BORIGIN_ID%5D=A-1")
    );
    assert_eq!(portal.count("crm.deal.LIST"), 1);
}

#[tokio::test]
async fn a_wrong_secret_is_refused_and_never_shown() {
    let portal = portal().await;
    for path in ["/rest/1/wrong/profile", "/rest/2/s3cret/profile", "/rest/1/s3cre/crm.deal.add"] {
        let seen = send(
            &portal,
            format!("POST {path} HTTP/1.1\r\nHost: portal\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"),
            LONG,
        )
        .await;
        assert_eq!((seen.status(), seen.json()["error"].clone()), (401, json!("INVALID_CREDENTIALS")), "{path}");
    }
    let requests = portal.requests();
    assert_eq!((requests[0].status, requests[0].code.as_deref()), (Some(401), Some("INVALID_CREDENTIALS")));
    let shown = format!("{portal:?} {requests:?} {:?}", Portal::builder().secret("s3cret"));
    assert!(!shown.contains("s3cre") && !shown.contains("wrong"), "{shown}");
}

#[tokio::test]
async fn an_unknown_method_and_an_unknown_path_are_told_apart() {
    let portal = portal().await;
    for method in ["crm.deal.nothing", "crm.nothing.add", "nothing", "batches", "crm.deal.add.xml", ""] {
        let seen = post(&portal, method, &json!({})).await;
        assert_eq!((seen.status(), seen.json()["error"].clone()), (404, json!("ERROR_METHOD_NOT_FOUND")), "{method}");
    }
    let seen = send(&portal, "GET / HTTP/1.1\r\nHost: portal\r\nConnection: close\r\n\r\n", LONG).await;
    assert_eq!(seen.status(), 404);
    assert!(seen.header("Content-Type").expect("a type").starts_with("text/html"));
}

#[tokio::test]
async fn the_journal_keeps_what_was_sent() {
    let portal = portal().await;
    let body = r#"{"fields":  {"TITLE": "Ж", "ORIGIN_ID": "A-1"}}"#;
    let bytes = request(&portal, "POST", "crm.deal.add", "application/json", body)
        .replace("Host:", "X-Request-Id: r-9\r\nHost:");
    send(&portal, bytes, LONG).await;
    let entry = portal.requests().remove(0);
    assert_eq!(entry.body.as_ref(), body.as_bytes(), "byte for byte");
    assert_eq!((entry.number, entry.connection, entry.complete), (1, 1, true));
    assert_eq!(entry.header("x-request-id"), Some("r-9"));
    assert_eq!(Value::Object(entry.params), json!({"fields": {"TITLE": "Ж", "ORIGIN_ID": "A-1"}}));
    assert_eq!((entry.effect, entry.status, entry.fault, entry.code), (Outcome::Before, Some(200), None, None));

    portal.clear_requests();
    assert_eq!(portal.count("crm.deal.add"), 0);
    post(&portal, "profile", &json!({})).await;
    let entry = portal.requests().remove(0);
    assert_eq!((entry.number, entry.connection, entry.effect), (1, 2, Outcome::None));
    assert_eq!(portal.records("deal").len(), 1);
}

#[tokio::test]
async fn a_body_that_never_comes_is_seen_and_does_nothing() {
    let portal = portal().await;
    let whole = request(&portal, "POST", "crm.deal.add", "application/json", r#"{"fields": {}}"#);
    let mut stream = TcpStream::connect(portal.address()).await.expect("the portal listens");
    stream.write_all(&whole.as_bytes()[..whole.len() - 3]).await.expect("the portal reads");
    stream.shutdown().await.expect("our side closes");
    let seen = hear(&mut stream, LONG).await;
    assert_ne!(seen.ended, Ended::StillOpen);
    let entry = portal.requests().remove(0);
    assert_eq!((entry.complete, entry.method.as_str(), entry.effect), (false, "crm.deal.add", Outcome::None));
    assert_eq!(portal.records("deal"), []);
}

#[tokio::test]
async fn a_body_of_any_size_is_bounded() {
    let portal = portal().await;
    let length = 17 * 1024 * 1024;
    let head = format!("POST /rest/1/s3cret/crm.deal.add HTTP/1.1\r\nHost: portal\r\nContent-Length: {length}\r\n\r\n");
    let mut stream = TcpStream::connect(portal.address()).await.expect("the portal listens");
    stream.write_all(head.as_bytes()).await.expect("the portal reads");
    let part = vec![b' '; 64 * 1024];
    // The portal may stop reading before the end.
    for _ in 0..length / part.len() {
        if stream.write_all(&part).await.is_err() {
            break;
        }
    }
    hear(&mut stream, LONG).await;
    let entry = portal.requests().remove(0);
    assert_eq!((entry.status, entry.complete), (Some(413), false));
    assert!(entry.body.len() <= 16 * 1024 * 1024);
    assert_eq!(portal.records("deal"), []);
}

#[tokio::test]
async fn nothing_that_comes_in_ends_the_portal() {
    let portal = Portal::builder().no_rate_limit().start().await.expect("a portal");
    let deep = "[".repeat(200_000);
    let bodies =
        ["", "{", "null", "[]", "\"x\"", "{\"fields\": {\"TITLE\": {\"a\": [[[]]]}}}", "\u{feff}{}", deep.as_str()];
    for method in [
        "crm.deal.add",
        "crm.deal.list",
        "crm.item.add",
        "crm.item.list",
        "crm.contact.update",
        "im.message.add",
        "crm.timeline.comment.list",
    ] {
        for body in bodies {
            for content_type in
                ["application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "x"]
            {
                let seen = send(&portal, request(&portal, "POST", method, content_type, body), LONG).await;
                assert!(matches!(seen.status(), 200 | 400), "{method} {body}: {}", seen.text());
            }
        }
    }
    let odd = json!({"filter": {"": 1, "!": [], "=%": {}, "0": {"logic": 7}, "@ID": {"a": [1]}}, "select": {"a": 1}, "order": [1], "start": {"x": 1}});
    for method in ["crm.deal.list", "crm.item.list"] {
        let seen = post(&portal, method, &odd).await;
        assert!(matches!(seen.status(), 200 | 400), "{}", seen.text());
    }
    for bytes in [
        &b"\x16\x03\x01\x02\x00\x01"[..],
        b"GET\r\n\r\n",
        b"\0\0\0\0\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
    ] {
        let seen = send(&portal, bytes, Duration::from_millis(300)).await;
        assert!(seen.bytes.is_empty() || seen.text().starts_with("HTTP/1.1 400"), "{}", seen.text());
    }
    assert_eq!(post(&portal, "profile", &json!({})).await.status(), 200, "it lives");
}

#[tokio::test]
async fn a_connection_carries_many_requests_until_it_is_idle_for_too_long() {
    let portal = Portal::builder().idle_limit(Duration::from_millis(250)).start().await.expect("a portal");
    let slow = Fault::never(Answer::Slow(Duration::from_millis(400)));
    portal.script("profile", [Fault::none(), slow]);
    let ask = request(&portal, "POST", "profile", "application/json", "{}").replace("Connection: close\r\n", "");
    let mut stream = TcpStream::connect(portal.address()).await.expect("the portal listens");
    stream.write_all(ask.as_bytes()).await.expect("the portal reads");
    tokio::time::sleep(Duration::from_millis(100)).await;
    stream.write_all(ask.as_bytes()).await.expect("the connection is open");
    // The second answer takes longer than the idle limit: a request under way is not idle.
    let seen = hear(&mut stream, LONG).await;
    assert_eq!(seen.text().matches("HTTP/1.1 200 OK").count(), 2);
    assert_eq!(seen.ended, Ended::Closed);
    assert_eq!(portal.requests().iter().map(|entry| entry.connection).collect::<Vec<u64>>(), [1, 1]);
}
