//! Where tokens are kept, and who may replace them.

mod disk;
mod file;
mod memory;

use std::fmt;
use std::sync::Arc;

pub use self::file::FileStore;
pub use self::memory::MemoryStore;
use super::tokens::Tokens;
use crate::transport::BoxFuture;

/// Keeps the tokens of one user of one portal, for all clients and processes that share it.
///
/// A renewal takes the lock, reads the tokens again under it, asks the token server if they are still the old ones, and replaces them.
/// It holds the lock for up to 50 s, and reading must not wait for it. [`FileStore`] and [`MemoryStore`] are two; this is one of your own:
///
/// ```
/// use std::sync::Arc;
/// use retry_runtime::oauth::{StoreError, TokenLock, TokenStore, Tokens};
/// use retry_runtime::transport::BoxFuture;
/// use tokio::sync::{Mutex, OwnedMutexGuard};
///
/// // With a database: a transaction that has locked its row, committed by `replace`, rolled back when it is dropped.
/// #[derive(Debug, Default)]
/// struct Rows(Arc<Mutex<()>>, Arc<std::sync::Mutex<Option<Tokens>>>);
///
/// struct Locked(OwnedMutexGuard<()>, Arc<std::sync::Mutex<Option<Tokens>>>);
///
/// fn broken<E>(_: E) -> StoreError {
///     StoreError::broken("the rows are poisoned")
/// }
///
/// impl TokenStore for Rows {
///     fn load(&self) -> BoxFuture<'_, Result<Option<Tokens>, StoreError>> {
///         Box::pin(async { Ok(self.1.lock().map_err(broken)?.clone()) })
///     }
///
///     fn lock(&self) -> BoxFuture<'_, Result<Box<dyn TokenLock>, StoreError>> {
///         Box::pin(async {
///             let locked = Locked(Arc::clone(&self.0).lock_owned().await, Arc::clone(&self.1));
///             Ok(Box::new(locked) as Box<dyn TokenLock>)
///         })
///     }
/// }
///
/// impl TokenLock for Locked {
///     fn load(&mut self) -> BoxFuture<'_, Result<Option<Tokens>, StoreError>> {
///         Box::pin(async { Ok(self.1.lock().map_err(broken)?.clone()) })
///     }
///
///     fn replace(self: Box<Self>, tokens: Tokens) -> BoxFuture<'static, Result<(), StoreError>> {
///         Box::pin(async move {
///             *self.1.lock().map_err(broken)? = Some(tokens);
///             Ok(())
///         })
///     }
/// }
/// ```
pub trait TokenStore: fmt::Debug + Send + Sync + 'static {
    /// Reads the tokens without the lock; `None` if there are none yet.
    fn load(&self) -> BoxFuture<'_, Result<Option<Tokens>, StoreError>>;

    /// Waits for the exclusive right to replace the tokens, across tasks, clients and processes.
    ///
    /// It must be free again when its owner drops it or is killed.
    fn lock(&self) -> BoxFuture<'_, Result<Box<dyn TokenLock>, StoreError>>;

    /// Replaces the tokens, whatever is there: for the first ones, as [`authorize`](super::authorize) returns them.
    fn save(&self, tokens: Tokens) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(async move { self.lock().await?.replace(tokens).await })
    }
}

/// The exclusive right to replace the tokens of a store. Dropped, it is given back.
pub trait TokenLock: Send {
    /// Reads the tokens again, as they are now that nobody else replaces them.
    fn load(&mut self) -> BoxFuture<'_, Result<Option<Tokens>, StoreError>>;

    /// Replaces the tokens and gives the right back. When it says `Ok`, they are kept for good.
    fn replace(self: Box<Self>, tokens: Tokens) -> BoxFuture<'static, Result<(), StoreError>>;
}

/// A store that several clients share.
impl<S: TokenStore + ?Sized> TokenStore for Arc<S> {
    fn load(&self) -> BoxFuture<'_, Result<Option<Tokens>, StoreError>> {
        (**self).load()
    }

    fn lock(&self) -> BoxFuture<'_, Result<Box<dyn TokenLock>, StoreError>> {
        (**self).lock()
    }
}

/// Why a store did not do what it was asked. Its text should hold no secret; tokens and client secret are struck out of it all the same.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// It may pass by itself: somebody holds the lock, a connection was lost.
    #[error("{0}")]
    Busy(Box<str>),
    /// A person has to repair it.
    #[error("{0}")]
    Broken(Box<str>),
}

impl StoreError {
    /// It may pass by itself.
    pub fn busy(why: impl Into<Box<str>>) -> Self {
        Self::Busy(why.into())
    }

    /// A person has to repair it.
    pub fn broken(why: impl Into<Box<str>>) -> Self {
        Self::Broken(why.into())
    }
}

#[cfg(test)]
mod tests;
