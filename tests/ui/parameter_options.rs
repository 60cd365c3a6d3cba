#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "crm.item.get", kind = read)]
async fn get_item(
    #[param(flatten)] reader: &Reader,
    #[param] a: u8,
    #[param(rename = "B")] b: u8,
    #[param(name = "C", flatten)] c: u8,
    #[param(name = "d e")] d: u8,
) -> Result<Id, CallError>;

fn main() {}
