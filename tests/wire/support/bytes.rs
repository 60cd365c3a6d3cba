//! A portal in bytes: the first request of a call is answered by the test, any later one as a portal that has the record does.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use retry_runtime::report::{Ending, Outcome};
use retry_runtime::{CallError, Effect, Report};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::deals::{NewDeal, OriginKey, add_blind_deal, add_deal, list_deals};
use super::faults::Means;
use super::seen::{Seen, Told};
use super::server::{Conn, Server, answer};
use super::{client, patient, policy, secs};

/// The calls that meet each answer.
pub(crate) const CALLS: [Call; 3] = [Call::Read, Call::Verified, Call::Blind];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    Read,
    Verified,
    Blind,
}

impl Call {
    /// The result of a success.
    pub(crate) const fn result(self) -> &'static str {
        match self {
            Self::Read => "[]",
            Self::Verified | Self::Blind => "17",
        }
    }

    const fn method(self) -> &'static str {
        match self {
            Self::Read => "crm.deal.list",
            Self::Verified | Self::Blind => "crm.deal.add",
        }
    }
}

/// How the connection goes on after the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Close,
    Reset,
    /// It stays open until the client goes.
    Stay,
}

/// One answer to one call.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) call: Call,
    pub(crate) bytes: Vec<u8>,
    pub(crate) end: End,
    /// `None` where a race decides, and either is true.
    pub(crate) means: Option<Means>,
}

/// How often each method was asked for with each mark.
type Counts = Arc<Mutex<HashMap<(String, String), usize>>>;

/// Makes the call of every case, many at once: each ends as the table of the design says, with one request for each attempt.
pub(crate) async fn all_hold(cases: Vec<Case>) {
    assert!(!cases.is_empty());
    let counts = Counts::default();
    let marked = |number: usize| format!("case-{number}-");
    let faults: HashMap<String, Case> =
        cases.iter().enumerate().map(|(number, case)| (marked(number), case.clone())).collect();
    let server = Server::start({
        let (counts, faults) = (Arc::clone(&counts), Arc::new(faults));
        move |conn| serve(conn, Arc::clone(&counts), Arc::clone(&faults))
    })
    .await;
    let url = server.webhook();
    let at_once = Arc::new(Semaphore::new(24));
    let mut running = JoinSet::new();
    for (number, case) in cases.into_iter().enumerate() {
        let (at_once, url, counts) = (Arc::clone(&at_once), url.clone(), Arc::clone(&counts));
        running.spawn(async move {
            let _permit = at_once.acquire().await.unwrap();
            case.holds(&url, &marked(number), &counts).await;
        });
    }
    let mut failed = 0;
    while let Some(ended) = running.join_next().await {
        failed += usize::from(ended.is_err());
    }
    assert_eq!(failed, 0, "cases failed, see above");
}

async fn serve(mut conn: Conn<TcpStream>, counts: Counts, faults: Arc<HashMap<String, Case>>) {
    while let Some(request) = conn.request().await {
        let text = String::from_utf8_lossy(&request);
        let method = between(&text, "/abcdefgh12345678/", " ");
        let mark = between(&text, r#""ORIGIN_ID":""#, "\"");
        let before = {
            let mut counts = counts.lock().unwrap();
            let count = counts.entry((method.clone(), mark.clone())).or_default();
            *count += 1;
            *count - 1
        };
        let Some(case) = faults.get(&mark).filter(|case| before == 0 && case.call.method() == method) else {
            conn.send(&said(&method, &mark)).await;
            continue;
        };
        conn.send(&case.bytes).await;
        match case.end {
            End::Close => {}
            End::Reset => {
                // What was sent before a reset is to arrive before it.
                tokio::time::sleep(super::millis(2)).await;
                conn.reset();
            }
            End::Stay => conn.drain().await,
        }
        return;
    }
}

fn said(method: &str, mark: &str) -> Vec<u8> {
    if method == Call::Read.method() {
        answer(&format!(r#"[{{"ID":"17","ORIGIN_ID":"{mark}"}}]"#))
    } else {
        answer("17")
    }
}

fn between(text: &str, before: &str, after: &str) -> String {
    let rest = text.split_once(before).map_or("", |(_, rest)| rest);
    rest.split_once(after).map_or("", |(part, _)| part).to_owned()
}

impl Case {
    async fn holds(&self, url: &str, mark: &str, counts: &Counts) {
        let seen = Seen::default();
        let builder = client(url).observer(seen.clone()).policy(policy().attempts(2)).settle(patient());
        let client = builder.connect_timeout(secs(60)).attempt_timeout(secs(60)).build().unwrap();
        let deal = NewDeal::of(mark);
        let error = match self.call {
            Call::Read => list_deals(&client, &OriginKey::of(mark)).await.err(),
            Call::Verified => add_deal(&client, &deal).await.err(),
            Call::Blind => add_blind_deal(&client, &deal).await.err(),
        };
        let report = seen.only(Told::Finished);
        let story = format!(
            "{} x {:?}:\n{}\n{report}",
            self.name,
            self.call,
            String::from_utf8_lossy(&self.bytes[..self.bytes.len().min(300)])
        );
        let success = match self.means {
            Some(Means::Success) => true,
            Some(Means::Unknown) => false,
            None => report.attempts()[0].outcome == Outcome::Success,
            other @ Some(_) => panic!("no answer in bytes means {other:?}"),
        };
        self.ended(success, error.as_ref(), &report, &story);
        assert!(report.to_string().len() < 5_000, "the report repeats a flood: {story}");

        let count = |method: &str| counts.lock().unwrap().get(&(method.to_owned(), mark.to_owned())).copied();
        let reads: usize = report.checks().iter().map(|check| check.reads.len()).sum();
        let (sends, lists) = match self.call {
            Call::Read => (count("crm.deal.list"), None),
            Call::Verified | Call::Blind => (count("crm.deal.add"), count("crm.deal.list")),
        };
        assert_eq!(
            (sends, lists.unwrap_or(0)),
            (Some(report.attempts().len()), reads),
            "requests on the wire: {story}"
        );
    }

    /// What the table says of a success and of a lost answer.
    fn ended(&self, success: bool, error: Option<&CallError>, report: &Report, story: &str) {
        let first = &report.attempts()[0];
        assert!(first.sent_at.is_some(), "{story}");
        let lost = matches!(first.outcome, Outcome::Lost { .. } | Outcome::NoEnvelope { .. });
        assert_eq!((first.outcome == Outcome::Success, lost), (success, !success), "{story}");
        let expected = match (self.call, success) {
            (_, true) => (Ending::Done, None, 1),
            (Call::Read, false) => (Ending::Done, None, 2),
            (Call::Verified, false) => (Ending::Found, None, 1),
            (Call::Blind, false) => (Ending::InDoubt, Some(Effect::Unknown), 1),
        };
        assert_eq!((report.ending(), error.map(CallError::effect), report.attempts().len()), expected, "{story}");
    }
}
