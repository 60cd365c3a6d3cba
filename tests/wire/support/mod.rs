//! What the wire tests share: scaled times, clients, a server of the test's own bytes, and every fault that the portal can make.

mod bytes;
mod faults;
mod recorder;
mod server;
mod tls;

#[path = "../../support/deals.rs"]
#[allow(dead_code, reason = "shared with the tests on paused time, which use more of it")]
mod deals;
#[path = "../../support/seen.rs"]
mod seen;

use std::time::Duration;

use retry_portal::{Fault, Portal, PortalBuilder};
use retry_runtime::{Client, ClientBuilder, Policy, Proof, Settle};

pub(crate) use bytes::{CALLS, Call, Case, End, all_hold};
pub(crate) use deals::{NewDeal, OriginKey, add_blind_deal, add_deal, list_deals};
pub(crate) use faults::{Means, Row, every_answer};
pub(crate) use recorder::Recorder;
pub(crate) use seen::{Seen, Told};
pub(crate) use server::{Conn, Server, answer};
pub(crate) use tls::Tls;

pub(crate) const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

pub(crate) const fn millis(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// Real seconds of one second of portal time: the execution limit of 60 s is 0.6 s.
pub(crate) const SCALE: f64 = 0.01;

/// The secret of a portal whose redirects must be known before it starts.
pub(crate) const SECRET: &str = "abcdefgh12345678";

/// The settle time on this scale: 1.7 s after a loss, 0.8 s after an answer that ended the request. Both are longer than the portal works.
pub(crate) fn settle() -> Settle {
    Settle::self_hosted(millis(600))
        .tcp(millis(300))
        .gateway_queue(Duration::ZERO)
        .list_lag(millis(200))
        .margin(millis(600))
        .hosted_app(Duration::ZERO)
}

/// The same for tests in which only the fault ends an attempt: on a busy machine the kernel may be slow as well.
pub(crate) fn patient() -> Settle {
    settle().tcp(secs(60))
}

/// The usual limits with short pauses.
pub(crate) fn policy() -> Policy {
    Policy::new().deadline(secs(60)).backoff(millis(10), millis(50))
}

/// A client whose times are scaled, to be changed.
pub(crate) fn client(url: &str) -> ClientBuilder {
    // Reading the certificates of the machine takes longer than most of these tests.
    bare_client(url).http(|http| http.tls_certs_only([]))
}

/// The same without a word to the HTTP client. Its verifiers are believed: tests that count requests are not about the first read-back.
pub(crate) fn bare_client(url: &str) -> ClientBuilder {
    let builder = Client::builder().webhook(url).settle(settle()).policy(policy()).proof(Proof::Off);
    builder.connect_timeout(secs(5)).attempt_timeout(secs(10))
}

/// A client whose every end is remembered.
pub(crate) fn observed(url: &str) -> (Client, Seen) {
    let seen = Seen::default();
    (client(url).observer(seen.clone()).build().unwrap(), seen)
}

/// A portal whose times are scaled, to be changed.
pub(crate) fn portal() -> PortalBuilder {
    Portal::builder().no_rate_limit().time_scale(SCALE)
}

/// The same, running, with a script for one method.
pub(crate) async fn scripted(method: &str, faults: impl IntoIterator<Item = Fault>) -> Portal {
    portal().script(method, faults).start().await.unwrap()
}
