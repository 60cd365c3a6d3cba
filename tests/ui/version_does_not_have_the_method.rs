#![allow(unused)]

use retry_runtime::{CallError, Client, Id, IdempotencyKey, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "note.document.get", kind = read)]
async fn unsaid(reader: &Reader, id: Id) -> Result<Id, CallError>;

#[bitrix_method(name = "note.document.get", kind = read, version = 2)]
async fn second(reader: &Reader, id: Id) -> Result<Id, CallError>;

#[bitrix_method(name = "crm.deal.get", kind = read, version = 3)]
async fn third(reader: &Reader, id: Id) -> Result<Id, CallError>;

fn main() {}
