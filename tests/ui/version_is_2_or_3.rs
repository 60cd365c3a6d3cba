#![allow(unused)]

use retry_runtime::{CallError, Client, Id, IdempotencyKey, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "tasks.task.get", kind = read, version = 4)]
async fn next(reader: &Reader, id: Id) -> Result<Id, CallError>;

#[bitrix_method(name = "tasks.task.get", kind = read, version = 3.0)]
async fn fraction(reader: &Reader, id: Id) -> Result<Id, CallError>;

fn main() {}
