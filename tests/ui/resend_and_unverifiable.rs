#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "im.message.add", kind = write, unverifiable = "a message carries no key", journal, resend)]
async fn send(client: &Client, message: &str) -> Result<u64, CallError>;

fn main() {}
