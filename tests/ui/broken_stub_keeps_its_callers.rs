#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "crm.deal.list", kind = raed)]
async fn an_iterator(reader: &Reader) -> impl Iterator<Item = Id> + use<>;

#[bitrix_method(name = "crm.deal.list", kind = raed)]
async fn in_a_result(reader: &Reader, filter: impl Fn()) -> Result<impl Fn(u8) -> Id, CallError>;

#[bitrix_method(name = "crm.deal.list", kind = read)]
fn not_async<'a>(reader: &Reader, text: &'a str, (b, c): (u8, u8)) -> Result<&'a str, CallError>;

async fn caller(reader: &Reader) -> Result<u64, CallError> {
    let sum: u64 = an_iterator(reader).await.map(|id| id.0).sum();
    let more = in_a_result(reader, || ()).await?;
    let text: &str = not_async(reader, "text", (1, 2)).await?;
    Ok(sum + more(5).0)
}

fn main() {}
