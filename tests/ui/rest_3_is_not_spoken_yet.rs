#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

struct IdempotencyKey;

#[bitrix_method(name = "tasks.task.add", kind = write, version = 3, idempotency_key = once)]
async fn add_task(client: &Client, once: &IdempotencyKey, title: &str) -> Result<Id, CallError>;

fn main() {}
