#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

#[derive(Debug, serde::Serialize, serde::Deserialize)]
struct NewDeal {
    origin_id: String,
}

#[derive(Debug, serde::Deserialize)]
struct Added(u64);

#[bitrix_method(name = "crm.deal.add", kind = write, verify = find_deal, journal)]
async fn add_deal(client: &Client, fields: &NewDeal) -> Result<Added, CallError>;

async fn find_deal(reader: &Reader, fields: &NewDeal) -> Result<ReadBack<Added>, CallError> {
    Ok(ReadBack::Absent)
}

fn main() {}
