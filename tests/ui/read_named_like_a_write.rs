#![allow(unused)]

use retry_runtime::{CallError, Client, Id, IdempotencyKey, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "acme.stock.addRow", kind = read, unlisted)]
async fn add_row(reader: &Reader, row: &str) -> Result<Id, CallError>;

fn main() {}
