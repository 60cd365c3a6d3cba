//! Answers byte by byte: in single bytes, too many of them, too early, twice.

use retry_runtime::report::{Ending, Outcome};
use retry_runtime::{CallError, Client, Id, Policy};

use crate::support::{
    Conn, NewDeal, OriginKey, Seen, Server, Told, add_blind_deal, answer, client, list_deals, millis, secs,
};
use tokio::net::TcpStream;

/// A client that sends a read once and a write once.
fn once(server: &Server) -> Client {
    client(&server.webhook()).policy(Policy::new().attempts(1)).build().unwrap()
}

fn chunked(body: &str, last_chunk: bool) -> Vec<u8> {
    let mut bytes = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
    for byte in body.bytes() {
        bytes.extend_from_slice(b"1\r\n");
        bytes.push(byte);
        bytes.extend_from_slice(b"\r\n");
    }
    if last_chunk {
        bytes.extend_from_slice(b"0\r\n\r\n");
    }
    bytes
}

#[tokio::test]
async fn p2_an_answer_in_single_bytes_is_an_answer() {
    let server = Server::start(async |mut conn: Conn<TcpStream>| {
        conn.request().await;
        for byte in chunked(r#"{"result":17}"#, true) {
            conn.send(&[byte]).await;
            tokio::task::yield_now().await;
        }
        conn.drain().await;
    })
    .await;
    assert_eq!(add_blind_deal(&once(&server), &NewDeal::of("x")).await.unwrap(), Id(17));
    assert_eq!(server.requests(), 1);
}

#[tokio::test]
async fn p4_interim_answers_are_not_the_answer_and_cause_no_request() {
    let mut bytes = Vec::new();
    for interim in ["100 Continue", "102 Processing", "103 Early Hints\r\nLink: </x>; rel=preload", "199 Odd"] {
        bytes.extend_from_slice(format!("HTTP/1.1 {interim}\r\n\r\n").as_bytes());
    }
    bytes.extend(answer("17"));
    let server = Server::answering(bytes).await;
    assert_eq!(add_blind_deal(&once(&server), &NewDeal::of("x")).await.unwrap(), Id(17));
    assert_eq!(server.requests(), 1);
}

#[tokio::test]
async fn p2_interim_answers_alone_and_switched_protocols_are_a_loss() {
    for bytes in
        ["HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n{\"result\":17}"]
    {
        let server = Server::answering(bytes).await;
        let error = add_blind_deal(&once(&server), &NewDeal::of("x")).await.unwrap_err();
        assert!(matches!(error, CallError::InDoubt(_)), "{error}");
        assert_eq!(server.requests(), 1);
    }
}

/// A head with so many headers of this length in front of a success.
fn flood(headers: usize, length: usize) -> Vec<u8> {
    let line = format!("X-Flood: {}\r\n", "x".repeat(length));
    let rest = String::from_utf8(answer("17")).unwrap();
    let (status, rest) = rest.split_once("\r\n").unwrap();
    format!("{status}\r\n{}{rest}", line.repeat(headers)).into_bytes()
}

#[tokio::test]
async fn p5_a_flood_of_headers_ends_the_attempt_and_not_the_program() {
    assert_eq!(
        add_blind_deal(&once(&Server::answering(flood(50, 20)).await), &NewDeal::of("x")).await.unwrap(),
        Id(17)
    );
    for bytes in [flood(10_000, 20), flood(1, 10_000_000)] {
        let server = Server::answering(bytes).await;
        let error = add_blind_deal(&once(&server), &NewDeal::of("x")).await.unwrap_err();
        assert!(matches!(error, CallError::InDoubt(_)), "{error}");
        assert_eq!(server.requests(), 1);
        assert!(error.to_string().len() < 5_000, "the error repeats the flood");
    }
}

#[tokio::test]
async fn p5_an_endless_head_is_bounded_by_the_attempt_timeout() {
    let server = Server::start(async |mut conn: Conn<TcpStream>| {
        conn.request().await;
        conn.send(b"HTTP/1.1 200 OK\r\n").await;
        loop {
            conn.send(b"X: y\r\n").await;
            tokio::time::sleep(millis(100)).await;
        }
    })
    .await;
    let client = client(&server.webhook()).attempt_timeout(secs(1)).build().unwrap();
    let error = add_blind_deal(&client, &NewDeal::of("x")).await.unwrap_err();
    assert!(matches!(error, CallError::InDoubt(_)), "{error}");
    assert!(error.to_string().contains("timeout"), "{error}");
    assert_eq!(server.requests(), 1);
}

#[tokio::test]
async fn p5_an_answer_above_the_limit_is_not_read_to_its_end() {
    let body = |spaces: usize| format!(r#"{{{}"result":17}}"#, " ".repeat(spaces));
    let exactly = 1_000 - body(0).len();
    for (spaces, fits) in [(exactly, true), (exactly + 1, false)] {
        for framed in [chunked(&body(spaces), true), sized(&body(spaces))] {
            let server = Server::answering(framed).await;
            let client = client(&server.webhook()).answer_limit(1_000).build().unwrap();
            match add_blind_deal(&client, &NewDeal::of("x")).await {
                Ok(id) => assert!(fits && id == Id(17), "{spaces}"),
                Err(error) => {
                    assert!(!fits && matches!(error, CallError::InDoubt(_)), "{error}");
                    assert!(error.to_string().contains("more than 1000 bytes"), "{error}");
                }
            }
        }
    }
    // One that never ends is given up at the limit, not at the attempt timeout.
    let server = Server::start(async |mut conn: Conn<TcpStream>| {
        conn.request().await;
        conn.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n").await;
        while tokio::io::AsyncWriteExt::write_all(&mut conn.stream, b"400\r\n").await.is_ok() {
            conn.send(&[b' '; 0x400]).await;
            conn.send(b"\r\n").await;
        }
    })
    .await;
    let client = client(&server.webhook()).answer_limit(1_000_000).build().unwrap();
    let error = add_blind_deal(&client, &NewDeal::of("x")).await.unwrap_err();
    assert!(error.to_string().contains("more than 1000000 bytes"), "{error}");
}

fn sized(body: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// The second answer belongs to nobody: it must not be taken for the answer to the next call, which is made at once.
#[tokio::test]
async fn p2_two_answers_to_one_request_do_not_answer_the_next_call() {
    let server = Server::start(async |mut conn: Conn<TcpStream>| {
        let first = if conn.number.is_multiple_of(2) { [answer("17"), answer("18")].concat() } else { answer("19") };
        conn.request().await;
        conn.send(&first).await;
        conn.drain().await;
    })
    .await;
    for round in 0..20 {
        let client = once(&server);
        assert_eq!(add_blind_deal(&client, &NewDeal::of("x")).await.unwrap(), Id(17));
        assert_eq!(add_blind_deal(&client, &NewDeal::of("y")).await.unwrap(), Id(19));
        assert_eq!((server.connections(), server.requests()), (2 * round + 2, 2 * round + 2));
    }
}

/// Whatever comes of it, the request is sent once and nothing is said that is not known.
#[tokio::test]
async fn p4_an_answer_before_the_request_was_read_causes_no_second_request() {
    for round in 0..20 {
        let server = Server::start(async |mut conn: Conn<TcpStream>| {
            conn.send(&answer("17")).await;
            conn.drain().await;
        })
        .await;
        let seen = Seen::default();
        let client = client(&server.webhook()).observer(seen.clone()).build().unwrap();
        let outcome = add_blind_deal(&client, &NewDeal::of("x")).await;
        let report = seen.only(Told::Finished);
        assert!(matches!(report.ending(), Ending::Done | Ending::InDoubt), "{round}: {outcome:?}");
        assert_eq!((report.attempts().len(), server.connections()), (1, 1), "{report}");
        assert!(server.requests() <= 1);
        assert!(!matches!(report.attempts()[0].outcome, Outcome::NotSent { .. }), "{report}");
    }
}

#[tokio::test]
async fn p2_an_early_answer_to_a_large_request_is_heard_or_in_doubt() {
    let server = Server::start(async |mut conn: Conn<TcpStream>| {
        conn.part().await;
        conn.send(b"HTTP/1.1 413 Payload Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n").await;
    })
    .await;
    let client = client(&server.webhook()).build().unwrap();
    let mut deal = NewDeal::of("x");
    deal.title = "x".repeat(4_000_000);
    let error = add_blind_deal(&client, &deal).await.unwrap_err();
    assert!(matches!(error, CallError::InDoubt(_)), "{error}");
    assert_eq!((error.report().attempts().len(), server.requests()), (1, 1));
}

#[tokio::test]
async fn p4_one_connection_carries_call_after_call() {
    let server = Server::start(async |mut conn: Conn<TcpStream>| {
        while conn.request().await.is_some() {
            conn.send(&answer("[]")).await;
        }
    })
    .await;
    let client = once(&server);
    for _ in 0..20 {
        list_deals(&client, &OriginKey::of("x")).await.unwrap();
    }
    assert_eq!((server.connections(), server.requests()), (1, 20));
}
