#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

struct Api;

impl Api {
    #[bitrix_method(name = "crm.deal.get", kind = read)]
    async fn by_value(self, id: Id) -> Result<Id, CallError>;

    #[bitrix_method(name = "crm.deal.get", kind = read)]
    async fn exclusive(&mut self, id: Id) -> Result<Id, CallError>;
}

fn main() {}
