#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "crm.deal.get", kind = raed)]
async fn get_deal(reader: &Reader, id: Id) -> Result<Id, CallError>;

#[bitrix_method(name = "crm.deal.get", kind = "read")]
async fn quoted(reader: &Reader, id: Id) -> Result<Id, CallError>;

fn main() {}
