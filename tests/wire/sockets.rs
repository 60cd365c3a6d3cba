//! What bounds an attempt on the socket: the attempt timeout, the TCP user timeout, the send window.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use retry_runtime::clock::{Clock, Moment, SystemClock};
use retry_runtime::report::{MayBeApplied, Outcome};
use retry_runtime::{CallError, Policy, Settle};
use tokio::net::TcpStream;

use crate::support::{Conn, NewDeal, Server, Tls, add_blind_deal, client, millis, secs, settle};

/// Takes the connection and never reads.
async fn deaf() -> Server {
    Server::start(async |conn: Conn<TcpStream>| {
        tokio::time::sleep(secs(60)).await;
        drop(conn);
    })
    .await
}

/// More than all buffers between two sockets hold.
fn large() -> NewDeal {
    NewDeal { title: "x".repeat(16 * 1024 * 1024), ..NewDeal::of("x") }
}

/// The kernel gives up bytes that the peer does not take, as the settle time counts on it. Only so can the option be seen from here: a deaf
/// peer, and an end long before the attempt timeout.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn p3_the_tcp_user_timeout_is_set_on_the_socket() {
    let server = deaf().await;
    let client = client(&server.webhook()).settle(settle().tcp(millis(500))).attempt_timeout(secs(50)).build().unwrap();
    let error = add_blind_deal(&client, &large()).await.unwrap_err();
    let attempt = &error.report().attempts()[0];
    assert!(error.to_string().contains("os error 110"), "ETIMEDOUT comes from the kernel: {error}");
    assert!(millis(500) <= attempt.took && attempt.took < secs(15), "{error}");
    assert!(matches!(attempt.outcome, Outcome::Lost { .. }), "{error}");
}

#[tokio::test]
async fn p5_the_attempt_timeout_ends_an_attempt_that_the_kernel_would_go_on_with() {
    let server = deaf().await;
    let client = client(&server.webhook()).settle(settle().tcp(secs(50))).attempt_timeout(secs(1)).build().unwrap();
    for deal in [large(), NewDeal::of("x")] {
        let error = add_blind_deal(&client, &deal).await.unwrap_err();
        let attempt = &error.report().attempts()[0];
        assert!(secs(1) <= attempt.took && attempt.took < secs(30), "{error}");
        assert!(error.to_string().contains("answer lost: timeout"), "{error}");
    }
}

/// A large body may leave until the attempt ends, a small one only within the send window.
#[tokio::test]
async fn p3_until_when_bytes_could_leave_is_counted_by_the_size_of_the_body() {
    let server = deaf().await;
    let parts = Settle::self_hosted(secs(100)).tcp(secs(50)).list_lag(Duration::ZERO).margin(Duration::ZERO);
    let client = client(&server.webhook())
        .settle(parts)
        .connect_timeout(millis(500))
        .attempt_timeout(secs(2))
        .policy(Policy::new().attempts(1))
        .build()
        .unwrap();
    // Its time of sending is told by the monotonic clock, the end by the wall clock: they may differ by a little.
    for (deal, least, most) in [(NewDeal::of("x"), 150_490, 151_500), (large(), 151_990, 160_000)] {
        let error = add_blind_deal(&client, &deal).await.unwrap_err();
        let sent = error.report().attempts()[0].sent_at.unwrap();
        let MayBeApplied::Until(until) = error.report().may_be_applied() else { panic!("{error}") };
        let counted = until.duration_since(sent).unwrap();
        assert!(millis(least) <= counted && counted < millis(most), "{counted:?}: {error}");
    }
}

/// A clock that goes on by a minute when it is told to, as after a suspend.
#[derive(Debug, Clone, Default)]
struct Jumping(Arc<AtomicBool>);

impl Clock for Jumping {
    fn now(&self) -> Moment {
        let now = SystemClock.now();
        if self.0.load(Ordering::SeqCst) { Moment::new(now.instant(), now.wall() + secs(60)) } else { now }
    }
}

/// The machine sleeps between the decision to send and the socket: nothing of the body may leave any more.
#[tokio::test]
async fn p3_a_body_that_missed_its_send_window_does_not_leave() {
    let clock = Jumping::default();
    let tls = Tls::new();
    let server = Server::start({
        let (tls, asleep) = (tls.clone(), Arc::clone(&clock.0));
        move |conn| {
            let (tls, asleep) = (tls.clone(), Arc::clone(&asleep));
            async move {
                // The handshake is not over yet, so the request cannot have left.
                asleep.store(true, Ordering::SeqCst);
                if let Some(mut conn) = tls.accept(conn).await {
                    conn.drain().await;
                }
            }
        }
    })
    .await;
    let client = tls.client(&server.secure_webhook()).clock(clock).build().unwrap();
    let error = add_blind_deal(&client, &NewDeal::of("x")).await.unwrap_err();
    let read = String::from_utf8_lossy(&server.read().concat()).into_owned();
    assert!(!read.contains("fields"), "the body left: {read}");
    assert!(matches!(error, CallError::InDoubt(_) | CallError::Exhausted(_)), "{error}");
    assert!(error.to_string().contains("the send window was over"), "{error}");
}
