#![allow(unused)]

use retry_runtime::{CallError, Client, Id, IdempotencyKey, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "crm.deal.add", kind = write, idempotency_key = once)]
async fn add_deal(client: &Client, fields: &str, once: &IdempotencyKey) -> Result<Id, CallError>;

fn main() {}
