//! Calls Bitrix24 without making duplicates.
//!
//! Answers get lost: timeouts, resets, HTML error pages, queue and rate limits. A client that resends a *write* then makes a second deal.
//! This one retries when the call certainly was not applied, reads back when its outcome is unknown, and stops and hands over to a
//! person when that can't be settled. Which of these a method allows is said at compile time, by [`bitrix_method`].

// Generated code names this crate by its absolute path; so may the crate's own tests.
extern crate self as retry_runtime;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
mod api;
mod budget;
mod call;
mod client;
pub mod clock;
mod code;
mod decision;
mod decode;
mod effect;
mod error;
mod hint;
mod id;
mod observer;
mod page;
mod policy;
mod read_back;
pub mod report;
mod secret;
mod settle;
pub mod transport;

pub use api::WebhookError;
pub use client::{BuildError, Client, ClientBuilder, Reader};
pub use code::Code;
pub use decision::{Decision, Horizon, Route, decide, horizon};
pub use decode::{Beside, FromAnswer};
pub use effect::{Effect, OperationKind};
pub use error::{CallError, Failure};
pub use id::Id;
pub use observer::Observer;
pub use page::Page;
pub use policy::Policy;
pub use read_back::ReadBack;
pub use report::Report;
pub use retry_macros::bitrix_method;
pub use settle::Settle;
pub use transport::Proxy;
