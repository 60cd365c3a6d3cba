#![allow(unused)]

use retry_runtime::{CallError, Client, Id, IdempotencyKey, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "crm.contact.add", kind = write)]
async fn add_contact(client: &Client, fields: &str) -> Result<Id, CallError>;

#[bitrix_method(name = "lists.element.add", kind = write)]
async fn add_element(client: &Client, #[param(flatten)] element: &str) -> Result<Id, CallError>;

fn main() {}
