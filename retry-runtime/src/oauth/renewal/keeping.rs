//! New tokens and a store that is slow, broken or ahead, on paused time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::*;
use crate::oauth::scripted::{Step, TokenEnd, clock, tokens};
use crate::oauth::{MemoryStore, StoreError, TokenLock};
use crate::transport::BoxFuture;

/// A store whose writing takes a while, and which may be full. Its errors tell everything.
#[derive(Debug, Clone)]
struct Disk {
    memory: MemoryStore,
    full: Arc<AtomicBool>,
    writing_takes: Duration,
}

struct Locked {
    disk: Disk,
    lock: Box<dyn TokenLock>,
}

impl TokenStore for Disk {
    fn load(&self) -> BoxFuture<'_, Result<Option<Tokens>, StoreError>> {
        self.memory.load()
    }

    fn lock(&self) -> BoxFuture<'_, Result<Box<dyn TokenLock>, StoreError>> {
        Box::pin(async {
            let lock = self.memory.lock().await?;
            Ok(Box::new(Locked { disk: self.clone(), lock }) as Box<dyn TokenLock>)
        })
    }
}

impl TokenLock for Locked {
    fn load(&mut self) -> BoxFuture<'_, Result<Option<Tokens>, StoreError>> {
        self.lock.load()
    }

    fn replace(self: Box<Self>, tokens: Tokens) -> BoxFuture<'static, Result<(), StoreError>> {
        // As a file's writing does, it goes on when nobody waits for it.
        let writing = tokio::spawn(async move {
            tokio::time::sleep(self.disk.writing_takes).await;
            if self.disk.full.load(Ordering::SeqCst) {
                let (access, refresh) = (tokens.access_token(), tokens.refresh_token());
                return Err(StoreError::broken(format!(
                    "no space for {access} and {refresh}, made with s3cr3t from ref1"
                )));
            }
            self.lock.replace(tokens).await
        });
        Box::pin(async { writing.await.unwrap_or_else(|_| Err(StoreError::broken("the writer is gone"))) })
    }
}

fn setting(script: impl IntoIterator<Item = Step>, writing_takes: Duration) -> (Renewal, TokenEnd, Disk) {
    let memory = MemoryStore::new(tokens("acc1", "ref1"));
    let (server, disk) = (TokenEnd::new(script), Disk { memory, full: Arc::default(), writing_takes });
    let application = Application::new("local.1", "s3cr3t");
    let ends = (Box::new(server.clone()), clock());
    (Renewal::new(application, Arc::new(disk.clone()), tokens("acc1", "ref1"), ends.0, ends.1), server, disk)
}

async fn on_disk(disk: &Disk) -> String {
    disk.load().await.unwrap().unwrap().access_token().to_owned()
}

fn usable(renewal: &Renewal) -> Option<String> {
    renewal.current().map(|(tokens, _)| tokens.access_token().to_owned())
}

#[tokio::test(start_paused = true)]
async fn new_tokens_are_in_the_store_before_a_call_uses_them() {
    let (renewal, _, disk) = setting([Step::grant("acc2", "ref2")], Duration::from_secs(5));
    let (renewed, ()) = tokio::join!(renewal.renew(1), async {
        tokio::time::sleep(Duration::from_secs(5)).await;
        assert_eq!((usable(&renewal).as_deref(), on_disk(&disk).await.as_str()), (Some("acc1"), "acc1"));
    });
    assert_eq!(renewed, Ok(()));
    assert_eq!((usable(&renewal).as_deref(), on_disk(&disk).await.as_str()), (Some("acc2"), "acc2"));
}

#[tokio::test(start_paused = true)]
async fn tokens_that_can_not_be_kept_are_not_lost_and_not_used_until_they_are() {
    let (renewal, server, disk) = setting([Step::grant("acc2", "ref2")], Duration::ZERO);
    disk.full.store(true, Ordering::SeqCst);
    for _ in 0..3 {
        let error =
            if usable(&renewal).is_some() { renewal.renew(1).await } else { renewal.tokens().await.map(|_| ()) };
        let error = error.unwrap_err();
        let shown = format!("{error} {error:?} {renewal:?}");
        assert!(matches!(error, TokenError::NotKept { .. }) && shown.contains("no space"), "{shown}");
        for secret in ["acc1", "acc2", "ref1", "ref2", "s3cr3t"] {
            assert!(!shown.contains(secret), "{shown}");
        }
        assert_eq!((usable(&renewal), on_disk(&disk).await.as_str()), (None, "acc1"));
    }
    disk.full.store(false, Ordering::SeqCst);
    assert_eq!(renewal.tokens().await.unwrap().0.refresh_token(), "ref2");
    assert_eq!((on_disk(&disk).await.as_str(), server.refreshed()), ("acc2", vec!["ref1".to_owned()]));
}

#[tokio::test(start_paused = true)]
async fn tokens_that_were_kept_late_are_used_without_a_second_refresh() {
    let (renewal, server, disk) = setting([Step::grant("acc2", "ref2")], Duration::from_secs(15));
    assert!(matches!(renewal.renew(1).await, Err(TokenError::NotKept { .. })));
    assert_eq!(renewal.tokens().await.unwrap().0.access_token(), "acc2");
    assert_eq!((on_disk(&disk).await.as_str(), server.refreshed()), ("acc2", vec!["ref1".to_owned()]));
}

#[tokio::test(start_paused = true)]
async fn tokens_that_somebody_else_put_into_the_store_meanwhile_count_more_than_unkept_ones() {
    let (renewal, server, disk) = setting([Step::grant("acc2", "ref2")], Duration::ZERO);
    disk.full.store(true, Ordering::SeqCst);
    assert!(matches!(renewal.renew(1).await, Err(TokenError::NotKept { .. })));
    disk.memory.save(tokens("acc9", "ref9")).await.unwrap();
    assert_eq!(renewal.tokens().await.unwrap().0.access_token(), "acc9");
    assert_eq!((on_disk(&disk).await.as_str(), server.refreshed()), ("acc9", vec!["ref1".to_owned()]));
}

/// A store that fails before anything is asked.
#[derive(Debug)]
struct Broken;

impl TokenStore for Broken {
    fn load(&self) -> BoxFuture<'_, Result<Option<Tokens>, StoreError>> {
        Box::pin(async { Err(StoreError::broken("the row of acc1 and ref1 is torn")) })
    }

    fn lock(&self) -> BoxFuture<'_, Result<Box<dyn TokenLock>, StoreError>> {
        Box::pin(async { Err(StoreError::busy("postgres://app:s3cr3t@db is restarting")) })
    }
}

#[tokio::test(start_paused = true)]
async fn p7_what_a_store_tells_is_shown_without_secrets() {
    let (server, application) = (TokenEnd::new([]), Application::new("local.1", "s3cr3t"));
    let renewal = Renewal::new(application, Arc::new(Broken), tokens("acc1", "ref1"), Box::new(server), clock());
    let error = renewal.renew(1).await.unwrap_err();
    assert_eq!(error, TokenError::StoreBusy { why: "postgres://app:[secret]@db is restarting".into() });
    assert!(error.is_transient());
    let broken = TokenError::from(Broken.load().await.unwrap_err());
    assert!(matches!(broken, TokenError::Store { .. }) && !broken.is_transient());
}
