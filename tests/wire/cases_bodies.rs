//! The cases about what is in a request and what is an answer.

use retry_portal::{Answer, Coded, Cut, Fault, Framing, Portal, Raw};
use retry_runtime::report::{Ending, Outcome};
use retry_runtime::{CallError, Client, Effect, Page, ReadBack, Reader, bitrix_method};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::support::{
    NewDeal, OriginKey, SECRET, Server, Tls, Told, add_blind_deal, add_deal, client, list_deals, observed, policy,
    portal, scripted, secs,
};

#[bitrix_method(name = "crm.item.update", kind = write, unverifiable = "the case looks at the request")]
async fn update_item(
    client: &Client,
    #[param(name = "entityTypeId")] entity: u8,
    id: u64,
    fields: &Value,
) -> Result<Value, CallError>;

#[tokio::test]
async fn case_b44_null_truth_numbers_and_signs_arrive_unchanged() {
    let portal = portal().start().await.unwrap();
    let id = portal.insert("deal", json!({"TITLE": "old"})).unwrap();
    let (client, _) = observed(&portal.webhook_url());
    let fields = json!({"ufCrm1": null, "ufCrm2": true, "ufCrm3": 1.0, "ufCrm4": "a&b=c+d %", "title": "ё\"\\\n"});
    update_item(&client, 2, id, &fields).await.unwrap();
    let request = &portal.requests()[0];
    assert_eq!(String::from_utf8_lossy(&request.body), format!(r#"{{"entityTypeId":2,"id":{id},"fields":{fields}}}"#));
    assert_eq!(request.params["fields"], fields);
    assert_eq!(portal.records("deal")[0].text("TITLE"), Some("ё\"\\\n"));
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct ProductRow {
    #[serde(rename = "PRODUCT_NAME")]
    name: String,
    #[serde(rename = "PRICE")]
    price: String,
}

#[bitrix_method(name = "crm.deal.productrows.get", kind = read)]
async fn product_rows(reader: &Reader, id: u64) -> Result<Page<ProductRow>, CallError>;

#[bitrix_method(name = "crm.deal.productrows.set", kind = write, verify = has_rows)]
async fn set_product_rows(client: &Client, id: u64, rows: &[ProductRow]) -> Result<bool, CallError>;

async fn has_rows(reader: &Reader, id: u64, rows: &[ProductRow]) -> Result<ReadBack<bool>, CallError> {
    let there = product_rows(reader, id).await?;
    Ok(if there.rows == rows { ReadBack::Found(true) } else { ReadBack::Absent })
}

#[tokio::test]
async fn case_b58_nested_lists_arrive_and_the_read_back_compares_them() {
    let rows = ["Desk", "Chair"].map(|name| ProductRow { name: name.to_owned(), price: "100.00".to_owned() });
    let stored = Fault::never(Answer::Raw(Raw::json(200, &json!({"result": rows}))));
    let portal = scripted("crm.deal.productrows.set", [Fault::before(Answer::Close)]).await;
    portal.script("crm.deal.productrows.get", [stored]);
    let (client, seen) = observed(&portal.webhook_url());
    assert!(set_product_rows(&client, 1, &rows).await.unwrap());
    assert_eq!(seen.only(Told::Finished).ending(), Ending::Found);
    assert_eq!(portal.count("crm.deal.productrows.set"), 1);
    assert_eq!(portal.requests()[0].params["rows"], json!(rows));
}

#[tokio::test]
async fn case_b86_a_retry_has_the_same_bytes_type_and_length() {
    let busy = Coded::new(429, json!({"code": "RATE_LIMITED", "retryAfter": 0.1}));
    let portal = scripted("crm.deal.add", [Fault::never(Answer::Coded(busy))]).await;
    let (client, seen) = observed(&portal.webhook_url());
    add_deal(&client, &NewDeal::of("ё")).await.unwrap();
    let sends = portal.requests();
    assert_eq!((sends.len(), portal.records("deal").len()), (2, 1));
    assert_eq!(sends[0].body, sends[1].body);
    assert!(sends[0].body.starts_with(br#"{"fields":{"TITLE":"#));
    for name in ["content-type", "content-length", "accept"] {
        assert_eq!(sends[0].header(name), sends[1].header(name), "{name}");
    }
    assert_eq!(sends[0].header("content-type"), Some("application/json"));
    assert_eq!(sends[0].header("content-length"), Some(sends[0].body.len().to_string().as_str()));
    assert_eq!(sends[0].header("transfer-encoding"), None);
    assert_eq!(seen.only(Told::Finished).ending(), Ending::Done);
}

/// What the case answers, by its letters, and whether it is an answer at all.
fn letters() -> [(&'static str, Answer, bool); 5] {
    let raw = |framing| Answer::Raw(Raw::new(200).body(r#"{"result":5}"#).framing(framing));
    [
        ("a", Answer::Cut(Cut::Bytes(20)), false),
        ("b", raw(Framing::LastChunkMissing), false),
        ("c", raw(Framing::Announced(60)), false),
        ("d", Answer::WholeThenReset, true),
        ("e", raw(Framing::UntilClose), true),
    ]
}

#[bitrix_method(name = "crm.deal.get", kind = read)]
async fn get_deal(reader: &Reader, id: u64) -> Result<Value, CallError>;

#[tokio::test]
async fn case_b87_a_body_without_its_end_is_no_answer() {
    for (letter, answer, is_answer) in letters() {
        let portal = scripted("crm.deal.add", [Fault::before(answer.clone())]).await;
        let (client, seen) = observed(&portal.webhook_url());
        add_deal(&client, &NewDeal::of("x")).await.unwrap();
        let ending = seen.only(Told::Finished).ending();
        assert_eq!(ending, if is_answer { Ending::Done } else { Ending::Found }, "{letter}");
        assert_eq!((portal.count("crm.deal.add"), portal.records("deal").len()), (1, 1), "{letter}");

        portal.script("crm.deal.get", [Fault::never(answer)]);
        get_deal(&client, 1).await.unwrap();
        assert_eq!(portal.count("crm.deal.get"), if is_answer { 1 } else { 2 }, "{letter}");
        // The dead socket did not go back to the pool.
        get_deal(&client, 1).await.unwrap();
    }
}

#[tokio::test]
async fn case_b91_a_renamed_portal_is_told_by_its_new_host_and_nothing_is_sent_there() {
    let elsewhere = Server::start(async |mut conn| conn.drain().await).await;
    let host = elsewhere.address();
    let moved = format!("https://{host}/rest/1/{SECRET}/crm.deal.add");
    let redirect = |location: String| Fault::never(Answer::Redirect { status: 302, location });
    let portal = portal().secret(SECRET).script("crm.deal.add", [redirect(moved)]).start().await.unwrap();
    let (client, _) = observed(&portal.webhook_url());
    let error = add_deal(&client, &NewDeal::of("x")).await.unwrap_err();
    assert!(matches!(error, CallError::Refused(_)), "{error}");
    assert_eq!((error.effect(), portal.requests().len()), (Effect::Absent, 1));
    assert!(error.to_string().contains("the portal has moved to 127.0.0.1"), "{error}");
    assert!(!format!("{error} {error:?}").contains(SECRET));

    // A page to log in, plain http and a loop say nothing about the call.
    for location in [
        format!("https://{host}/auth/?back=/rest/1/{SECRET}/crm.deal.add"),
        format!("http://{host}/rest/1/{SECRET}/crm.deal.add"),
        format!("/rest/1/{SECRET}/crm.deal.add"),
    ] {
        portal.clear_requests();
        portal.script("crm.deal.add", [redirect(location)]);
        let error = add_blind_deal(&client, &NewDeal::of("x")).await.unwrap_err();
        assert!(matches!(error, CallError::InDoubt(_)), "{error}");
        assert!(!format!("{error} {error:?}").contains(SECRET));
        assert_eq!(portal.requests().len(), 1);
    }
    assert_eq!(elsewhere.connections(), 0);
}

/// What a read that is tried twice says of a server that can't be used.
async fn fails(url: &str) -> (CallError, Outcome) {
    let client = client(url).policy(policy().attempts(2)).connect_timeout(secs(2)).build().unwrap();
    let error = list_deals(&client, &OriginKey::of("x")).await.unwrap_err();
    assert!(matches!(error, CallError::Exhausted(_)), "{error}");
    assert_eq!((error.effect(), error.report().attempts().len()), (Effect::Absent, 2));
    let outcome = error.report().attempts()[1].outcome.clone();
    (error, outcome)
}

#[tokio::test]
async fn case_b32_each_failure_of_the_network_is_an_error_that_names_its_cause() {
    let gone = Portal::builder().start().await.unwrap();
    gone.close().await;
    let stranger = Tls::new().serve(async |mut conn| conn.drain().await).await;
    let nonsense =
        scripted("crm.deal.list", [(); 2].map(|()| Fault::never(Answer::Raw(Raw::new(200).body(b"\xff\xfe{}")))));
    let nonsense = nonsense.await;
    for (url, sent, cause) in [
        (gone.webhook_url(), false, "refused"),
        (stranger.secure_webhook(), false, "certificate"),
        ("https://no-such-portal.invalid/rest/1/abcdefgh12345678/".to_owned(), false, "error"),
        (nonsense.webhook_url(), true, "no answer"),
    ] {
        let (error, outcome) = fails(&url).await;
        assert_eq!(matches!(outcome, Outcome::NotSent { .. }), !sent, "{error}");
        assert!(error.to_string().to_lowercase().contains(cause), "{cause}: {error}");
    }
}

/// We speak HTTP/1.1 only, where no peer can say "this stream was not touched". A peer that speaks nothing but HTTP/2 gets no request.
#[tokio::test]
async fn case_b90_a_peer_that_speaks_http_2_only_ends_it_before_anything_is_sent() {
    let tls = Tls::changed(|mut config| {
        config.alpn_protocols = vec![b"h2".to_vec()];
        config
    });
    let server = tls.serve(async |mut conn| conn.drain().await).await;
    let client = tls.client(&server.secure_webhook()).policy(policy().attempts(3)).build().unwrap();
    let error = add_blind_deal(&client, &NewDeal::of("x")).await.unwrap_err();
    assert!(matches!(error, CallError::Exhausted(_)), "{error}");
    let attempts = error.report().attempts();
    assert!(attempts.iter().all(|attempt| matches!(attempt.outcome, Outcome::NotSent { .. })), "{error}");
    assert_eq!((attempts.len(), server.requests()), (3, 0));
}

/// One that speaks it unasked, and refuses our stream, has said nothing that we understand.
#[tokio::test]
async fn case_b90_a_refused_stream_leads_to_no_second_send() {
    let refused = b"\0\0\0\x04\0\0\0\0\0\0\0\x04\x03\0\0\0\0\x01\0\0\0\x07";
    let server = Server::answering(refused).await;
    let client = client(&server.webhook()).build().unwrap();
    let error = add_blind_deal(&client, &NewDeal::of("x")).await.unwrap_err();
    assert!(matches!(error, CallError::InDoubt(_)), "{error}");
    assert_eq!((error.report().attempts().len(), server.requests()), (1, 1));
}
