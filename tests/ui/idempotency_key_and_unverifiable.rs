#![allow(unused)]

use retry_runtime::{CallError, Client, Id, IdempotencyKey, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(
    name = "tasks.task.add",
    kind = write,
    version = 3,
    idempotency_key = once,
    unverifiable = "tasks can't be found by a key of ours"
)]
async fn add_task(client: &Client, title: &str, once: &IdempotencyKey) -> Result<Id, CallError>;

fn main() {}
