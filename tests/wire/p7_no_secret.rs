//! P7: a secret is in no error, log line, `Debug` output or report, whatever the portal answers.

use std::error::Error as _;
use std::sync::Arc;

use retry_portal::{Answer, Coded, Fault, Portal, Raw};
use retry_runtime::{CallError, Client, Id, OperationKind, Reader, bitrix_method};
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::support::{
    NewDeal, OriginKey, Recorder, Row, Seen, Server, Tls, add_blind_deal, add_deal, bare_client, client, every_answer,
    list_deals, policy, portal, secs,
};

/// A secret like no other text here.
const MARKED: &str = "marked9secret8of7this6test";

/// All that a program can show of these calls and of their client.
fn shown(client: &Client, seen: &Seen, errors: &[CallError]) -> String {
    let mut texts = vec![format!("{client:?} {:?}", seen.all())];
    for error in errors {
        texts.push(format!("{error} {error:?} {:?} {}", error.failure(), error.report()));
        let mut cause = error.source();
        while let Some(error) = cause {
            texts.push(format!("{error} {error:?}"));
            cause = error.source();
        }
    }
    for (_, report) in seen.all() {
        texts.push(format!("{report} {report:?} {:?}", report.checks()));
        let reads = report.checks().iter().flat_map(|check| &check.reads);
        let attempts = report.attempts().iter().chain(reads);
        texts.extend(attempts.map(|attempt| format!("{attempt:?} {attempt} {}", attempt.outcome)));
    }
    texts.join("\n")
}

/// No part of the secret that would help to guess the rest.
fn is_clean(text: &str, secret: &str, what: &str) {
    let leaked = secret.get(..8).and_then(|part| text.find(part));
    if let Some(at) = leaked {
        let around: String = text.chars().skip(at.saturating_sub(200)).take(400).collect();
        panic!("{what}: the secret shows: {around}");
    }
}

/// What a call of each kind meets, and whatever is said of it anywhere.
async fn meet(portal: &Portal, row: &Row, kind: OperationKind) -> String {
    let seen = Seen::default();
    let builder = client(&portal.webhook_url()).attempt_timeout(row.attempt_timeout()).policy(policy().attempts(1));
    let mut text = format!("{builder:?}\n");
    let client = builder.observer(seen.clone()).build().unwrap();
    let fault = Fault::before(row.answer.clone());
    let deal = NewDeal::of("A-1");
    let mut errors = Vec::new();
    match kind {
        OperationKind::Read => {
            portal.script("crm.deal.list", [fault]);
            errors.extend(list_deals(&client, &OriginKey::of("A-1")).await.err());
        }
        OperationKind::Write => {
            portal.script("crm.deal.add", [fault.clone(), fault]);
            errors.extend(add_blind_deal(&client, &deal).await.err());
            errors.extend(add_deal(&client, &deal).await.err());
        }
    }
    text += &shown(&client, &seen, &errors);
    text
}

#[tokio::test]
async fn p7_no_fault_brings_the_secret_into_an_error_a_report_or_a_log() {
    let (recorder, _listening) = Recorder::listen();
    let elsewhere = Server::start(async |mut conn| conn.drain().await).await;
    let elsewhere = elsewhere.address().to_string();
    let at_once = Arc::new(Semaphore::new(8));
    let mut meetings = JoinSet::new();
    for (kind, method) in [(OperationKind::Read, "crm.deal.list"), (OperationKind::Write, "crm.deal.add")] {
        for row in every_answer(kind, method, &elsewhere, MARKED) {
            let at_once = Arc::clone(&at_once);
            meetings.spawn(async move {
                let _permit = at_once.acquire().await.unwrap();
                let portal = portal().secret(MARKED).start().await.unwrap();
                let text = meet(&portal, &row, kind).await;
                assert!(!portal.requests().is_empty());
                is_clean(&text, MARKED, &row.name);
            });
        }
    }
    while let Some(met) = meetings.join_next().await {
        met.unwrap();
    }
    is_clean(&recorder.text(), MARKED, "a log");
    // The recorder did listen: to us, to reqwest by `log`, and to what is below it.
    for target in ["retry_runtime", "reqwest::connect", "hyper_util::client"] {
        assert!(recorder.text().contains(target), "nothing from {target}");
    }
}

#[tokio::test]
async fn p7_trouble_with_the_connection_and_with_tls_does_not_show_the_secret() {
    let (recorder, _listening) = Recorder::listen();
    let tls = Tls::new();
    let stranger = tls.serve(async |mut conn| conn.drain().await).await;
    let closing = Server::start(async |conn| drop(conn)).await;
    let address = (stranger.address(), closing.address());
    for (url, client) in [
        (format!("https://{}/rest/1/{MARKED}/", address.0), None),
        (format!("https://{}/rest/1/{MARKED}/", address.0), Some(&tls)),
        (format!("https://{}/rest/1/{MARKED}/", address.1), Some(&tls)),
        (format!("http://{}/rest/1/{MARKED}/", address.1), None),
        (format!("https://no-such-portal.invalid/rest/1/{MARKED}/"), None),
        (format!("http://127.0.0.1:1/rest/1/{MARKED}"), None),
    ] {
        let seen = Seen::default();
        let builder = client.map_or_else(|| crate::support::client(&url), |tls| tls.client(&url));
        let builder = builder.observer(seen.clone()).policy(policy().attempts(1)).attempt_timeout(secs(1));
        let client = builder.connect_timeout(secs(1)).build().unwrap();
        let read = list_deals(&client, &OriginKey::of("x")).await.unwrap_err();
        let write = add_blind_deal(&client, &NewDeal::of("x")).await.unwrap_err();
        is_clean(&shown(&client, &seen, &[read, write]), MARKED, &url);
        is_clean(&recorder.text(), MARKED, &url);
    }
    assert!(recorder.text().contains("rustls"), "nothing from rustls");
}

/// Without our settings the HTTP client does log what it sends: the recorder would hear it.
#[tokio::test]
async fn p7_the_recorder_would_hear_a_secret() {
    let (recorder, _listening) = Recorder::listen();
    let portal = portal().secret(MARKED).start().await.unwrap();
    // Chooses the crypto of the process.
    client(&portal.webhook_url()).build().unwrap();
    let http = reqwest::Client::builder().connection_verbose(true).no_proxy().build().unwrap();
    http.post(format!("{}profile", portal.webhook_url())).send().await.unwrap();
    assert!(recorder.text().contains(MARKED));
}

#[bitrix_method(name = "profile", kind = read)]
async fn number(reader: &Reader) -> Result<Id, CallError>;

#[bitrix_method(name = "profile", kind = read)]
async fn truth(reader: &Reader) -> Result<bool, CallError>;

/// Answers that say our own address back to us, in every place from which we take a text.
fn echoes(url: &str) -> Vec<Answer> {
    let coded = |error: Value| Coded::new(400, error);
    vec![
        Answer::Raw(Raw::new(502).header("Content-Type", "text/html").body(format!("<html>no upstream: {url}</html>"))),
        Answer::Raw(Raw::new(502).header("Content-Type", format!("text/x; from=\"{url}\"")).body("x")),
        Answer::Raw(Raw::new(200).body(format!("{{\"result\":\"{url}"))),
        Answer::Raw(Raw::json(200, &json!({"result": url}))),
        Answer::Raw(Raw::json(200, &json!({"time": 1, "result": url}))),
        Answer::Raw(Raw::json(200, &json!({"result": {url: url}}))),
        Answer::Coded(coded(json!("ERROR_CORE")).description(format!("at {url}"))),
        Answer::Coded(coded(json!(format!("UNHEARD OF {url}"))).description("x")),
        Answer::Coded(coded(json!({"code": "X", "message": format!("at {url}")}))),
        Answer::Coded(coded(json!({"code": "X", "validation": [{"field": url, "message": url}]}))),
        Answer::Coded(coded(json!("X")).header("X-Request-Id", url)),
        Answer::Redirect { status: 302, location: format!("https://login.example/?back={url}") },
        Answer::Redirect { status: 302, location: format!("https://{MARKED}.example/rest/1/{MARKED}/profile") },
    ]
}

#[tokio::test]
async fn p7_an_answer_that_repeats_our_address_is_shown_with_the_secret_struck_out() {
    let (recorder, _listening) = Recorder::listen();
    let plain = format!("https://acme.example/rest/1/{MARKED}/profile");
    let encoded = plain.replace('/', "%2F").replace(':', "%3A");
    for url in [plain, encoded] {
        for answer in echoes(&url) {
            let portal = portal().secret(MARKED).start().await.unwrap();
            let seen = Seen::default();
            let client =
                client(&portal.webhook_url()).observer(seen.clone()).policy(policy().attempts(1)).build().unwrap();
            portal.script("profile", [Fault::never(answer.clone()), Fault::never(answer.clone())]);
            let errors = [number(&client).await.unwrap_err(), truth(&client).await.unwrap_err()];
            is_clean(&shown(&client, &seen, &errors), MARKED, &format!("{answer:?}"));
            is_clean(&recorder.text(), MARKED, &format!("{answer:?}"));
        }
    }
}

/// A text that is cut for display may be cut within the secret.
#[tokio::test]
async fn p7_a_text_that_is_cut_shows_no_part_of_the_secret() {
    for before in (0..160).chain(460..520) {
        let portal = portal().secret(MARKED).start().await.unwrap();
        let client = client(&portal.webhook_url()).policy(policy().attempts(1)).build().unwrap();
        let text = format!("{}{MARKED}/profile", "x".repeat(before));
        let page = Answer::Raw(Raw::new(502).body(format!("<html>{text}")));
        let coded = Answer::Coded(Coded::new(400, "X").description(text.clone()).header("X-Request-Id", text));
        portal.script("profile", [Fault::never(page), Fault::never(coded)]);
        for _ in 0..2 {
            let error = number(&client).await.unwrap_err();
            is_clean(&error.to_string(), MARKED, &format!("after {before} letters"));
        }
    }
}

/// A secret that a URL must spell in another way, as it is and in every spelling of it.
#[tokio::test]
async fn p7_a_secret_is_struck_out_in_each_of_its_spellings() {
    let secret = "marked+секрет";
    let upper = "marked+%D1%81%D0%B5%D0%BA%D1%80%D0%B5%D1%82";
    let more = upper.replace('+', "%2B");
    for spelling in [secret.to_owned(), upper.to_owned(), upper.to_ascii_lowercase(), more.to_ascii_lowercase(), more] {
        let body = format!(r#"{{"error":"X","error_description":"no access to /rest/1/{spelling}/profile"}}"#);
        let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        let server = Server::answering(answer).await;
        let url = format!("http://{}/rest/1/{upper}/", server.address());
        let client = client(&url).policy(policy().attempts(1)).build().unwrap();
        let error = number(&client).await.unwrap_err().to_string();
        assert!(error.contains("no access to /rest/1/[secret]/profile"), "{spelling}: {error}");
        assert!(!error.contains("marked") && !error.contains("%D1") && !error.contains("%d1"), "{spelling}: {error}");
    }
}

/// The hook may bring secrets of its own.
#[tokio::test]
async fn p7_headers_and_proxies_of_the_hook_are_not_in_the_debug_output_of_the_client() {
    let builder = bare_client("https://acme.example/rest/1/abcdefgh12345678/").http(|http| {
        let mut headers = http::HeaderMap::new();
        headers.insert("authorization", format!("Bearer {MARKED}").parse().unwrap());
        http.default_headers(headers)
            .proxy(reqwest::Proxy::all(format!("http://user:{MARKED}@proxy.example:3128")).unwrap())
            .tls_certs_only([])
    });
    let builder = builder.proxy(retry_runtime::Proxy::Hook);
    is_clean(&format!("{builder:?}"), MARKED, "the builder");
    let client = builder.build().unwrap();
    is_clean(&format!("{client:?} {:?}", *client), MARKED, "the client");
}
