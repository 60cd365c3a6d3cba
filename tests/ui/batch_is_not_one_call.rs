#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "batch", kind = write)]
async fn batch(client: &Client, cmd: &[&str]) -> Result<Id, CallError>;

fn main() {}
