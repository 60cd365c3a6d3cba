#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

struct Deal;

#[bitrix_method(name = "crm.deal.get", kind = read)]
async fn get_deal(reader: &Reader, id: Id) -> Result<Deal, CallError>;

fn main() {}
