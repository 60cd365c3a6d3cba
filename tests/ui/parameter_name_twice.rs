#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "crm.item.get", kind = read)]
async fn get_item(reader: &Reader, id: Id, #[param(name = "id")] entity: u32) -> Result<Id, CallError>;

fn main() {}
