//! Tokens in a file that processes share.

use std::fs::{File, TryLockError};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{sleep, timeout};

use super::{StoreError, TokenLock, TokenStore, disk};
use crate::oauth::tokens::Tokens;
use crate::transport::BoxFuture;

/// How long to wait for the lock. Our choice.
const WAIT: Duration = Duration::from_secs(30);

/// How often to look whether it is free. Waiting in the system's own call could not be ended.
const LOOK: Duration = Duration::from_millis(50);

/// Keeps tokens in a file, for all processes of this machine that name the same one.
///
/// The file holds the JSON of [`Tokens`], with mode 0600. It is replaced in one step: a new file beside it (`NAME.tmp`), synced and renamed.
/// A file that others may read or change is refused with an error that says so, as its tokens may be known to them; the next
/// [`save`](TokenStore::save) replaces it by one that is not. (Only Unix has such modes; elsewhere keep it in a folder of your own.)
///
/// The right to replace it is a lock of the operating system on `NAME.lock` beside it, so that an owner who is killed frees it. It is waited
/// for up to 30 s, our choice. Leave that file in place. Network file systems may not pass such locks on to other machines.
#[derive(Debug, Clone)]
pub struct FileStore {
    path: Arc<PathBuf>,
}

impl FileStore {
    /// The store in this file, which need not exist yet. Its folder must.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: Arc::new(path.into()) }
    }

    async fn read(path: Arc<PathBuf>) -> Result<Option<Tokens>, StoreError> {
        blocking(move || disk::read(&path)).await?
    }

    async fn take_lock(&self) -> Result<File, StoreError> {
        let path = Arc::clone(&self.path);
        let mut file = blocking(move || disk::open_lock(&path)).await??;
        loop {
            let taken;
            (file, taken) = blocking(move || {
                let taken = file.try_lock();
                (file, taken)
            })
            .await?;
            match taken {
                Ok(()) => return Ok(file),
                Err(TryLockError::WouldBlock) => sleep(LOOK).await,
                Err(TryLockError::Error(error)) => {
                    return Err(StoreError::broken(format!("can't lock {}.lock: {error}", self.path.display())));
                }
            }
        }
    }
}

/// Runs what blocks, to its end even if its caller goes away.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, StoreError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| StoreError::busy("the runtime is shutting down"))
}

struct Locked {
    path: Arc<PathBuf>,
    /// Unlocked when it is closed, by us or by the end of the process.
    file: File,
}

impl TokenStore for FileStore {
    fn load(&self) -> BoxFuture<'_, Result<Option<Tokens>, StoreError>> {
        Box::pin(Self::read(Arc::clone(&self.path)))
    }

    fn lock(&self) -> BoxFuture<'_, Result<Box<dyn TokenLock>, StoreError>> {
        Box::pin(async {
            let Ok(file) = timeout(WAIT, self.take_lock()).await else {
                let why = format!("{}.lock has been held for {} s", self.path.display(), WAIT.as_secs());
                return Err(StoreError::busy(why));
            };
            let locked: Box<dyn TokenLock> = Box::new(Locked { path: Arc::clone(&self.path), file: file? });
            Ok(locked)
        })
    }
}

impl TokenLock for Locked {
    fn load(&mut self) -> BoxFuture<'_, Result<Option<Tokens>, StoreError>> {
        Box::pin(FileStore::read(Arc::clone(&self.path)))
    }

    fn replace(self: Box<Self>, tokens: Tokens) -> BoxFuture<'static, Result<(), StoreError>> {
        Box::pin(async move {
            let Self { path, file } = *self;
            // The lock goes along: a caller who is dropped does not free it before the tokens are there.
            blocking(move || {
                let replaced = disk::replace(&path, &tokens);
                drop(file);
                replaced
            })
            .await?
        })
    }
}
