#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "crm.deal.get", kind = read, name = "crm.lead.get")]
async fn get_deal(reader: &Reader, id: Id) -> Result<Id, CallError>;

fn main() {}
