//! The sender's side: a process that makes one write over a connection that stands.

use std::fmt;
use std::io::{Read as _, stdin};
use std::net::SocketAddr;
use std::time::Duration;

use retry_runtime::{Client, Policy, Settle};
use serde_json::json;
use tokio::process::Command;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use crate::deals::{NewDeal, OriginKey, add_blind_deal, list_deals};
use crate::network::PORTAL;
use crate::portal::{PORT, SECRET};

const TCP_PART: &str = "LATE_LANDING_TCP_PART";

pub(crate) const READY: &str = "the connection stands";

/// Who sends.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Sender {
    /// The library's client, told this bound.
    Stated(Duration),
    /// The library's client as it is.
    Default,
    /// The HTTP library alone, without the option.
    WithoutBound,
}

impl Sender {
    /// Makes the command start this side.
    pub(crate) fn set(self, command: &mut Command) {
        let part = match self {
            Self::Stated(part) => part.as_secs().to_string(),
            Self::Default => "default".to_owned(),
            Self::WithoutBound => "none".to_owned(),
        };
        command.args(["sender::writes_once", "--exact", "--ignored", "--nocapture"]).env(TCP_PART, part);
    }

    fn of(part: &str) -> Self {
        match part {
            "default" => Self::Default,
            "none" => Self::WithoutBound,
            seconds => Self::Stated(Duration::from_secs(seconds.parse().unwrap())),
        }
    }
}

impl fmt::Display for Sender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stated(part) => write!(f, "TCP user timeout {part:?}, as stated to the client"),
            Self::Default => f.write_str("TCP user timeout 10s, the client's default"),
            Self::WithoutBound => f.write_str("no TCP user timeout, a plain HTTP client"),
        }
    }
}

#[ignore = "the sender of the stories, started by them as a process of its own"]
#[tokio::test]
async fn writes_once() {
    let part = std::env::var(TCP_PART).expect("it is started by the other tests");
    match Sender::of(&part) {
        Sender::Stated(part) => with_the_library(Settle::cloud().tcp(part)).await,
        Sender::Default => with_the_library(Settle::cloud()).await,
        Sender::WithoutBound => with_a_plain_client().await,
    }
}

async fn with_the_library(settle: Settle) {
    // Without TLS the client goes to this machine only, so the name is bent to the other.
    let portal = SocketAddr::new(PORTAL.parse().unwrap(), PORT);
    let client = Client::builder()
        .webhook(&format!("http://localhost:{PORT}/rest/1/{SECRET}/"))
        .http(move |http| http.resolve("localhost", portal))
        .policy(Policy::new().attempts(1))
        .settle(settle)
        .build()
        .unwrap();
    list_deals(&client, &OriginKey::of("late")).await.unwrap();
    told_to_go().await;
    panic!("it should have been killed: {:?}", add_blind_deal(&client, &NewDeal::of("late")).await);
}

async fn with_a_plain_client() {
    // It wants one even where nothing is encrypted.
    rustls::crypto::ring::default_provider().install_default().unwrap();
    let client = reqwest::Client::builder().no_proxy().tcp_user_timeout(None).build().unwrap();
    let send = async |method: &str, body| {
        let request = client.post(format!("http://{PORTAL}:{PORT}/rest/1/{SECRET}/{method}")).json(&body);
        request.send().await?.error_for_status()?.bytes().await
    };
    send("crm.deal.list", json!({})).await.unwrap();
    told_to_go().await;
    let answer = send("crm.deal.add", json!({ "fields": NewDeal::of("late") })).await;
    panic!("it should have been killed: {answer:?}");
}

/// Says that the connection stands, and waits for a byte.
async fn told_to_go() {
    // The connection goes back to the pool in a task of its own.
    sleep(Duration::from_millis(200)).await;
    // The harness may have begun the line.
    println!("\n{READY}");
    spawn_blocking(|| stdin().read_exact(&mut [0])).await.unwrap().expect("the test is gone");
}
