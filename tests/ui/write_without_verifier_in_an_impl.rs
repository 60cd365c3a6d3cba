#![allow(unused)]

use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};

#[derive(Clone, serde::Serialize)]
struct NewDeal {
    origin_id: String,
}

struct Api(Client);

impl AsRef<Client> for Api {
    fn as_ref(&self) -> &Client {
        &self.0
    }
}

impl Api {
    #[bitrix_method(name = "crm.item.update", kind = write, crate = ::retry_runtime)]
    pub async fn update<'a, T: serde::Serialize + Sync>(
        &self,
        #[param(name = "entityTypeId")] entity: u32,
        id: Id,
        fields: &'a NewDeal,
        r#use: &[T],
    ) -> Result<Option<(Id, &'static str)>, CallError>;
}

fn main() {}
