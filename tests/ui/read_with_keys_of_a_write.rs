#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "crm.deal.get", kind = read, verify = find_deal, key = id, ensure)]
async fn get_deal(reader: &Reader, id: Id) -> Result<Id, CallError>;

#[bitrix_method(name = "tasks.task.get", kind = read, version = 3, idempotency_key = id)]
async fn get_task(reader: &Reader, id: Id) -> Result<Id, CallError>;

fn main() {}
