#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "crm.deal.get", kind = read)]
struct Deal {
    id: Id,
}

#[bitrix_method(name = "crm.deal.get", kind = read)]
pub trait Deals {
    fn get(&self);
}

fn main() {}
