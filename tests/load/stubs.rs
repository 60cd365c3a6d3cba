//! The calls of the load: one stub for each way a call can be made safe.

use retry_runtime::{CallError, Client, Id, IdempotencyKey, Key, KeyRow, Page, ReadBack, Reader, bitrix_method};
use serde::Serialize;

/// What the name of a lot begins with; its number follows. Nothing else in a request has it.
pub(crate) const LOT: &str = "lot";

const ORIGINATOR: &str = "auction";

/// The deal of a lot. REST 3.0 makes a task of it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) struct Deal {
    title: &'static str,
    originator_id: &'static str,
    origin_id: String,
}

impl Deal {
    pub(crate) fn of(lot: usize) -> Self {
        Self { title: "Sold", originator_id: ORIGINATOR, origin_id: name(lot) }
    }
}

fn name(lot: usize) -> String {
    format!("{LOT}{lot}")
}

#[bitrix_method(name = "crm.deal.list", kind = read)]
async fn list_deals(reader: &Reader, #[param(flatten)] key: &Key<'_>) -> Result<Page<KeyRow>, CallError>;

/// Shows the deal of a lot, if there is one.
pub(crate) async fn look_up(reader: &Reader, lot: usize) -> Result<(), CallError> {
    list_deals(reader, &Key::origin(ORIGINATOR, name(lot))).await.map(|_| ())
}

#[bitrix_method(name = "crm.deal.add", kind = write, verify = find_deal, key = fields.origin_id)]
pub(crate) async fn add_deal(client: &Client, fields: &Deal) -> Result<Id, CallError>;

#[bitrix_method(name = "crm.deal.add", kind = write, verify = find_deal, key = fields.origin_id, ensure)]
pub(crate) async fn ensure_deal(client: &Client, fields: &Deal) -> Result<Id, CallError>;

#[bitrix_method(name = "crm.deal.add", kind = write, unverifiable = "nobody looks for it")]
pub(crate) async fn add_blindly(client: &Client, fields: &Deal) -> Result<Id, CallError>;

async fn find_deal(reader: &Reader, fields: &Deal) -> Result<ReadBack<Id>, CallError> {
    let key = Key::origin(fields.originator_id, &fields.origin_id);
    Ok(key.find_in(list_deals(reader, &key).await?))
}

#[bitrix_method(name = "tasks.task.add", kind = write, version = 3, idempotency_key = once)]
pub(crate) async fn add_task(client: &Client, fields: &Deal, once: &IdempotencyKey) -> Result<Id, CallError>;
