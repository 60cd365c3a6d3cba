#![allow(unused)]

use retry_runtime::{CallError, Page, Reader, bitrix_method};
use serde_json::Value;

#[bitrix_method(name = "crm.deal.list", kind = read, pages = "ID")]
fn a_result(reader: &Reader) -> Result<Page<Value>, CallError>;

#[bitrix_method(name = "crm.deal.list", kind = read, pages = "ID")]
fn nothing(reader: &Reader);

fn main() {}
