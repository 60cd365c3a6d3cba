//! The Vibecode gateway: an order becomes a deal that carries our key in a custom field, as `originId` gets lost there.

use retry_runtime::journal::Recovery;
use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};
use serde::{Deserialize, Serialize};

use crate::leads::Order;

/// The custom field of the key, a text field of deals. It must be there before the import.
pub(crate) const FIELD: &str = "UF_CRM_IMPORT_ORDER";

/// Deals that carry our own key.
#[bitrix_method(name = "crm.deal.list", kind = read)]
async fn list_deals(reader: &Reader, filter: &OrderFilter<'_>, select: &[&str]) -> Result<Page<Deal>, CallError>;

/// Creates a deal, unless it is there, and is on record before it is sent. The gateway answers with the whole deal.
#[bitrix_method(name = "crm.deal.add", kind = write, verify = find_deal_by_order, key = fields.order, ensure, journal)]
async fn add_deal(client: &Client, fields: &NewDeal) -> Result<Deal, CallError>;

async fn find_deal_by_order(reader: &Reader, fields: &NewDeal) -> Result<ReadBack<Deal>, CallError> {
    let page = list_deals(reader, &OrderFilter { order: &fields.order }, &["id", "ufCrmImportOrder"]).await?;
    // A filter that was ignored brings rows without the key.
    Ok(ReadBack::by_key(page, |deal| (deal.order() == Some(&fields.order)).then_some(deal)))
}

/// What settles the deals that a killed process has left open.
pub(crate) const RECOVERY: Recovery = add_deal::RECOVERY;

/// A deal, by the names of the gateway.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct NewDeal {
    title: String,
    amount: String,
    currency: String,
    comments: String,
    #[serde(rename = "ufCrmImportOrder")]
    order: String,
}

#[derive(Debug, Serialize)]
struct OrderFilter<'a> {
    #[serde(rename = "ufCrmImportOrder")]
    order: &'a str,
}

/// A custom field comes back under one of its two names or under both; the documentation does not say which.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Deal {
    id: Id,
    #[serde(rename = "ufCrmImportOrder")]
    camel: Option<String>,
    #[serde(rename = "UF_CRM_IMPORT_ORDER")]
    original: Option<String>,
}

impl NewDeal {
    pub(crate) fn of(order: &Order) -> Self {
        Self {
            title: order.title(),
            amount: order.amount.clone(),
            currency: order.currency.clone(),
            comments: order.comment.clone(),
            order: order.number.clone(),
        }
    }
}

impl Deal {
    fn order(&self) -> Option<&String> {
        self.camel.as_ref().or(self.original.as_ref())
    }
}

/// Makes a deal of an order. `Ok(Some(_))` is a deal that came back without its key: the id of it.
///
/// # Errors
/// How the call ended that gave no deal.
pub(crate) async fn create(client: &Client, order: &Order) -> Result<Option<Id>, CallError> {
    let deal = add_deal(client, &NewDeal::of(order)).await?;
    Ok((deal.order() != Some(&order.number)).then_some(deal.id))
}

/// The orders of all deals with a key, one entry a deal.
///
/// # Errors
/// The list could not be read.
pub(crate) async fn orders(reader: &Reader) -> Result<Vec<String>, CallError> {
    let mut orders = Vec::new();
    let mut after = Id(0);
    loop {
        let page =
            list_all_deals(reader, &After { id: after }, &["id", "ufCrmImportOrder"], &ById { id: "asc" }).await?;
        let Some(last) = page.rows.last() else { return Ok(orders) };
        after = last.id;
        orders.extend(page.rows.iter().filter_map(|deal| deal.order().cloned()));
    }
}

/// Deals, oldest first. The id of the last row leads to the next page, which no new deal can shift.
#[bitrix_method(name = "crm.deal.list", kind = read)]
async fn list_all_deals(
    reader: &Reader,
    filter: &After,
    select: &[&str],
    order: &ById,
) -> Result<Page<Deal>, CallError>;

#[derive(Debug, Serialize)]
struct After {
    #[serde(rename = ">id")]
    id: Id,
}

#[derive(Debug, Serialize)]
struct ById {
    id: &'static str,
}
