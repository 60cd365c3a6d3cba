#![allow(unused)]

use retry_runtime::{CallError, Client, Id, IdempotencyKey, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "crm.deals.list", kind = read)]
async fn plural(reader: &Reader) -> Result<Page<Id>, CallError>;

#[bitrix_method(name = "tasks.add", kind = write, verify = find)]
async fn several(client: &Client) -> Result<Id, CallError>;

// How it is read back is another question, for when the name is known.
#[bitrix_method(name = "crm.rocket.launch", kind = write)]
async fn far_off(client: &Client) -> Result<Id, CallError>;

async fn find(reader: &Reader) -> Result<ReadBack<Id>, CallError> {
    Ok(ReadBack::Absent)
}

fn main() {}
