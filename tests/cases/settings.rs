//! B77: a setting that changes nothing is a failure.
//!
//! What only a socket shows (`answer_limit`, the `http` hook, `proxy`) is with the wire tests.

use std::time::Duration;

use retry_runtime::journal::MemoryJournal;
use retry_runtime::report::MayBeApplied;
use retry_runtime::{Batching, CallError, Client, ClientBuilder, Id, Policy, Proof, RateLimit, Settle, bitrix_method};

use crate::support::{Fake, NewDeal, OriginKey, Seen, Step, Told, add_deal, list_deals, millis, secs};

/// What a client does, as the portal and the observer see it: when each request came, and until when a dropped write counted.
async fn footprint(change: impl FnOnce(ClientBuilder) -> ClientBuilder) -> (Vec<Duration>, Vec<Duration>) {
    let portal = Fake::new();
    let seen = Seen::default();
    let client = change(portal.builder().observer(seen.clone())).build().unwrap();
    let key = OriginKey::of("A-1");

    portal.then("crm.deal.list", vec![Step::code("QUERY_LIMIT_EXCEEDED"); 5]);
    let _ = list_deals(&client, &key).await;
    for step in [Step::lost(), Step::code("INTERNAL_SERVER_ERROR"), Step::code("BH_APP_TIMEOUT")] {
        portal.then("crm.deal.add", [step]);
        let _ = add_deal(&client, &NewDeal::of(&format!("B-{}", portal.received().len()))).await;
    }
    portal.then("crm.deal.add", [Step::code("RATE_LIMITED").takes(secs(195))]);
    let _ = add_deal(&client, &NewDeal::of("C-1")).await;

    portal.then("crm.deal.add", [Step::honest().takes(secs(9))]);
    let deal = NewDeal::of("D-1");
    assert!(tokio::time::timeout(secs(3), add_deal(&client, &deal)).await.is_err());
    let dropped = seen.only(Told::Dropped);
    let counted = match dropped.may_be_applied() {
        MayBeApplied::Until(until) => until.duration_since(dropped.started()).unwrap(),
        MayBeApplied::No | MayBeApplied::Unbounded => Duration::ZERO,
    };
    (portal.received().iter().map(|request| request.at).collect(), vec![counted])
}

type Change = fn(ClientBuilder) -> ClientBuilder;

const CHANGES: [(&str, Change); 17] = [
    ("attempts", |b| b.policy(Policy::new().attempts(6))),
    ("deadline", |b| b.policy(Policy::new().deadline(secs(120)))),
    ("base of the backoff", |b| b.policy(Policy::new().backoff(secs(3), secs(30)))),
    ("cap of the backoff", |b| b.policy(Policy::new().backoff(millis(500), millis(600)))),
    ("retry budget", |b| b.retry_budget(1)),
    ("attempt timeout", |b| b.attempt_timeout(secs(80))),
    ("connect timeout", |b| b.connect_timeout(secs(9))),
    ("settle: server limit", |b| b.settle(Settle::self_hosted(secs(70)))),
    ("settle: unbounded", |b| b.settle(Settle::unbounded())),
    ("settle: tcp", |b| b.settle(Settle::cloud().tcp(secs(11)))),
    ("settle: gateway queue", |b| b.settle(Settle::cloud().gateway_queue(secs(1)))),
    ("settle: list lag", |b| b.settle(Settle::cloud().list_lag(secs(6)))),
    ("settle: margin", |b| b.settle(Settle::cloud().margin(secs(11)))),
    ("settle: hosted app", |b| b.settle(Settle::cloud().hosted_app(secs(1)))),
    ("rate limit", |b| b.rate_limit(RateLimit::new(1, secs(7)))),
    ("proof", |b| b.proof(Proof::AfterFirst)),
    ("seed", |b| b.seed(8)),
];

#[tokio::test(start_paused = true)]
async fn case_b77_each_public_setting_changes_something() {
    let default = footprint(|builder| builder).await;
    assert_eq!(footprint(|builder| builder).await, default, "the footprint itself is stable");
    for (name, change) in CHANGES {
        assert_ne!(footprint(change).await, default, "`{name}` changes nothing");
    }
}

#[tokio::test(start_paused = true)]
async fn case_b77_a_clock_a_transport_and_a_policy_of_single_calls_change_something() {
    let portal = Fake::new().on("crm.deal.list", vec![Step::lost(); 10]);
    let client: Client = portal.client().with_policy(Policy::new().attempts(2));
    list_deals(&client, &OriginKey::of("A-1")).await.unwrap_err();
    assert_eq!(portal.sends("crm.deal.list"), 2);

    let other = Fake::starting_at(std::time::SystemTime::UNIX_EPOCH + secs(5));
    let client = portal.builder().clock(other.clock().clone()).build().unwrap();
    let error = list_deals(&client, &OriginKey::of("A-1")).await.unwrap_err();
    assert!(error.to_string().contains("began: 1970-01-01T00:00:"), "{error}");

    let client = portal.builder().transport(other.clone()).build().unwrap();
    list_deals(&client, &OriginKey::of("A-1")).await.unwrap();
    assert_eq!(other.sends("crm.deal.list"), 1);
}

/// When each batch of 120 calls came, and how many of them it held.
async fn batches(batching: Batching) -> Vec<(Duration, usize)> {
    let portal = Fake::new().on("batch", vec![Step::honest().takes(secs(1)); 20]);
    let client = portal.client().batched_with(batching);
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..120 {
        let client = client.clone();
        calls.spawn(async move { add_deal(&client, &NewDeal::of(&format!("A-{number}"))).await.unwrap() });
    }
    calls.join_all().await;
    let batches = portal.received().into_iter().filter(|request| request.method == "batch");
    batches.map(|request| (request.at, request.arguments["cmd"].as_object().unwrap().len())).collect()
}

#[tokio::test(start_paused = true)]
async fn case_b77_each_setting_of_a_batched_client_changes_something() {
    let default = batches(Batching::new()).await;
    assert_eq!(batches(Batching::new()).await, default, "the footprint itself is stable");
    for (name, changed) in [
        ("window", Batching::new().window(secs(2))),
        ("most", Batching::new().most(10)),
        ("in_flight", Batching::new().in_flight(1)),
    ] {
        assert_ne!(batches(changed).await, default, "`{name}` changes nothing");
    }
}

/// Each type with settings, and what they are called. Those of a client: `webhook` to `oauth` say which portal it is, `answer_limit`, `http` and
/// `proxy` are shown by the wire tests, `clock`, `transport` and `observer` here, the operating limit beside its code.
const SETTINGS: [(&str, &str, &[&str]); 5] = [
    (
        "ClientBuilder",
        include_str!("../../retry-runtime/src/client/builder.rs"),
        &[
            "webhook",
            "vibe",
            "vibe_session",
            "vibe_base",
            "oauth",
            "policy",
            "settle",
            "attempt_timeout",
            "connect_timeout",
            "answer_limit",
            "retry_budget",
            "rate_limit",
            "http",
            "proxy",
            "observer",
            "proof",
            "journal",
            "transport",
            "clock",
            "seed",
        ],
    ),
    ("Policy", include_str!("../../retry-runtime/src/policy.rs"), &["attempts", "deadline", "backoff"]),
    (
        "Settle",
        include_str!("../../retry-runtime/src/settle.rs"),
        &["tcp", "gateway_queue", "list_lag", "margin", "hosted_app"],
    ),
    ("RateLimit", include_str!("../../retry-runtime/src/transport/limit/rate.rs"), &["operating_limit"]),
    ("Batching", include_str!("../../retry-runtime/src/client/batching.rs"), &["window", "most", "in_flight"]),
];

/// A client without one sends nothing for a stub that says `journal`: `tests/journal/endings.rs`.
#[tokio::test(start_paused = true)]
async fn case_b77_a_journal_keeps_what_a_client_with_it_has_sent() {
    #[bitrix_method(name = "crm.deal.add", kind = write, unverifiable = "the test says so", journal)]
    async fn add_on_record(client: &Client, title: &str) -> Result<Id, CallError>;

    let (portal, journal) = (Fake::new(), MemoryJournal::new());
    let client = portal.builder().journal(journal.clone()).build().unwrap();
    add_on_record(&client, "Chair").await.unwrap();
    assert_eq!(journal.intents().len(), 1);
}

/// A setting is a public method that takes its object and gives it back.
#[test]
fn case_b77_no_public_setting_is_left_out_of_these_tests() {
    for (name, source, known) in SETTINGS {
        let methods = source.lines().map(str::trim).filter_map(|line| line.strip_prefix("pub "));
        let settings: Vec<&str> = methods
            .map(|method| method.strip_prefix("const ").unwrap_or(method))
            .filter(|method| method.contains("(mut self,") && method.contains("-> Self"))
            .filter_map(|method| method.strip_prefix("fn ")?.split_once('(').map(|(name, _)| name))
            .collect();
        assert_eq!(settings, known, "{name}: a setting without a test that it changes something");
    }
}
