//! Tokens that end with the process.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

use super::{StoreError, TokenLock, TokenStore};
use crate::oauth::tokens::Tokens;
use crate::transport::BoxFuture;

/// Keeps tokens in memory. A clone is another handle of the same store.
///
/// When the process ends, the refresh token in it is lost, and the one it was made with has been used up by the first renewal. So it is for
/// tests, and for programs that are authorised anew with each start.
///
/// ```
/// use retry_runtime::oauth::{MemoryStore, Tokens};
///
/// let store = MemoryStore::new(Tokens::new("access", "refresh", "https://acme.bitrix24.com/rest/")?);
/// # let _ = store;
/// # Ok::<(), retry_runtime::oauth::TokenError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct MemoryStore {
    tokens: Arc<Mutex<Option<Tokens>>>,
    right: Arc<AsyncMutex<()>>,
}

impl MemoryStore {
    /// A store that holds these tokens. `MemoryStore::default()` holds none.
    pub fn new(tokens: Tokens) -> Self {
        Self { tokens: Arc::new(Mutex::new(Some(tokens))), right: Arc::default() }
    }
}

struct Locked {
    tokens: Arc<Mutex<Option<Tokens>>>,
    _right: OwnedMutexGuard<()>,
}

fn open(tokens: &Mutex<Option<Tokens>>) -> MutexGuard<'_, Option<Tokens>> {
    tokens.lock().unwrap_or_else(PoisonError::into_inner)
}

impl TokenStore for MemoryStore {
    fn load(&self) -> BoxFuture<'_, Result<Option<Tokens>, StoreError>> {
        Box::pin(async { Ok(open(&self.tokens).clone()) })
    }

    fn lock(&self) -> BoxFuture<'_, Result<Box<dyn TokenLock>, StoreError>> {
        Box::pin(async {
            let right = Arc::clone(&self.right).lock_owned().await;
            let locked: Box<dyn TokenLock> = Box::new(Locked { tokens: Arc::clone(&self.tokens), _right: right });
            Ok(locked)
        })
    }
}

impl TokenLock for Locked {
    fn load(&mut self) -> BoxFuture<'_, Result<Option<Tokens>, StoreError>> {
        Box::pin(async { Ok(open(&self.tokens).clone()) })
    }

    fn replace(self: Box<Self>, tokens: Tokens) -> BoxFuture<'static, Result<(), StoreError>> {
        Box::pin(async move {
            *open(&self.tokens) = Some(tokens);
            Ok(())
        })
    }
}
