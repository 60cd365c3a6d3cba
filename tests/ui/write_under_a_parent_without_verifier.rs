#![allow(unused)]

use retry_runtime::{CallError, Client, Id, IdempotencyKey, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "crm.timeline.comment.add", kind = write)]
async fn add_comment(client: &Client, fields: &str) -> Result<Id, CallError>;

fn main() {}
