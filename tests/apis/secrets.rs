//! P7: keys and tokens are in no error, report, `Debug` output or log line.

use std::cell::{Cell, RefCell};
use std::io;
use std::sync::{Arc, Mutex, Once};

use retry_portal::{Answer, Coded, Fault, Portal, Raw};
use retry_runtime::oauth::{Application, MemoryStore, Tokens};
use retry_runtime::{CallError, Client, Id, Observer, Report};
use tracing_subscriber::filter::dynamic_filter_fn;
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};

use crate::setting::{portal, scaled};
use crate::stubs::{NewDeal, PlainDeal, add_blind_deal, add_deal, add_plain_deal, get_deal, say};

/// An observer that keeps the reports.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reports(Arc<Mutex<Vec<Report>>>);

impl Reports {
    pub(crate) fn last(&self) -> Report {
        self.0.lock().unwrap().last().expect("a report").clone()
    }
}

impl Observer for Reports {
    fn finished(&self, report: &Report) {
        self.0.lock().unwrap().push(report.clone());
    }
}

thread_local! {
    /// Whether this thread keeps its log.
    static KEEPS: Cell<bool> = const { Cell::new(false) };
    static LOG: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Writes to the log of its thread.
struct Log;

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        LOG.with_borrow_mut(|log| log.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What can be seen of errors, reports and clients.
#[derive(Default)]
struct Shown(Vec<String>);

impl Shown {
    fn add<T: std::fmt::Debug>(&mut self, result: Result<T, CallError>) {
        if let Err(error) = result {
            let report = error.report();
            self.0.push(format!("{error}\n{error:?}\n{report}\n{report:#?}\n{}\n", error.failure().why()));
        }
    }
}

/// Runs it under a log that takes everything, and gives what was logged. The runtime of the test has one thread.
async fn logged(work: impl Future<Output = ()>) -> String {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let kept = dynamic_filter_fn(|_, _| KEEPS.get());
        let layer = tracing_subscriber::fmt::layer().with_writer(|| Log).with_filter(kept);
        tracing::subscriber::set_global_default(tracing_subscriber::registry().with(layer)).unwrap();
    });
    KEEPS.set(true);
    work.await;
    KEEPS.set(false);
    String::from_utf8(LOG.take()).unwrap()
}

/// Answers that repeat what they were sent with.
fn echoes(secrets: &[&str]) -> Vec<Fault> {
    let text = secrets.join(" and ");
    vec![
        Fault::never(Answer::Raw(Raw::new(502).body(format!("<html>{text}</html>")))),
        Fault::never(Answer::Coded(Coded::of("BITRIX_ERROR").description(text.as_str()))),
        Fault::never(Answer::Coded(Coded::of(text.as_str()))),
        Fault::never(Answer::Raw(Raw::json(200, &serde_json::json!({"success": true, "data": {"id": text}})))),
        Fault::never(Answer::Raw(Raw::json(200, &serde_json::json!({"result": text})))),
        Fault::never(Answer::Close),
    ]
}

#[tokio::test]
async fn p7_the_key_of_the_gateway_is_in_no_output() {
    let portal: Portal = portal().vibe_api_key("vibe_api_s3cr3tk3y").start().await.unwrap();
    let mut shown = Shown::default();
    let log = logged(async {
        let builder = Client::builder().vibe("vibe_api_s3cr3tk3y").vibe_session("vibe_session_s3cr3tb34r3r");
        let builder = scaled(builder.vibe_base(&portal.vibe_url()));
        shown.0.push(format!("{builder:?}"));
        let client = builder.build().unwrap();
        shown.0.push(format!("{client:?}"));
        for fault in echoes(&["vibe_api_s3cr3tk3y", "vibe_session_s3cr3tb34r3r"]) {
            portal.script("crm.deal.add", [fault.clone()]);
            portal.script("crm.deal.get", vec![fault; 9]);
            shown.add(add_deal(&client, &NewDeal::of("7")).await);
            shown.add(add_blind_deal(&client, &NewDeal::of("8")).await);
            shown.add(get_deal(&client, Id(1)).await);
        }
        shown.add(say(&client, "hello").await);
    })
    .await;
    let shown = shown.0.join("\n");
    assert!(log.contains("attempt ended") && shown.contains("[secret]"), "the test sees what is shown");
    for text in [&shown, &log] {
        for secret in ["s3cr3tk3y", "s3cr3tb34r3r"] {
            assert!(!text.contains(secret), "{}", text.lines().find(|line| line.contains(secret)).unwrap_or_default());
        }
    }
}

#[tokio::test]
async fn p7_tokens_and_the_client_secret_are_in_no_output() {
    let portal = portal().start().await.unwrap();
    let (id, secret) = portal.oauth_application();
    let (access, refresh) = portal.oauth_tokens();
    let mut shown = Shown::default();
    let log = logged(async {
        let application = Application::new(id.as_str(), secret.as_str()).server(&portal.token_url()).unwrap();
        let tokens = Tokens::new(access.as_str(), refresh.as_str(), &portal.oauth_endpoint()).unwrap();
        shown.0.push(format!("{application:?} {tokens:?}"));
        let store = MemoryStore::new(tokens.clone());
        let builder = scaled(Client::builder().oauth(application, store, tokens));
        shown.0.push(format!("{builder:?}"));
        let client = builder.build().unwrap();
        shown.0.push(format!("{client:?}"));
        let deal = PlainDeal { title: "x".to_owned() };
        for fault in echoes(&[&access, &refresh]) {
            portal.script("crm.deal.add", [fault]);
            shown.add(add_plain_deal(&client, &deal).await);
        }
        portal.expire_tokens();
        for fault in echoes(&[&access, &refresh, &secret]) {
            portal.script("oauth.token", vec![fault; 3]);
            shown.add(add_plain_deal(&client, &deal).await);
        }
    })
    .await;
    let shown = shown.0.join("\n");
    assert!(log.contains("attempt ended") && shown.contains("[secret]"), "the test sees what is shown");
    for text in [&shown, &log] {
        for secret in [&access, &refresh, &secret] {
            let line = text.lines().find(|line| line.contains(secret.as_str()));
            assert!(line.is_none(), "{line:?}");
        }
    }
}
