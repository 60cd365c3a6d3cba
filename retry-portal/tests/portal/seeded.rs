//! Faults by chance: what a seed fixes.

use std::collections::BTreeMap;
use std::time::Duration;

use retry_portal::{Answer, Cut, Fault, Faults, Outcome, Portal};
use serde_json::json;
use tokio::task::JoinSet;

use crate::client::{LONG, post, request, send};

async fn stormy(seed: u64, share: f64) -> Portal {
    let faults = Faults::seeded(seed).share(share);
    Portal::builder().no_rate_limit().time_scale(0.002).faults(faults).start().await.expect("a portal")
}

/// Which fault each request met, by its content and how often it had come.
fn decisions(portal: &Portal) -> BTreeMap<(String, String, usize), Option<Fault>> {
    let mut times: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut decided = BTreeMap::new();
    for entry in portal.requests() {
        let content = (entry.method.clone(), json!(entry.params).to_string());
        let time = times.entry(content.clone()).or_default();
        *time += 1;
        decided.insert((content.0, content.1, *time), entry.fault);
    }
    decided
}

/// Every one of these requests twice, in an order that depends on `step`, `at_once` at a time.
async fn run(portal: &Portal, step: usize, at_once: usize) {
    let mut clients = JoinSet::new();
    for position in 0..120_usize {
        let number = position * step % 120 / 2;
        let portal = portal.clone();
        if clients.len() >= at_once {
            clients.join_next().await;
        }
        clients.spawn(async move {
            let (method, params) = if number.is_multiple_of(3) {
                ("crm.deal.list", json!({"filter": {"=ORIGIN_ID": format!("A-{number}")}}))
            } else {
                ("crm.deal.add", json!({"fields": {"ORIGIN_ID": format!("A-{number}")}}))
            };
            post(&portal, method, &params).await
        });
    }
    clients.join_all().await;
    portal.settled().await;
}

#[tokio::test]
async fn the_order_of_concurrent_requests_changes_no_decision() {
    let (one, other) = (stormy(7, 0.4).await, stormy(7, 0.4).await);
    run(&one, 1, 1).await;
    run(&other, 77, 16).await;
    let decided = decisions(&one);
    assert_eq!(decided.len(), 120);
    assert_eq!(decided, decisions(&other));
    let faults = decided.values().flatten().count();
    assert!((30..=66).contains(&faults), "{faults} of 120 at a share of 0.4");
}

#[tokio::test]
async fn another_seed_decides_otherwise() {
    let (one, other) = (stormy(7, 0.4).await, stormy(8, 0.4).await);
    run(&one, 1, 8).await;
    run(&other, 1, 8).await;
    assert_ne!(decisions(&one), decisions(&other));
}

#[tokio::test]
async fn the_form_of_the_body_changes_no_decision() {
    let (one, other) = (stormy(5, 0.5).await, stormy(5, 0.5).await);
    for number in 0..40 {
        let json = format!(r#"{{"fields":{{"ORIGIN_ID":"A-{number}","OPPORTUNITY":{number}}}}}"#);
        let form = format!("fields[OPPORTUNITY]={number}&fields[ORIGIN_ID]=A-{number}");
        send(&one, request(&one, "POST", "crm.deal.add", "application/json", &json), LONG).await;
        send(&other, request(&other, "POST", "CRM.DEAL.ADD", "application/x-www-form-urlencoded", &form), LONG).await;
    }
    let faults =
        |portal: &Portal| portal.requests().into_iter().map(|entry| entry.fault).collect::<Vec<Option<Fault>>>();
    assert_eq!(faults(&one), faults(&other));
    assert!(faults(&one).iter().any(Option::is_some) && faults(&one).iter().any(Option::is_none));
}

#[tokio::test]
async fn every_effect_is_where_the_journal_says() {
    let portal = stormy(11, 1.0).await;
    run(&portal, 7, 16).await;
    let requests = portal.requests();
    assert!(requests.iter().all(|entry| entry.fault.is_some()), "a share of 1 spares nobody");
    let happened = requests.iter().filter(|entry| matches!(entry.effect, Outcome::Before | Outcome::Late(_))).count();
    assert_eq!(portal.records("deal").len(), happened);
    let late: Vec<Duration> = requests
        .iter()
        .filter_map(|entry| if let Outcome::Late(after) = entry.effect { Some(after) } else { None })
        .collect();
    assert!(!late.is_empty());
    assert!(late.iter().all(|after| *after <= portal.execution_limit()), "{late:?}");
    assert!(!requests.iter().any(|entry| entry.effect == Outcome::Pending));
}

#[tokio::test]
async fn lists_of_ones_own_replace_the_default_ones() {
    let faults = Faults::seeded(3)
        .share(1.0)
        .reads([])
        .writes([(1, Fault::before(Answer::Close)), (0, Fault::before(Answer::Reset))]);
    let portal = Portal::builder().faults(faults).start().await.expect("a portal");
    for number in 0..10 {
        post(&portal, "crm.deal.add", &json!({"fields": {"ORIGIN_ID": format!("A-{number}")}})).await;
        assert_eq!(post(&portal, "crm.deal.list", &json!({"start": number})).await.status(), 200);
    }
    let faults: Vec<Option<Fault>> = portal.requests().into_iter().map(|entry| entry.fault).collect();
    let close_and_none = [Some(Fault::before(Answer::Close)), None];
    assert_eq!(faults.len(), 20);
    assert!(faults.chunks(2).all(|pair| pair == close_and_none), "{faults:?}");
}

#[tokio::test]
async fn faults_in_a_row_can_be_limited() {
    let faults = Faults::seeded(3).share(1.0).in_a_row(2).reads([(1, Fault::never(Answer::Cut(Cut::Bytes(3))))]);
    let portal = Portal::builder().faults(faults).start().await.expect("a portal");
    for _ in 0..6 {
        post(&portal, "profile", &json!({})).await;
    }
    let hit: Vec<bool> = portal.requests().into_iter().map(|entry| entry.fault.is_some()).collect();
    assert_eq!(hit, [true, true, false, true, true, false]);
}

#[tokio::test]
async fn a_method_with_a_script_is_left_alone() {
    let faults = Faults::seeded(3).share(1.0);
    let portal = Portal::builder()
        .faults(faults)
        .script("profile", [Fault::never(Answer::Html(500))])
        .start()
        .await
        .expect("a portal");
    assert_eq!(post(&portal, "profile", &json!({})).await.status(), 500);
    for _ in 0..3 {
        assert_eq!(post(&portal, "profile", &json!({})).await.status(), 200);
        assert_eq!(post(&portal, "no.such.method", &json!({})).await.status(), 404);
    }
}

#[tokio::test]
async fn settings_that_make_no_sense_do_not_start() {
    let start = async |builder: retry_portal::PortalBuilder| {
        builder.start().await.map(|_| ()).map_err(|error| error.to_string())
    };
    let share = start(Portal::builder().faults(Faults::seeded(1).share(1.5))).await;
    assert_eq!(share, Err("the share of faults must be from 0 to 1, not 1.5".to_owned()));
    let late = Faults::seeded(1).writes([(1, Fault::late(Duration::from_secs(60), Answer::Close))]);
    let late = start(Portal::builder().faults(late)).await.expect_err("too late");
    assert!(late.contains("below the execution limit of 60s"), "{late}");
    for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(start(Portal::builder().time_scale(scale)).await.is_err(), "{scale}");
    }
    for secret in ["", "a/b", "ключ", "a b"] {
        assert!(start(Portal::builder().secret(secret)).await.is_err(), "{secret}");
    }
    assert!(start(Portal::builder().rate(1, f64::NAN)).await.is_err());
    let unknown = start(Portal::builder().hide("deals")).await.expect_err("no such entity");
    assert!(unknown.contains("\"deals\"") && unknown.contains("deal, contact"), "{unknown}");
}
