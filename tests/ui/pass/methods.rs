//! Stubs as methods of a type of one's own, of a generic one, and of a trait.
#![deny(warnings)]

use std::sync::Arc;

use retry_runtime::{CallError, Client, Id, ReadBack, Reader, bitrix_method};
use serde::Serialize;

struct Api {
    client: Client,
}

impl AsRef<Client> for Api {
    fn as_ref(&self) -> &Client {
        &self.client
    }
}

impl AsRef<Reader> for Api {
    fn as_ref(&self) -> &Reader {
        &self.client
    }
}

impl Api {
    #[bitrix_method(name = "crm.deal.get", kind = read)]
    async fn get<'a>(&'a self, id: Id) -> Result<serde_json::Value, CallError>;

    #[bitrix_method(name = "crm.deal.update", kind = write, verify = Self::is_updated, key = id)]
    async fn update<T>(&self, id: Id, fields: &T) -> Result<bool, CallError>
    where
        T: Serialize + Sync;

    async fn is_updated<T>(_reader: &Reader, _id: Id, _fields: &T) -> Result<ReadBack<bool>, CallError> {
        Ok(ReadBack::Absent)
    }

    // Its first parameter makes the call, although it is a method's place.
    #[bitrix_method(name = "crm.deal.get", kind = read)]
    async fn through(client: &Arc<Client>, id: Id) -> Result<serde_json::Value, CallError>;
}

struct Scoped<C>(C);

impl<C: AsRef<Client>> AsRef<Client> for Scoped<C> {
    fn as_ref(&self) -> &Client {
        self.0.as_ref()
    }
}

impl<C: AsRef<Client>> Scoped<C> {
    #[bitrix_method(name = "im.message.add", kind = write, unverifiable = "a message carries no key of ours")]
    async fn send(&self, message: impl Serialize, r#type: Option<u8>) -> Result<u64, CallError>;
}

#[allow(async_fn_in_trait)]
trait Deals: AsRef<Reader> {
    #[bitrix_method(name = "crm.deal.fields", kind = read)]
    async fn fields(&self) -> Result<serde_json::Value, CallError>;
}

impl Deals for Client {}

fn main() {
    let client = Client::webhook("https://acme.bitrix24.com/rest/1/abcdefgh12345678/").unwrap();
    let api = Api { client: client.clone() };
    let scoped = Scoped(client.clone());
    drop(api.get(Id(1)));
    drop(api.update(Id(1), &"text"));
    drop(Api::through(&Arc::new(client.clone()), Id(1)));
    drop(scoped.send("text", None));
    drop(client.fields());
}
