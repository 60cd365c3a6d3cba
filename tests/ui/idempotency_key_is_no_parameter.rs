#![allow(unused)]

use retry_runtime::{CallError, Client, Id, IdempotencyKey, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "tasks.task.add", kind = write, version = 3, idempotency_key = key)]
async fn misnamed(client: &Client, title: &str, once: &IdempotencyKey) -> Result<Id, CallError>;

#[bitrix_method(name = "tasks.task.add", kind = write, version = 3, idempotency_key = key)]
async fn missing(client: &Client, title: &str) -> Result<Id, CallError>;

#[bitrix_method(name = "tasks.task.add", kind = write, version = 3, idempotency_key = client)]
async fn the_first(client: &Client) -> Result<Id, CallError>;

fn main() {}
