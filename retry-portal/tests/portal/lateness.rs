//! Late effects and slow work: when they come, and how late at most.

use std::time::Duration;

use retry_portal::{Answer, Fault, Faults, Outcome, Portal};
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::client::{Ended, deal, origins, post, request, send};

async fn latest(builder: retry_portal::PortalBuilder) -> Duration {
    builder.start().await.expect("a portal").max_lateness()
}

#[tokio::test]
async fn the_promise_follows_the_faults_and_the_time_scale() {
    let seconds = Duration::from_secs;
    assert_eq!(latest(Portal::builder()).await, Duration::ZERO);
    // Slow work makes calls wait behind it in the gateway's queue, up to 30 s.
    let queue = seconds(30);
    assert_eq!(latest(Portal::builder().faults(Faults::seeded(1))).await, seconds(20) + queue);
    assert_eq!(latest(Portal::builder().faults(Faults::seeded(1)).time_scale(0.5)).await, seconds(25));
    let slow = Fault::before(Answer::Slow(seconds(40)));
    assert_eq!(latest(Portal::builder().script("x", [slow.clone(), Fault::none()])).await, seconds(40) + queue);
    let no_wait = Portal::builder().script("x", [slow]).vibe_queue(2, 50, Duration::ZERO);
    assert_eq!(latest(no_wait).await, seconds(40), "the queue is a switch");
    let beyond = Fault::before(Answer::Slow(seconds(400)));
    assert_eq!(latest(Portal::builder().script("x", [beyond])).await, seconds(60) + queue, "interrupted at the limit");
    let never = Fault::never(Answer::Slow(seconds(40)));
    assert_eq!(latest(Portal::builder().script("x", [never])).await, queue);
    let late = Fault::late(seconds(30), Answer::Close);
    assert_eq!(latest(Portal::builder().script("x", [late.clone()])).await, seconds(30));
    let portal = Portal::builder().start().await.expect("a portal");
    portal.script("x", [late]);
    portal.script("x", []);
    assert_eq!(portal.max_lateness(), seconds(30), "what was set once counts");
    let slow = Fault::before(Answer::Slow(seconds(50)));
    let limited = Portal::builder().script("x", [slow]).execution_limit(seconds(40));
    assert_eq!(latest(limited).await, seconds(40) + queue, "whichever is said first");
    assert_eq!(latest(Portal::builder().faults(Faults::seeded(1).share(0.0))).await, Duration::ZERO);
    let writes = Faults::seeded(1).writes([(1, Fault::before(Answer::Close))]);
    let alone = Portal::builder().faults(writes.clone().reads([]));
    assert_eq!(latest(alone).await, Duration::ZERO);
    assert_eq!(latest(Portal::builder().faults(writes)).await, queue, "writes may wait behind slow reads");
}

#[tokio::test]
async fn the_execution_limit_can_be_set_and_scaled() {
    let portal =
        Portal::builder().execution_limit(Duration::from_secs(30)).time_scale(0.1).start().await.expect("a portal");
    assert_eq!(portal.execution_limit(), Duration::from_secs(3));
    assert!((portal.time_scale() - 0.1).abs() < 1e-9);
}

#[tokio::test]
async fn a_late_effect_is_absent_at_first_and_there_later() {
    let late = Fault::late(Duration::from_secs(30), Answer::Reset);
    let portal = Portal::builder().time_scale(0.02).script("crm.deal.add", [late]).start().await.expect("a portal");
    let seen = post(&portal, "crm.deal.add", &deal("A-1")).await;
    assert_eq!(seen.ended, Ended::Reset);
    let found = || async {
        post(&portal, "crm.deal.list", &json!({"filter": {"=ORIGIN_ID": "A-1"}})).await.json()["total"].clone()
    };
    assert_eq!(found().await, json!(0));
    assert_eq!(portal.requests()[0].effect, Outcome::Pending);
    portal.settled().await;
    assert_eq!(found().await, json!(1));
    let Outcome::Late(after) = portal.requests()[0].effect else { panic!("{:?}", portal.requests()[0].effect) };
    assert!(after >= Duration::from_millis(600) && after < portal.execution_limit(), "{after:?}");
    assert_eq!(portal.max_lateness(), Duration::from_millis(600));
}

#[tokio::test]
async fn a_script_may_be_later_than_the_execution_limit() {
    let late = Fault::late(Duration::from_secs(90), Answer::Close);
    let portal = Portal::builder().time_scale(0.002).start().await.expect("a portal");
    portal.script("crm.deal.add", [late]);
    post(&portal, "crm.deal.add", &deal("A-1")).await;
    portal.settled().await;
    assert_eq!(origins(&portal), ["A-1"]);
    assert!(portal.max_lateness() > portal.execution_limit());
}

#[tokio::test]
async fn a_late_update_of_a_record_that_is_gone_is_dropped() {
    let late = Fault::late(Duration::from_secs(20), Answer::Close);
    let portal = Portal::builder().time_scale(0.01).script("crm.deal.update", [late]).start().await.expect("a portal");
    let id = portal.insert("deal", json!({"TITLE": "x"})).expect("a deal");
    post(&portal, "crm.deal.update", &json!({"id": id, "fields": {"TITLE": "y"}})).await;
    assert_eq!(post(&portal, "crm.deal.delete", &json!({"id": id})).await.status(), 200);
    portal.settled().await;
    assert_eq!(portal.records("deal"), []);
    assert_eq!(portal.requests()[0].effect, Outcome::Dropped);
}

#[tokio::test]
async fn an_answer_without_its_effect_shows_an_id_that_no_record_gets() {
    let portal =
        Portal::builder().script("crm.deal.add", [Fault::never(Answer::Normal)]).start().await.expect("a portal");
    let seen = post(&portal, "crm.deal.add", &deal("A-1")).await;
    assert_eq!(seen.json()["result"], json!(1));
    assert_eq!(portal.records("deal"), []);
    assert_eq!(post(&portal, "crm.deal.add", &deal("A-2")).await.json()["result"], json!(2));
}

#[tokio::test]
async fn a_late_effect_has_the_id_that_its_answer_showed() {
    let portal = Portal::builder()
        .time_scale(0.005)
        .script("crm.item.add", [Fault::late(Duration::from_secs(20), Answer::Normal)])
        .start()
        .await
        .expect("a portal");
    let seen = post(&portal, "crm.item.add", &json!({"entityTypeId": 2, "fields": {"originId": "A-1"}})).await;
    let id = seen.json()["result"]["item"]["id"].as_u64();
    assert_eq!(post(&portal, "crm.deal.add", &deal("A-2")).await.json()["result"], json!(2));
    portal.settled().await;
    let deals = portal.records("deal");
    assert_eq!(deals.iter().find(|deal| deal.text("ORIGIN_ID") == Some("A-1")).map(retry_portal::Record::id), id);
}

#[tokio::test]
async fn slow_work_ends_in_its_effect_and_then_the_answer() {
    let slow = Fault::before(Answer::Slow(Duration::from_secs(30)));
    let portal = Portal::builder().time_scale(0.01).script("crm.deal.add", [slow]).start().await.expect("a portal");
    let client = {
        let portal = portal.clone();
        tokio::spawn(async move { post(&portal, "crm.deal.add", &deal("A-1")).await })
    };
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(origins(&portal), [""; 0]);
    assert_eq!(portal.requests()[0].effect, Outcome::Pending);
    let seen = client.await.expect("an answer");
    assert_eq!(seen.status(), 200);
    assert_eq!(origins(&portal), ["A-1"]);
    assert!(seen.json()["time"]["operating"].as_f64().expect("a number") >= 30.0, "told in portal time");
}

#[tokio::test]
async fn work_beyond_the_execution_limit_is_interrupted() {
    let slow = |fault: fn(Answer) -> Fault| fault(Answer::Slow(Duration::from_secs(70)));
    let script = [slow(Fault::before), slow(Fault::never)];
    let portal = Portal::builder().time_scale(0.005).script("crm.deal.add", script).start().await.expect("a portal");
    for origins_then in [vec!["A-1"], vec!["A-1"]] {
        let seen = post(&portal, "crm.deal.add", &deal("A-1")).await;
        assert_eq!((seen.ended, seen.bytes.len()), (Ended::Closed, 0));
        assert_eq!(origins(&portal), origins_then);
    }
    assert_eq!(portal.requests()[0].effect, Outcome::Before);
    assert_eq!(portal.requests()[1].effect, Outcome::Never);
}

#[tokio::test]
async fn a_client_that_goes_away_stops_only_the_answer() {
    let slow = Fault::before(Answer::Slow(Duration::from_secs(30)));
    let portal = Portal::builder().time_scale(0.01).script("crm.deal.add", [slow]).start().await.expect("a portal");
    let bytes = request(&portal, "POST", "crm.deal.add", "application/json", &deal("A-1").to_string());
    let seen = send(&portal, &bytes, Duration::from_millis(100)).await;
    assert_eq!(seen.ended, Ended::StillOpen);
    // `send` has dropped its connection by now.
    portal.settled().await;
    assert_eq!(origins(&portal), ["A-1"]);
}

#[tokio::test]
async fn what_was_sent_whole_is_carried_out_though_its_client_is_gone() {
    let portal = Portal::builder().no_rate_limit().start().await.expect("a portal");
    for number in 1..=50 {
        let body = deal(&format!("A-{number}")).to_string();
        let bytes = request(&portal, "POST", "crm.deal.add", "application/json", &body);
        let mut stream = TcpStream::connect(portal.address()).await.expect("the portal listens");
        stream.write_all(bytes.as_bytes()).await.expect("the portal reads");
        // Dropped at once, before the portal has had a turn.
        drop(stream);
    }
    for _ in 0..200 {
        if portal.records("deal").len() == 50 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{} of 50 requests were carried out", portal.records("deal").len());
}
