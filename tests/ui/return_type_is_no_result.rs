#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

#[derive(Clone, serde::Serialize)]
struct NewDeal {
    origin_id: String,
}

#[bitrix_method(name = "crm.deal.get", kind = read)]
async fn get_deal(reader: &Reader, id: Id) -> Result<Id, std::io::Error>;

#[bitrix_method(name = "crm.deal.add", kind = write, verify = find_deal)]
async fn add_deal(client: &Client, fields: &NewDeal) -> Option<Id>;

async fn find_deal(reader: &Reader, fields: &NewDeal) -> Result<ReadBack<Id>, CallError> {
    Ok(ReadBack::Absent)
}

fn main() {}
