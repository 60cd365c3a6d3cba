//! Attributes of the stub stay on the function, conditions on parameters hold, and stubs may come from `macro_rules!`.
#![deny(warnings)]

use retry_runtime::{CallError, Client, Id, ReadBack, Reader, bitrix_method};

#[bitrix_method(name = "crm.deal.get", kind = read)]
#[deprecated = "read it with get_item"]
#[must_use]
#[cfg_attr(all(), inline)]
async fn get_deal(reader: &Reader, id: Id) -> Result<serde_json::Value, CallError>;

#[bitrix_method(name = "crm.deal.delete", kind = write, verify = is_gone)]
async fn delete_deal(
    client: &Client,
    id: Id,
    #[cfg(any())] nowhere: std::convert::Infallible,
    #[cfg(all())] everywhere: u8,
) -> Result<bool, CallError>;

async fn is_gone(_reader: &Reader, _id: Id, _everywhere: u8) -> Result<ReadBack<bool>, CallError> {
    Ok(ReadBack::Absent)
}

#[cfg(any())]
#[bitrix_method(name = "not even looked at")]
struct Nothing;

macro_rules! by_id {
    ($visibility:vis $function:ident, $name:literal, $kind:ident, $($key:ident = $value:path)?) => {
        #[bitrix_method(name = $name, kind = $kind, $($key = $value)?)]
        $visibility async fn $function(client: &Client, id: Id) -> Result<bool, CallError>;
    };
}

by_id!(pub read_it, "crm.lead.get", read,);
by_id!(delete_it, "crm.lead.delete", write, verify = find_it);

async fn find_it(_reader: &Reader, _id: Id) -> Result<ReadBack<bool>, CallError> {
    Ok(ReadBack::Absent)
}

#[allow(deprecated)]
fn main() {
    let client = Client::webhook("https://acme.bitrix24.com/rest/1/abcdefgh12345678/").unwrap();
    drop(get_deal(&client, Id(1)));
    drop(delete_deal(&client, Id(1), 5));
    drop(read_it(&client, Id(1)));
    drop(delete_it(&client, Id(1)));
}
