//! The cases in which the answer to one call is lost.

use retry_portal::{Answer, Fault, Raw};
use retry_runtime::report::{Ending, Finding};
use retry_runtime::{CallError, Client, Effect, Id, Page, ReadBack, Reader, bitrix_method};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::support::{
    NewDeal, OriginKey, Seen, Told, add_blind_deal, add_deal, client, list_deals, millis, observed, portal, scripted,
    secs,
};

/// Longer than any attempt: the portal hangs until the client gives up.
const HANG: Answer = Answer::SilenceFor(secs(100_000));

fn says(result: &Value) -> Fault {
    Fault::never(Answer::Raw(Raw::json(200, &json!({"result": result}))))
}

#[derive(Debug, Clone, Serialize)]
struct Values {
    #[serde(rename = "DocumentNumber")]
    number: &'static str,
}

#[derive(Debug, Deserialize)]
struct Document {
    id: Id,
    number: String,
}

#[bitrix_method(name = "crm.documentgenerator.document.list", kind = read)]
async fn list_documents(reader: &Reader, filter: &Value) -> Result<Page<Document>, CallError>;

#[bitrix_method(name = "crm.documentgenerator.document.add", kind = write, verify = find_document)]
async fn add_document(client: &Client, values: &Values) -> Result<Id, CallError>;

#[bitrix_method(name = "crm.documentgenerator.document.add", kind = write, unverifiable = "the case asks for it")]
async fn add_blind_document(client: &Client, values: &Values) -> Result<Id, CallError>;

async fn find_document(reader: &Reader, values: &Values) -> Result<ReadBack<Id>, CallError> {
    let page = list_documents(reader, &json!({"number": values.number})).await?;
    Ok(ReadBack::by_key(page, |row| (row.number == values.number).then_some(row.id)))
}

#[tokio::test]
async fn case_b01_a_document_that_renders_longer_than_the_client_waits_is_found() {
    let method = "crm.documentgenerator.document.add";
    let portal = scripted(method, [Fault::before(HANG)]).await;
    let found = json!([{"id": "501", "number": "DN-7f3a"}]);
    portal.script("crm.documentgenerator.document.list", [says(&json!([])), says(&found), says(&found)]);
    let seen = Seen::default();
    let client = client(&portal.webhook_url()).attempt_timeout(secs(1)).observer(seen.clone()).build().unwrap();
    assert_eq!(add_document(&client, &Values { number: "DN-7f3a" }).await.unwrap(), Id(501));
    assert_eq!((portal.count(method), seen.only(Told::Finished).ending()), (1, Ending::Found));

    portal.script(method, [Fault::before(HANG)]);
    let error = add_blind_document(&client, &Values { number: "DN-7f3a" }).await.unwrap_err();
    assert!(matches!(error, CallError::InDoubt(_)), "{error}");
    assert_eq!((error.effect(), portal.count(method)), (Effect::Unknown, 2));
}

#[tokio::test]
async fn case_b03_the_kind_decides_and_not_the_verb() {
    let portal = scripted("crm.deal.list", [Fault::never(Answer::Close)]).await;
    portal.script("crm.deal.add", [Fault::before(Answer::Close)]);
    let (client, seen) = observed(&portal.webhook_url());
    assert!(list_deals(&client, &OriginKey::of("k-1")).await.unwrap().rows.is_empty());
    assert_eq!(portal.count("crm.deal.list"), 2);
    add_deal(&client, &NewDeal::of("k-1")).await.unwrap();
    assert_eq!((portal.count("crm.deal.add"), portal.records("deal").len()), (1, 1));
    assert_eq!(seen.all()[1].1.ending(), Ending::Found);
    assert!(portal.requests().iter().all(|request| request.verb == "POST"));
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct NewItem {
    originator_id: &'static str,
    origin_id: &'static str,
}

#[derive(Debug, Deserialize)]
struct Created {
    item: Item,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Item {
    id: Id,
    origin_id: Option<String>,
}

impl PartialEq for Created {
    fn eq(&self, other: &Self) -> bool {
        self.item.id == other.item.id
    }
}

#[bitrix_method(name = "crm.item.list", kind = read)]
async fn list_items(
    reader: &Reader,
    #[param(name = "entityTypeId")] entity: u8,
    filter: &NewItem,
) -> Result<Page<Item>, CallError>;

#[bitrix_method(name = "crm.item.add", kind = write, verify = find_item)]
async fn add_item(
    client: &Client,
    #[param(name = "entityTypeId")] entity: u8,
    fields: &NewItem,
) -> Result<Created, CallError>;

async fn find_item(reader: &Reader, entity: u8, fields: &NewItem) -> Result<ReadBack<Created>, CallError> {
    let page = list_items(reader, entity, fields).await?;
    Ok(ReadBack::by_key(page, |item| (item.origin_id.as_deref() == Some(fields.origin_id)).then_some(Created { item })))
}

#[tokio::test]
async fn case_b05_a_reset_after_the_whole_request_was_read_makes_one_item() {
    let portal = scripted("crm.item.add", [Fault::before(Answer::Reset)]).await;
    let (client, _) = observed(&portal.webhook_url());
    let made = add_item(&client, 2, &NewItem { originator_id: "erp", origin_id: "inv-4" }).await.unwrap();
    assert_eq!((portal.count("crm.item.add"), portal.records("deal").len()), (1, 1));
    assert_eq!(made.item.id.0, portal.records("deal")[0].id());
}

#[tokio::test]
async fn case_b06_an_empty_answer_right_after_a_timeout_proves_nothing() {
    // Applied half a second after the client has given up.
    let portal = scripted("crm.deal.add", [Fault::late(secs(50), Answer::Silence)]).await;
    let seen = Seen::default();
    let client = client(&portal.webhook_url()).attempt_timeout(millis(200)).observer(seen.clone()).build().unwrap();
    let outcome = add_deal(&client, &NewDeal::of("c-5")).await;
    let report = seen.only(Told::Finished);
    assert!(outcome.is_ok(), "{report}");
    let early = &report.checks()[0];
    assert_eq!((&early.finding, early.proves), (&Finding::Absent, false), "{report}");
    // A send more is right only where the portal dropped the late effect on a busy machine.
    assert_eq!(portal.records("deal").len(), 1, "{report}");
}

#[tokio::test]
async fn case_b07_a_status_line_without_its_body_is_no_success() {
    let portal = scripted("crm.deal.add", [Fault::before(Answer::HeadThenReset)]).await;
    let (client, seen) = observed(&portal.webhook_url());
    add_deal(&client, &NewDeal::of("t-8")).await.unwrap();
    assert_eq!((portal.count("crm.deal.add"), portal.records("deal").len()), (1, 1));
    assert_eq!(seen.only(Told::Finished).ending(), Ending::Found);
}

#[tokio::test]
async fn case_b10_a_write_after_the_peer_closed_the_idle_connection_is_one_write() {
    let portal = portal().idle_limit(millis(300)).start().await.unwrap();
    let (client, _) = observed(&portal.webhook_url());
    list_deals(&client, &OriginKey::of("l-2")).await.unwrap();
    tokio::time::sleep(millis(900)).await;
    add_deal(&client, &NewDeal::of("l-2")).await.unwrap();
    let requests = portal.requests();
    assert_ne!(requests[0].connection, requests[requests.len() - 1].connection, "the idle connection was closed");
    assert_eq!((portal.count("crm.deal.add"), portal.records("deal").len()), (1, 1));
}

#[tokio::test]
async fn case_b10_a_write_that_is_reset_on_a_kept_connection_is_read_back() {
    let portal = scripted("crm.deal.add", [Fault::before(Answer::Reset)]).await;
    let (client, seen) = observed(&portal.webhook_url());
    list_deals(&client, &OriginKey::of("l-2")).await.unwrap();
    add_deal(&client, &NewDeal::of("l-2")).await.unwrap();
    let requests = portal.requests();
    assert_eq!(requests[1].connection, requests[0].connection, "the kept connection was used");
    assert_eq!((portal.count("crm.deal.add"), portal.records("deal").len()), (1, 1));
    assert_eq!(seen.all()[1].1.ending(), Ending::Found);
}

#[tokio::test]
async fn case_b13_a_write_without_a_verifier_stops_at_once() {
    for answer in [Answer::Raw(Raw::new(504)), Answer::Html(504)] {
        let portal = scripted("crm.deal.add", [Fault::before(answer)]).await;
        let (client, _) = observed(&portal.webhook_url());
        let error = add_blind_deal(&client, &NewDeal::of("x")).await.unwrap_err();
        assert!(matches!(error, CallError::InDoubt(_)) && error.effect() == Effect::Unknown, "{error}");
        let shown = error.to_string();
        for part in ["crm.deal.add", "unknown", "send 1, 20", "the test says so", "HTTP 504", "look for it"] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
        assert_eq!((portal.requests().len(), portal.records("deal").len()), (1, 1));
    }
}

/// A message, and the last one of the dialog before it, if somebody looked.
#[derive(Debug, Clone, Serialize)]
struct Message {
    #[serde(rename = "DIALOG_ID")]
    dialog: &'static str,
    #[serde(rename = "MESSAGE")]
    text: &'static str,
    #[serde(skip)]
    after: Option<u64>,
}

#[derive(Debug, Deserialize)]
struct Messages {
    messages: Vec<Sent>,
}

#[derive(Debug, Deserialize)]
struct Sent {
    id: Id,
    text: String,
}

#[bitrix_method(name = "im.dialog.messages.get", kind = read)]
async fn messages_after(
    reader: &Reader,
    #[param(name = "DIALOG_ID")] dialog: &str,
    #[param(name = "FIRST_ID")] first: u64,
) -> Result<Messages, CallError>;

#[bitrix_method(name = "im.message.add", kind = write, verify = find_message)]
async fn send_message(client: &Client, #[param(flatten)] message: &Message) -> Result<Id, CallError>;

async fn find_message(reader: &Reader, message: &Message) -> Result<ReadBack<Id>, CallError> {
    let Some(after) = message.after else {
        return Ok(ReadBack::Unreliable("nobody noted the last message before".into()));
    };
    let Messages { messages } = messages_after(reader, message.dialog, after).await?;
    Ok(ReadBack::by_marker(Page::new(messages), |sent| (sent.text == message.text).then_some(sent.id)))
}

#[tokio::test]
async fn case_b14_a_message_that_was_delivered_is_not_sent_again() {
    for after in [Some(1), None] {
        let portal = scripted("im.message.add", [Fault::before(HANG)]).await;
        portal.insert("message", json!({"DIALOG_ID": "chat7", "MESSAGE": "paid, order 7"})).unwrap();
        let client = client(&portal.webhook_url()).attempt_timeout(secs(1)).build().unwrap();
        let message = Message { dialog: "chat7", text: "paid, order 7", after };
        match (after, send_message(&client, &message).await) {
            (Some(_), sent) => assert_eq!(sent.unwrap(), Id(2)),
            (None, sent) => assert!(matches!(sent, Err(CallError::InDoubt(_)))),
        }
        assert_eq!((portal.count("im.message.add"), portal.records("message").len()), (1, 2));
    }
}

#[tokio::test]
async fn case_b18_after_verified_absence_a_write_goes_out_again_with_the_same_key() {
    let portal = scripted("crm.item.add", [Fault::never(Answer::Html(502))]).await;
    let (client, seen) = observed(&portal.webhook_url());
    add_item(&client, 2, &NewItem { originator_id: "erp", origin_id: "A-1" }).await.unwrap();
    assert_eq!((portal.count("crm.item.add"), portal.records("deal").len()), (2, 1));
    let sends: Vec<_> = portal.requests().into_iter().filter(|request| request.method == "crm.item.add").collect();
    assert_eq!(sends[0].body, sends[1].body);
    let report = seen.only(Told::Finished);
    let proof = report.checks().last().unwrap();
    assert!(proof.proves && report.checks()[0].finding == Finding::Absent && !report.checks()[0].proves, "{report}");
    // The proof began when the request could no longer be applied: 1.7 s after it was lost.
    let waited = sends[1].since_start.checked_sub(sends[0].since_start).unwrap();
    assert!(waited >= millis(1_700), "{waited:?}");
}
