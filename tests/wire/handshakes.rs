//! TLS that ends at any byte of the handshake, or is none: not sent. After the handshake: lost, also where a cut looks like an end.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use retry_runtime::report::Outcome;
use retry_runtime::{CallError, Client, Effect, Id};
use rustls::version::{TLS12, TLS13};
use rustls::{ServerConfig, ServerConnection, SupportedProtocolVersion};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::support::{Conn, NewDeal, Server, Tls, add_blind_deal, answer, millis, patient, policy, secs};

/// A client that trusts these servers and tries once.
fn once(tls: &Tls, server: &Server) -> Client {
    let builder = tls.client(&server.secure_webhook()).policy(policy().attempts(1)).settle(patient());
    builder.connect_timeout(secs(60)).attempt_timeout(secs(60)).build().unwrap()
}

#[track_caller]
fn is_not_sent(error: &CallError, story: &str) {
    let attempt = &error.report().attempts()[0];
    let Outcome::NotSent { why } = &attempt.outcome else { panic!("{story}: {error}") };
    assert!(!why.contains("timeout"), "the fault ends the attempt: {story}: {error}");
    assert_eq!((attempt.sent_at, error.effect()), (None, Effect::Absent), "{story}: {error}");
}

#[track_caller]
fn is_lost(error: &CallError, story: &str) {
    let Outcome::Lost { why } = &error.report().attempts()[0].outcome else { panic!("{story}: {error}") };
    assert!(!why.contains("timeout"), "the fault ends the attempt: {story}: {error}");
    assert_eq!(error.effect(), Effect::Unknown, "{story}: {error}");
}

/// Shakes hands by hand: the flight of this number is cut after as many steps as there were connections before. Says how many bytes
/// the last connection held back.
async fn cut_handshake(
    conn: Conn<TcpStream>,
    config: Arc<ServerConfig>,
    cut: usize,
    reset: bool,
    held: Arc<AtomicUsize>,
) {
    let mut conn = conn;
    let mut session = ServerConnection::new(config).unwrap();
    for number in 0..=cut {
        while !session.wants_write() {
            let Some(part) = conn.part().await else { return };
            session.read_tls(&mut part.as_slice()).unwrap();
            if session.process_new_packets().is_err() {
                return;
            }
        }
        let mut flight = Vec::new();
        while session.wants_write() {
            session.write_tls(&mut flight).unwrap();
        }
        let sent = if number == cut { (STEP * conn.number).min(flight.len()) } else { flight.len() };
        held.store(flight.len() - sent, Ordering::SeqCst);
        conn.send(&flight[..sent]).await;
    }
    if reset {
        tokio::time::sleep(millis(1)).await;
        conn.reset();
    }
}

/// Bytes between one cut and the next.
const STEP: usize = 5;

/// One flight of the server, cut everywhere. `last`: after it the client is through and sends.
async fn cut_everywhere(version: &'static SupportedProtocolVersion, cut: usize, last: bool, reset: bool) {
    let tls = Tls::of(&[version]);
    let held = Arc::new(AtomicUsize::new(0));
    let server = Server::start({
        let (config, held) = (tls.config(), Arc::clone(&held));
        move |conn| cut_handshake(conn, Arc::clone(&config), cut, reset, Arc::clone(&held))
    })
    .await;
    let client = once(&tls, &server);
    for round in 1.. {
        let error = add_blind_deal(&client, &NewDeal::of("x")).await.unwrap_err();
        let held = held.load(Ordering::SeqCst);
        let story = format!("{version:?}, flight {cut}, {held} bytes held back, reset: {reset}");
        assert_eq!(server.connections(), round, "one connection for an attempt: {story}");
        if held > 0 || !last {
            is_not_sent(&error, &story);
        } else {
            // A reset may overtake the last bytes of the handshake.
            assert!(reset || matches!(error, CallError::InDoubt(_)), "{story}: {error}");
        }
        if held == 0 {
            assert!(round > 10, "{story}");
            break;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p2_a_handshake_that_ends_at_any_byte_is_not_sent() {
    let mut running = tokio::task::JoinSet::new();
    for reset in [false, true] {
        running.spawn(cut_everywhere(&TLS13, 0, true, reset));
        running.spawn(cut_everywhere(&TLS12, 0, false, reset));
        running.spawn(cut_everywhere(&TLS12, 1, true, reset));
    }
    while let Some(ended) = running.join_next().await {
        ended.unwrap();
    }
}

#[tokio::test]
async fn p2_what_is_no_handshake_is_not_sent() {
    let tls = Tls::new();
    for (name, bytes) in [
        ("nothing", &b""[..]),
        ("an alert: handshake failure", &[21, 3, 3, 0, 2, 2, 40]),
        ("an alert: unrecognised name", &[21, 3, 3, 0, 2, 1, 112]),
        ("an alert: closed", &[21, 3, 3, 0, 2, 1, 0]),
        ("an alert of no kind", &[21, 3, 3, 0, 2, 9, 255]),
        ("data before the handshake", &[23, 3, 3, 0, 2, 1, 0]),
        ("a record that is too long", &[22, 3, 3, 0xff, 0xff, 2, 0, 0]),
        ("an empty record", &[22, 3, 3, 0, 0]),
        ("a version of no kind", &[22, 9, 9, 0, 4, 2, 0, 0, 0]),
        ("HTTP/1.1", b"HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n{\"result\":17}"),
        ("HTTP/2", &[0, 0, 0, 4, 0, 0, 0, 0, 0]),
        ("SSH", b"SSH-2.0-OpenSSH_9.6\r\n"),
    ] {
        let server = Server::start(move |mut conn: Conn<TcpStream>| async move {
            conn.part().await;
            conn.send(bytes).await;
        })
        .await;
        let error = add_blind_deal(&once(&tls, &server), &NewDeal::of("x")).await.unwrap_err();
        is_not_sent(&error, name);
        assert_eq!(server.connections(), 1, "{name}");
    }
}

#[tokio::test]
async fn p2_a_certificate_that_has_expired_or_is_not_yet_valid_is_not_sent() {
    for (from, to) in [(2000, 2001), (3000, 3001)] {
        let tls = Tls::valid(from, to);
        let server = tls.serve(async |mut conn| conn.drain().await).await;
        let error = add_blind_deal(&once(&tls, &server), &NewDeal::of("x")).await.unwrap_err();
        is_not_sent(&error, &format!("from {from} to {to}"));
        assert!(error.to_string().contains("certificate"), "{error}");
    }
}

/// Over TLS only a goodbye ends a body without a length; a connection that is cut there has lost the rest.
#[tokio::test]
async fn p2_a_body_without_a_length_ends_by_a_goodbye_and_not_by_a_cut() {
    let tls = Tls::new();
    let until_close = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{\"result\":17}".to_vec();
    for (bytes, goodbye, whole) in [
        (until_close.clone(), true, true),
        (until_close, false, false),
        (answer("17"), true, true),
        (answer("17"), false, true),
    ] {
        let server = tls
            .serve(move |mut conn| {
                let bytes = bytes.clone();
                async move {
                    conn.request().await;
                    conn.send(&bytes).await;
                    if goodbye {
                        let _ = conn.stream.shutdown().await;
                    }
                }
            })
            .await;
        let story = format!("goodbye: {goodbye}, whole: {whole}");
        match add_blind_deal(&once(&tls, &server), &NewDeal::of("x")).await {
            Ok(id) => assert_eq!((id, whole), (Id(17), true), "{story}"),
            Err(error) => {
                assert!(!whole, "{story}");
                is_lost(&error, &story);
            }
        }
        assert_eq!((server.connections(), server.requests()), (1, 1), "{story}");
    }
}

/// HTTP/2 is not spoken, whatever is offered: there a request may wait inside the connection, or be refused and sent again by the library.
#[tokio::test]
async fn p4_a_server_that_offers_http_2_is_spoken_to_by_http_1() {
    let offering = |protocols: &'static [&'static str]| {
        Tls::changed(move |mut config| {
            config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
            config
        })
    };
    let tls = offering(&["h2", "http/1.1"]);
    let server = tls
        .serve(async |mut conn| {
            assert_eq!(conn.stream.get_ref().1.alpn_protocol(), Some(&b"http/1.1"[..]));
            while conn.request().await.is_some() {
                conn.send(&answer("17")).await;
            }
        })
        .await;
    let client = once(&tls, &server);
    for _ in 0..2 {
        assert_eq!(add_blind_deal(&client, &NewDeal::of("x")).await.unwrap(), Id(17));
    }
    assert!(server.read().iter().all(|read| String::from_utf8_lossy(read).contains(" HTTP/1.1\r\n")));
    assert_eq!(server.requests(), 2);

    let tls = offering(&["h2"]);
    let server = tls.serve(async |mut conn| conn.drain().await).await;
    let error = add_blind_deal(&once(&tls, &server), &NewDeal::of("x")).await.unwrap_err();
    is_not_sent(&error, "HTTP/2 alone");
    assert_eq!((server.connections(), server.requests()), (1, 0));
}
