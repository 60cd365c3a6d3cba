#![allow(unused)]

use retry_runtime::{CallError, Client, Id, IdempotencyKey, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "tasks.task.add", kind = write, version = 3)]
async fn add_task(client: &Client, title: &str) -> Result<Id, CallError>;

// The parameter is there, and the attribute does not name it.
#[bitrix_method(name = "tasks.task.add", kind = write, version = 3)]
async fn unnamed(client: &Client, title: &str, once: &IdempotencyKey) -> Result<Id, CallError>;

fn main() {}
