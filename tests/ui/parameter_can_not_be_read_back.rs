#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

#[derive(Debug, serde::Serialize)]
struct NewDeal {
    origin_id: String,
}

#[bitrix_method(name = "crm.deal.add", kind = write, verify = find_deal, journal)]
async fn add_deal(client: &Client, title: &str, fields: &NewDeal) -> Result<Id, CallError>;

#[bitrix_method(name = "crm.deal.add", kind = write, verify = find_owned, journal)]
async fn add_owned(client: &Client, title: &str, fields: NewDeal) -> Result<Id, CallError>;

async fn find_deal(reader: &Reader, title: &str, fields: &NewDeal) -> Result<ReadBack<Id>, CallError> {
    Ok(ReadBack::Absent)
}

async fn find_owned(reader: &Reader, title: &str, fields: NewDeal) -> Result<ReadBack<Id>, CallError> {
    Ok(ReadBack::Absent)
}

fn main() {}
