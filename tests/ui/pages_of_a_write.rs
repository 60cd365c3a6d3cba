#![allow(unused)]

use retry_runtime::{Client, Pages, bitrix_method};
use serde_json::Value;

#[bitrix_method(name = "crm.deal.add", kind = write, unverifiable = "a test", pages = "ID")]
fn all_deals(client: &Client) -> Pages<Value>;

fn main() {}
