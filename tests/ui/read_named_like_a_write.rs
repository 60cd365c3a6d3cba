#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

#[derive(Clone, serde::Serialize)]
struct NewDeal {
    origin_id: String,
}

#[bitrix_method(name = "crm.deal.add", kind = read)]
async fn add_deal(reader: &Reader, fields: &NewDeal) -> Result<Id, CallError>;

#[bitrix_method(name = "disk.folder.uploadFile", kind = read)]
async fn upload(reader: &Reader, id: Id) -> Result<Id, CallError>;

fn main() {}
