//! REST 2: an order becomes a deal that carries our key in `ORIGINATOR_ID` and `ORIGIN_ID`.

use retry_runtime::journal::Recovery;
use retry_runtime::{CallError, Client, Id, Key, KeyRow, Page, ReadBack, Reader, bitrix_method};
use serde::{Deserialize, Serialize};

use crate::leads::Order;

/// Whose orders these are: the first half of the key.
const ORIGINATOR: &str = "web-shop";

/// Deals that carry our own key.
#[bitrix_method(name = "crm.deal.list", kind = read)]
async fn list_deals(reader: &Reader, #[param(flatten)] key: &Key<'_>) -> Result<Page<KeyRow>, CallError>;

/// Creates a deal, unless it is there. It is on record before it is sent, so that not even a killed process forgets it.
#[bitrix_method(
    name = "crm.deal.add",
    kind = write,
    verify = find_deal_by_origin,
    key = fields.origin_id,
    ensure,
    journal
)]
async fn add_deal(client: &Client, fields: &NewDeal) -> Result<Id, CallError>;

async fn find_deal_by_origin(reader: &Reader, fields: &NewDeal) -> Result<ReadBack<Id>, CallError> {
    let key = Key::origin(&fields.originator_id, &fields.origin_id);
    Ok(key.find_in(list_deals(reader, &key).await?))
}

/// What settles the deals that a killed process has left open.
pub(crate) const RECOVERY: Recovery = add_deal::RECOVERY;

/// A deal. `ORIGINATOR_ID` says whose order it is, `ORIGIN_ID` which one: the key by which it is found again.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) struct NewDeal {
    title: String,
    opportunity: String,
    currency_id: String,
    comments: String,
    originator_id: String,
    origin_id: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
struct DealRow {
    id: Id,
    origin_id: Option<String>,
}

impl NewDeal {
    pub(crate) fn of(order: &Order) -> Self {
        Self {
            title: order.title(),
            opportunity: order.amount.clone(),
            currency_id: order.currency.clone(),
            comments: order.comment.clone(),
            originator_id: ORIGINATOR.to_owned(),
            origin_id: order.number.clone(),
        }
    }
}

/// Makes a deal of an order.
///
/// # Errors
/// How the call ended that gave no deal.
pub(crate) async fn create(client: &Client, order: &Order) -> Result<(), CallError> {
    add_deal(client, &NewDeal::of(order)).await.map(drop)
}

/// The orders of all deals of the shop, one entry a deal.
///
/// # Errors
/// The list could not be read.
pub(crate) async fn orders(reader: &Reader) -> Result<Vec<String>, CallError> {
    let mut orders = Vec::new();
    let mut after = Id(0);
    loop {
        let filter = ShopFilter { originator_id: ORIGINATOR, after };
        let page = list_shop_deals(reader, &filter, &["ID", "ORIGIN_ID"], &ById { id: "ASC" }, -1).await?;
        let Some(last) = page.rows.last() else { return Ok(orders) };
        after = last.id;
        orders.extend(page.rows.into_iter().filter_map(|row| row.origin_id));
    }
}

/// All deals of the shop, oldest first. The id of the last row leads to the next page, which no new deal can shift.
#[bitrix_method(name = "crm.deal.list", kind = read)]
async fn list_shop_deals(
    reader: &Reader,
    filter: &ShopFilter<'_>,
    select: &[&str],
    order: &ById,
    start: i32,
) -> Result<Page<DealRow>, CallError>;

#[derive(Debug, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
struct ShopFilter<'a> {
    originator_id: &'a str,
    #[serde(rename = ">ID")]
    after: Id,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
struct ById {
    id: &'static str,
}
