#![allow(unused)]

use retry_runtime::{Client, Pages, Reader, bitrix_method};

struct Deal;

#[bitrix_method(name = "crm.deal.list", kind = read, pages = "ID")]
fn all_deals(reader: &Reader) -> Pages<Deal>;

fn main() {}
