#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "crm.deal.get", kind = read)]
fn not_async(reader: &Reader, id: Id) -> Result<Id, CallError>;

#[bitrix_method(name = "crm.deal.get", kind = read)]
const unsafe extern "C" fn qualified(reader: &Reader, ids: ...) -> Result<Id, CallError>;

fn main() {}
