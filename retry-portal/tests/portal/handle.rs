//! The handle of a running portal.

use std::time::Duration;

use retry_portal::{Answer, Fault, InsertError, Portal};
use serde_json::{Value, json};
use tokio::net::TcpStream;

use crate::client::{Ended, post, request, send};

#[test]
fn the_handle_can_go_anywhere() {
    fn anywhere<T: Send + Sync + Clone + 'static>() {}
    fn plain<T: Send + Sync + Clone + std::fmt::Debug>() {}
    anywhere::<Portal>();
    plain::<Fault>();
    plain::<retry_portal::Received>();
    plain::<retry_portal::Record>();
}

#[tokio::test]
async fn the_webhook_has_the_form_of_bitrix24() {
    let portal = Portal::builder().secret("abc-123").user(9).start().await.expect("a portal");
    assert_eq!(portal.webhook_url(), format!("http://{}/rest/9/abc-123/", portal.address()));
    assert!(portal.address().ip().is_loopback() && portal.address().port() != 0);
    let (one, other) =
        (Portal::builder().start().await.expect("a portal"), Portal::builder().start().await.expect("a portal"));
    let secret = |portal: &Portal| portal.webhook_url().split('/').nth(5).map(str::to_owned).expect("a secret");
    assert_eq!(secret(&one).len(), 20);
    assert_ne!(secret(&one), secret(&other));
}

#[tokio::test]
async fn an_address_that_is_taken_is_an_error() {
    let portal = Portal::builder().start().await.expect("a portal");
    let taken = Portal::builder().listen(portal.address()).start().await.expect_err("taken");
    assert_eq!(taken.kind(), std::io::ErrorKind::AddrInUse);
}

#[tokio::test]
async fn records_can_be_put_there_and_counted() {
    let portal = Portal::builder().start().await.expect("a portal");
    for origin in ["A-2", "A-1", "A-2", "", "A-1", "A-2", "A-3"] {
        portal.insert("deal", json!({"ORIGIN_ID": origin})).expect("a deal");
    }
    portal.insert("deal", json!({})).expect("a deal");
    assert_eq!(portal.duplicates_by("deal", "ORIGIN_ID"), [("A-1".to_owned(), 2), ("A-2".to_owned(), 3)]);
    assert_eq!(portal.duplicates_by("deal", "NOTHING"), []);
    assert_eq!(portal.duplicates_by("nothing", "ORIGIN_ID"), []);
    assert_eq!(portal.records("DEAL").len(), 8);
    assert_eq!(portal.records("deals"), []);
    let deal = &portal.records("deal")[0];
    assert_eq!(
        (deal.id(), deal.text("ORIGIN_ID"), deal.get("LEAD_ID"), deal.get("NOTHING")),
        (1, Some("A-2"), Some(&Value::Null), None)
    );
    assert_eq!(deal.fields()["ID"], json!("1"));
    portal.insert("lead", json!({"DATE_CREATE": "2020-05-01"})).expect("a lead");
    assert_eq!(portal.records("lead")[0].text("DATE_CREATE"), Some("2020-05-01T00:00:00+03:00"));
}

#[tokio::test]
async fn what_cannot_be_put_there_says_why() {
    let portal = Portal::builder().start().await.expect("a portal");
    assert_eq!(portal.insert("deals", json!({})), Err(InsertError::UnknownEntity("deals".to_owned())));
    assert_eq!(portal.insert("deal", json!([])), Err(InsertError::NotAnObject));
    assert_eq!(portal.insert("deal", json!({"originId": 1})), Err(InsertError::UnknownField("originId".to_owned())));
    assert_eq!(portal.insert("deal", json!({"ID": 5})), Err(InsertError::UnknownField("ID".to_owned())));
    assert!(InsertError::UnknownEntity("deals".to_owned()).to_string().contains("lead, deal, contact"));
    assert_eq!(portal.records("deal"), []);
}

#[tokio::test]
async fn the_last_handle_closes_the_portal() {
    let portal =
        Portal::builder().script("crm.deal.add", [Fault::before(Answer::Silence)]).start().await.expect("a portal");
    let (address, clone) = (portal.address(), portal.clone());
    drop(portal);
    assert_eq!(post(&clone, "profile", &json!({})).await.status(), 200);
    let silent = {
        let bytes = request(&clone, "POST", "crm.deal.add", "application/json", r#"{"fields": {}}"#);
        let clone = clone.clone();
        tokio::spawn(async move { send(&clone, bytes, Duration::from_secs(5)).await })
    };
    while clone.records("deal").is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    clone.close().await;
    assert_ne!(silent.await.expect("an end").ended, Ended::StillOpen, "the silent connection has ended too");
    assert!(TcpStream::connect(address).await.is_err(), "nobody listens");
    assert_eq!(clone.records("deal").len(), 1, "the records can still be read");

    let portal = Portal::builder().start().await.expect("a portal");
    let address = portal.address();
    drop(portal);
    for _ in 0..200 {
        if TcpStream::connect(address).await.is_err() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the portal listens without an owner");
}

#[tokio::test]
async fn a_closed_portal_forgets_what_was_to_come() {
    let late = Fault::late(Duration::from_secs(20), Answer::Close);
    let portal = Portal::builder().time_scale(0.01).script("crm.deal.add", [late]).start().await.expect("a portal");
    post(&portal, "crm.deal.add", &json!({"fields": {}})).await;
    portal.close().await;
    portal.settled().await;
    assert_eq!(portal.records("deal"), []);
}

#[tokio::test]
async fn a_script_can_be_set_while_the_portal_runs() {
    let portal = Portal::builder()
        .script("profile", [Fault::never(Answer::Html(500)), Fault::never(Answer::Html(502))])
        .start()
        .await
        .expect("a portal");
    assert_eq!(post(&portal, "profile", &json!({})).await.status(), 500);
    portal.script("Profile", [Fault::never(Answer::Html(504))]);
    assert_eq!(post(&portal, "profile", &json!({})).await.status(), 504);
    assert_eq!(post(&portal, "profile", &json!({})).await.status(), 200);
}
