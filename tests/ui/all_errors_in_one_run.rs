#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(nmae = "crm.deal.add", kind = wriet, verify("find_deal"), ensure = true)]
pub fn add(client: &Client, mut title: String, #[param(nam = "OPPORTUNITY")] amount: u64);

fn main() {}
