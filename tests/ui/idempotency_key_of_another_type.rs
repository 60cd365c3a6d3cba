#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

struct IdempotencyKey;

#[bitrix_method(name = "tasks.task.add", kind = write, version = 3, idempotency_key = once)]
async fn add_task(client: &Client, title: &str, once: &IdempotencyKey) -> Result<Id, CallError>;

#[bitrix_method(name = "tasks.task.add", kind = write, version = 3, verify = find_task, idempotency_key = parent)]
async fn add_verified(client: &Client, title: &str, parent: &Id) -> Result<Id, CallError>;

async fn find_task(reader: &Reader, title: &str) -> Result<ReadBack<Id>, CallError> {
    Ok(ReadBack::Absent)
}

fn main() {}
