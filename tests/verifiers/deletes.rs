//! `Existing` and `Gone`: a delete is read back by what `get` says of a record that is not there.

use retry_portal::{Answer, Fault};
use retry_runtime::report::Ending;
use retry_runtime::{CallError, Client, Effect, Existing, Gone, Id, Proof, ReadBack, Reader, bitrix_method};
use serde::Deserialize;
use serde_json::json;

use crate::setting::{portal, scaled};
use crate::support::{Fake, Step, about, ending};

const DELETE: &str = "crm.deal.delete";
const GET: &str = "crm.deal.get";

#[derive(Debug, Deserialize)]
struct Deal {
    #[serde(rename = "ID")]
    id: Id,
}

/// One deal.
#[bitrix_method(name = "crm.deal.get", kind = read)]
async fn get_deal(reader: &Reader, id: Id) -> Result<Deal, CallError>;

/// Deletes a deal.
#[bitrix_method(name = "crm.deal.delete", kind = write, verify = is_gone)]
async fn delete_deal(client: &Client, id: Existing) -> Result<bool, CallError>;

async fn is_gone(reader: &Reader, deal: Existing) -> Result<ReadBack<bool>, CallError> {
    Ok(deal.judge(get_deal(reader, deal.id()).await, Gone::CRM)?.map(|()| true))
}

fn deal() -> Step {
    Step::result(&json!({"ID": "1", "TITLE": "Chair"}))
}

/// The end of a delete whose answer is lost, when `get` answers so ever after; and how often it was sent.
async fn lost(looks: Vec<Step>) -> (Result<bool, CallError>, Fake) {
    let portal = Fake::new().on(DELETE, [Step::lost(), Step::result(&json!(true))]).on(GET, [deal()]).on(GET, looks);
    let client = portal.client();
    let seen = get_deal(&client, Id(1)).await.unwrap();
    let existing = Existing::seen(Id(1), &seen, |deal| deal.id).unwrap();
    (delete_deal(&client, existing).await, portal)
}

fn gone() -> Step {
    Step::code("").says("Not found").status(400)
}

#[tokio::test(start_paused = true)]
async fn a_record_that_is_gone_is_deleted_and_one_that_stays_is_deleted_again() {
    let (result, portal) = lost(vec![deal(), gone()]).await;
    assert!(result.unwrap());
    assert_eq!((portal.sends(DELETE), &portal.received()[1].arguments), (1, &json!({"id": 1})));

    let (result, portal) = lost(vec![deal(); 20]).await;
    assert!(result.unwrap());
    assert_eq!(portal.sends(DELETE), 2);
    assert!(about(portal.times(DELETE)[1], 90));
}

#[tokio::test(start_paused = true)]
async fn p3_any_other_error_proves_nothing() {
    for other in [
        Step::code("").says("Access denied").status(400),
        Step::code("NOT_FOUND").says("Not found").status(400),
        Step::code("ACCESS_DENIED").says("Not found").status(403),
        Step::html(),
        // The answer of the old task methods, deleted or without rights.
        Step::result(&json!([])),
    ] {
        let (result, portal) = lost(vec![other.clone(); 90]).await;
        assert_eq!((ending(&result), portal.sends(DELETE)), (Ending::InDoubt, 1), "{other:?}");
        assert_eq!(result.unwrap_err().effect(), Effect::Unknown);
    }
}

#[tokio::test(start_paused = true)]
async fn each_entity_says_in_its_own_way_that_a_record_is_gone() {
    let v3 = "BITRIX_REST_V3_EXCEPTION_ENTITYNOTFOUNDEXCEPTION";
    // The row of the entity, and whether the answer is its own.
    let table = [
        (Gone::ITEM, "NOT_FOUND", "Element not found", true),
        (Gone::CRM, "", "Not found", true),
        (Gone::CRM, "", "Not found.", true),
        (Gone::CRM, "", "Activity is not found", false),
        (Gone::CRM, "ERROR_CORE", "Not found", false),
        (Gone::ACTIVITY, "", "Activity is not found", true),
        (Gone::ACTIVITY, "", "Not found", false),
        (Gone::TASK, v3, "", true),
        (Gone::TASK, "BITRIX_REST_V3_EXCEPTION_ACCESSDENIEDEXCEPTION", "", false),
        (Gone::DISK, "ERROR_NOT_FOUND", "Could not find entity", true),
        (Gone::ORDER, "201240400001", "order is not exists", true),
        (Gone::PAYMENT, "200640400001", "payment is not exists", true),
        (Gone::PAYMENT, "201240400001", "", false),
        (Gone::DOCUMENT, "0", "Document not found", true),
        (Gone::DOCUMENT, "0", "Access denied", false),
        (Gone::BOOKING, "1021", "", true),
        (Gone::new("", &["Not found", "Не найдено"]), "", "Не найдено.", true),
        (Gone::CRM, "", "Не найдено.", false),
    ];
    for (gone, code, text, is_gone) in table {
        let portal = Fake::new().on(GET, vec![Step::code(code).says(text).status(400); 4]);
        let error = get_deal(&portal.client(), Id(1)).await.unwrap_err();
        assert_eq!(gone.is_said_by(&error), is_gone, "{code:?} {text:?}");
        // A documented code is an answer: the verifier does not wait for another one.
        assert_eq!(portal.sends(GET), 1, "{code:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_was_lost_says_nothing() {
    let portal = Fake::new().on(GET, [gone(), Step::lost(), Step::lost(), Step::lost(), Step::lost()]);
    let client = portal.client();
    assert!(Gone::CRM.is_said_by(&get_deal(&client, Id(1)).await.unwrap_err()));
    assert!(!Gone::CRM.is_said_by(&get_deal(&client, Id(1)).await.unwrap_err()));
}

#[tokio::test]
async fn p1_a_deal_of_a_portal_is_deleted_once_and_the_proof_finds_it_gone() {
    let portal = portal().script(DELETE, [Fault::none(), Fault::before(Answer::Reset)]).start().await.unwrap();
    let client = scaled(Client::builder().webhook(&portal.webhook_url())).proof(Proof::Demanded).build().unwrap();
    for sends in [1, 2] {
        let id = Id(portal.insert("deal", json!({"TITLE": "Chair"})).unwrap());
        let existing = Existing::seen(id, &get_deal(&client, id).await.unwrap(), |deal| deal.id).unwrap();
        assert!(delete_deal(&client, existing).await.unwrap());
        assert_eq!((portal.count(DELETE), portal.records("deal").len()), (sends, 0));
    }
}
