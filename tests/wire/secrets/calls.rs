//! Every kind of call, and all that a program can show of it.

use std::error::Error as _;
use std::fmt::{Debug, Write as _};
use std::time::Duration;

use retry_runtime::{
    CallError, Client, ClientBuilder, Id, IdempotencyKey, Page, Proof, ReadBack, Reader, Settle, bitrix_method,
};

use super::ways_in::Way;
use crate::support::{NewDeal, OriginKey, Seen, add_blind_deal, add_deal, list_deals, policy, secs};

/// A deal that is found by its name, whatever the portal says it is called.
#[bitrix_method(name = "crm.deal.list", kind = read)]
async fn list_names(reader: &Reader) -> Result<Page<String>, CallError>;

#[bitrix_method(name = "crm.deal.add", kind = write, verify = find_name)]
async fn add_name(client: &Client, fields: &NewDeal) -> Result<String, CallError>;

async fn find_name(reader: &Reader, _fields: &NewDeal) -> Result<ReadBack<String>, CallError> {
    Ok(ReadBack::by_marker(list_names(reader).await?, Some))
}

/// A verifier that panics with what it has heard, and one that says it.
#[bitrix_method(name = "crm.deal.update", kind = write, verify = panics)]
async fn change_and_panic(client: &Client, id: u64, fields: &NewDeal) -> Result<bool, CallError>;

async fn panics(reader: &Reader, _id: u64, _fields: &NewDeal) -> Result<ReadBack<bool>, CallError> {
    let heard = list_deals(reader, &OriginKey::of("x")).await;
    panic!("on purpose: {heard:?}");
}

#[bitrix_method(name = "crm.deal.update", kind = write, verify = quotes)]
async fn change_and_quote(client: &Client, id: u64, fields: &NewDeal) -> Result<bool, CallError>;

async fn quotes(reader: &Reader, _id: u64, _fields: &NewDeal) -> Result<ReadBack<bool>, CallError> {
    Ok(match list_names(reader).await {
        Ok(page) => ReadBack::Unreliable(page.rows.join(", ").into()),
        Err(error) => ReadBack::Unreliable(error.to_string().into()),
    })
}

#[bitrix_method(name = "profile", kind = read)]
async fn profile(reader: &Reader) -> Result<Id, CallError>;

#[bitrix_method(name = "tasks.task.list", kind = read, version = 3)]
async fn list_tasks(reader: &Reader) -> Result<Page<Id>, CallError>;

#[bitrix_method(name = "tasks.task.add", kind = write, version = 3, idempotency_key = once)]
async fn add_task(client: &Client, fields: &NewDeal, once: &IdempotencyKey) -> Result<Id, CallError>;

/// No time at all, so that each call ends at once.
fn no_settle_time() -> Settle {
    let none = Duration::ZERO;
    let server = Settle::self_hosted(Duration::from_millis(1)).tcp(none).gateway_queue(none);
    server.list_lag(none).margin(none).hosted_app(none)
}

/// All that can be seen of every kind of call to this address.
pub(super) async fn shown_by_every_call(
    way: Way,
    address: &str,
    change: impl FnOnce(ClientBuilder) -> ClientBuilder,
) -> String {
    let seen = Seen::default();
    let builder = way.builder(address).settle(no_settle_time()).proof(Proof::Off).observer(seen.clone());
    let builder = builder.connect_timeout(secs(5)).attempt_timeout(secs(10)).http(|http| http.tls_certs_only([]));
    let builder = change(builder.policy(policy().attempts(1).deadline(secs(30))));
    let mut shown = format!("{builder:?} {builder:#?}\n");
    let client = builder.build().unwrap();
    let reader: &Reader = &client;
    let _ = writeln!(shown, "{client:?} {client:#?} {reader:?}");
    let deal = NewDeal::of("x");
    add(&mut shown, list_deals(&client, &OriginKey::of("x")).await);
    add(&mut shown, profile(&client).await);
    add(&mut shown, add_blind_deal(&client, &deal).await);
    add(&mut shown, add_deal(&client, &deal).await);
    let panicking = tokio::spawn({
        let (client, deal) = (client.clone(), deal.clone());
        async move { change_and_panic(&client, 1, &deal).await }
    });
    match panicking.await {
        Ok(ended) => add(&mut shown, ended),
        Err(panicked) => {
            let _ = writeln!(shown, "{panicked} {panicked:?}");
        }
    }
    add(&mut shown, change_and_quote(&client, 1, &deal).await);
    if way != Way::Vibe {
        add(&mut shown, list_tasks(&client).await);
        add(&mut shown, add_task(&client, &deal, &IdempotencyKey::random()).await);
    }
    // Its result is a text of the portal's, so that only its failure is ours.
    add(&mut shown, add_name(&client, &deal).await.map(|_| ()));
    for (told, report) in seen.all() {
        let _ = writeln!(shown, "{told:?} {report} {report:?} {:?}", report.checks());
        let reads = report.checks().iter().flat_map(|check| &check.reads);
        for attempt in report.attempts().iter().chain(reads) {
            let _ = writeln!(shown, "{attempt} {attempt:?} {} {:?}", attempt.outcome, attempt.outcome);
        }
    }
    shown
}

fn add<T: Debug>(shown: &mut String, result: Result<T, CallError>) {
    // What the portal gave as a result is the caller's.
    let Err(error) = result else { return };
    let (failure, report) = (error.failure(), error.report());
    let _ = writeln!(shown, "{error} {error:#} {error:?} {error:#?} {failure:?} {} {report}", failure.why());
    let _ = writeln!(shown, "{:?} {:?}", error.code(), error.code().map(retry_runtime::Code::as_str));
    let mut cause = error.source();
    while let Some(error) = cause {
        let _ = writeln!(shown, "{error} {error:#} {error:?} {error:#?}");
        cause = error.source();
    }
}
