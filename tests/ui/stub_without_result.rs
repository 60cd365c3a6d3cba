#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "crm.deal.get", kind = read)]
async fn nothing(reader: &Reader, id: Id);

#[bitrix_method(name = "crm.deal.get", kind = read)]
async fn unit(reader: &Reader, id: Id) -> ();

fn main() {}
