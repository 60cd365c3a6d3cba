//! OAuth: clients that share a store.

use std::sync::atomic::{AtomicU64, Ordering};

use retry_portal::Portal;
use retry_runtime::Client;
use retry_runtime::oauth::{FileStore, TokenStore as _};
use tokio::task::JoinSet;

use crate::oauth_renewal::{application, tokens};
use crate::setting::{portal, scaled};
use crate::stubs::profile;

/// A folder of one test, gone with it.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("retry-apis-{}-{number}", std::process::id()));
        std::fs::create_dir(&path).unwrap();
        Self(path)
    }

    fn store(&self) -> FileStore {
        FileStore::new(self.0.join("tokens.json"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

async fn client(portal: &Portal, store: FileStore) -> Client {
    let tokens = store.load().await.unwrap().unwrap();
    scaled(Client::builder().oauth(application(portal), store, tokens)).build().unwrap()
}

#[tokio::test]
async fn a_second_client_takes_over_what_the_first_has_renewed() {
    let (portal, folder) = (portal().start().await.unwrap(), Folder::new());
    folder.store().save(tokens(&portal)).await.unwrap();
    let (first, second) = (client(&portal, folder.store()).await, client(&portal, folder.store()).await);
    portal.expire_tokens();
    profile(&first).await.unwrap();
    assert_eq!(portal.count("oauth.token"), 1);
    profile(&second).await.unwrap();
    assert_eq!(portal.count("oauth.token"), 1, "read again before it is asked for");
    // A third one begins with them, by the short way.
    let third = Client::oauth(application(&portal), folder.store()).await.unwrap();
    profile(&third).await.unwrap();
    assert_eq!(portal.count("oauth.token"), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_that_share_a_file_renew_once_at_the_same_time() {
    let (portal, folder) = (portal().old_refresh_token_dies(true).start().await.unwrap(), Folder::new());
    folder.store().save(tokens(&portal)).await.unwrap();
    let mut clients = Vec::new();
    for _ in 0..4 {
        clients.push(client(&portal, folder.store()).await);
    }
    portal.expire_tokens();
    let mut running = JoinSet::new();
    for number in 0..40 {
        let client = clients[number % clients.len()].clone();
        running.spawn(async move { profile(&client).await });
    }
    for result in running.join_all().await {
        result.unwrap();
    }
    assert_eq!(portal.count("oauth.token"), 1);
}
