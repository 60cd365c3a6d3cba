#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

struct Filter;

#[bitrix_method(name = "crm.deal.list", kind = read)]
async fn list_deals(reader: &Reader, filter: &Filter) -> Result<Page<Id>, CallError>;

fn main() {}
