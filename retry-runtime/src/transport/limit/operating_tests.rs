//! The operating time that a portal tells in its answers, from their bytes to the waits.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use http::{HeaderMap, StatusCode};
use serde_json::Value;

use super::RateLimit;
use crate::api::{Api, Response, Rest};
use crate::clock::{Clock, Moment, PausedClock};
use crate::transport::{Answer, BoxFuture, Loss, Request, Transport, Wire};
use crate::{CallError, Client, Page, Policy, Reader, Settle, bitrix_method};

#[bitrix_method(name = "crm.deal.list", kind = read)]
async fn deals(reader: &Reader) -> Result<Page<Value>, CallError>;

#[bitrix_method(name = "crm.lead.list", kind = read)]
async fn leads(reader: &Reader) -> Result<Page<Value>, CallError>;

const REFUSED: &str = r#"{"error":"OPERATION_TIME_LIMIT","error_description":"text"}"#;

/// Answers with bodies.
#[derive(Debug)]
struct Portal {
    api: Api,
    clock: PausedClock,
    start: Moment,
    bodies: Mutex<VecDeque<String>>,
    times: Mutex<Vec<(&'static str, Duration)>>,
}

#[derive(Debug, Clone)]
struct Handle(Arc<Portal>);

impl Handle {
    fn answering(bodies: impl IntoIterator<Item = String>) -> Self {
        let clock = PausedClock::starting_at(SystemTime::UNIX_EPOCH + Duration::from_secs(1_796_000_000));
        Self(Arc::new(Portal {
            api: Api::Rest(Rest::webhook("https://acme.bitrix24.com/rest/1/abcdefgh12345678/").unwrap()),
            clock,
            start: clock.now(),
            bodies: Mutex::new(bodies.into_iter().collect()),
            times: Mutex::default(),
        }))
    }

    fn client(&self, limit: RateLimit) -> Client {
        let builder = Client::builder().transport(self.clone()).clock(self.0.clock).settle(Settle::cloud());
        builder
            .rate_limit(limit)
            .policy(Policy::new().backoff(Duration::from_millis(1), Duration::from_millis(1)))
            .build()
            .unwrap()
    }

    /// When the requests of a method came, in whole seconds.
    fn times(&self, method: &str) -> Vec<u64> {
        let times = self.0.times.lock().unwrap();
        times.iter().filter(|(sent, _)| *sent == method).map(|(_, at)| at.as_secs()).collect()
    }
}

impl Transport for Handle {
    fn send<'a>(&'a self, request: &'a Request, wire: &'a Arc<Wire>) -> BoxFuture<'a, Result<Answer, Loss>> {
        Box::pin(async move {
            let now = self.0.clock.now();
            assert!(wire.claim(now));
            self.0.times.lock().unwrap().push((request.method, now.at_least_since(self.0.start)));
            let body = self.0.bodies.lock().unwrap().pop_front().unwrap_or_else(|| success("{}"));
            let response = Response {
                request,
                path: "",
                status: StatusCode::OK,
                headers: HeaderMap::new(),
                body: body.into(),
                received: now,
                last_byte_by: now,
            };
            Ok(self.0.api.answer(&response, self.0.api.secrets()))
        })
    }
}

fn success(time: &str) -> String {
    format!(r#"{{"result":[],"total":0,"time":{time}}}"#)
}

/// It has used so much, and less of it counts at `resets`; it is 1796000000 at the portal.
fn time(used: &str, resets: &str) -> String {
    success(&format!(r#"{{"finish":1796000000,"operating":{used},"operating_reset_at":{resets}}}"#))
}

#[tokio::test(start_paused = true)]
async fn case_b28_a_method_waits_until_the_time_that_the_portal_named_and_others_do_not() {
    for resets in ["1796000035", "1796000035.0", "\"1796000035\""] {
        let portal = Handle::answering([time("470.2", resets), REFUSED.to_owned()]);
        let client = portal.client(RateLimit::none());
        deals(&client).await.unwrap();
        let (again, other) = tokio::join!(deals(&client), leads(&client));
        again.unwrap();
        other.unwrap();
        assert_eq!(
            (portal.times("crm.deal.list"), portal.times("crm.lead.list")),
            (vec![0, 0, 35], vec![0]),
            "{resets}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn case_b28_a_time_in_the_past_or_none_is_a_minute() {
    for first in
        [time("470.2", "1795999999"), time("470.2", "null"), time("470.2", "[]"), success("[]"), success("null")]
    {
        let portal = Handle::answering([first.clone(), REFUSED.to_owned()]);
        let client = portal.client(RateLimit::cloud().operating_limit(Duration::from_secs(600)));
        deals(&client).await.unwrap();
        deals(&client).await.unwrap();
        assert_eq!(portal.times("crm.deal.list"), [0, 0, 60], "{first}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_method_slows_down_before_it_is_refused() {
    let portal = Handle::answering([time("431.9", "1796000035"), time("432.0", "1796000035")]);
    let client = portal.client(RateLimit::cloud());
    for _ in 0..4 {
        deals(&client).await.unwrap();
        leads(&client).await.unwrap();
    }
    // The second answer was to leads.
    assert_eq!(
        (portal.times("crm.deal.list"), portal.times("crm.lead.list")),
        (vec![0, 0, 35, 35], vec![0, 35, 35, 35])
    );
}
