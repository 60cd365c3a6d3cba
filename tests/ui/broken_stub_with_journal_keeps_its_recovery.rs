#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

use retry_runtime::journal::Recovery;

#[bitrix_method(name = "crm.deal.add", kind = wriet, verify = find_deal, journal)]
async fn add_deal(client: &Client, title: &str) -> Result<Id, CallError>;

#[bitrix_method(name = "crm.deal.add", kind = write, verify = find_deal, journaled)]
async fn add_second<T>(client: &Client, title: T) -> Result<Id, CallError>;

struct Api;

impl Api {
    #[bitrix_method(name = "crm.deal.add", kind = write, verfy = find_deal, journal)]
    async fn add_deal(&self, title: &str) -> Result<Id, CallError>;
}

async fn find_deal(reader: &Reader, title: &str) -> Result<ReadBack<Id>, CallError> {
    Ok(ReadBack::Absent)
}

async fn caller(client: &Client) -> Result<Id, CallError> {
    client.recover([add_deal::RECOVERY, add_second::RECOVERY, Api::RECOVER_ADD_DEAL]).await.map(drop);
    Api.add_deal("Chair").await?;
    add_second(client, 5).await?;
    add_deal(client, "Chair").await
}

fn main() {}
