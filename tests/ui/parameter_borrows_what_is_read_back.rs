#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

#[derive(Debug, serde::Serialize, serde::Deserialize)]
struct NewDeal<'a> {
    origin_id: &'a str,
}

#[bitrix_method(name = "crm.deal.add", kind = write, verify = find_deal, journal)]
async fn add_deal(client: &Client, title: &str, fields: &NewDeal<'_>) -> Result<Id, CallError>;

async fn find_deal(reader: &Reader, title: &str, fields: &NewDeal<'_>) -> Result<ReadBack<Id>, CallError> {
    Ok(ReadBack::Absent)
}

fn main() {}
