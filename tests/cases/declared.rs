//! B84: what a call is, is declared, and not guessed from a verb.

use retry_runtime::report::Ending;
use retry_runtime::{CallError, Client, OperationKind, Reader, bitrix_method};
use serde_json::Value;

use crate::support::{Fake, Seen, Step, Told, ending};

/// Reads by POST.
#[bitrix_method(name = "crm.deal.list", kind = read)]
async fn list(reader: &Reader) -> Result<Value, CallError>;

/// Takes the events off the queue, so that it is a write.
#[bitrix_method(name = "event.offline.get", kind = write, unverifiable = "what it returned is gone")]
async fn take_events(client: &Client, clear: u8) -> Result<Value, CallError>;

/// Creates a lead: where others send it by GET, it is a write all the same.
#[bitrix_method(name = "crm.lead.add", kind = write, unverifiable = "the test says so")]
async fn add_lead(client: &Client, fields: &Value) -> Result<Value, CallError>;

/// A method that no catalogue has.
#[bitrix_method(name = "acme.stock.move", kind = write, unlisted, unverifiable = "the test says so")]
async fn move_stock(client: &Client, amount: u8) -> Result<Value, CallError>;

/// Sets rights, whatever its name.
#[bitrix_method(name = "entity.rights", kind = write, unverifiable = "the test says so")]
async fn set_rights(client: &Client, #[param(name = "ACCESS")] access: &Value) -> Result<Value, CallError>;

#[tokio::test(start_paused = true)]
async fn case_b84_the_declared_kind_decides_what_a_lost_answer_means() {
    let portal = Fake::new().on("crm.deal.list", [Step::lost()]);
    list(&portal.client()).await.unwrap();
    assert_eq!(portal.sends("crm.deal.list"), 2);

    let writes = ["event.offline.get", "entity.rights", "crm.lead.add", "acme.stock.move"];
    let portal = writes.into_iter().fold(Fake::new(), |portal, method| portal.on(method, [Step::lost()]));
    let seen = Seen::default();
    let client = portal.builder().observer(seen.clone()).build().unwrap();
    assert_eq!(ending(&take_events(&client, 1).await), Ending::InDoubt);
    assert_eq!(ending(&set_rights(&client, &Value::Null).await), Ending::InDoubt);
    assert_eq!(ending(&add_lead(&client, &Value::Null).await), Ending::InDoubt);
    assert_eq!(ending(&move_stock(&client, 1).await), Ending::InDoubt);
    assert_eq!(writes.map(|method| portal.sends(method)), [1; 4]);
    assert!(seen.all().iter().all(|(told, report)| *told == Told::Finished && report.kind() == OperationKind::Write));
}
