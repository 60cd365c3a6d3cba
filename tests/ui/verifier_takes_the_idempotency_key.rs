#![allow(unused)]

use retry_runtime::{CallError, Client, Id, IdempotencyKey, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "tasks.task.add", kind = write, version = 3, verify = find_task, idempotency_key = once)]
async fn add_task(client: &Client, once: &IdempotencyKey, title: &str) -> Result<Id, CallError>;

async fn find_task(reader: &Reader, once: &IdempotencyKey, title: &str) -> Result<ReadBack<Id>, CallError> {
    Ok(ReadBack::Absent)
}

fn main() {}
