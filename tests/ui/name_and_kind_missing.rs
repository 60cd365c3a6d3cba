#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method]
async fn nothing(reader: &Reader) -> Result<Id, CallError>;

#[bitrix_method("crm.deal.get")]
async fn no_key(reader: &Reader) -> Result<Id, CallError>;

fn main() {}
