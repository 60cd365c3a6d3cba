//! The attribute of `retry-runtime`, which re-exports it: depend on that crate, not on this one.
//!
//! A stub says which method of Bitrix24 it calls and whether that method reads or writes. [`macro@bitrix_method`] writes
//! the body. A write has to say as well how its effect is found again after a lost answer; one that does not is refused
//! by the compiler.

mod args;
mod docs;
mod entries;
mod errors;
mod expand;
mod method;
mod names;
mod near;
mod params;
mod spell;
mod stub;
#[cfg(test)]
mod tests;
mod verifier;

use proc_macro2::TokenStream;
use quote::quote;

use crate::args::Args;
use crate::errors::Errors;
use crate::method::Method;
use crate::stub::Stub;

/// Writes the body of a stub: an async function that stands for one method of Bitrix24.
///
/// ```
/// use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize)]
/// #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
/// struct NewDeal<'a> {
///     title: &'a str,
///     originator_id: &'a str,
///     origin_id: &'a str,
/// }
///
/// #[derive(Serialize)]
/// #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
/// struct Origin<'a> {
///     originator_id: &'a str,
///     origin_id: &'a str,
/// }
///
/// #[derive(Deserialize)]
/// #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
/// struct DealRow {
///     id: Id,
///     origin_id: Option<String>,
/// }
///
/// /// Deals that carry our own key.
/// #[bitrix_method(name = "crm.deal.list", kind = read)]
/// async fn list_deals(reader: &Reader, filter: &Origin<'_>, select: &[&str]) -> Result<Page<DealRow>, CallError>;
///
/// /// Creates a deal.
/// #[bitrix_method(name = "crm.deal.add", kind = write, verify = find_deal, key = fields.origin_id)]
/// async fn add_deal(client: &Client, fields: &NewDeal<'_>) -> Result<Id, CallError>;
///
/// async fn find_deal(reader: &Reader, fields: &NewDeal<'_>) -> Result<ReadBack<Id>, CallError> {
///     let origin = Origin { originator_id: fields.originator_id, origin_id: fields.origin_id };
///     let page = list_deals(reader, &origin, &["ID", "ORIGIN_ID"]).await?;
///     Ok(ReadBack::by_key(page, |row| (row.origin_id.as_deref() == Some(fields.origin_id)).then_some(row.id)))
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
/// | `name = "crm.deal.add"` | all | the method, as its documentation writes it; required |
/// | `kind = read` or `kind = write` | all | whether it changes something on the portal; required |
/// | `verify = path` | write | the verifier, which looks for the effect after a lost answer |
/// | `unverifiable = "reason"` | write | nothing on the portal can tell; a lost answer ends as `CallError::InDoubt` |
/// | `key = expression` | write | the business key of the operation, `Display`: one open write per method and key |
/// | `ensure` | write with `verify` | the verifier is asked before the first send as well: for imports that may run twice |
/// | `version = 2` | all | the version of the REST interface; it is the only one so far |
/// | `crate = ::path` | all | where the runtime is, if not at `::retry_runtime` |
///
/// A write has `verify` or `unverifiable`; a read takes none of the keys of a write. `idempotency_key` and `version = 3`
/// are known, and refused until REST 3.0 can be called. A name whose last part begins with a word such as `add`,
/// `update` or `send` can't be a read.
///
/// # The stub
///
/// An async function without a body, free or in an `impl` block, with any visibility, generics, lifetimes, attributes and
/// docs. It returns `Result<T, CallError>`, where `T` reads itself from the result of the method.
///
/// * The first parameter is what the call is made through: `&Reader` for a read, `&Client` for a write, anything that
///   coerces to it, or `&self` of a type that is `AsRef<Reader>` or `AsRef<Client>`.
/// * Every other parameter becomes a key of the request, under its own name (`type` for `r#type`). It is `Serialize`; one
///   that gives `null` is left out.
/// * `#[param(name = "entityTypeId")]` in front of a parameter gives it another name in the request.
/// * `#[param(flatten)]` puts the fields of a parameter into the request, one by one.
///
/// # The verifier
///
/// An async function with the parameters of the stub, but for the first, which is `&Reader`: it can't write. It returns
/// `Result<ReadBack<T>, CallError>` with the `T` of the stub. It may be asked several times, so a parameter that the stub
/// takes by value is cloned for each check.
///
/// # What it writes
///
/// The function with the signature of the stub, and in it one call into the runtime. Its docs go on where those of the stub
/// end, and say what happens on which outcome. Nothing else is generated, and nothing is derived.
///
/// A stub that is refused is still a function, so that its callers are not reported as well.
#[proc_macro_attribute]
pub fn bitrix_method(attribute: proc_macro::TokenStream, stub: proc_macro::TokenStream) -> proc_macro::TokenStream {
    written_out(attribute.into(), &stub.into()).into()
}

/// The attribute on tokens that need no compiler behind them.
fn written_out(attribute: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let args = Args::parse(attribute, &mut errors);
    let stub = match Stub::parse(item.clone()) {
        Ok(stub) => stub,
        Err(error) => {
            let errors = errors.end(error).to_compile_error();
            return quote!(#errors #item);
        }
    };
    let method = Method::judge(&args, &stub, &mut errors);
    match errors.finish(method) {
        Ok(method) => expand::function(&method, &stub),
        Err(errors) => expand::fallback(&errors, stub),
    }
}
