#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "acme.stock", kind = read, unlisted)]
async fn one_dot_is_enough(reader: &Reader) -> Result<Id, CallError>;

#[bitrix_method(name = "deal", kind = read)]
async fn no_dot(reader: &Reader) -> Result<Id, CallError>;

#[bitrix_method(name = "https://acme.bitrix24.com/rest/crm.deal.get", kind = read)]
async fn an_address(reader: &Reader) -> Result<Id, CallError>;

#[bitrix_method(name = crm.deal.get, kind = read)]
async fn no_literal(reader: &Reader) -> Result<Id, CallError>;

fn main() {}
