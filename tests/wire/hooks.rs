//! Whatever the hook turns on in the HTTP client below, one attempt stays one request, and nothing cuts it or shows it.

use std::time::Duration;

use retry_portal::{Answer, Fault, Portal};
use retry_runtime::report::Ending;
use retry_runtime::transport::HttpBuilder;
use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::net::TcpStream;

use crate::support::{
    Conn, NewDeal, OriginKey, Recorder, SECRET, Seen, Server, Told, add_blind_deal, add_deal, answer, bare_client,
    client, list_deals, millis, portal, secs,
};

/// All that a program could ask for against us.
fn hostile(http: HttpBuilder) -> HttpBuilder {
    let mut headers = http::HeaderMap::new();
    headers.insert("content-type", "text/plain".parse().unwrap());
    headers.insert("accept", "text/html".parse().unwrap());
    headers.insert("x-mine", "kept".parse().unwrap());
    let again = reqwest::retry::for_host("127.0.0.1").no_budget().max_retries_per_request(5);
    http.tls_certs_only([])
        .redirect(reqwest::redirect::Policy::limited(10))
        .retry(again.classify_fn(|seen| {
            if seen.status().is_some_and(|status| status.is_success()) { seen.success() } else { seen.retryable() }
        }))
        .timeout(Duration::from_nanos(1))
        .read_timeout(Duration::from_nanos(1))
        .connect_timeout(Duration::from_nanos(1))
        .pool_idle_timeout(secs(3_600))
        .connection_verbose(true)
        .referer(true)
        .default_headers(headers)
}

/// A client with that hook.
fn meddled(url: &str) -> (Client, Seen) {
    let seen = Seen::default();
    (bare_client(url).http(hostile).observer(seen.clone()).build().unwrap(), seen)
}

fn redirects() -> Vec<Answer> {
    let to = |status, location: &str| Answer::Redirect { status, location: location.to_owned() };
    vec![
        to(301, &format!("/rest/1/{SECRET}/profile")),
        to(302, &format!("/rest/1/{SECRET}/crm.deal.add")),
        to(307, &format!("/rest/1/{SECRET}/profile")),
        to(308, &format!("/rest/1/{SECRET}/crm.deal.add")),
    ]
}

#[tokio::test]
async fn p4_no_setting_of_the_hook_sends_a_second_request() {
    let losses = [Answer::Reset, Answer::Close, Answer::HeadThenReset, Answer::Html(502), Answer::Html(503)];
    for answer in losses.into_iter().chain(redirects()) {
        let portal = portal().secret(SECRET).start().await.unwrap();
        let (client, _) = meddled(&portal.webhook_url());
        for kept in [false, true] {
            if kept {
                // On a connection that was used before a client is most ready to resend.
                list_deals(&client, &OriginKey::of("x")).await.unwrap();
            }
            portal.clear_requests();
            portal.script("crm.deal.add", [Fault::before(answer.clone())]);
            let error = add_blind_deal(&client, &NewDeal::of("x")).await.unwrap_err();
            assert!(matches!(error, CallError::InDoubt(_)), "{error}");
            assert_eq!((portal.requests().len(), error.report().attempts().len()), (1, 1), "{answer:?}");
        }
    }
}

#[tokio::test]
async fn p4_no_timeout_of_the_hook_cuts_an_attempt() {
    let server = Server::start(async |mut conn: Conn<TcpStream>| {
        while conn.request().await.is_some() {
            for part in answer("17").chunks(40) {
                tokio::time::sleep(millis(50)).await;
                conn.send(part).await;
            }
        }
    })
    .await;
    let (client, _) = meddled(&server.webhook());
    for _ in 0..2 {
        assert_eq!(add_blind_deal(&client, &NewDeal::of("x")).await.unwrap(), Id(17));
    }
    assert_eq!((server.connections(), server.requests()), (1, 2));
}

#[tokio::test]
async fn p4_headers_of_the_hook_are_sent_but_do_not_replace_ours() {
    let portal = portal().start().await.unwrap();
    let (client, _) = meddled(&portal.webhook_url());
    add_deal(&client, &NewDeal::of("x")).await.unwrap();
    let request = &portal.requests()[0];
    for (name, value) in [
        ("content-type", Some("application/json")),
        ("accept", Some("application/json")),
        ("x-mine", Some("kept")),
        ("referer", None),
        ("cookie", None),
        // What is not asked for need not be unpacked: a length then says where the answer ends.
        ("accept-encoding", None),
        ("expect", None),
    ] {
        assert_eq!(request.header(name), value, "{name}");
    }
    assert!(request.header("user-agent").unwrap().starts_with("retry-runtime/"));
}

#[tokio::test]
async fn p7_verbose_logging_of_the_hook_stays_off() {
    const MARKED: &str = "marked-by-the-hook-test";
    let (recorder, _listening) = Recorder::listen();
    let portal = portal().secret(MARKED).start().await.unwrap();
    let (client, seen) = meddled(&portal.webhook_url());
    for answer in [Answer::Normal, Answer::Reset, Answer::Html(502)].into_iter().chain(redirects()) {
        portal.script("crm.deal.add", [Fault::before(answer)]);
        let _ = add_blind_deal(&client, &NewDeal::of("x")).await;
    }
    let text = format!("{}{:?}{client:?}", recorder.text(), seen.all());
    assert!(text.contains("reqwest::connect"));
    assert!(!text.contains(MARKED));
}

#[derive(Debug, Clone, Serialize)]
struct Element {
    #[serde(rename = "ELEMENT_CODE")]
    code: &'static str,
}

#[derive(Debug, Deserialize)]
struct ElementRow {
    #[serde(rename = "ID")]
    id: Id,
    #[serde(rename = "CODE")]
    code: String,
}

#[bitrix_method(name = "lists.element.get", kind = read)]
async fn list_elements(reader: &Reader, #[param(flatten)] element: &Element) -> Result<Page<ElementRow>, CallError>;

#[bitrix_method(name = "lists.element.add", kind = write, verify = find_element)]
async fn add_element(client: &Client, #[param(flatten)] element: &Element) -> Result<Id, CallError>;

async fn find_element(reader: &Reader, element: &Element) -> Result<ReadBack<Id>, CallError> {
    let page = list_elements(reader, element).await?;
    Ok(ReadBack::by_key(page, |row| (row.code == element.code).then_some(row.id)))
}

/// The hook can ask for a layer that resends; it is overruled. A client of the user's own can't be handed in at all.
#[tokio::test]
async fn case_b09_a_layer_that_resends_below_us_is_overruled() {
    let portal: Portal = portal().script("lists.element.add", [Fault::before(Answer::Close)]).start().await.unwrap();
    let row = json!({"result": [{"ID": "77", "CODE": "e-77"}], "total": 1});
    portal.script("lists.element.get", [Fault::never(Answer::Raw(retry_portal::Raw::json(200, &row)))]);
    let (client, seen) = meddled(&portal.webhook_url());
    assert_eq!(add_element(&client, &Element { code: "e-77" }).await.unwrap(), Id(77));
    assert_eq!(portal.count("lists.element.add"), 1);
    assert_eq!(seen.only(Told::Finished).ending(), Ending::Found);
}

#[tokio::test]
async fn case_b94_a_failing_observer_is_warned_of_once() {
    struct Fails;

    impl retry_runtime::Observer for Fails {
        fn finished(&self, _: &retry_runtime::Report) {
            panic!("the observer of the test fails");
        }
    }

    let (recorder, _listening) = Recorder::listen();
    let portal = portal().start().await.unwrap();
    let client = client(&portal.webhook_url()).observer(Fails).build().unwrap();
    for number in 0..5 {
        add_deal(&client, &NewDeal::of(&number.to_string())).await.unwrap();
        for _ in 0..4 {
            list_deals(&client, &OriginKey::of("x")).await.unwrap();
        }
    }
    assert_eq!((portal.records("deal").len(), portal.requests().len()), (5, 25));
    assert_eq!(recorder.text().matches("the observer of the client panicked").count(), 1);
}
