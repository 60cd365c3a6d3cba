#![allow(unused)]

use retry_runtime::{CallError, Client, Id, IdempotencyKey, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "im.message.add", kind = write)]
async fn say(
    client: &Client,
    #[param(name = "DIALOG_ID")] dialog: &str,
    #[param(name = "MESSAGE")] message: &str,
) -> Result<Id, CallError>;

fn main() {}
