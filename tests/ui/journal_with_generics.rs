#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

use serde::Serialize;

#[bitrix_method(name = "crm.deal.add", kind = write, verify = find_deal, journal)]
async fn add_deal<'a, T: Serialize, const N: usize>(
    client: &Client,
    fields: &'a T,
    more: [u8; N],
    rest: &impl Serialize,
) -> Result<Id, CallError>;

async fn find_deal<T, const N: usize>(
    reader: &Reader,
    fields: &T,
    more: [u8; N],
    rest: &impl Serialize,
) -> Result<ReadBack<Id>, CallError> {
    Ok(ReadBack::Absent)
}

fn main() {}
