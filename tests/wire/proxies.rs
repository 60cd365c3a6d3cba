//! Proxies: used only when asked for, and counted in the settle time, as they may hold what they took.

use std::process::Stdio;

use retry_portal::{Answer, Fault, Portal};
use retry_runtime::report::{MayBeApplied, Outcome};
use retry_runtime::transport::HttpBuilder;
use retry_runtime::{CallError, ClientBuilder, Proxy, Settle};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::process::Command;

use crate::support::{
    Conn, NewDeal, OriginKey, Server, Tls, add_blind_deal, add_deal, answer, bare_client, client, list_deals, millis,
    portal, secs, settle,
};

/// Which proxy the child process asks for, and the portal that it calls.
const ASKED: &str = "RETRY_WIRE_TEST_PROXY";
const PORTAL: &str = "RETRY_WIRE_TEST_PORTAL";

/// A proxy for plain HTTP: hands each request on over a connection of its own, under the path it is for.
async fn forwarding() -> Server {
    Server::start(async |mut conn: Conn<TcpStream>| {
        if let Some(request) = conn.request().await {
            let text = String::from_utf8(request).unwrap();
            let (host, rest) = text.strip_prefix("POST http://").unwrap().split_once('/').unwrap();
            let mut portal = TcpStream::connect(host).await.unwrap();
            let handed_on = format!("POST /{}", rest.replacen("\r\n", "\r\nConnection: close\r\n", 1));
            portal.write_all(handed_on.as_bytes()).await.unwrap();
            // The answer of the portal ends with its connection, and this one with it.
            let _ = tokio::io::copy(&mut portal, &mut conn.stream).await;
        }
    })
    .await
}

/// A proxy for TLS: connects as it is told to, or refuses.
async fn tunnelling(refuses: bool) -> Server {
    Server::start(move |mut conn: Conn<TcpStream>| async move {
        let mut asked = Vec::new();
        while !asked.ends_with(b"\r\n\r\n") {
            let Some(part) = conn.part().await else { return };
            asked.extend(part);
        }
        if refuses {
            return conn.send(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n").await;
        }
        let text = String::from_utf8(asked).unwrap();
        let host = text.strip_prefix("CONNECT ").unwrap().split(' ').next().unwrap().to_owned();
        let mut portal = TcpStream::connect(host).await.unwrap();
        conn.send(b"HTTP/1.1 200 OK\r\n\r\n").await;
        let _ = tokio::io::copy_bidirectional(&mut conn.stream, &mut portal).await;
    })
    .await
}

fn through(proxy: &Server) -> impl FnOnce(HttpBuilder) -> HttpBuilder + Send + 'static {
    let proxy = reqwest::Proxy::all(format!("http://{}", proxy.address())).unwrap();
    move |http| http.proxy(proxy).tls_certs_only([])
}

#[tokio::test]
async fn p4_a_proxy_of_the_hook_is_used_only_if_it_is_named() {
    let (proxy, portal) = (forwarding().await, portal().start().await.unwrap());
    let by = |named| bare_client(&portal.webhook_url()).http(through(&proxy)).proxy(named).build();
    assert!(by(Proxy::None).unwrap_err().to_string().contains("Proxy::Hook"));
    let client = by(Proxy::Hook).unwrap();
    list_deals(&client, &OriginKey::of("x")).await.unwrap();
    add_deal(&client, &NewDeal::of("x")).await.unwrap();
    assert_eq!((proxy.connections(), portal.requests().len(), portal.records("deal").len()), (2, 2, 1));
}

/// How long after its loss a write through this client may still be applied.
async fn feared(portal: &Portal, builder: ClientBuilder) -> std::time::Duration {
    portal.script("crm.deal.add", [Fault::never(Answer::Html(502))]);
    let error = add_blind_deal(&builder.build().unwrap(), &NewDeal::of("x")).await.unwrap_err();
    let MayBeApplied::Until(until) = error.report().may_be_applied() else { panic!("{error}") };
    until.duration_since(error.report().started()).unwrap()
}

#[tokio::test]
async fn p3_a_proxy_may_hold_a_request_for_a_quarter_of_an_hour_unless_it_is_stated() {
    let (proxy, portal) = (forwarding().await, portal().start().await.unwrap());
    let minutes = |minutes: u64| secs(60 * minutes);
    let by = |named, settle| bare_client(&portal.webhook_url()).http(through(&proxy)).proxy(named).settle(settle);
    // 15 min for the proxy, 1 min for the server, 15 s for lag and margin.
    assert!(feared(&portal, by(Proxy::Hook, Settle::cloud())).await >= minutes(16));
    assert!(feared(&portal, by(Proxy::Environment, Settle::cloud())).await >= minutes(16));
    assert!(feared(&portal, by(Proxy::Hook, Settle::cloud().tcp(secs(20)))).await < minutes(15));
    let direct = feared(&portal, client(&portal.webhook_url()).settle(Settle::cloud())).await;
    assert!(if cfg!(target_os = "linux") { direct < minutes(15) } else { direct >= minutes(16) }, "{direct:?}");
}

#[tokio::test]
async fn p2_a_tunnel_that_is_refused_is_not_sent_and_one_that_stands_sees_no_secret() {
    let tls = Tls::new();
    let server = tls
        .serve(async |mut conn| {
            while conn.request().await.is_some() {
                conn.send(&answer("17")).await;
            }
        })
        .await;
    for refuses in [true, false] {
        let proxy = tunnelling(refuses).await;
        let certificate = reqwest::Certificate::from_der(&tls.certificate()).unwrap();
        let through = reqwest::Proxy::all(format!("http://{}", proxy.address())).unwrap();
        let client = client(&server.secure_webhook())
            .http(move |http| http.proxy(through).tls_certs_only([certificate]))
            .proxy(Proxy::Hook)
            .build()
            .unwrap();
        let outcome = add_blind_deal(&client, &NewDeal::of("x")).await;
        if refuses {
            let error = outcome.unwrap_err();
            assert!(matches!(error, CallError::Exhausted(_)), "{error}");
            let attempts = error.report().attempts();
            assert!(attempts.iter().all(|attempt| matches!(attempt.outcome, Outcome::NotSent { .. })), "{error}");
            assert_eq!((attempts.len(), server.connections()), (4, 0));
        } else {
            assert_eq!((outcome.unwrap().0, server.requests()), (17, 1));
        }
        let seen = String::from_utf8_lossy(&proxy.read().concat()).into_owned();
        assert!(seen.starts_with("CONNECT ") && !seen.contains("abcdefgh12345678"), "{seen}");
    }
}

/// Runs this very test again with proxies in its environment, to call the portal once.
async fn child(test: &str, asked: &str, proxy: &Server, portal: &Portal) {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", test, "--test-threads", "1", "--nocapture"]);
    child.env(ASKED, asked).env(PORTAL, portal.webhook_url());
    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
        child.env(name, format!("http://{}", proxy.address()));
    }
    child.env_remove("NO_PROXY").env_remove("no_proxy").env_remove("REQUEST_METHOD");
    let ended = child.stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true).output();
    let ended = tokio::time::timeout(secs(60), ended).await.unwrap().unwrap();
    assert!(
        ended.status.success(),
        "{}{}",
        String::from_utf8_lossy(&ended.stdout),
        String::from_utf8_lossy(&ended.stderr)
    );
}

/// What the child does: one call, through the proxy that it was told to ask for.
async fn call_from_the_child(asked: &str, url: &str) {
    let named = if asked == "environment" { Proxy::Environment } else { Proxy::None };
    let client = client(url).settle(settle()).proxy(named).connect_timeout(millis(2_000)).build().unwrap();
    add_deal(&client, &NewDeal::of("x")).await.unwrap();
}

#[tokio::test]
async fn p4_proxies_of_the_environment_are_used_only_if_asked_for() {
    if let (Ok(asked), Ok(url)) = (std::env::var(ASKED), std::env::var(PORTAL)) {
        return call_from_the_child(&asked, &url).await;
    }
    let test = "proxies::p4_proxies_of_the_environment_are_used_only_if_asked_for";
    for (asked, used) in [("none", 0), ("environment", 1)] {
        let (proxy, portal) = (forwarding().await, portal().start().await.unwrap());
        child(test, asked, &proxy, &portal).await;
        assert_eq!((proxy.connections(), portal.records("deal").len()), (used, 1), "{asked}");
    }
}
