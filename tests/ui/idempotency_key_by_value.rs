#![allow(unused)]

use retry_runtime::{CallError, Client, Id, IdempotencyKey, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "tasks.task.add", kind = write, version = 3, idempotency_key = once)]
async fn by_value(client: &Client, title: &str, once: IdempotencyKey) -> Result<Id, CallError>;

#[bitrix_method(name = "tasks.task.add", kind = write, version = 3, idempotency_key = once)]
async fn exclusive(client: &Client, title: &str, once: &mut retry_runtime::IdempotencyKey) -> Result<Id, CallError>;

#[bitrix_method(name = "tasks.task.add", kind = write, version = 3, idempotency_key = once)]
async fn a_text(client: &Client, title: &str, once: &str) -> Result<Id, CallError>;

fn main() {}
