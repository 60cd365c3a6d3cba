//! Orders that become deals, each an intent on record.

use retry_runtime::journal::{Intent, MemoryJournal, Recovery};
use retry_runtime::{CallError, Client, Id, ReadBack, Reader, bitrix_method};
use serde::{Deserialize, Serialize};

use crate::support::{Fake, OriginKey, list_deals};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Order {
    #[serde(rename = "TITLE")]
    pub(crate) title: String,
    #[serde(rename = "ORIGINATOR_ID")]
    pub(crate) originator: String,
    #[serde(rename = "ORIGIN_ID")]
    pub(crate) origin: String,
}

impl Order {
    pub(crate) fn of(number: &str) -> Self {
        Self { title: format!("Order {number}"), originator: "shop".into(), origin: number.into() }
    }
}

pub(crate) async fn find_order(reader: &Reader, fields: &Order) -> Result<ReadBack<Id>, CallError> {
    let page = list_deals(reader, &OriginKey::of(&fields.origin)).await?;
    Ok(ReadBack::by_key(page, |row| (row.origin.as_deref() == Some(&fields.origin)).then_some(row.id)))
}

/// Creates a deal.
#[bitrix_method(name = "crm.deal.add", kind = write, verify = find_order, key = fields.origin, journal)]
pub(crate) async fn add_order(client: &Client, fields: &Order) -> Result<Id, CallError>;

/// Creates a deal, by recovery too.
#[bitrix_method(name = "crm.deal.add", kind = write, verify = find_order, key = fields.origin, journal, resend)]
pub(crate) async fn resend_order(client: &Client, fields: &Order) -> Result<Id, CallError>;

/// Creates a deal that nobody looks for.
#[bitrix_method(name = "crm.deal.add", kind = write, unverifiable = "the test says so", key = fields.origin, journal)]
pub(crate) async fn blind_order(client: &Client, fields: &Order) -> Result<Id, CallError>;

pub(crate) const ADD: Recovery = add_order::RECOVERY;
pub(crate) const RESEND: Recovery = resend_order::RECOVERY;
pub(crate) const BLIND: Recovery = blind_order::RECOVERY;

/// Makes the call of a stub.
pub(crate) async fn call(client: &Client, fields: &Order, stub: Recovery) -> Result<Id, CallError> {
    let is = |other: Recovery| format!("{stub:?}") == format!("{other:?}");
    if is(RESEND) {
        resend_order(client, fields).await
    } else if is(BLIND) {
        blind_order(client, fields).await
    } else {
        add_order(client, fields).await
    }
}

/// A client of this portal with this journal.
pub(crate) fn client(portal: &Fake, journal: &MemoryJournal) -> Client {
    portal.builder().journal(journal.clone()).build().unwrap()
}

/// A journal that goes by the clock of the portal.
pub(crate) fn journal(portal: &Fake) -> MemoryJournal {
    MemoryJournal::with_clock(portal.clock().clone())
}

/// The only intent on record.
pub(crate) fn only(journal: &MemoryJournal) -> Intent {
    let mut intents = journal.intents();
    assert_eq!(intents.len(), 1, "{intents:?}");
    intents.remove(0)
}
