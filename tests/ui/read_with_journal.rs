#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "crm.deal.get", kind = read, journal)]
async fn get_deal(reader: &Reader, id: Id) -> Result<Id, CallError>;

#[bitrix_method(name = "crm.deal.get", kind = read, resend)]
async fn get_again(reader: &Reader, id: Id) -> Result<Id, CallError>;

fn main() {}
