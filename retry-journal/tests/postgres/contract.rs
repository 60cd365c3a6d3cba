//! What every journal promises, here kept by PostgreSQL.

use std::sync::Arc;

use retry_journal::postgres::{Bodies, BodyKey, PostgresJournal};
use retry_runtime::journal::{Change, Journal as _};

use crate::builder;
use crate::kit::{Stores, beginning, ended, look};
use crate::server::{self, Server};

struct Postgres {
    server: Arc<Server>,
    schema: String,
    bodies: Bodies,
}

impl Stores for Postgres {
    type Store = PostgresJournal;

    async fn fresh(&self) -> PostgresJournal {
        builder(&self.schema).bodies(self.bodies.clone()).connect(&self.server.address()).await.unwrap()
    }

    async fn later(&self, store: PostgresJournal) -> PostgresJournal {
        store.close().await;
        self.fresh().await
    }
}

impl Postgres {
    async fn new(bodies: Bodies) -> Option<Self> {
        Some(Self { server: server::shared().await?, schema: server::schema(), bodies })
    }
}

mod by_default {
    use super::{Bodies, Postgres};

    journal_contract!(match Postgres::new(Bodies::default()).await {
        Some(stores) => stores,
        None => return,
    });
    desk_contract!(match Postgres::new(Bodies::default()).await {
        Some(stores) => stores,
        None => return,
    });
}

mod encrypted {
    use super::{Bodies, BodyKey, Postgres};

    journal_contract!(match Postgres::new(Bodies::Encrypted(BodyKey::new([7; 32]))).await {
        Some(stores) => stores,
        None => return,
    });
    desk_contract!(match Postgres::new(Bodies::Encrypted(BodyKey::new([7; 32]))).await {
        Some(stores) => stores,
        None => return,
    });
}

#[tokio::test]
async fn texts_with_a_nul_are_kept_without_it_and_keys_with_one_are_refused() {
    let Some(server) = server::shared().await else { return };
    let journal = builder(&server::schema()).connect(&server.address()).await.unwrap();
    let error = journal.begin(&beginning("a\0b")).await.unwrap_err();
    assert!(error.to_string().contains("NUL"), "{error}");
    let change = Change::Rejected { why: "a\0b".into() };
    ended(&journal, "1", change).await;
    assert_eq!(look(&journal, "1").await.state.why(), Some("a\u{fffd}b"));
}
