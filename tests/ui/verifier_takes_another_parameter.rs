#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

#[derive(Clone, serde::Serialize)]
struct NewDeal {
    origin_id: String,
}

#[bitrix_method(name = "crm.deal.add", kind = write, verify = find_deal)]
async fn add_deal(client: &Client, fields: &NewDeal) -> Result<Id, CallError>;

async fn find_deal(reader: &Reader, title: &str) -> Result<ReadBack<Id>, CallError> {
    Ok(ReadBack::Absent)
}

fn main() {}
