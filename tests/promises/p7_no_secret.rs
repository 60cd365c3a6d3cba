//! P7: a secret is in no error, `Debug` output or report. What needs a socket uses real time.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::time::Duration;

use retry_runtime::transport::Proxy;
use retry_runtime::{CallError, Client, ClientBuilder, Page, Policy, ReadBack, Reader, bitrix_method};

use crate::support::{NewDeal, OriginKey, add_blind_deal, list_deals};

const SECRET: &str = "s3cr3t-of-the-webhook";

#[track_caller]
fn hides(text: &str) {
    assert!(!text.contains("s3cr3t"), "the secret shows:\n{text}");
}

/// Each text that an error can give.
#[track_caller]
fn hidden_in(error: &CallError) {
    for text in
        [error.to_string(), format!("{error:?}"), format!("{:#?}", error.report()), error.failure().why().into()]
    {
        hides(&text);
    }
    hides(error.code().map_or("", retry_runtime::Code::as_str));
}

/// A portal on a socket that gives each request the same answer.
fn portal(body: &'static str) -> ClientBuilder {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = [0; 4096];
            let _ = stream.read(&mut request);
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
        }
    });
    webhook(&format!("http://{address}"))
}

fn webhook(host: &str) -> ClientBuilder {
    Client::builder()
        .webhook(&format!("{host}/rest/1/{SECRET}/"))
        .policy(Policy::new().attempts(2).deadline(Duration::from_secs(2)))
}

#[tokio::test]
async fn p7_debug_of_client_reader_and_builder_hides_the_webhook() {
    let builder = webhook("https://acme.bitrix24.com");
    hides(&format!("{builder:?} {builder:#?}"));
    let client = builder.build().unwrap();
    hides(&format!("{client:?} {client:#?}"));
    let reader: &Reader = &client;
    hides(&format!("{reader:?}"));
}

#[tokio::test]
async fn p7_debug_of_a_client_hides_the_password_of_a_proxy_and_the_headers_of_a_hook() {
    let client = webhook("https://acme.bitrix24.com")
        .proxy(Proxy::Hook)
        .http(|http| {
            let mut headers = reqwest::header::HeaderMap::new();
            headers.insert("x-api-key", reqwest::header::HeaderValue::from_static("s3cr3t-of-a-header"));
            let proxy = reqwest::Proxy::all("http://user:s3cr3t-of-the-proxy@127.0.0.1:3128").unwrap();
            http.proxy(proxy).default_headers(headers)
        })
        .build()
        .unwrap();
    hides(&format!("{client:?} {client:#?}"));
}

#[tokio::test]
async fn p7_a_malformed_webhook_is_described_without_it() {
    for url in ["ftp://acme.bitrix24.com/rest/1/s3cr3t/", "https://acme.bitrix24.com/rest/s3cr3t/", "s3cr3t"] {
        let builder = Client::builder().webhook(url);
        hides(&format!("{builder:?}"));
        let error = builder.build().unwrap_err();
        hides(&format!("{error} {error:?}"));
    }
}

#[tokio::test]
async fn p7_a_connection_that_fails_is_described_without_it() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let client = webhook(&format!("http://{address}")).build().unwrap();
    let error = add_blind_deal(&client, &NewDeal::of("A-1")).await.unwrap_err();
    assert!(matches!(error, CallError::Exhausted(_)), "{error}");
    hidden_in(&error);
}

#[tokio::test]
async fn p7_an_error_of_the_portal_that_repeats_it_is_struck_out() {
    for body in [
        r#"{"error":"ERROR_CORE","error_description":"no /rest/1/s3cr3t-of-the-webhook/ here"}"#,
        r#"{"error":"no /rest/1/s3cr3t-of-the-webhook/ here","error_description":""}"#,
        r#"{"error":{"code":"X","message":"s3cr3t-of-the-webhook","validation":[{"field":"s3cr3t-of-the-webhook"}]}}"#,
        "<html>no /rest/1/s3cr3t-of-the-webhook/ here</html>",
    ] {
        let client = portal(body).build().unwrap();
        hidden_in(&add_blind_deal(&client, &NewDeal::of("A-1")).await.unwrap_err());
        hidden_in(&list_deals(&client, &OriginKey::of("A-1")).await.unwrap_err());
    }
}

#[tokio::test]
async fn p7_a_result_that_does_not_fit_and_repeats_it_is_struck_out() {
    let client = portal(r#"{"result":"https://portal/rest/1/s3cr3t-of-the-webhook/"}"#).build().unwrap();
    let error = add_blind_deal(&client, &NewDeal::of("A-1")).await.unwrap_err();
    assert!(matches!(error, CallError::Undecodable(_)), "{error}");
    hidden_in(&error);
}

#[tokio::test]
async fn p7_what_a_read_back_finds_twice_and_repeats_it_is_struck_out() {
    /// Lists hooks.
    #[bitrix_method(name = "event.get", kind = read)]
    async fn list_hooks(reader: &Reader) -> Result<Page<String>, CallError>;

    /// Binds a hook.
    #[bitrix_method(name = "event.bind", kind = write, verify = find_hook)]
    async fn bind_hook(client: &Client, event: &str) -> Result<String, CallError>;

    async fn find_hook(reader: &Reader, _event: &str) -> Result<ReadBack<String>, CallError> {
        Ok(ReadBack::by_marker(list_hooks(reader).await?, Some))
    }

    let body = r#"{"result":["https://a/rest/1/s3cr3t-of-the-webhook/","https://b/rest/1/s3cr3t-of-the-webhook/"]}"#;
    let client = portal(body).build().unwrap();
    // The result of the write is no string, so it is read back, and two are there.
    let error = bind_hook(&client, "ONCRMDEALADD").await.unwrap_err();
    assert!(matches!(error, CallError::Duplicated(_)), "{error}");
    hidden_in(&error);
}
