#![allow(unused)]

use retry_runtime::{CallError, Client, Id, IdempotencyKey, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "event.offline.get", kind = read)]
async fn offline_events(reader: &Reader) -> Result<Page<Id>, CallError>;

#[bitrix_method(name = "crm.deal.add", kind = read)]
async fn add_deal(reader: &Reader, fields: &str) -> Result<Id, CallError>;

#[bitrix_method(name = "crm.deal.list", kind = write, verify = find, ensure)]
async fn list_deals(client: &Client) -> Result<Page<Id>, CallError>;

#[bitrix_method(name = "timeman.settings", kind = write)]
async fn settings(client: &Client) -> Result<Id, CallError>;

fn main() {}
