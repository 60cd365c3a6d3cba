//! Late landing: a request that stood in the kernel's send queue when its process was killed is not applied later than the settle time counts on.
//!
//! Bytes that a process has handed to its kernel do not die with it: the kernel goes on to send them. What bounds that is the TCP user timeout
//! that the library sets on its sockets. Each story here loses all that a sender sends to a portal, lets it write, kills it with
//! SIGKILL, and lets packets arrive again. The library's client plays it beside a plain one without the option, whose request does arrive: a test of the test.
//!
//! It needs root and `ip` and `ss` for network namespaces: `cargo test --test late_landing --features outside -- --nocapture`.
// Clippy takes what tests share for test code only below this.
#![cfg(test)]
#![cfg(target_os = "linux")]

#[path = "../support/deals.rs"]
#[allow(dead_code, reason = "each test crate uses its own part of this")]
mod deals;
mod network;
mod portal;
mod sender;
mod story;

use std::time::Duration;

use tokio::join;

use crate::network::Network;
use crate::sender::Sender;
use crate::story::{Landing, Times, play};

const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

#[tokio::test]
async fn p3_what_a_killed_process_left_in_the_kernel_is_not_applied_after_the_stated_tcp_part() {
    compare(Sender::Stated(secs(3)), Times { lost: secs(8), watch: secs(13) }).await;
}

#[tokio::test]
async fn p3_what_a_killed_process_left_in_the_kernel_is_not_applied_after_the_default_tcp_part() {
    compare(Sender::Default, Times { lost: secs(15), watch: secs(20) }).await;
}

/// Plays the story with the library's client, and at the same time with a client that has no bound.
///
/// A kernel doubles the wait between two of its tries. Who watches for longer than packets were lost has seen the next one.
async fn compare(ours: Sender, times: Times) {
    let Some(first) = Network::new().await else { return };
    let Some(second) = Network::new().await else { return };
    let (bounded, unbounded) = join!(play(&first, ours, times), play(&second, Sender::WithoutBound, times));
    println!("{ours}: {bounded}\n{}: {unbounded}", Sender::WithoutBound);

    let landed = unbounded.landed.expect("the test shows nothing: without a bound the request has to arrive as well");
    assert!(landed > times.lost && landed > unbounded.killed, "it came while packets were lost: {unbounded}");
    assert!(unbounded.is_held_after_the_kill(), "{unbounded}");

    assert_eq!(bounded.landed, None, "applied after the process was dead: {bounded}");
    let Landing { held, .. } = bounded;
    assert!(held < times.lost, "the kernel still had it when packets arrived again: {bounded}");
}
