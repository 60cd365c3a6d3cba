//! Each fault as it looks on the socket, and what it does to the records.

use std::time::Duration;

use retry_portal::{Answer, Coded, Cut, Fault, Framing, Outcome, Portal, Raw, RetryAfter};
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::client::{Ended, LONG, Seen, deal, hear, origins, post, request, send};

const BRIEF: Duration = Duration::from_millis(400);

/// A portal whose first create meets this fault, and what its client sees.
async fn first_create(fault: Fault) -> (Portal, Seen) {
    let portal = Portal::builder().script("crm.deal.add", [fault]).start().await.expect("a portal");
    let seen = post(&portal, "crm.deal.add", &deal("A-1")).await;
    (portal, seen)
}

#[tokio::test]
async fn a_reset_is_an_rst_without_a_byte() {
    let (portal, seen) = first_create(Fault::before(Answer::Reset)).await;
    assert_eq!((seen.ended, seen.bytes.as_slice()), (Ended::Reset, &[] as &[u8]));
    assert_eq!(origins(&portal), ["A-1"]);
    let (portal, seen) = first_create(Fault::never(Answer::Reset)).await;
    assert_eq!(seen.ended, Ended::Reset);
    assert_eq!(origins(&portal), [""; 0]);
}

#[tokio::test]
async fn a_close_is_a_fin_without_a_byte() {
    let (portal, seen) = first_create(Fault::before(Answer::Close)).await;
    assert_eq!((seen.ended, seen.bytes.as_slice()), (Ended::Closed, &[] as &[u8]));
    assert_eq!(origins(&portal), ["A-1"]);
    let request = &portal.requests()[0];
    assert_eq!((request.effect, request.status), (Outcome::Before, None));
    assert_eq!(request.fault, Some(Fault::before(Answer::Close)));
}

#[tokio::test]
async fn silence_keeps_the_connection_open_until_its_bound() {
    let portal =
        Portal::builder().script("crm.deal.add", [Fault::before(Answer::Silence)]).start().await.expect("a portal");
    let bytes = request(&portal, "POST", "crm.deal.add", "application/json", &deal("A-1").to_string());
    let seen = send(&portal, &bytes, BRIEF).await;
    assert_eq!((seen.ended, seen.bytes.len()), (Ended::StillOpen, 0));
    assert_eq!(origins(&portal), ["A-1"]);

    // 60 s of portal time are 300 ms here.
    let portal = Portal::builder()
        .time_scale(0.005)
        .script("profile", [Fault::never(Answer::Silence), Fault::never(Answer::SilenceFor(Duration::from_secs(120)))])
        .start()
        .await
        .expect("a portal");
    for least in [300, 600] {
        let begun = tokio::time::sleep(Duration::from_millis(least - 10));
        let seen = post(&portal, "profile", &json!({})).await;
        assert_eq!((seen.ended, seen.bytes.len()), (Ended::Closed, 0));
        let lasted = tokio::time::timeout(Duration::ZERO, begun).await;
        assert!(lasted.is_ok(), "the connection was closed before {least} ms");
    }
}

#[tokio::test]
async fn a_cut_body_is_shorter_than_announced() {
    let whole =
        post(&Portal::builder().start().await.expect("a portal"), "crm.deal.add", &deal("A-1")).await.body().len();
    for (cut, sent) in [(Cut::Bytes(20), 20), (Cut::Percent(0), 0), (Cut::Percent(50), whole / 2)] {
        let (portal, seen) = first_create(Fault::before(Answer::Cut(cut))).await;
        assert_eq!((seen.status(), seen.ended), (200, Ended::Closed));
        let announced: usize = seen.header("Content-Length").expect("a length").parse().expect("a number");
        assert!(announced.abs_diff(whole) < 20, "{announced} of {whole}");
        assert!(seen.body().len().abs_diff(sent) < 20 && seen.body().len() < announced, "{}", seen.text());
        assert_eq!(origins(&portal), ["A-1"]);
    }
}

#[tokio::test]
async fn a_whole_body_that_was_announced_longer_is_no_answer() {
    let (_portal, seen) = first_create(Fault::before(Answer::Cut(Cut::Announced(7)))).await;
    let announced: usize = seen.header("Content-Length").expect("a length").parse().expect("a number");
    assert_eq!(seen.body().len() + 7, announced);
    assert_eq!(seen.json()["result"], json!(1), "the body itself is whole");
}

#[tokio::test]
async fn chunks_can_lack_the_last_one() {
    let (_portal, seen) = first_create(Fault::before(Answer::Cut(Cut::LastChunk))).await;
    assert_eq!(seen.header("Transfer-Encoding").as_deref(), Some("chunked"));
    assert_eq!(seen.header("Content-Length"), None);
    let body = String::from_utf8(seen.body()).expect("text");
    let (size, rest) = body.split_once("\r\n").expect("a size");
    assert_eq!(
        usize::from_str_radix(size, 16).expect("a size"),
        rest.len() - 2,
        "one chunk and its line end, no last chunk"
    );
    assert_eq!(seen.ended, Ended::Closed);
}

#[tokio::test]
async fn the_head_can_come_without_the_body() {
    let (portal, seen) = first_create(Fault::before(Answer::HeadThenReset)).await;
    assert_eq!((seen.status(), seen.ended, seen.body().len()), (200, Ended::Reset, 0));
    assert!(seen.header("Content-Length").is_some());
    assert_eq!(portal.requests()[0].status, Some(200));
}

#[tokio::test]
async fn the_head_can_be_followed_by_silence() {
    let fault = Fault::before(Answer::HeadThenSilence);
    let portal = Portal::builder()
        .time_scale(0.01)
        .script("crm.deal.add", [fault.clone(), fault])
        .start()
        .await
        .expect("a portal");
    let bytes = request(&portal, "POST", "crm.deal.add", "application/json", &deal("A-1").to_string());
    let seen = send(&portal, &bytes, Duration::from_millis(300)).await;
    assert_eq!((seen.status(), seen.ended, seen.body().len()), (200, Ended::StillOpen, 0));
    let seen = send(&portal, &bytes, LONG).await;
    assert_eq!((seen.status(), seen.ended, seen.body().len()), (200, Ended::Closed, 0), "until the execution limit");
}

#[tokio::test]
async fn a_whole_answer_can_be_followed_by_a_reset() {
    let (_portal, seen) = first_create(Fault::before(Answer::WholeThenReset)).await;
    assert_eq!((seen.status(), seen.ended), (200, Ended::Reset));
    assert_eq!(seen.json()["result"], json!(1));
}

#[tokio::test]
async fn html_comes_with_its_status_and_type() {
    for status in [200, 500, 502, 503, 504] {
        let (portal, seen) = first_create(Fault::before(Answer::Html(status))).await;
        assert_eq!(seen.status(), status);
        assert!(seen.header("Content-Type").expect("a type").starts_with("text/html"));
        assert!(seen.text().contains("<html>"));
        assert_eq!(origins(&portal), ["A-1"]);
    }
}

#[tokio::test]
async fn error_codes_come_as_text_number_object_and_empty() {
    let object = json!({"code": "X", "message": "y"});
    for (code, noted) in
        [(json!("QUEUE_TIMEOUT"), "QUEUE_TIMEOUT"), (json!(100), "100"), (object, "X"), (json!(""), "")]
    {
        let (portal, seen) = first_create(Fault::never(Answer::Coded(Coded::new(400, code.clone())))).await;
        assert_eq!((seen.status(), seen.json()), (400, json!({"error": code})));
        assert_eq!(origins(&portal), [""; 0]);
        assert_eq!(portal.requests()[0].code.as_deref(), Some(noted));
    }
}

#[tokio::test]
async fn retry_after_comes_in_every_form() {
    let coded = || Coded::new(503, "SERVICE_UNAVAILABLE").description("later").header("X-Request-Id", "r-1");
    let (_portal, seen) =
        first_create(Fault::never(Answer::Coded(coded().retry_after(RetryAfter::Seconds(4)).retry_after_in_body(9))))
            .await;
    assert_eq!(seen.header("Retry-After").as_deref(), Some("4"));
    assert_eq!(seen.header("X-Request-Id").as_deref(), Some("r-1"));
    assert_eq!(seen.json(), json!({"error": "SERVICE_UNAVAILABLE", "error_description": "later", "retryAfter": 9}));

    let (_portal, seen) =
        first_create(Fault::never(Answer::Coded(coded().retry_after(RetryAfter::Date(Duration::from_secs(10)))))).await;
    let moment = |name: &str| httpdate::parse_http_date(&seen.header(name).expect("a header")).expect("a date");
    let ahead = moment("Retry-After").duration_since(moment("Date")).expect("ahead");
    assert!((9..=12).contains(&ahead.as_secs()), "{ahead:?}");

    let (_portal, seen) =
        first_create(Fault::never(Answer::Coded(coded().retry_after(RetryAfter::Text("-5".to_owned()))))).await;
    assert_eq!(seen.header("Retry-After").as_deref(), Some("-5"));
    // A date beyond the year 9999 must not end the server.
    let (_portal, seen) =
        first_create(Fault::never(Answer::Coded(coded().retry_after(RetryAfter::Date(Duration::MAX))))).await;
    assert_eq!(seen.header("Retry-After").as_deref(), Some("Fri, 31 Dec 9999 23:59:59 GMT"));
}

#[tokio::test]
async fn a_redirect_names_the_place_and_does_nothing() {
    for status in [301, 302, 307, 308] {
        let location = "https://new.example.test/rest/1/x/crm.deal.add".to_owned();
        let (portal, seen) = first_create(Fault::never(Answer::Redirect { status, location: location.clone() })).await;
        assert_eq!((seen.status(), seen.header("Location")), (status, Some(location)));
        assert_eq!(origins(&portal), [""; 0]);
    }
}

#[tokio::test]
async fn raw_answers_are_sent_as_they_are() {
    let bom = Raw::new(200).header("Content-Type", "text/html").body(b"\xef\xbb\xbf{\"result\":1}");
    let (_portal, seen) = first_create(Fault::before(Answer::Raw(bom))).await;
    assert_eq!(seen.body(), b"\xef\xbb\xbf{\"result\":1}");
    assert_eq!(seen.header("Content-Type").as_deref(), Some("text/html"));

    let endless = Raw::new(200).body("{\"result\":5}").framing(Framing::UntilClose);
    let (_portal, seen) = first_create(Fault::before(Answer::Raw(endless))).await;
    assert_eq!((seen.header("Content-Length"), seen.json()), (None, json!({"result": 5})));
    assert_eq!((seen.header("Connection").as_deref(), seen.ended), (Some("close"), Ended::Closed));

    let short = Raw::new(200).body("{\"result\":5}").framing(Framing::Announced(60));
    let (_portal, seen) = first_create(Fault::before(Answer::Raw(short))).await;
    assert_eq!((seen.header("Content-Length").as_deref(), seen.body().len()), (Some("60"), 12));

    let broken = Raw::new(200).body(b"\xff\xfe{");
    let (_portal, seen) = first_create(Fault::before(Answer::Raw(broken))).await;
    assert_eq!(seen.body(), b"\xff\xfe{");

    let garbage = Raw::verbatim("SSH-2.0-OpenSSH_9.6\r\n");
    let (portal, seen) = first_create(Fault::before(Answer::Raw(garbage))).await;
    assert_eq!((seen.text().as_str(), seen.ended), ("SSH-2.0-OpenSSH_9.6\r\n", Ended::Closed));
    assert_eq!(portal.requests()[0].status, None);
}

#[tokio::test]
async fn a_raw_answer_may_contradict_itself() {
    for raw in [
        Raw::new(200).header("Content-Length", "3").body("{\"result\":5}"),
        Raw::new(200).header("Bad Header", "x\u{1}y").body("{}"),
        Raw::new(99).body("{}"),
        Raw::new(100),
        Raw::new(1000),
        Raw::new(204).body("x"),
    ] {
        let (portal, seen) = first_create(Fault::never(Answer::Raw(raw.clone()))).await;
        assert!(seen.text().starts_with("HTTP/1.1 "), "{raw:?}: {}", seen.text());
        // And the portal lives on.
        assert_eq!(post(&portal, "profile", &json!({})).await.status(), 200);
    }
}

#[tokio::test]
async fn a_script_answers_for_a_method_that_the_portal_does_not_know() {
    let portal = Portal::builder()
        .script(
            "tasks.task.pause",
            [Fault::never(Answer::Coded(Coded::new(400, "1048582").description("Action not available")))],
        )
        .start()
        .await
        .expect("a portal");
    let seen = post(&portal, "tasks.task.pause", &json!({"taskId": 5})).await;
    assert_eq!((seen.status(), seen.json()["error"].clone()), (400, json!("1048582")));
    let seen = post(&portal, "tasks.task.pause", &json!({"taskId": 5})).await;
    assert_eq!((seen.status(), seen.json()["error"].clone()), (404, json!("ERROR_METHOD_NOT_FOUND")));
}

#[tokio::test]
async fn a_refused_request_has_no_effect_whatever_the_fault_says() {
    let portal =
        Portal::builder().script("crm.deal.update", [Fault::before(Answer::Close)]).start().await.expect("a portal");
    post(&portal, "crm.deal.update", &json!({"id": 404, "fields": {}})).await;
    assert_eq!(portal.requests()[0].effect, Outcome::None);
}

#[tokio::test]
async fn faults_that_need_no_end_leave_the_connection_open() {
    let portal = Portal::builder()
        .script(
            "profile",
            [Fault::never(Answer::Html(502)), Fault::never(Answer::Coded(Coded::new(500, "INTERNAL_SERVER_ERROR")))],
        )
        .start()
        .await
        .expect("a portal");
    let mut stream = TcpStream::connect(portal.address()).await.expect("the portal listens");
    let ask = request(&portal, "POST", "profile", "application/json", "{}").replace("Connection: close\r\n", "");
    for _ in 0..2 {
        stream.write_all(ask.as_bytes()).await.expect("the connection lives");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let last = ask.replace("Host:", "Connection: close\r\nHost:");
    stream.write_all(last.as_bytes()).await.expect("the connection lives");
    let seen = hear(&mut stream, LONG).await;
    // A body of JSON has no line end, so the next status line follows on the same line.
    let text = seen.text();
    let statuses: Vec<&str> = text.split("HTTP/1.1 ").skip(1).filter_map(|rest| rest.get(..3)).collect();
    assert_eq!(statuses, ["502", "500", "200"]);
    let connections: Vec<u64> = portal.requests().iter().map(|request| request.connection).collect();
    assert_eq!(connections, [1, 1, 1]);
}
