//! The stubs of these tests.

use retry_runtime::{CallError, Client, Id, IdempotencyKey, Page, ReadBack, Reader, bitrix_method};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A deal as the gateway takes it. The number of its order is in a custom field, as those get through.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct NewDeal {
    pub(crate) title: String,
    #[serde(rename = "ufCrmOrder")]
    pub(crate) order: String,
}

impl NewDeal {
    pub(crate) fn of(order: &str) -> Self {
        Self { title: format!("Order {order}"), order: order.to_owned() }
    }

    pub(crate) fn key(&self) -> OrderKey<'_> {
        OrderKey { order: &self.order }
    }
}

/// The filter that finds it.
#[derive(Debug, Serialize)]
pub(crate) struct OrderKey<'a> {
    #[serde(rename = "ufCrmOrder")]
    order: &'a str,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Deal {
    pub(crate) id: Id,
    pub(crate) title: String,
    #[serde(rename = "ufCrmOrder")]
    order: Option<String>,
}

/// Lists deals.
#[bitrix_method(name = "crm.deal.list", kind = read)]
pub(crate) async fn list_deals(reader: &Reader, filter: &OrderKey<'_>) -> Result<Page<Deal>, CallError>;

/// One deal.
#[bitrix_method(name = "crm.deal.get", kind = read)]
pub(crate) async fn get_deal(reader: &Reader, id: Id) -> Result<Deal, CallError>;

/// What a deal has.
#[bitrix_method(name = "crm.deal.fields", kind = read)]
pub(crate) async fn deal_fields(reader: &Reader) -> Result<Value, CallError>;

/// Creates a deal.
#[bitrix_method(name = "crm.deal.add", kind = write, verify = find_deal)]
pub(crate) async fn add_deal(client: &Client, fields: &NewDeal) -> Result<Id, CallError>;

/// Creates a deal that nobody looks for.
#[bitrix_method(name = "crm.deal.add", kind = write, unverifiable = "the test says so")]
pub(crate) async fn add_blind_deal(client: &Client, fields: &NewDeal) -> Result<Id, CallError>;

/// Changes a deal.
#[bitrix_method(name = "crm.deal.update", kind = write, unverifiable = "the test says so")]
pub(crate) async fn update_deal(client: &Client, id: Id, fields: &NewDeal) -> Result<bool, CallError>;

/// Deletes a deal.
#[bitrix_method(name = "crm.deal.delete", kind = write, unverifiable = "the test says so")]
pub(crate) async fn delete_deal(client: &Client, id: Id) -> Result<bool, CallError>;

/// Says something, for which the gateway has no route.
#[bitrix_method(name = "im.message.add", kind = write, unverifiable = "the test says so")]
pub(crate) async fn say(client: &Client, #[param(name = "MESSAGE")] text: &str) -> Result<Id, CallError>;

async fn find_deal(reader: &Reader, fields: &NewDeal) -> Result<ReadBack<Id>, CallError> {
    let page = list_deals(reader, &fields.key()).await?;
    Ok(ReadBack::by_key(page, |deal| (deal.order.as_ref() == Some(&fields.order)).then_some(deal.id)))
}

/// The task of an order.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewTask {
    title: String,
    creator_id: u64,
    responsible_id: u64,
}

impl NewTask {
    pub(crate) fn of(order: &str) -> Self {
        Self { title: order.to_owned(), creator_id: 1, responsible_id: 1 }
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct Made {
    pub(crate) item: Task,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Task {
    pub(crate) id: Id,
}

/// Creates a task, which its key settles.
#[bitrix_method(name = "tasks.task.add", kind = write, version = 3, idempotency_key = once)]
pub(crate) async fn add_task(client: &Client, fields: &NewTask, once: &IdempotencyKey) -> Result<Made, CallError>;

/// One task.
#[bitrix_method(name = "tasks.task.get", kind = read, version = 3)]
pub(crate) async fn get_task(reader: &Reader, id: Id) -> Result<Made, CallError>;

/// The user that the token belongs to.
#[bitrix_method(name = "profile", kind = read)]
pub(crate) async fn profile(reader: &Reader) -> Result<Value, CallError>;

/// A deal as REST 2 takes it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct PlainDeal {
    #[serde(rename = "TITLE")]
    pub(crate) title: String,
}

/// Creates a deal by REST 2 that nobody looks for.
#[bitrix_method(name = "crm.deal.add", kind = write, unverifiable = "the test says so")]
pub(crate) async fn add_plain_deal(client: &Client, fields: &PlainDeal) -> Result<Id, CallError>;
