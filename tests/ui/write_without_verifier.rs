#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

#[derive(Clone, serde::Serialize)]
struct NewDeal {
    origin_id: String,
}

#[bitrix_method(name = "crm.deal.add", kind = write)]
async fn add_deal(client: &Client, fields: &NewDeal) -> Result<Id, CallError>;

// A caller is not told a second time.
async fn caller(client: &Client, fields: &NewDeal) -> Result<u64, CallError> {
    let id: Id = add_deal(client, fields).await?;
    Ok(id.0)
}

fn main() {}
