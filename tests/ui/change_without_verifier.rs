#![allow(unused)]

use retry_runtime::{CallError, Client, Id, IdempotencyKey, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "crm.deal.update", kind = write)]
async fn update_deal(client: &Client, id: Id, fields: &str) -> Result<bool, CallError>;

#[bitrix_method(name = "crm.deal.delete", kind = write)]
async fn delete_deal(client: &Client, id: Id) -> Result<bool, CallError>;

fn main() {}
