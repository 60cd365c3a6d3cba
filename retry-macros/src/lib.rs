//! The attribute of `retry-runtime`, which re-exports it: depend on that crate, not on this one.
//!
//! A stub says which method of Bitrix24 it calls and whether that method reads or writes. [`macro@bitrix_method`] writes
//! the body. A write has to say as well what settles it after a lost answer: a verifier that finds its effect, or on
//! REST 3.0 an idempotency key. One that does not is refused by the compiler.
//!
//! The compiler knows the methods: what a stub says is held against the catalogue (`retry-catalogue`). A name that no
//! method has, a kind or a version that can't be true are refused, and a write that lacks a way out is told how this very
//! method can be read back.

mod args;
mod catalogue;
mod docs;
mod entries;
mod errors;
mod expand;
#[cfg(test)]
mod fuzzed;
mod idempotency;
mod journal;
mod method;
mod near;
mod pages;
mod params;
mod place;
mod recovery;
mod spell;
mod stub;
#[cfg(test)]
mod tests;
mod types;
mod verifier;
mod written;

use crate::written::written_out;

/// Writes the body of a stub: an async function that stands for one method of Bitrix24.
///
/// ```
/// use retry_runtime::{CallError, Client, Id, Key, KeyRow, Page, ReadBack, Reader, bitrix_method};
/// use serde::Serialize;
///
/// #[derive(Serialize)]
/// #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
/// struct NewDeal<'a> {
///     title: &'a str,
///     originator_id: &'a str,
///     origin_id: &'a str,
/// }
///
/// /// Deals that carry our own key.
/// #[bitrix_method(name = "crm.deal.list", kind = read)]
/// async fn list_deals(reader: &Reader, #[param(flatten)] key: &Key<'_>) -> Result<Page<KeyRow>, CallError>;
///
/// /// Creates a deal.
/// #[bitrix_method(name = "crm.deal.add", kind = write, verify = find_deal, key = fields.origin_id)]
/// async fn add_deal(client: &Client, fields: &NewDeal<'_>) -> Result<Id, CallError>;
///
/// async fn find_deal(reader: &Reader, fields: &NewDeal<'_>) -> Result<ReadBack<Id>, CallError> {
///     let key = Key::origin(fields.originator_id, fields.origin_id);
///     Ok(key.find_in(list_deals(reader, &key).await?))
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let client = Client::webhook("https://acme.bitrix24.com/rest/1/abcdefgh12345678/")?;
/// let deal = NewDeal { title: "Chair, two pieces", originator_id: "shop", origin_id: "order-1017" };
/// // A call is a future: nothing is sent before it is awaited.
/// let call = add_deal(&client, &deal);
/// # drop(call);
/// # Ok(())
/// # }
/// ```
///
/// The same write without `verify` does not compile:
///
/// ```compile_fail
/// # use retry_runtime::{CallError, Client, Id, bitrix_method};
/// #[bitrix_method(name = "crm.deal.add", kind = write)]
/// async fn add_deal(client: &Client, title: &str) -> Result<Id, CallError>;
/// ```
///
/// # The keys
///
/// | key | for | what it says |
/// |---|---|---|
/// | `name = "crm.deal.add"` | all | the method; required. In whatever case it is written, it is sent as its documentation writes it |
/// | `kind = read` or `kind = write` | all | whether it changes something on the portal; required |
/// | `verify = path` | write | the verifier, which looks for the effect after a lost answer |
/// | `idempotency_key = parameter` | write by REST 3.0 | the parameter, of the type `&IdempotencyKey`, by which the portal knows a repeated call |
/// | `unverifiable = "reason"` | write | nothing on the portal can tell; a lost answer ends as `CallError::InDoubt` |
/// | `key = expression` | write | the business key of the operation, `Display`: one open write per method and key |
/// | `ensure` | write with `verify` | the verifier is asked before the first send as well: for imports that may run twice |
/// | `journal` | write | the intent of each call is on record before its first byte leaves, and settled after a crash |
/// | `resend` | write with `journal` | recovery sends again what it has proved not applied; else the next call with its key does |
/// | `version = 2` or `version = 3` | all | the version of the REST interface; by default 2, which has to have the method |
/// | `pages = "ID"` or `pages = start` | read | the list is read to its end, as a stream of rows: by their ids in this field, or by offsets |
/// | `read_form = "reason"` | read | why this call only reads, by a method that reads or writes by its arguments |
/// | `unlisted` | all | the method is not in the catalogue: a self-hosted portal's own |
/// | `crate = ::path` | all | where the runtime is, if not at `::retry_runtime` |
///
/// A write has `verify` or `idempotency_key` or both, else it says `unverifiable`; a read takes none of the keys of a
/// write.
///
/// # The catalogue
///
/// Every method that Bitrix24 documents is known, with what it does; names are compared without regard to case. So these
/// are errors:
///
/// * a name that no method has, with the names that were probably meant. `unlisted` allows it, and is an error itself with
///   a name that is known. The kind of an unlisted method is believed, but for names whose last part begins with a word
///   such as `add`, `update` or `send`: they can't be reads;
/// * a kind that the method does not have. `event.offline.get` deletes what it returns, so it is a write;
/// * `kind = read` for one of the few methods that read or write by their arguments, unless `read_form` says what keeps
///   this stub from writing. `disk.folder.uploadFile` without `fileContent` is such a read;
/// * a version that does not have the method. A method that REST 3.0 alone has needs `version = 3`; one that both have is
///   called by REST 2 where nothing is said;
/// * `idempotency_key` for a method that REST 3.0 does not have.
///
/// A write without a way out is told what a second one would do, with which read and by which fields of this method it is
/// found, and what its verifier could look like; or that there is no such read, and `unverifiable` is the honest answer.
/// A method that the documentation calls outdated is named as such in the docs of its function, with what replaces it.
///
/// ```compile_fail
/// # use retry_runtime::{CallError, Reader, bitrix_method};
/// // error: `event.offline.get` deletes what it returns, so it is no read
/// #[bitrix_method(name = "event.offline.get", kind = read)]
/// async fn offline_events(reader: &Reader) -> Result<Vec<u64>, CallError>;
/// ```
///
/// # The stub
///
/// An async function without a body, free or in an `impl` block, with any visibility, generics, lifetimes, attributes and
/// docs. It returns `Result<T, CallError>`, where `T` reads itself from the result of the method.
///
/// * The first parameter is what the call is made through: `&Reader` for a read, `&Client` for a write, anything that
///   coerces to it, or `&self` of a type that is `AsRef<Reader>` or `AsRef<Client>`.
/// * Every other parameter becomes a key of the request, under its own name (`type` for `r#type`). It is `Serialize`; one
///   that gives `null` is left out. The idempotency key alone is none: it is sent as a header.
/// * `#[param(name = "entityTypeId")]` in front of a parameter gives it another name in the request.
/// * `#[param(flatten)]` puts the fields of a parameter into the request, one by one.
///
/// # Lists
///
/// With `pages` the stub is a plain function that returns `Pages<Row>`, a stream of all rows of the list:
///
/// ```
/// use retry_runtime::{CallError, Client, Id, Pages, Reader, bitrix_method};
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct DealRow {
///     #[serde(rename = "ID")]
///     id: Id,
/// }
///
/// /// All deals.
/// #[bitrix_method(name = "crm.deal.list", kind = read, pages = "ID")]
/// fn all_deals(reader: &Reader, select: &[&str]) -> Pages<DealRow>;
///
/// async fn print_all(client: &Client) -> Result<(), CallError> {
///     let mut deals = all_deals(client, &["ID"]);
///     while let Some(deal) = deals.next().await {
///         println!("{}", deal?.id);
///     }
///     Ok(())
/// }
/// ```
///
/// `pages = "ID"` names the field of the rows' ids, as the rows spell it. `pages = start` is for lists that can't be filtered and
/// sorted by an id. The parameters by which a page is found (`order`, `start`) are the walk's own.
///
/// # The verifier
///
/// An async function with the parameters of the stub, but for the first, which is `&Reader`: it can't write. The
/// idempotency key is left out. It returns `Result<ReadBack<T>, CallError>` with the `T` of the stub. It may be asked
/// several times, so a parameter that the stub takes by value is cloned for each check (with `journal`, read anew).
///
/// # REST 3.0
///
/// For 24 hours the portal answers a call that has the key and the body of one that succeeded with that one's stored
/// result, and runs nothing. So a write whose answer was lost needs no verifier:
///
/// ```
/// use retry_runtime::{CallError, Client, Id, IdempotencyKey, bitrix_method};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize)]
/// struct NewTask<'a> {
///     title: &'a str,
///     #[serde(rename = "creatorId")]
///     creator: u64,
///     #[serde(rename = "responsibleId")]
///     responsible: u64,
/// }
///
/// #[derive(Deserialize)]
/// struct Added {
///     item: Task,
/// }
///
/// #[derive(Deserialize)]
/// struct Task {
///     id: Id,
/// }
///
/// /// Creates a task.
/// #[bitrix_method(name = "tasks.task.add", kind = write, version = 3, idempotency_key = key)]
/// async fn add_task(client: &Client, fields: &NewTask<'_>, key: &IdempotencyKey) -> Result<Added, CallError>;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let client = Client::webhook("https://acme.bitrix24.com/rest/1/abcdefgh12345678/")?;
/// // Made for the operation, and the same whenever this operation is tried.
/// let key = IdempotencyKey::of_business("delivery", "order-1017")?;
/// let task = NewTask { title: "Deliver order 1017", creator: 1, responsible: 7 };
/// let call = add_task(&client, &task, &key);
/// # drop(call);
/// # Ok(())
/// # }
/// ```
///
/// * A lost answer is asked for again, with the same key and the same bytes. That waits until the request before can no
///   longer be under way, as two of them may both run, and it ends 23 hours after the first send.
/// * An answer that is a code is not: the portal stores successes alone, so a write that happened and then failed would
///   happen twice. If the code leaves the outcome unknown, it is read back, or ends as `CallError::InDoubt`.
/// * With `verify` as well, the write is read back first, and sent again under its key only where the verifier can't tell.
/// * `key = expression` may stand beside it. One open write per method and key is then by the business key, else by the
///   idempotency key.
///
/// That this is safe rests on an assumption: the portal stores the success in one step with its effect. Bitrix24 documents
/// that the success is stored, and not how. REST 2 ignores the key without a word, so there it is refused.
///
/// # The journal
///
/// A write is safe while its process lives. With `journal` it is so after a crash as well: the client's journal has each
/// intent before its first byte leaves, and its end before the caller hears of it.
///
/// ```
/// use retry_runtime::journal::{MemoryJournal, Settlement};
/// use retry_runtime::{CallError, Client, Id, Key, KeyRow, Page, ReadBack, Reader, bitrix_method};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
/// struct NewDeal {
///     title: String,
///     originator_id: String,
///     origin_id: String,
/// }
///
/// #[bitrix_method(name = "crm.deal.list", kind = read)]
/// async fn list_deals(reader: &Reader, #[param(flatten)] key: &Key<'_>) -> Result<Page<KeyRow>, CallError>;
///
/// #[bitrix_method(name = "crm.deal.add", kind = write, verify = find_deal, key = fields.origin_id, journal)]
/// async fn add_deal(client: &Client, fields: &NewDeal) -> Result<Id, CallError>;
///
/// async fn find_deal(reader: &Reader, fields: &NewDeal) -> Result<ReadBack<Id>, CallError> {
///     let key = Key::origin(&fields.originator_id, &fields.origin_id);
///     Ok(key.find_in(list_deals(reader, &key).await?))
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // For tests: `retry-journal` has those that outlive the process.
/// let journal = MemoryJournal::new();
/// let client = Client::builder()
///     .webhook("https://acme.bitrix24.com/rest/1/abcdefgh12345678/")
///     .journal(journal)
///     .build()?;
/// // First of all, what earlier processes have left open.
/// let recovered = client.recover([add_deal::RECOVERY]).await?;
/// assert_eq!(recovered.count(Settlement::Manual), 0);
/// # Ok(())
/// # }
/// ```
///
/// * Beside a free stub `add_deal` stands a type of the same name with one constant, `add_deal::RECOVERY`: one `use` brings
///   both, and no other type or module there can have this name. Of a method with `&self` it is the constant
///   `RECOVER_ADD_DEAL` of the same `impl`. A stub in an `impl` that has neither `self` nor `Self` can't have `journal`.
///   Functions with `journal` in the `impl` blocks of one module have different names: recovery knows a stub by its module and its name.
/// * `key` names the intent, in this process and in later ones: an order that is delivered a second time gets the result on
///   record. Without it the idempotency key does; with neither, a key is made up for each call, and a call that is made
///   again is a second write.
/// * After a crash the arguments of the verifier come from the record. So its parameters are `Deserialize` and own what they
///   have: `&str`, `&[T]` and `&T` are read as `String`, `Vec<T>` and `T`, and lent. Nothing is cloned. The stub has no type
///   or const parameters and no `impl Trait`. The future of the verifier is `Send`.
/// * The result goes on record too: it is `Serialize`, `Deserialize`, `Debug` and `Send`.
/// * An `unverifiable` write may have `journal`: what a crash leaves open then goes to a person. It can't have `resend`.
///
/// # What it writes
///
/// The function with the signature of the stub, and in it one call into the runtime. Its docs go on where those of the stub
/// end, and say what happens on which outcome. With `journal` there is the constant for recovery beside it. Nothing else is
/// generated, and nothing is derived.
///
/// A stub that is refused is still a function, and with `journal` it still has its constant, so that what names them is not
/// reported as well.
#[proc_macro_attribute]
pub fn bitrix_method(attribute: proc_macro::TokenStream, stub: proc_macro::TokenStream) -> proc_macro::TokenStream {
    written_out(attribute.into(), &stub.into()).into()
}
