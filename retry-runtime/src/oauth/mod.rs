//! The tokens of an OAuth application: how they are got, kept and renewed.
//!
//! [`authorize`] trades the code of the authorisation step for [`Tokens`]. A [`TokenStore`] keeps them: in a [`FileStore`], in a
//! [`MemoryStore`], or where you like. A client renews them by itself when the portal says `expired_token`, never before and never on a
//! timer, once for all calls that wait and for all clients and processes that share the store.
//!
//! ```no_run
//! use retry_runtime::oauth::{Application, FileStore, TokenStore, authorize};
//!
//! # async fn installed(code: &str) -> Result<(), Box<dyn std::error::Error>> {
//! let application = Application::new("local.5f0c7c1e2a3b44.11223344", std::env::var("CLIENT_SECRET")?);
//! let tokens = authorize(&application, code).await?;
//! FileStore::new("acme.tokens.json").save(tokens).await?;
//! # Ok(())
//! # }
//! ```
//!
//! # How tokens are renewed
//!
//! * The store's lock is taken and its tokens are read again first. If somebody else has renewed them, they are used as they are.
//! * The token server is asked at most 3 times, 10 s each, with short random pauses between. All of it, waiting for the lock included,
//!   takes no more than 40 s; saving has another 10 s. These figures are our choice. A call that is dropped does not stop it.
//! * The new tokens are in the store before any call uses them.
//! * A refusal (`invalid_grant`, `invalid_client`, `PAYMENT_REQUIRED` and the like, unknown codes too) is told to all who wait and is not
//!   asked for again until the store holds other tokens or a new client is made.
//! * Tokens of another user or portal are not used, as a write could not be read back with them.

mod address;
mod answer;
mod application;
mod error;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzzed;
mod grant;
mod renewal;
mod store;
mod tokens;

#[cfg(test)]
mod scripted;

pub use self::application::Application;
pub use self::error::TokenError;
pub(crate) use self::grant::{Query, TokenServer, first_tokens};
pub(crate) use self::renewal::Renewal;
pub use self::store::{FileStore, MemoryStore, StoreError, TokenLock, TokenStore};
pub use self::tokens::Tokens;
pub use crate::transport::authorize;
