//! Calls Bitrix24 without making duplicates.
//!
//! Answers get lost: timeouts, resets, HTML error pages, queue and rate limits. A client that resends a *write* then makes a second deal.
//! This one sends again what certainly was not applied, reads back a write whose outcome is unknown, and stops and hands over to a person
//! when that can't be settled. Which of these a method allows is said at compile time, by [`bitrix_method`].
//!
//! ```
//! use retry_portal::{Answer, Fault, Portal};
//! use retry_runtime::{CallError, Client, Id, Key, KeyRow, Page, ReadBack, Reader, bitrix_method};
//! use serde::Serialize;
//!
//! #[derive(Serialize)]
//! #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
//! struct NewDeal {
//!     title: String,
//!     originator_id: String,
//!     origin_id: String,
//! }
//!
//! #[bitrix_method(name = "crm.deal.list", kind = read)]
//! async fn list_deals(reader: &Reader, #[param(flatten)] key: &Key<'_>) -> Result<Page<KeyRow>, CallError>;
//!
//! #[bitrix_method(name = "crm.deal.add", kind = write, verify = find_deal)]
//! async fn add_deal(client: &Client, fields: &NewDeal) -> Result<Id, CallError>;
//!
//! async fn find_deal(reader: &Reader, fields: &NewDeal) -> Result<ReadBack<Id>, CallError> {
//!     let key = Key::origin(&fields.originator_id, &fields.origin_id);
//!     Ok(key.find_in(list_deals(reader, &key).await?))
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // A portal on this machine that makes the deal and then loses its answer.
//! let portal = Portal::builder().script("crm.deal.add", [Fault::before(Answer::Reset)]).start().await?;
//! let client = Client::webhook(&portal.webhook_url())?;
//!
//! let deal = NewDeal { title: "Chair, two pieces".into(), originator_id: "shop".into(), origin_id: "1017".into() };
//! let id = add_deal(&client, &deal).await?;
//!
//! assert_eq!(id, Id(1));
//! assert_eq!(portal.records("deal").len(), 1);
//! # Ok(())
//! # }
//! ```
//!
//! # What happens
//!
//! [`decide`] is the specification's matrix, by code and kind. A write whose outcome is unknown is read back by its verifier: what is found is the
//! result. Absence is proof only from a check that began after the [settle time](Settle), and only that makes a second send. The limits are a
//! [`Policy`]. Every [`CallError`] answers "did it happen?" with an [`Effect`], and carries a [`Report`] of each send, pause and read-back.
//!
//! # APIs
//!
//! [`Client::webhook`] calls Bitrix24 itself by REST 2, and by REST 3.0 where a stub says `version = 3`; [`Client::oauth`] does so with the tokens of an
//! [application](oauth); [`Client::vibe`] goes through the Vibecode gateway. A REST 3.0 write may name an [`IdempotencyKey`] in place of a verifier.
//!
//! # Many calls at once
//!
//! [`Client::batched`] is the same client with calls that travel together: those made at the same time leave in one `batch` request, up to 50 in
//! each, and each is decided by its own result or code. There is nothing else to learn: `join_all`, a `JoinSet` or the like over the same stubs.
//!
//! # Whole lists
//!
//! A read stub with `pages = "ID"` is a plain function that returns [`Pages`]: a stream of all rows of the list, in order, each once, up to 50 pages a request.
//!
//! # After a crash
//!
//! A write is safe while its process lives. A stub that says `journal` is safe beyond that: its intent is on record before its first byte leaves, and
//! [`Client::recover`] settles what a crash has left open. See [`journal`].
//!
//! # Watching
//!
//! An [`Observer`] hears of the end of every call. For logs there is `tracing`: a span for each call, `bitrix24_read` (field `method`) or
//! `bitrix24_write` (`method`, `key`), and in it one event for each decision at level DEBUG: "attempt ended" (`attempt`, `outcome`, `status`,
//! `request_id`, `decision`), "sends again after a pause" (`pause_ms`), "read back" (`finding`, `proves`), "call ended" (`ending`, `effect`, `why`; at WARN if a person has to look).
//! Renewals of OAuth tokens are "tokens renewed" and "tokens not renewed". Of limits: "waits for its turn" (`method`, `wait_ms`, `ahead`; waits over 100 ms), "the portal asks
//! to wait" (`code`, `pause_ms`), "the portal asks a method to wait" (`method` too), "slows down before the operating limit" (`method`, `used_ms`, `pause_ms`), and at WARN
//! "circuit breaker opened" (`method`, `open_ms`). Of the journal: "an open intent was settled" (`intent`, `id`, `settlement`), at WARN an intent that was taken over and ended here as
//! well, at ERROR an outcome that could not be put on record (`intent`, `error`). A verifier that fails its [proof](Proof) is a WARN too (`method`, `stub`, `why`).
//!
//! # Limits
//!
//! A portal takes so many requests and refuses the rest. Calls wait for their turn before they are sent, in one line for each portal, whichever client of the process makes
//! them: [`RateLimit`]. Waiting counts against the deadline of the call and is in its report.
//!
//! # Features
//!
//! `rustls` (default): TLS by rustls on ring, with the certificates of the operating system. If the process has no crypto provider yet, the first
//! client installs ring's. `native-tls`: TLS by the operating system's own library.

// Generated code names this crate by its absolute path; so may the crate's own tests.
extern crate self as retry_runtime;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
mod api;
mod budget;
mod call;
pub mod catalogue;
mod client;
pub mod clock;
mod code;
mod decision;
mod decode;
mod effect;
mod error;
#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub mod fuzzed;
mod hint;
mod id;
mod idempotency;
pub mod journal;
pub mod oauth;
mod observer;
mod page;
mod pages;
mod policy;
mod proof;
mod read_back;
pub mod report;
mod secret;
mod settle;
pub mod transport;

pub use api::{VibeError, WebhookError};
pub use client::{Batching, BuildError, Client, ClientBuilder, Reader};
pub use code::Code;
pub use decision::{Decision, Horizon, Route, decide, horizon};
pub use decode::{Beside, FromAnswer};
pub use effect::{Effect, OperationKind};
pub use error::{CallError, Failure};
pub use id::Id;
pub use idempotency::{IdempotencyKey, IdempotencyKeyError};
pub use observer::Observer;
pub use page::Page;
pub use pages::Pages;
pub use policy::Policy;
pub use proof::Proof;
pub use read_back::{Change, Existing, Gone, Key, KeyRow, NotSeen, ReadBack};
pub use report::Report;
pub use retry_macros::bitrix_method;
pub use settle::Settle;
pub use transport::{Proxy, RateLimit};
