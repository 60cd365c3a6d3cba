//! Writes on record: free and in `impl` blocks, by whatever they take and return, each with what recovery needs of it.
#![deny(missing_copy_implementations, missing_debug_implementations, missing_docs, unreachable_pub, warnings)]

extern crate retry_runtime as renamed;

use deals::add_deal;
use retry_runtime::journal::{MemoryJournal, Recovery};
use retry_runtime::{CallError, Client, Id, IdempotencyKey, ReadBack, Reader, bitrix_method};
use serde::{Deserialize, Serialize};

/// A deal to be.
#[derive(Debug, Serialize, Deserialize)]
pub struct NewDeal<'a> {
    /// Our key, which may be borrowed when it is sent and is owned when it is read back.
    pub origin_id: std::borrow::Cow<'a, str>,
}

/// What a stub returns.
#[derive(Debug, Serialize, Deserialize)]
pub struct Added {
    /// The portal's.
    pub id: Id,
    /// Its name.
    pub title: String,
}

/// A result by another name.
pub type Answer<T> = Result<T, CallError>;

/// Two stubs in one module, one for all and one for this crate.
pub mod deals {
    use super::*;

    /// Creates a deal.
    #[bitrix_method(name = "crm.deal.add", kind = write, verify = find_deal, key = fields.origin_id, journal)]
    pub async fn add_deal(client: &Client, fields: &NewDeal<'_>) -> Result<Id, CallError>;

    // Every way to take a parameter, and one of a build that is not this one.
    #[bitrix_method(name = "crm.deal.add", kind = write, verify = self::find_all, ensure, journal, resend)]
    pub(crate) async fn add_all<'a>(
        client: &'a Client,
        title: &'a str,
        amount: u64,
        tags: &[String],
        bytes: &'static [u8],
        note: Option<String>,
        other: &Option<Id>,
        #[param(flatten)] fields: &'a NewDeal<'a>,
        #[param(name = "type")] kind: &Id,
        #[cfg(any())] never: std::convert::Infallible,
        #[cfg(all())] always: Vec<(u8, String)>,
        moved: NotClone,
    ) -> Answer<Added>;

    async fn find_deal(_reader: &Reader, _fields: &NewDeal<'_>) -> Result<ReadBack<Id>, CallError> {
        Ok(ReadBack::Absent)
    }

    async fn find_all(
        _reader: &Reader,
        _title: &str,
        _amount: u64,
        _tags: &[String],
        _bytes: &[u8],
        _note: Option<String>,
        _other: &Option<Id>,
        _fields: &NewDeal<'_>,
        _kind: &Id,
        _always: Vec<(u8, String)>,
        _moved: NotClone,
    ) -> Answer<ReadBack<Added>> {
        Ok(ReadBack::Absent)
    }
}

/// Taken anew for each check, and not cloned.
#[derive(Debug, Serialize, Deserialize)]
pub struct NotClone(pub String);

// A parameter can't be read back, but nothing has to: a person settles it.
#[bitrix_method(name = "im.message.add", kind = write, unverifiable = "a message carries no key", journal)]
async fn send<'a>(client: &Client, to: &'a [&'a str], message: Option<&str>) -> Result<u64, CallError>;

#[bitrix_method(name = "tasks.task.add", kind = write, version = 3, idempotency_key = once, journal)]
async fn add_task(client: &Client, fields: &[(&str, &str)], once: &IdempotencyKey) -> Result<Added, CallError>;

// The key is no argument of the verifier.
#[bitrix_method(
    name = "tasks.task.add",
    kind = write,
    version = 3,
    verify = find_task,
    idempotency_key = once,
    key = title,
    journal,
    resend
)]
async fn r#add_known<'k>(client: &Client, once: &'k IdempotencyKey, title: &str) -> Result<Id, CallError>;

async fn find_task(_reader: &Reader, title: &str) -> Result<ReadBack<Id>, CallError> {
    assert!(!title.is_empty());
    Ok(ReadBack::Absent)
}

/// A type of one's own.
#[derive(Debug)]
pub struct Api<'c, C>(&'c C);

impl<C: AsRef<Client>> AsRef<Client> for Api<'_, C> {
    fn as_ref(&self) -> &Client {
        self.0.as_ref()
    }
}

impl<'c, C: AsRef<Client> + Sync> Api<'c, C> {
    /// Creates a deal.
    #[bitrix_method(name = "crm.deal.add", kind = write, verify = Self::find, key = title, journal)]
    pub async fn add_deal<'a>(&self, title: &'a str, stage: Option<u8>) -> Answer<Id>;

    #[bitrix_method(name = "crm.lead.add", kind = write, verify = Self::find, journal)]
    async fn add_lead(client: &Client, title: &str, stage: Option<u8>) -> Answer<Id>;

    #[bitrix_method(name = "im.message.add", kind = write, unverifiable = "a message carries no key", journal)]
    pub(crate) async fn send(&self, message: &str) -> Answer<Id>;

    async fn find(_reader: &Reader, _title: &str, _stage: Option<u8>) -> Result<ReadBack<Id>, CallError> {
        let _: Option<&'c C> = None;
        Ok(ReadBack::Absent)
    }
}

#[allow(async_fn_in_trait)]
trait Leads: AsRef<Client> + Sync {
    #[bitrix_method(name = "crm.lead.delete", kind = write, verify = is_gone, journal)]
    async fn delete(&self, id: Id) -> Result<bool, CallError>;
}

async fn is_gone(_reader: &Reader, _id: Id) -> Result<ReadBack<bool>, CallError> {
    Ok(ReadBack::Absent)
}

impl Leads for Client {}

macro_rules! delete {
    ($visibility:vis $function:ident, $name:literal, $verify:path, $id:ty) => {
        #[bitrix_method(name = $name, kind = write, verify = $verify, journal)]
        $visibility async fn $function(client: &Client, id: $id) -> Result<bool, CallError>;
    };
}

delete!(pub(crate) delete_deal, "crm.deal.delete", is_gone, Id);
delete!(delete_lead, "crm.lead.delete", is_lent_gone, &Id);

async fn is_lent_gone(_reader: &Reader, _id: &Id) -> Result<ReadBack<bool>, CallError> {
    Ok(ReadBack::Absent)
}

mod bare {
    #![no_implicit_prelude]

    use ::retry_runtime::bitrix_method;

    type Answer<T> = ::core::result::Result<T, ::renamed::CallError>;

    #[bitrix_method(name = "crm.deal.delete", kind = write, verify = is_gone, journal, crate = ::renamed)]
    pub(super) async fn delete(client: &::renamed::Client, id: &str) -> Answer<bool>;

    async fn is_gone(_reader: &::renamed::Reader, _id: &str) -> Answer<::renamed::ReadBack<bool>> {
        ::core::result::Result::Ok(::renamed::ReadBack::Absent)
    }
}

#[bitrix_method(name = "crm.deal.delete", kind = write, verify = is_gone, journal)]
#[cfg(any())]
async fn of_another_build(client: &Client, id: Id) -> Result<bool, CallError>;

fn main() {
    // In a block as well as in a module.
    #[bitrix_method(name = "crm.contact.delete", kind = write, verify = is_gone, journal)]
    async fn delete_contact(client: &Client, id: Id) -> Result<bool, CallError>;

    let client = Client::builder()
        .webhook("https://acme.bitrix24.com/rest/1/abcdefgh12345678/")
        .journal(MemoryJournal::new())
        .build()
        .unwrap();
    let all: [(Recovery, &str); 13] = [
        (add_deal::RECOVERY, "deals::add_deal"),
        (deals::add_all::RECOVERY, "deals::add_all"),
        (send::RECOVERY, "send"),
        (add_task::RECOVERY, "add_task"),
        (add_known::RECOVERY, "add_known"),
        (Api::<Client>::RECOVER_ADD_DEAL, "add_deal"),
        (Api::<Client>::RECOVER_ADD_LEAD, "add_lead"),
        (Api::<Client>::RECOVER_SEND, "send"),
        (<Client as Leads>::RECOVER_DELETE, "delete"),
        (delete_deal::RECOVERY, "delete_deal"),
        (delete_lead::RECOVERY, "delete_lead"),
        (bare::delete::RECOVERY, "bare::delete"),
        (delete_contact::RECOVERY, "delete_contact"),
    ];
    for (recovery, path) in all {
        let shown = format!("{recovery:?}");
        assert!(shown.contains(&format!("stub: \"{}::{path}\"", module_path!())), "{shown}");
    }
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let _guard = runtime.enter();
    tokio::spawn(async move {
        let deal = NewDeal { origin_id: "order-1".into() };
        let _ = add_deal(&client, &deal).await;
        let all =
            deals::add_all(&client, "a", 1, &[], b"", None, &None, &deal, &Id(1), vec![], NotClone("moved".to_owned()))
                .await;
        let _ = all.map(|added| (added.id, added.title));
        let _ = send(&client, &["chat17"], None).await;
        let key = IdempotencyKey::random();
        let _ = add_task(&client, &[("title", "Deliver")], &key).await;
        let _ = add_known(&client, &key, "Deliver").await;
        let api = Api(&client);
        let _ = api.add_deal("Chair", None).await;
        let _ = Api::<Client>::add_lead(&client, "Chair", None).await;
        let _ = api.send("done").await;
        let _ = delete_deal(&client, Id(1)).await;
        let _ = delete_lead(&client, &Id(1)).await;
        let _ = bare::delete(&client, "1").await;
        let _ = delete_contact(&client, Id(1)).await;
    });
    drop(Client::webhook("https://acme.bitrix24.com/rest/1/abcdefgh12345678/").unwrap().delete(Id(1)));
}
