#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "crm.deal.add", kind = write, verify = find_deal, journal)]
async fn add_deal(client: &Client, title: &str, note: Option<&str>, tags: &[&str]) -> Result<Id, CallError>;

async fn find_deal(
    reader: &Reader,
    title: &str,
    note: Option<&str>,
    tags: &[&str],
) -> Result<ReadBack<Id>, CallError> {
    Ok(ReadBack::Absent)
}

fn main() {}
