//! A: the answer is lost.

use retry_runtime::report::Ending;
use retry_runtime::{CallError, Client, Effect, Id, Page, ReadBack, Reader, bitrix_method};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::noted::Noted;
use crate::support::{
    Fake, NewDeal, OriginKey, Record, Seen, Step, Told, about, add_blind_deal, add_deal, ending, ensure_deal,
    list_deals, secs,
};

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

/// Renders a document.
#[bitrix_method(name = "crm.documentgenerator.document.add", kind = write, verify = find_document)]
async fn add_document(client: &Client, #[param(name = "entityId")] deal: u64, values: &Values)
-> Result<Id, CallError>;

/// Renders a document that nobody looks for.
#[bitrix_method(name = "crm.documentgenerator.document.add", kind = write, unverifiable = "it has no number")]
async fn add_blind_document(client: &Client, values: &Values) -> Result<Id, CallError>;

/// Lists the documents of a deal.
#[bitrix_method(name = "crm.documentgenerator.document.list", kind = read)]
async fn list_documents(reader: &Reader, #[param(name = "entityId")] deal: u64) -> Result<Page<Document>, CallError>;

async fn find_document(reader: &Reader, deal: u64, values: &Values) -> Result<ReadBack<Id>, CallError> {
    let page = list_documents(reader, deal).await?;
    Ok(ReadBack::by_marker(page, |document| (document.number == values.number).then_some(document.id)))
}

fn documents(records: &[&Record], _: &Value) -> Value {
    let row = |record: &&Record| json!({"id": record.id, "number": record.arguments["values"]["DocumentNumber"]});
    json!({"documents": records.iter().map(row).collect::<Vec<_>>()})
}

#[tokio::test(start_paused = true)]
async fn case_b01_a_document_that_renders_too_slowly_is_rendered_once() {
    let add = "crm.documentgenerator.document.add";
    let portal = Fake::new()
        .on(add, [Step::silence().applied().takes(secs(55))])
        .shows("crm.documentgenerator.document.list", documents);
    let seen = Seen::default();
    let client = portal.builder().observer(seen.clone()).build().unwrap();
    let id = add_document(&client, 88, &Values { number: "DN-7f3a" }).await.unwrap();
    assert_eq!(seen.only(Told::Finished).ending(), Ending::Found, "the report notes how it came by the result");
    assert_eq!((id.0, portal.sends(add), portal.effects(add)), (1, 1, 1));

    portal.then(add, [Step::silence().applied()]);
    let result = add_blind_document(&portal.client(), &Values { number: "DN-7f3b" }).await;
    assert_eq!(ending(&result), Ending::InDoubt);
    assert_eq!(portal.sends(add), 2, "one send of this one");
}

#[tokio::test(start_paused = true)]
async fn case_b03_a_read_is_repeated_and_a_write_is_looked_for_after_the_same_disconnect() {
    let portal = Fake::new().on("crm.deal.list", [Step::lost()]);
    list_deals(&portal.client(), &OriginKey::of("k-1")).await.unwrap();
    assert_eq!(portal.sends("crm.deal.list"), 2);

    let portal = Fake::new().on("crm.deal.add", [Step::lost().applied()]);
    add_deal(&portal.client(), &NewDeal::of("k-1")).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.sends("crm.deal.list")), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn case_b05_a_reset_after_the_request_was_read_allocates_once() {
    #[derive(Debug, Clone, Serialize)]
    struct Address {
        #[serde(rename = "xmlId")]
        xml_id: &'static str,
    }

    #[derive(Debug, Deserialize)]
    struct Item {
        id: Id,
        #[serde(rename = "xmlId")]
        xml_id: String,
    }

    /// Allocates.
    #[bitrix_method(name = "crm.item.add", kind = write, verify = find_item)]
    async fn add_item(
        client: &Client,
        #[param(name = "entityTypeId")] kind: u32,
        fields: &Address,
    ) -> Result<Id, CallError>;

    /// Lists.
    #[bitrix_method(name = "crm.item.list", kind = read)]
    async fn list_items(
        reader: &Reader,
        #[param(name = "entityTypeId")] kind: u32,
        filter: &Address,
    ) -> Result<Page<Item>, CallError>;

    async fn find_item(reader: &Reader, kind: u32, fields: &Address) -> Result<ReadBack<Id>, CallError> {
        let page = list_items(reader, kind, fields).await?;
        Ok(ReadBack::by_key(page, |item| (item.xml_id == fields.xml_id).then_some(item.id)))
    }

    fn items(records: &[&Record], _: &Value) -> Value {
        let row = |record: &&Record| json!({"id": record.id, "xmlId": record.arguments["fields"]["xmlId"]});
        json!({"items": records.iter().map(row).collect::<Vec<_>>()})
    }

    let portal = Fake::new().on("crm.item.add", [Step::lost().applied()]).shows("crm.item.list", items);
    add_item(&portal.client(), 31, &Address { xml_id: "inv-4" }).await.unwrap();
    assert_eq!((portal.sends("crm.item.add"), portal.effects("crm.item.add")), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn case_b06_an_empty_answer_before_the_settle_time_is_no_absence() {
    /// Creates a contact.
    #[bitrix_method(name = "crm.contact.add", kind = write, verify = find_contact)]
    async fn add_contact(client: &Client, fields: &NewDeal) -> Result<Id, CallError>;

    /// Lists contacts.
    #[bitrix_method(name = "crm.contact.list", kind = read)]
    async fn list_contacts(reader: &Reader, filter: &OriginKey<'_>)
    -> Result<Page<crate::support::DealRow>, CallError>;

    async fn find_contact(reader: &Reader, fields: &NewDeal) -> Result<ReadBack<Id>, CallError> {
        let page = list_contacts(reader, &OriginKey::of(&fields.origin)).await?;
        Ok(ReadBack::by_key(page, |row| (row.origin.as_deref() == Some(&fields.origin)).then_some(row.id)))
    }

    // It hangs for 65 s, and the row is to be seen 88 s after the send.
    let portal = Fake::new().on("crm.contact.add", [Step::silence().applied_late(secs(88))]);
    add_contact(&portal.client(), &NewDeal::of("c-5")).await.unwrap();
    assert_eq!((portal.sends("crm.contact.add"), portal.effects("crm.contact.add")), (1, 1));
    assert!(portal.sends("crm.contact.list") > 1, "the early answers were empty");
}

#[tokio::test(start_paused = true)]
async fn case_b13_a_create_without_a_key_stops_and_says_what_to_search_for() {
    /// Creates a company.
    #[bitrix_method(name = "crm.company.add", kind = write, unverifiable = "it carries no key of ours")]
    async fn add_company(client: &Client, fields: &NewDeal) -> Result<Id, CallError>;

    let portal = Fake::new().on("crm.company.add", [Step::html().applied().status(504)]);
    let result = add_company(&portal.client(), &NewDeal::of("-")).await;
    assert_eq!((ending(&result), portal.sends("crm.company.add")), (Ending::InDoubt, 1));
    assert!(portal.elapsed() < secs(1));
    let text = result.unwrap_err().to_string();
    for part in
        ["crm.company.add", "it carries no key of ours", "send 1, 2026-11-30T00:53:20", "HTTP 504", "look for it"]
    {
        assert!(text.contains(part), "`{part}` is not in:\n{text}");
    }
}

#[derive(Debug, Deserialize)]
struct Message {
    id: u64,
    text: String,
}

/// Sends a message; the last one before it was noted.
#[bitrix_method(name = "im.message.add", kind = write, verify = find_message)]
async fn send_message(
    client: &Client,
    #[param(name = "MESSAGE")] text: &str,
    last: Noted<Option<u64>>,
) -> Result<Id, CallError>;

/// Lists messages.
#[bitrix_method(name = "im.dialog.messages.get", kind = read)]
async fn list_messages(reader: &Reader) -> Result<Page<Message>, CallError>;

async fn find_message(reader: &Reader, text: &str, last: Noted<Option<u64>>) -> Result<ReadBack<Id>, CallError> {
    let Noted(Some(last)) = last else {
        return Ok(ReadBack::Unreliable("the last message before it was not noted".into()));
    };
    let page = list_messages(reader).await?;
    let new = |message: Message| (message.id > last && message.text == text).then_some(Id(message.id));
    Ok(ReadBack::by_marker(page, new))
}

fn messages(records: &[&Record], _: &Value) -> Value {
    let row = |record: &&Record| json!({"id": record.id, "text": record.arguments["MESSAGE"]});
    json!({"messages": records.iter().map(row).collect::<Vec<_>>()})
}

#[tokio::test(start_paused = true)]
async fn case_b14_a_message_is_found_by_what_was_noted_before_it() {
    let portal = Fake::new().shows("im.dialog.messages.get", messages);
    let client = portal.client();
    // The same words were sent before: only the noted id tells the two apart.
    let before = send_message(&client, "shipped", Noted(Some(0))).await.unwrap();
    portal.then("im.message.add", [Step::silence().applied()]);
    let found = send_message(&client, "shipped", Noted(Some(before.0))).await.unwrap();
    assert_eq!((found.0, portal.sends("im.message.add")), (before.0 + 1, 2));
    assert_eq!(portal.received()[0].arguments, json!({"MESSAGE": "shipped"}), "what was noted is not sent");

    portal.then("im.message.add", [Step::silence().applied()]);
    let result = send_message(&client, "shipped", Noted(None)).await;
    assert_eq!((ending(&result), result.unwrap_err().effect()), (Ending::InDoubt, Effect::Unknown));
    assert_eq!(portal.sends("im.message.add"), 3);
}

#[tokio::test(start_paused = true)]
async fn case_b15_an_unusual_success_is_a_success() {
    let portal = Fake::new().on("crm.deal.add", [Step::honest().status(201)]);
    add_deal(&portal.client(), &NewDeal::of("l-5")).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.sends("crm.deal.list")), (1, 0));
}

/// The result does not fit the stub: it is read back where that can be done, and there in any case.
#[tokio::test(start_paused = true)]
async fn case_b15_what_fails_behind_the_answer_sends_nothing_again() {
    let strange = || Step::result(&json!({"strange": true})).status(201);
    let portal = Fake::new().on("crm.deal.add", [strange(), strange()]);
    assert_eq!(add_deal(&portal.client(), &NewDeal::of("l-5")).await.unwrap(), Id(1));
    let result = add_blind_deal(&portal.client(), &NewDeal::of("l-6")).await;
    assert_eq!((ending(&result), result.unwrap_err().effect()), (Ending::Undecodable, Effect::Present));
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (2, 2));
}

#[tokio::test(start_paused = true)]
async fn case_b17_a_dropped_call_and_the_same_call_again_make_one_record() {
    let portal = Fake::new().on("crm.deal.add", [Step::honest().takes(secs(8))]);
    let client = portal.client();
    let deal = NewDeal::of("A-1");
    let dropped = tokio::time::timeout(secs(3), ensure_deal(&client, &deal)).await;
    assert!(dropped.is_err());
    ensure_deal(&client, &deal).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn case_b18_after_a_proved_absence_the_same_bytes_go_out_once_more() {
    let portal = Fake::new().on("crm.deal.add", [Step::html().status(502)]);
    add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (2, 1));
    assert!(about(portal.times("crm.deal.add")[1], 90));
    let sends: Vec<_> = portal.received().into_iter().filter(|request| request.method == "crm.deal.add").collect();
    assert_eq!(sends[0].bytes, sends[1].bytes);
    assert_eq!(sends[1].arguments["fields"]["ORIGIN_ID"], "A-1");
}
