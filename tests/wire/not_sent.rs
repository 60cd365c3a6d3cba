//! "Not sent" is a proof: it is never said of a request of which the server has read a byte.

use std::sync::Arc;
use std::time::Duration;

use retry_runtime::report::Outcome;
use retry_runtime::{CallError, ClientBuilder, Effect, Policy};
use rustls::RootCertStore;
use rustls::server::WebPkiClientVerifier;
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use crate::support::{
    Conn, NewDeal, OriginKey, Seen, Server, Tls, Told, add_blind_deal, answer, client, list_deals, millis, policy, secs,
};

/// What the report says of a trouble.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    NotSent,
    Lost,
    /// It depends on who is first, and either is true.
    Either,
}

/// Makes one write, and compares what its report says with what the server read.
async fn compare(name: &str, server: &Server, builder: ClientBuilder, says: Says) {
    let client = builder.policy(Policy::new().attempts(1)).build().unwrap();
    let error = add_blind_deal(&client, &NewDeal::of("x")).await.unwrap_err();
    let attempt = &error.report().attempts()[0];
    let read = server.read().concat();
    if matches!(attempt.outcome, Outcome::NotSent { .. }) {
        assert!(read.is_empty(), "{name}: not sent, but {} bytes were read: {error}", read.len());
        assert_eq!((attempt.sent_at, error.effect()), (None, Effect::Absent), "{name}: {error}");
        assert_ne!(says, Says::Lost, "{name}: {error}");
        assert!(matches!(error, CallError::Exhausted(_)), "{name}: {error}");
    } else {
        assert!(matches!(error, CallError::InDoubt(_)), "{name}: {error}");
        assert_eq!((attempt.sent_at.is_some(), error.effect()), (true, Effect::Unknown), "{name}: {error}");
        assert_ne!(says, Says::NotSent, "{name}: {error}");
    }
}

#[tokio::test]
async fn p2_trouble_of_the_connection_is_lost_once_the_connection_stood() {
    type Serve = fn(Conn<TcpStream>) -> std::pin::Pin<Box<dyn Future<Output = ()> + Send>>;
    let troubles: [(&str, Serve); 7] = [
        ("closed on accept", |conn| Box::pin(async move { drop(conn) })),
        ("closed with the request unread", |conn| {
            Box::pin(async move {
                let _ = conn.stream.readable().await;
            })
        }),
        ("reset with the request unread", |conn| {
            Box::pin(async move {
                let _ = conn.stream.readable().await;
                conn.reset();
            })
        }),
        ("reset after a part", |mut conn| {
            Box::pin(async move {
                conn.part().await;
                conn.reset();
            })
        }),
        ("closed after the request", |mut conn| {
            Box::pin(async move {
                conn.request().await;
            })
        }),
        ("reset after the request", |mut conn| {
            Box::pin(async move {
                conn.request().await;
                conn.reset();
            })
        }),
        ("silent", |mut conn| Box::pin(async move { conn.drain().await })),
    ];
    for (name, serve) in troubles {
        for _ in 0..5 {
            let server = Server::start(serve).await;
            compare(name, &server, client(&server.webhook()).attempt_timeout(millis(400)), Says::Lost).await;
        }
    }
    // The reset may come before our side knows that the connection stands.
    for _ in 0..5 {
        let server = Server::start(async |conn| conn.reset()).await;
        compare("reset on accept", &server, client(&server.webhook()), Says::Either).await;
    }
}

#[tokio::test]
async fn p2_a_connection_that_never_stood_is_not_sent() {
    let server = Server::start(async |mut conn| conn.drain().await).await;
    let (url, address) = (server.webhook(), server.address());
    drop(server);
    // The task of the server closes its port when it is next polled.
    while TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    let nobody = Server::start(async |mut conn| conn.drain().await).await;
    compare("refused", &nobody, client(&url), Says::NotSent).await;

    // A full queue: the kernel answers no further connection.
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let listener = socket.listen(1).unwrap();
    let address = listener.local_addr().unwrap();
    let mut queued = Vec::new();
    while let Ok(Ok(stream)) = timeout(millis(200), TcpStream::connect(address)).await {
        queued.push(stream);
    }
    let url = format!("http://{address}/rest/1/abcdefgh12345678/");
    compare("connect timeout", &nobody, client(&url).connect_timeout(millis(300)), Says::NotSent).await;
}

#[tokio::test]
async fn p2_a_handshake_that_fails_is_not_sent() {
    let tls = Tls::new();
    let trusted = |server: &Server| tls.client(&server.secure_webhook());

    let server = tls.serve(async |mut conn| conn.drain().await).await;
    compare("a certificate nobody knows", &server, client(&server.secure_webhook()), Says::NotSent).await;
    let by_name = server.secure_webhook().replace("127.0.0.1", "localhost");
    compare("a certificate for another name", &server, tls.client(&by_name), Says::NotSent).await;

    // These speak no TLS, so that whatever they read is no part of the request.
    let server = Server::start(async |conn| conn.reset()).await;
    compare("reset in the handshake", &server, trusted(&server), Says::NotSent).await;
    let server = Server::start(async |conn| drop(conn)).await;
    compare("closed in the handshake", &server, trusted(&server), Says::NotSent).await;
    let server = Server::start(async |conn: Conn<TcpStream>| {
        let _ = conn.stream.readable().await;
    })
    .await;
    compare("closed with the hello unread", &server, trusted(&server), Says::NotSent).await;
    let server = Server::start(async |mut conn: Conn<TcpStream>| {
        conn.send(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n").await;
        let _ = conn.stream.readable().await;
    })
    .await;
    compare("plain HTTP where TLS was expected", &server, trusted(&server), Says::NotSent).await;
    let server = Server::start(async |conn: Conn<TcpStream>| {
        tokio::time::sleep(secs(5)).await;
        drop(conn);
    })
    .await;
    let impatient = trusted(&server).connect_timeout(millis(300));
    compare("silent in the handshake", &server, impatient, Says::NotSent).await;
}

#[tokio::test]
async fn p2_trouble_after_the_handshake_is_lost() {
    let tls = Tls::new();
    let server = tls.serve(async |conn| drop(conn)).await;
    compare("closed after the handshake", &server, tls.client(&server.secure_webhook()), Says::Lost).await;
    let server = tls
        .serve(async |conn| {
            conn.stream.get_ref().0.set_zero_linger().unwrap();
        })
        .await;
    compare("reset after the handshake", &server, tls.client(&server.secure_webhook()), Says::Lost).await;
    let server = tls
        .serve(async |mut conn| {
            conn.request().await;
        })
        .await;
    compare("closed after the request", &server, tls.client(&server.secure_webhook()), Says::Lost).await;
    assert_eq!(server.requests(), 1);

    // In TLS 1.3 the client is through with its handshake, and sends, before the server refuses it.
    let mut roots = RootCertStore::empty();
    roots.add(tls.certificate()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build().unwrap();
    let strict = Tls::verified_by(verifier);
    let server = strict.serve(async |mut conn| conn.drain().await).await;
    compare("a client certificate is missing", &server, strict.client(&server.secure_webhook()), Says::Lost).await;
}

#[tokio::test]
async fn p4_tls_with_a_root_certificate_through_the_hook_works() {
    let tls = Tls::new();
    let server = tls
        .serve(async |mut conn| {
            while conn.request().await.is_some() {
                conn.send(&answer("17")).await;
            }
        })
        .await;
    let client = tls.client(&server.secure_webhook()).build().unwrap();
    for _ in 0..3 {
        assert_eq!(add_blind_deal(&client, &NewDeal::of("x")).await.unwrap().0, 17);
    }
    assert_eq!((server.connections(), server.requests()), (1, 3));
}

/// Reads what has come, without waiting for more.
async fn read_what_is_there(conn: &mut Conn<TcpStream>) {
    while let Ok(Some(_)) = timeout(Duration::ZERO, conn.part()).await {}
}

/// A kept connection that the peer closes just when the next request may arrive, in every order of the two.
#[tokio::test]
async fn p4_a_kept_connection_that_ends_while_a_request_leaves_carries_it_at_most_once() {
    let server = Server::start(async |mut conn: Conn<TcpStream>| {
        let round = conn.number;
        if conn.request().await.is_none() {
            return;
        }
        conn.send(&answer("[]")).await;
        tokio::time::sleep(millis(round as u64 % 5)).await;
        for _ in 0..round % 12 {
            tokio::task::yield_now().await;
        }
        read_what_is_there(&mut conn).await;
        if round.is_multiple_of(2) {
            conn.reset();
        }
    })
    .await;
    for round in 0..200 {
        let seen = Seen::default();
        let client = client(&server.webhook()).observer(seen.clone()).policy(policy().attempts(1)).build().unwrap();
        list_deals(&client, &OriginKey::of("x")).await.unwrap();
        tokio::time::sleep(millis(2)).await;
        let mark = format!("round-{round}-");
        let _ = add_blind_deal(&client, &NewDeal::of(&mark)).await;
        let report = &seen.all()[1].1;
        assert_eq!((seen.all()[1].0, report.attempts().len()), (Told::Finished, 1));
        tokio::time::sleep(millis(3)).await;
        let read = String::from_utf8_lossy(&server.read().concat()).into_owned();
        let arrived = read.matches(&format!(r#""ORIGIN_ID":"{mark}""#)).count();
        let outcome = &report.attempts()[0].outcome;
        assert!(arrived <= 1, "{arrived} times on the wire: {report}");
        match outcome {
            Outcome::NotSent { .. } | Outcome::Unsendable { .. } => assert_eq!(arrived, 0, "{report}"),
            Outcome::Lost { .. } => {}
            Outcome::Success
            | Outcome::Code { .. }
            | Outcome::Moved { .. }
            | Outcome::TokenRenewed
            | Outcome::NotInBatch
            | Outcome::NoToken { .. }
            | Outcome::NoEnvelope { .. } => {
                assert_eq!(arrived, 1, "{report}");
            }
        }
    }
}
