#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "crm.deal.list", kind = read)]
async fn list_deals() -> Result<Page<Id>, CallError>;

#[bitrix_method(name = "crm.deal.add", kind = write, unverifiable = "no key")]
async fn add_deal() -> Result<Id, CallError>;

fn main() {}
