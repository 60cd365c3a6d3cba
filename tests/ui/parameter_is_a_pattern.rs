#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "crm.deal.get", kind = read)]
async fn get_deal(reader: &Reader, mut id: Id, _: u8, (a, b): (u8, u8)) -> Result<Id, CallError>;

fn main() {}
