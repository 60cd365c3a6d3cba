//! REST 3.0: an order becomes a task, and its idempotency key lets the portal tell a repeated call from a new one.

use retry_runtime::journal::Recovery;
use retry_runtime::{CallError, Client, Id, IdempotencyKey, bitrix_method};
use serde::{Deserialize, Serialize};

use crate::leads::Order;

/// Creates a task, once for each key: for 24 hours the portal gives the stored answer again. It is on record before it is sent.
#[bitrix_method(name = "tasks.task.add", kind = write, version = 3, idempotency_key = key, journal)]
async fn add_task(client: &Client, fields: &NewTask, key: &IdempotencyKey) -> Result<Added, CallError>;

/// What settles the tasks that a killed process has left open.
pub(crate) const RECOVERY: Recovery = add_task::RECOVERY;

/// A task. A repeated call must have the same body, so nothing in it may change from run to run.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct NewTask {
    title: String,
    description: String,
    creator_id: u64,
    responsible_id: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct Added {
    #[serde(rename = "item")]
    _task: Task,
}

/// An answer without the id of a task is none.
#[derive(Debug, Serialize, Deserialize)]
struct Task {
    #[serde(rename = "id")]
    _id: Id,
}

impl NewTask {
    fn of(order: &Order, user: u64) -> Self {
        let Order { number: _, customer, amount, currency, comment } = order;
        let description = format!("{customer}\n{amount} {currency}\n{comment}");
        Self { title: title(&order.number), description, creator_id: user, responsible_id: user }
    }
}

fn title(number: &str) -> String {
    format!("Order {number}")
}

/// The order of a task that has this title.
pub(crate) fn order_of(title: &str) -> Option<&str> {
    title.strip_prefix("Order ")
}

/// Makes a task of an order, for this user.
///
/// # Errors
/// How the call ended that gave no task.
pub(crate) async fn create(client: &Client, order: &Order, user: u64, key: &IdempotencyKey) -> Result<(), CallError> {
    add_task(client, &NewTask::of(order, user), key).await.map(drop)
}
