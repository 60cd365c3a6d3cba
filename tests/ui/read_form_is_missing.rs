#![allow(unused)]

use retry_runtime::{CallError, Client, Id, IdempotencyKey, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "disk.folder.uploadFile", kind = read)]
async fn upload_address(reader: &Reader, id: Id) -> Result<Id, CallError>;

#[bitrix_method(name = "entity.rights", kind = read, read_form = " ")]
async fn rights(reader: &Reader, #[param(name = "ENTITY")] entity: &str) -> Result<Id, CallError>;

fn main() {}
