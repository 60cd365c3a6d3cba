//! Reads, verified and unverifiable writes as free functions; futures that may cross threads.
#![deny(missing_docs, warnings)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};
use serde::{Deserialize, Serialize};

/// A deal to be.
#[derive(Debug, Clone, Serialize)]
pub struct NewDeal {
    /// Our key.
    #[serde(rename = "ORIGIN_ID")]
    pub origin_id: String,
}

/// A filter.
#[derive(Debug, Serialize)]
pub struct Origin<'a> {
    /// Our key.
    #[serde(rename = "ORIGIN_ID")]
    pub origin_id: &'a str,
}

/// A row.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub struct DealRow {
    /// The portal's.
    pub id: Id,
    /// Ours.
    pub origin_id: Option<String>,
}

// The docs that the attribute writes are docs enough for `missing_docs`.
#[bitrix_method(name = "crm.deal.list", kind = read)]
pub async fn list_deals(reader: &Reader, filter: &Origin<'_>, select: &[&str]) -> Result<Page<DealRow>, CallError>;

/// Creates a deal.
#[bitrix_method(name = "crm.deal.add", kind = write, verify = find_deal, key = fields.origin_id, ensure)]
pub async fn add_deal(client: &Client, fields: &NewDeal) -> Result<Id, CallError>;

/// Creates a deal that is given away.
#[bitrix_method(name = "crm.deal.add", kind = write, verify = self::find_owned, version = 2)]
pub async fn add_owned(client: &Client, fields: NewDeal, notify: Option<bool>) -> Result<Id, CallError>;

#[bitrix_method(name = "im.message.add", kind = write, unverifiable = "a [message] carries no <key> of ours")]
async fn send(client: &Client, #[param(name = "DIALOG_ID")] to: &str, message: &str) -> Result<u64, CallError>;

#[bitrix_method(name = "profile", kind = read)]
async fn profile(client: &Client) -> Result<serde_json::Value, CallError>;

async fn find_deal(reader: &Reader, fields: &NewDeal) -> Result<ReadBack<Id>, CallError> {
    let page = list_deals(reader, &Origin { origin_id: &fields.origin_id }, &["ID", "ORIGIN_ID"]).await?;
    Ok(ReadBack::by_key(page, |row| (row.origin_id.as_ref() == Some(&fields.origin_id)).then_some(row.id)))
}

async fn find_owned(reader: &Reader, fields: NewDeal, _notify: Option<bool>) -> Result<ReadBack<Id>, CallError> {
    find_deal(reader, &fields).await
}

fn main() {
    let client = Client::webhook("https://acme.bitrix24.com/rest/1/abcdefgh12345678/").unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let _guard = runtime.enter();
    tokio::spawn(async move {
        let deal = NewDeal { origin_id: "order-1".to_owned() };
        let _ = add_deal(&client, &deal).await;
        let _ = add_owned(&client, deal, None).await;
        let _ = send(&client, "chat17", "done").await;
        let _ = profile(&client).await;
    });
}
