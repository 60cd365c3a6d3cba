#![allow(unused)]

use retry_runtime::{CallError, Pages, Reader, bitrix_method};
use serde_json::Value;

#[bitrix_method(name = "crm.deal.list", kind = read, pages = "ID")]
async fn all_deals(reader: &Reader) -> Pages<Value>;

// Its caller is not told a second time.
async fn caller(reader: &Reader) -> Option<Result<Value, CallError>> {
    all_deals(reader).next().await
}

fn main() {}
