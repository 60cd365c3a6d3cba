#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

#[derive(Debug, serde::Serialize, serde::Deserialize)]
struct NewDeal {
    origin_id: String,
}

#[bitrix_method(name = "crm.deal.add", kind = write, verify = finds_a_number, journal)]
async fn add_deal(client: &Client, fields: &NewDeal) -> Result<Id, CallError>;

#[bitrix_method(name = "crm.deal.add", kind = write, verify = takes_a_text, journal)]
async fn add_second(client: &Client, fields: &NewDeal) -> Result<Id, CallError>;

#[bitrix_method(name = "crm.deal.add", kind = write, verify = takes_more, journal)]
async fn add_third(client: &Client, fields: &NewDeal) -> Result<Id, CallError>;

#[bitrix_method(name = "crm.deal.add", kind = write, verify = gives_an_option, journal)]
async fn add_fourth(client: &Client, fields: &NewDeal) -> Result<Id, CallError>;

#[bitrix_method(name = "crm.deal.add", kind = write, verify = writes, journal)]
async fn add_fifth(client: &Client, fields: &NewDeal) -> Result<Id, CallError>;

async fn finds_a_number(reader: &Reader, fields: &NewDeal) -> Result<ReadBack<u64>, CallError> {
    Ok(ReadBack::Absent)
}

async fn takes_a_text(reader: &Reader, fields: &str) -> Result<ReadBack<Id>, CallError> {
    Ok(ReadBack::Absent)
}

async fn takes_more(reader: &Reader, fields: &NewDeal, more: u8) -> Result<ReadBack<Id>, CallError> {
    Ok(ReadBack::Absent)
}

async fn gives_an_option(reader: &Reader, fields: &NewDeal) -> Option<Id> {
    None
}

async fn writes(client: &Client, fields: &NewDeal) -> Result<ReadBack<Id>, CallError> {
    Ok(ReadBack::Absent)
}

fn main() {}
