#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

#[derive(serde::Deserialize)]
struct DealId(u64);

#[bitrix_method(name = "crm.deal.add", kind = write, verify = find_deal)]
async fn add_deal(client: &Client, title: &str) -> Result<DealId, CallError>;

async fn find_deal(reader: &Reader, title: &str) -> Result<ReadBack<DealId>, CallError> {
    Ok(ReadBack::Absent)
}

fn main() {}
