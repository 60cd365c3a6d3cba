#![allow(unused)]

use retry_runtime::{CallError, Client, Id, IdempotencyKey, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "crm.deal.list", kind = read, unlisted)]
async fn list_deals(reader: &Reader) -> Result<Page<Id>, CallError>;

fn main() {}
