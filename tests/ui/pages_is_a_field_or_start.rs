#![allow(unused)]

use retry_runtime::{Pages, Reader, bitrix_method};
use serde_json::Value;

#[bitrix_method(name = "crm.deal.list", kind = read, pages = ID)]
fn by_a_word(reader: &Reader) -> Pages<Value>;

#[bitrix_method(name = "crm.deal.list", kind = read, pages = ">ID")]
fn by_a_condition(reader: &Reader) -> Pages<Value>;

#[bitrix_method(name = "crm.deal.list", kind = read, paged = "ID")]
fn by_another_key(reader: &Reader) -> Pages<Value>;

fn main() {}
