//! P7 against a server that says back what it was told, by every way in, in every place and spelling; and against losses.

mod calls;
mod echoes;
mod marked;
mod ways_in;

use std::rc::Rc;
use std::sync::Mutex;
use std::time::Duration;

use retry_runtime::oauth::authorize;
use serde_json::json;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;

use self::calls::shown_by_every_call;
use self::echoes::{Make, answers, codes, spellings};
use self::marked::{ACCESS, CLIENT_SECRET, CODE, Marks, PASSWORD, REFRESH};
use self::ways_in::{WAYS, Way, application};
use crate::support::{Conn, Recorder, Server, Tls, policy, secs};
use tokio::net::TcpStream;

/// A runtime whose every thread is listened to.
fn listened(recorder: &Recorder) -> Runtime {
    let recorder = recorder.clone();
    let mut builder = Builder::new_multi_thread();
    builder.worker_threads(2).enable_all().on_thread_start(move || recorder.listen_here()).build().unwrap()
}

/// Runs this while everything that any crate logs and any panic says is kept, and gives that.
fn overheard(work: impl Future<Output = ()> + Send + 'static) -> String {
    static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());
    static HOOKED: std::sync::Once = std::sync::Once::new();
    HOOKED.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            PANICS.lock().unwrap().push(panic.to_string());
            // Those that the tests make on purpose are not to fill the output.
            if !panic.payload_as_str().is_some_and(|text| text.starts_with("on purpose")) {
                before(panic);
            }
        }));
    });
    let recorder = Recorder::everywhere();
    let runtime = listened(&recorder);
    runtime.block_on(async { tokio::spawn(work).await.unwrap() });
    let panics = PANICS.lock().unwrap().join("\n");
    format!("{}\n{panics}", recorder.text())
}

/// One answer to every call by one way in, and what is shown of it.
async fn met(way: Way, name: String, answer: Vec<u8>) {
    let server = Server::answering(answer).await;
    let shown = shown_by_every_call(way, &server.address().to_string(), |builder| builder).await;
    assert!(server.connections() > 0, "{way:?}, {name}");
    assert!(shown.len() > 500, "{way:?}, {name}: {shown}");
    Marks::new().are_not_in(&shown, &format!("{way:?}, {name}"));
}

/// Each place with the secrets as they are and in one other spelling; all of them come in turn.
fn places(secrets: &[&str]) -> Vec<(&'static str, &'static str, String, Rc<Make>)> {
    let spellings = spellings(secrets);
    let mut places = Vec::new();
    for (number, (name, make)) in answers().into_iter().enumerate() {
        let make = Rc::new(make);
        for (spelling, echo) in [&spellings[0], &spellings[1 + number % (spellings.len() - 1)]] {
            places.push((name, *spelling, echo.clone(), Rc::clone(&make)));
        }
    }
    places
}

#[test]
fn p7_no_answer_that_says_a_secret_back_brings_it_into_any_output() {
    let marks = Marks::new();
    let log = overheard(async {
        for way in WAYS {
            let mut meetings = JoinSet::new();
            for (name, spelling, echo, make) in places(way.secrets()) {
                meetings.spawn(met(way, format!("{name}, {spelling}"), make(&echo)));
            }
            for (name, answer) in codes(&way.secrets().join(" and ")) {
                meetings.spawn(met(way, name, answer));
            }
            ended(meetings).await;
        }
    });
    marks.are_not_in(&log, "a log or a panic");
    for target in ["retry_runtime", "reqwest::connect", "hyper_util::client", "on purpose"] {
        assert!(log.contains(target), "nothing from {target}");
    }
}

async fn ended(mut running: JoinSet<()>) {
    let mut failed = 0;
    while let Some(ended) = running.join_next().await {
        failed += usize::from(ended.is_err());
    }
    assert_eq!(failed, 0, "see above");
}

/// The token server says the client secret, the tokens and the code back, to whoever renews and to whoever begins.
#[test]
fn p7_no_answer_of_the_token_server_brings_a_secret_into_any_output() {
    let marks = Marks::new();
    let log = overheard(async {
        let mut meetings = JoinSet::new();
        for (name, spelling, echo, make) in places(Way::OAuth.secrets()) {
            let answer = make(&echo);
            meetings.spawn(async move {
                let server = expired(answer).await;
                let shown = shown_by_every_call(Way::OAuth, &server.address().to_string(), |builder| builder).await;
                Marks::new().are_not_in(&shown, &format!("renewed: {name}, {spelling}"));
            });
        }
        for (name, spelling, echo, make) in places(&[CLIENT_SECRET, CODE]) {
            let answer = make(&echo);
            meetings.spawn(async move {
                let server = expired(answer).await;
                let begun = authorize(&application(&server.address().to_string()), CODE).await;
                let begun = begun.map_or_else(|error| format!("{error} {error:?}"), |tokens| format!("{tokens:?}"));
                Marks::new().are_not_in(&begun, &format!("begun: {name}, {spelling}"));
            });
        }
        ended(meetings).await;
    });
    marks.are_not_in(&log, "a log");
    assert!(log.contains("tokens not renewed"));
}

/// A portal on which every token has expired, and a token server that answers so.
async fn expired(answer: Vec<u8>) -> Server {
    Server::start(move |mut conn: Conn<TcpStream>| {
        let answer = answer.clone();
        async move {
            while let Some(request) = conn.request().await {
                if request.starts_with(b"GET /oauth/token") {
                    return conn.send(&answer).await;
                }
                let body = json!({"error": "expired_token", "error_description": format!("{ACCESS}, {REFRESH}")});
                let body = body.to_string();
                let head = format!("HTTP/1.1 401 Unauthorized\r\nContent-Length: {}\r\n\r\n", body.len());
                conn.send(format!("{head}{body}").as_bytes()).await;
            }
        }
    })
    .await
}

/// Where nothing is answered at all: what our own side says.
#[test]
fn p7_no_trouble_of_the_connection_brings_a_secret_into_any_output() {
    let marks = Marks::new();
    let log = overheard(async {
        let tls = Tls::new();
        let stranger = tls.serve(async |mut conn| conn.drain().await).await.address().to_string();
        let closing = Server::start(async |conn| drop(conn)).await;
        let resetting = Server::start(async |mut conn: Conn<TcpStream>| {
            conn.part().await;
            conn.reset();
        })
        .await;
        let silent = Server::start(async |mut conn: Conn<TcpStream>| conn.drain().await).await;
        for way in WAYS {
            for address in [
                "127.0.0.1:1".to_owned(),
                stranger.clone(),
                closing.address().to_string(),
                resetting.address().to_string(),
                silent.address().to_string(),
            ] {
                let hurried =
                    |builder: retry_runtime::ClientBuilder| builder.attempt_timeout(Duration::from_millis(50));
                let shown = shown_by_every_call(way, &address, hurried).await;
                Marks::new().are_not_in(&shown, &format!("{way:?}, {address}"));
            }
        }
    });
    marks.are_not_in(&log, "a log");
}

/// A proxy with a password, and headers of the hook: those that nobody but the user knows of.
#[test]
fn p7_no_trouble_with_a_proxy_brings_its_password_into_any_output() {
    let marks = Marks::new();
    let log = overheard(async {
        let refusing =
            Server::answering("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n").await;
        let closing = Server::start(async |conn| drop(conn)).await;
        for proxy in ["127.0.0.1:1".to_owned(), refusing.address().to_string(), closing.address().to_string()] {
            for target in ["127.0.0.1:2", "acme.example"] {
                let proxy = format!("http://user:{PASSWORD}@{proxy}");
                let by_proxy = move |builder: retry_runtime::ClientBuilder| {
                    let hooked = builder.http(move |http| {
                        let mut headers = http::HeaderMap::new();
                        headers.insert("authorization", format!("Bearer {PASSWORD}").parse().unwrap());
                        http.default_headers(headers).proxy(reqwest::Proxy::all(&proxy).unwrap()).tls_certs_only([])
                    });
                    hooked.proxy(retry_runtime::Proxy::Hook).connect_timeout(secs(5)).policy(policy().attempts(1))
                };
                for way in WAYS {
                    let shown = shown_by_every_call(way, target, by_proxy.clone()).await;
                    Marks::new().are_not_in(&shown, &format!("{way:?}, {target}"));
                }
            }
        }
    });
    marks.are_not_in(&log, "a log");
}

/// The search finds what it searches for.
#[test]
fn p7_the_marks_are_found_in_every_spelling() {
    let marks = Marks::new();
    for way in WAYS {
        for (spelling, echo) in spellings(way.secrets()) {
            assert!(marks.first_in(&echo).is_some(), "{way:?}, {spelling}");
            assert!(marks.first_in(&echo[echo.len() / 4..]).is_some(), "{way:?}, {spelling}, cut");
        }
    }
    assert_eq!(marks.first_in("nothing of the kind"), None);
    let log = overheard(async { tracing::trace!("{ACCESS}") });
    assert!(marks.first_in(&log).is_some());
}
