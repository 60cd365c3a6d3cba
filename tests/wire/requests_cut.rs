//! Requests that the server stops reading at any byte, and kept connections that end at any moment: lost, and never sent twice.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use retry_runtime::report::{Ending, Outcome};
use retry_runtime::{CallError, Client, Effect, Report};
use tokio::net::TcpStream;

use crate::support::{
    Conn, NewDeal, OriginKey, Seen, Server, Told, add_blind_deal, answer, client, list_deals, millis, patient, policy,
    secs,
};

const LARGE: usize = 2_000_000;

fn deal(large: bool) -> NewDeal {
    NewDeal { title: "x".repeat(if large { LARGE } else { 10 }), ..NewDeal::of("x") }
}

fn once(server: &Server) -> (Client, Seen) {
    let seen = Seen::default();
    let builder = client(&server.webhook()).observer(seen.clone()).policy(policy().attempts(3)).settle(patient());
    (builder.connect_timeout(secs(60)).attempt_timeout(secs(60)).build().unwrap(), seen)
}

/// A write that ended so is in doubt after one send, and no byte of it went over another connection.
#[track_caller]
fn is_lost_once(error: &CallError, report: &Report, story: &str) {
    assert!(matches!(error, CallError::InDoubt(_)), "{story}: {error}");
    assert_eq!((error.effect(), report.attempts().len()), (Effect::Unknown, 1), "{story}: {error}");
    let Outcome::Lost { why } = &report.attempts()[0].outcome else { panic!("{story}: {error}") };
    assert!(!why.contains("timeout"), "the fault ends the attempt: {story}: {error}");
}

/// How a server ends a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ends {
    Closes,
    Resets,
    /// Says that it sends no more, and reads on.
    Halves,
}

const ENDS: [Ends; 3] = [Ends::Closes, Ends::Resets, Ends::Halves];

async fn end(mut conn: Conn<TcpStream>, how: Ends) {
    match how {
        Ends::Closes => {}
        Ends::Resets => conn.reset(),
        Ends::Halves => {
            let _ = tokio::io::AsyncWriteExt::shutdown(&mut conn.stream).await;
            conn.drain().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p2_a_request_that_is_read_up_to_any_byte_is_lost_and_sent_once() {
    let whole = Server::answering(answer("17")).await;
    add_blind_deal(&once(&whole).0, &deal(false)).await.unwrap();
    let small = whole.read().concat().len();
    let mut lengths: Vec<usize> = (1..=small).step_by(3).collect();
    lengths.extend([small, 4_096, 65_536, 65_537, 1_000_000, LARGE]);
    let mut running = tokio::task::JoinSet::new();
    let at_once = Arc::new(tokio::sync::Semaphore::new(16));
    for how in ENDS {
        for length in lengths.clone() {
            let at_once = Arc::clone(&at_once);
            running.spawn(async move {
                let _permit = at_once.acquire().await.unwrap();
                let server = Server::start(move |mut conn: Conn<TcpStream>| async move {
                    if conn.exactly(length).await {
                        end(conn, how).await;
                    }
                })
                .await;
                let (client, seen) = once(&server);
                let error = add_blind_deal(&client, &deal(length > small)).await.unwrap_err();
                is_lost_once(&error, &seen.only(Told::Finished), &format!("{how:?} after {length} bytes"));
                assert_eq!(server.connections(), 1, "{how:?} after {length} bytes");
            });
        }
    }
    while let Some(ended) = running.join_next().await {
        ended.unwrap();
    }
}

/// At which moment a kept connection ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Moment {
    /// After so many bytes of the next request were read.
    Read(usize),
    /// When the next request has arrived and none of it was read.
    Arrived,
    /// When the next request was read.
    Whole,
    /// When a part of the answer to it was sent.
    Answering,
}

/// Answers the first request of the first connection and ends that one in the course of the second; any other connection is served. Says when
/// a second request came over the first connection.
async fn kept_until(moment: Moment, how: Ends, reused: Arc<AtomicBool>) -> Server {
    Server::start(move |mut conn: Conn<TcpStream>| {
        let reused = Arc::clone(&reused);
        async move {
            let first = conn.number == 0;
            while conn.request().await.is_some() {
                conn.send(&answer("[]")).await;
                if !first {
                    continue;
                }
                reused.store(conn.stream.peek(&mut [0]).await.is_ok_and(|there| there > 0), Ordering::SeqCst);
                match moment {
                    Moment::Read(length) => {
                        conn.exactly(length).await;
                    }
                    Moment::Arrived => {}
                    Moment::Whole => {
                        conn.request().await;
                    }
                    Moment::Answering => {
                        conn.request().await;
                        conn.send(b"HTTP/1.1 200 OK\r\nContent-Le").await;
                        tokio::time::sleep(millis(2)).await;
                    }
                }
                return end(conn, how).await;
            }
        }
    })
    .await
}

/// Makes this call after a read over the same connection. The HTTP client may put that one back too late: then it is done again.
async fn on_a_kept_connection(
    moment: Moment,
    how: Ends,
    call: impl AsyncFn(&Client) -> Result<(), CallError>,
) -> (Server, Report, Result<(), CallError>) {
    for _ in 0..50 {
        let reused = Arc::new(AtomicBool::new(false));
        let server = kept_until(moment, how, Arc::clone(&reused)).await;
        let (client, seen) = once(&server);
        list_deals(&client, &OriginKey::of("x")).await.unwrap();
        tokio::time::sleep(millis(5)).await;
        let outcome = call(&client).await;
        if reused.load(Ordering::SeqCst) {
            return (server, seen.all()[1].1.clone(), outcome);
        }
    }
    panic!("no connection was used again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p4_a_write_on_a_kept_connection_that_ends_under_it_is_not_sent_again() {
    let moments =
        [1, 10, 100, 250].map(Moment::Read).into_iter().chain([Moment::Arrived, Moment::Whole, Moment::Answering]);
    for moment in moments {
        for how in ENDS {
            for large in [false, true] {
                let story = format!("{moment:?}, {how:?}, large: {large}");
                let call = async |client: &Client| add_blind_deal(client, &deal(large)).await.map(|_| ());
                let (server, report, outcome) = on_a_kept_connection(moment, how, call).await;
                is_lost_once(&outcome.expect_err(&story), &report, &story);
                assert_eq!(server.connections(), 1, "nothing went over another connection: {story}");
            }
        }
    }
}

/// A read is sent again, by the loop: that is an attempt of its own.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p4_a_read_on_a_kept_connection_that_ends_under_it_is_an_attempt_more() {
    for how in ENDS {
        for moment in [Moment::Read(10), Moment::Arrived, Moment::Whole, Moment::Answering] {
            let call = async |client: &Client| list_deals(client, &OriginKey::of("x")).await.map(|_| ());
            let (server, report, outcome) = on_a_kept_connection(moment, how, call).await;
            outcome.unwrap();
            assert_eq!((report.ending(), report.attempts().len()), (Ending::Done, 2), "{moment:?}, {how:?}: {report}");
            assert!(matches!(report.attempts()[0].outcome, Outcome::Lost { .. }), "{moment:?}, {how:?}: {report}");
            assert_eq!(server.connections(), 2, "{moment:?}, {how:?}");
        }
    }
}

/// The connection ends before the next request is written: whoever notices first, each call arrives once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p4_a_kept_connection_that_ends_before_the_next_request_carries_nothing_twice() {
    for how in [Ends::Closes, Ends::Resets] {
        let server = Server::start(move |mut conn: Conn<TcpStream>| async move {
            if conn.request().await.is_some() {
                conn.send(&answer("17")).await;
                end(conn, how).await;
            }
        })
        .await;
        let (client, seen) = once(&server);
        for round in 0..100 {
            let sent = NewDeal::of(&format!("round-{round}-"));
            let _ = add_blind_deal(&client, &sent).await;
            for _ in 0..round % 10 {
                tokio::task::yield_now().await;
            }
        }
        let read = String::from_utf8_lossy(&server.read().concat()).into_owned();
        for (round, (_, report)) in seen.all().iter().enumerate() {
            let arrived = read.matches(&format!(r#""ORIGIN_ID":"round-{round}-""#)).count();
            let sent: Vec<_> = report.attempts().iter().filter(|attempt| attempt.sent_at.is_some()).collect();
            assert!(arrived <= 1 && sent.len() == 1, "{arrived} times on the wire: {report}");
            let done = report.ending() == Ending::Done;
            assert!(done || report.ending() == Ending::InDoubt, "{report}");
            assert!(!done || arrived == 1, "{report}");
        }
    }
}
