//! Lists that are read to their end.

use retry_runtime::{CallError, Client, Id, Pages, Reader, bitrix_method};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

#[derive(Serialize)]
struct Filter<'a> {
    stage: &'a str,
}

#[derive(Deserialize)]
struct Row {
    id: Id,
}

#[bitrix_method(name = "crm.item.list", kind = read, pages = "id")]
pub fn all_items(
    reader: &Reader,
    #[param(name = "entityTypeId")] entity: u32,
    filter: &Filter<'_>,
    select: Option<&[&str]>,
) -> Pages<Row>;

#[bitrix_method(name = "crm.status.list", kind = read, pages = start, crate = ::retry_runtime)]
fn all_statuses<T: DeserializeOwned>(client: &Client, filter: impl Serialize) -> Pages<T>;

type Everything = Pages<Row>;

struct Api(Client);

impl AsRef<Reader> for Api {
    fn as_ref(&self) -> &Reader {
        &self.0
    }
}

impl Api {
    #[bitrix_method(name = "tasks.task.list", kind = read, version = 3, pages = "id")]
    fn all_tasks(&self) -> Everything;
}

async fn first(client: &Client) -> Result<Option<Id>, CallError> {
    let row = { all_items(client, 2, &Filter { stage: &String::from("NEW") }, None) }.next().await;
    row.transpose().map(|row| row.map(|row| row.id))
}

fn main() {
    let client = Client::webhook("https://acme.bitrix24.com/rest/1/abcdefgh12345678/").unwrap();
    drop(first(&client));
    drop(all_statuses::<Row>(&client, ()));
    drop(Api(client).all_tasks());
}
