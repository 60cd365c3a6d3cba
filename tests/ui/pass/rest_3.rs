//! Methods of REST 3.0: reads, and writes that have an idempotency key alone, beside a verifier, or none.
#![deny(missing_docs, warnings)]

use retry_runtime::{CallError, Client, Id, IdempotencyKey, ReadBack, Reader, bitrix_method};
use serde_json::Value;

#[bitrix_method(name = "tasks.task.get", kind = read, version = 3)]
async fn get_task(reader: &Reader, id: Id, select: &[&str]) -> Result<Value, CallError>;

// A result that nothing has to show: there is no verifier that could find it.
#[derive(serde::Deserialize)]
struct Added {
    item: Value,
}

#[bitrix_method(name = "tasks.task.add", kind = write, version = 3, idempotency_key = key)]
async fn add_task(client: &Client, fields: &[(&str, &str)], key: &IdempotencyKey) -> Result<Added, CallError>;

#[bitrix_method(
    name = "tasks.task.update",
    kind = write,
    version = 3,
    verify = is_updated,
    idempotency_key = once,
    key = format!("{}/{once}", id.0),
    ensure
)]
async fn update_task(client: &Client, once: &IdempotencyKey, id: Id, fields: Value) -> Result<Value, CallError>;

async fn is_updated(_reader: &Reader, _id: Id, _fields: Value) -> Result<ReadBack<Value>, CallError> {
    Ok(ReadBack::Absent)
}

#[bitrix_method(name = "tasks.task.delete", kind = write, version = 3, unverifiable = "a test")]
async fn delete_task(client: &Client, id: Id) -> Result<Value, CallError>;

/// A name of one's own for the type of the key.
pub type Once = IdempotencyKey;

struct Tasks<'c>(&'c Client);

impl AsRef<Client> for Tasks<'_> {
    fn as_ref(&self) -> &Client {
        self.0
    }
}

impl Tasks<'_> {
    // The key is a parameter's own name, and in the body the same name is another's.
    #[bitrix_method(name = "tasks.task.add", kind = write, version = 3, idempotency_key = r#type, key = title)]
    async fn add<'a, T>(&self, title: &str, r#type: &'a Once, #[param(name = "type")] sort: T) -> Result<Value, CallError>
    where
        T: serde::Serialize;
}

macro_rules! add {
    ($function:ident, $name:literal, $key:ident: $type:ty) => {
        #[bitrix_method(name = $name, kind = write, version = 3, idempotency_key = $key)]
        async fn $function(client: &Client, $key: $type, title: &str) -> Result<Value, CallError>;
    };
}

add!(add_note, "note.document.add", once: &IdempotencyKey);

fn main() {
    let client = Client::webhook("https://acme.bitrix24.com/rest/1/abcdefgh12345678/").unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let _guard = runtime.enter();
    tokio::spawn(async move {
        let key = IdempotencyKey::random();
        let _ = get_task(&client, Id(1), &["id"]).await;
        let _ = add_task(&client, &[("title", "Deliver")], &key).await.map(|added| added.item);
        let _ = update_task(&client, &key, Id(1), Value::Null).await;
        let _ = delete_task(&client, Id(1)).await;
        let _ = Tasks(&client).add("Deliver", &key, 5).await;
        let _ = add_note(&client, &key, "Deliver").await;
    });
}
