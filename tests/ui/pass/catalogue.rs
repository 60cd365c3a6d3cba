//! What the catalogue allows: names in any case, a portal's own methods, and reads by methods that may write.
#![deny(missing_docs, warnings)]

use retry_runtime::{CallError, Client, Id, Page, Reader, bitrix_method};
use serde_json::Value;

#[bitrix_method(name = "CRM.deal.LIST", kind = read, version = 2)]
async fn list_deals(reader: &Reader) -> Result<Page<Value>, CallError>;

#[bitrix_method(name = "acme.stock.list", kind = read, unlisted)]
async fn stock(reader: &Reader) -> Result<Page<Value>, CallError>;

#[bitrix_method(name = "acme.stock.add", kind = write, unlisted, unverifiable = "a test")]
async fn add_stock(client: &Client, row: &str) -> Result<Id, CallError>;

#[bitrix_method(name = "acme.stock.get", kind = read, unlisted, version = 3)]
async fn stock_by_rest_3(reader: &Reader, id: Id) -> Result<Value, CallError>;

#[bitrix_method(name = "disk.folder.uploadFile", kind = read, read_form = "it has no parameter fileContent")]
async fn upload_address(reader: &Reader, id: Id) -> Result<Value, CallError>;

fn main() {
    let client = Client::webhook("https://acme.bitrix24.com/rest/1/abcdefgh12345678/").unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let _guard = runtime.enter();
    tokio::spawn(async move {
        let _ = list_deals(&client).await;
        let _ = stock(&client).await;
        let _ = add_stock(&client, "chair").await;
        let _ = stock_by_rest_3(&client, Id(1)).await;
        let _ = upload_address(&client, Id(1)).await;
    });
}
