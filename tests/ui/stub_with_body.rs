#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "crm.deal.get", kind = read)]
async fn get_deal(reader: &Reader, id: Id) -> Result<Id, CallError> {
    todo!()
}

fn main() {}
