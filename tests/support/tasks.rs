//! Tasks of REST 3.0, whose writes carry an idempotency key.

use retry_runtime::{CallError, Client, Id, IdempotencyKey, Page, ReadBack, Reader, bitrix_method};
use serde::{Deserialize, Serialize};

/// The task of an order.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct NewTask {
    pub(crate) title: String,
}

impl NewTask {
    pub(crate) fn of(order: &str) -> Self {
        Self { title: order.to_owned() }
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct TaskRow {
    #[serde(rename = "ID")]
    id: Id,
    title: String,
}

/// Lists tasks.
#[bitrix_method(name = "tasks.task.list", kind = read, version = 3)]
pub(crate) async fn list_tasks(reader: &Reader, filter: &NewTask) -> Result<Page<TaskRow>, CallError>;

/// Creates a task that its key alone settles.
#[bitrix_method(name = "tasks.task.add", kind = write, version = 3, idempotency_key = once)]
pub(crate) async fn add_task(client: &Client, fields: &NewTask, once: &IdempotencyKey) -> Result<Id, CallError>;

/// Creates a task that is looked for first, and settled by its key if that proves nothing.
#[bitrix_method(name = "tasks.task.add", kind = write, version = 3, verify = find_task, idempotency_key = once)]
pub(crate) async fn add_sought_task(client: &Client, fields: &NewTask, once: &IdempotencyKey) -> Result<Id, CallError>;

/// Creates a task unless it is there.
#[bitrix_method(
    name = "tasks.task.add",
    kind = write,
    version = 3,
    verify = find_task,
    idempotency_key = once,
    ensure
)]
pub(crate) async fn ensure_task(client: &Client, fields: &NewTask, once: &IdempotencyKey) -> Result<Id, CallError>;

async fn find_task(reader: &Reader, fields: &NewTask) -> Result<ReadBack<Id>, CallError> {
    let page = list_tasks(reader, fields).await?;
    Ok(ReadBack::by_key(page, |row| (row.title == fields.title).then_some(row.id)))
}

/// The key of the task of an order.
pub(crate) fn once(order: &str) -> IdempotencyKey {
    IdempotencyKey::of_business("order", order).unwrap()
}
