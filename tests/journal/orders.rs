//! Orders that become deals, each an intent on record.

use retry_runtime::__private::{Call, Check, Entry, Journaled, Way, boxed, journaled, recovery, verdict};
use retry_runtime::journal::{Intent, MemoryJournal, Recovery};
use retry_runtime::{CallError, Client, Id, ReadBack, Reader};
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

const CHECK: Check<Id> = |reader, arguments| {
    boxed(async move {
        let fields = arguments.take::<Order>("fields")?;
        verdict(find_order(&reader, &fields)).await
    })
};

const fn stub(path: &'static str, resend: bool, way: Way<Id>) -> Journaled<Id> {
    Journaled { method: "crm.deal.add", path, resend, way }
}

pub(crate) const ADD: Recovery = recovery(const { &stub("add_order", false, Way::ReadBack(CHECK)) });
pub(crate) const RESEND: Recovery = recovery(const { &stub("resend_order", true, Way::ReadBack(CHECK)) });
pub(crate) const BLIND: Recovery = recovery(const { &stub("blind_order", false, Way::Stop("the test says so")) });

/// Makes the call of a stub.
pub(crate) async fn call(client: &Client, fields: &Order, stub: Recovery) -> Result<Id, CallError> {
    let call = Call::write("crm.deal.add", &[Entry::new("fields", fields)]).key(&fields.origin);
    journaled(client, call, stub).await
}

/// Creates a deal.
pub(crate) async fn add_order(client: &Client, fields: &Order) -> Result<Id, CallError> {
    call(client, fields, ADD).await
}

/// Creates a deal, by recovery too.
pub(crate) async fn resend_order(client: &Client, fields: &Order) -> Result<Id, CallError> {
    call(client, fields, RESEND).await
}

/// Creates a deal that nobody looks for.
pub(crate) async fn blind_order(client: &Client, fields: &Order) -> Result<Id, CallError> {
    call(client, fields, BLIND).await
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
