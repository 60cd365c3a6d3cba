#![allow(unused)]

use retry_runtime::{CallError, Client, Id, IdempotencyKey, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "tasks.task.add", kind = write, version = 3, idempotency_key = once)]
async fn renamed(client: &Client, #[param(name = "ID")] once: &IdempotencyKey) -> Result<Id, CallError>;

#[bitrix_method(name = "tasks.task.add", kind = write, version = 3, idempotency_key = once)]
async fn not_always(client: &Client, #[cfg(unix)] once: &IdempotencyKey) -> Result<Id, CallError>;

fn main() {}
