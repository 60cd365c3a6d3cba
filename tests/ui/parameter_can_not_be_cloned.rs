#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

#[derive(serde::Serialize)]
struct Once {
    origin_id: String,
}

#[bitrix_method(name = "crm.deal.add", kind = write, verify = find_deal)]
async fn add_deal(client: &Client, fields: Once) -> Result<Id, CallError>;

async fn find_deal(reader: &Reader, fields: Once) -> Result<ReadBack<Id>, CallError> {
    Ok(ReadBack::Absent)
}

fn main() {}
