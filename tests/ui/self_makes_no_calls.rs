#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

struct Api;

impl Api {
    #[bitrix_method(name = "crm.deal.get", kind = read)]
    async fn get(&self, id: Id) -> Result<Id, CallError>;

    #[bitrix_method(name = "im.message.add", kind = write, unverifiable = "a message carries no key")]
    async fn send(&self, message: &str) -> Result<u64, CallError>;
}

fn main() {}
