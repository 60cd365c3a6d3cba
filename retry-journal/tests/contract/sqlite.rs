//! The journal in a file: as it is by default, encrypted, and as a person sees it from beside.

use std::path::PathBuf;

use retry_journal::sqlite::{Bodies, BodyKey, Builder, SqliteJournal};
use tempfile::TempDir;

use crate::kit::Stores;

struct Sqlite {
    directory: TempDir,
    bodies: Bodies,
}

impl Sqlite {
    fn new(bodies: Bodies) -> Self {
        Self { directory: tempfile::tempdir().unwrap(), bodies }
    }

    fn path(&self) -> PathBuf {
        self.directory.path().join("journal")
    }

    fn builder(&self) -> Builder {
        SqliteJournal::builder(self.path()).bodies(self.bodies.clone())
    }
}

impl Stores for Sqlite {
    type Store = SqliteJournal;

    async fn fresh(&self) -> SqliteJournal {
        self.builder().open().unwrap()
    }

    async fn later(&self, store: SqliteJournal) -> SqliteJournal {
        drop(store);
        self.builder().must_exist().open().unwrap()
    }
}

mod by_default {
    use super::{Bodies, Sqlite};

    journal_contract!(Sqlite::new(Bodies::default()));
    desk_contract!(Sqlite::new(Bodies::default()));
}

mod encrypted {
    use super::{Bodies, BodyKey, Sqlite};

    journal_contract!(Sqlite::new(Bodies::Encrypted(BodyKey::new([7; 32]))));
    desk_contract!(Sqlite::new(Bodies::Encrypted(BodyKey::new([7; 32]))));
}
