#![allow(unused)]

use retry_runtime::{CallError, Client, Id, IdempotencyKey, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "crm.deal.list", kind = read, read_form = "without filter")]
async fn list_deals(reader: &Reader) -> Result<Page<Id>, CallError>;

#[bitrix_method(name = "entity.rights", kind = write, unverifiable = "a test", read_form = "without ACCESS")]
async fn set_rights(client: &Client, access: &str) -> Result<Id, CallError>;

#[bitrix_method(name = "event.offline.get", kind = read, read_form = "clear is 0")]
async fn offline_events(reader: &Reader) -> Result<Page<Id>, CallError>;

fn main() {}
