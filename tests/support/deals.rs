//! Deals that carry the number of an order: the stubs of most tests.

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};
use serde::{Deserialize, Serialize};

/// A deal that carries the number of an order.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct NewDeal {
    #[serde(rename = "TITLE")]
    pub(crate) title: String,
    #[serde(rename = "ORIGINATOR_ID")]
    pub(crate) originator: &'static str,
    #[serde(rename = "ORIGIN_ID")]
    pub(crate) origin: String,
}

impl NewDeal {
    pub(crate) fn of(order: &str) -> Self {
        Self { title: format!("Order {order}"), originator: "shop", origin: order.to_owned() }
    }

    fn key(&self) -> OriginKey<'_> {
        OriginKey::of(&self.origin)
    }
}

/// The filter that finds it.
#[derive(Debug, Serialize)]
pub(crate) struct OriginKey<'a> {
    #[serde(rename = "ORIGINATOR_ID")]
    originator: &'a str,
    #[serde(rename = "ORIGIN_ID")]
    origin: &'a str,
}

impl<'a> OriginKey<'a> {
    pub(crate) const fn of(order: &'a str) -> Self {
        Self { originator: "shop", origin: order }
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct DealRow {
    #[serde(rename = "ID")]
    pub(crate) id: Id,
    #[serde(rename = "ORIGIN_ID")]
    pub(crate) origin: Option<String>,
}

/// Lists deals.
#[bitrix_method(name = "crm.deal.list", kind = read)]
pub(crate) async fn list_deals(reader: &Reader, filter: &OriginKey<'_>) -> Result<Page<DealRow>, CallError>;

/// Creates a deal.
#[bitrix_method(name = "crm.deal.add", kind = write, verify = find_deal)]
pub(crate) async fn add_deal(client: &Client, fields: &NewDeal) -> Result<Id, CallError>;

/// Creates a deal, one open write for each order.
#[bitrix_method(name = "crm.deal.add", kind = write, verify = find_deal, key = fields.origin)]
pub(crate) async fn add_keyed_deal(client: &Client, fields: &NewDeal) -> Result<Id, CallError>;

/// Creates a deal unless it is there.
#[bitrix_method(name = "crm.deal.add", kind = write, verify = find_deal, key = fields.origin, ensure)]
pub(crate) async fn ensure_deal(client: &Client, fields: &NewDeal) -> Result<Id, CallError>;

/// Creates a deal that nobody looks for.
#[bitrix_method(name = "crm.deal.add", kind = write, unverifiable = "the test says so")]
pub(crate) async fn add_blind_deal(client: &Client, fields: &NewDeal) -> Result<Id, CallError>;

pub(crate) async fn find_deal(reader: &Reader, fields: &NewDeal) -> Result<ReadBack<Id>, CallError> {
    let page = list_deals(reader, &fields.key()).await?;
    Ok(ReadBack::by_key(page, |row| (row.origin.as_deref() == Some(&fields.origin)).then_some(row.id)))
}
