//! The journal in memory, which says how the others behave.

use retry_runtime::journal::MemoryJournal;

use crate::kit::Stores;

struct Memory;

impl Stores for Memory {
    type Store = MemoryJournal;

    async fn fresh(&self) -> MemoryJournal {
        MemoryJournal::new()
    }

    async fn later(&self, store: MemoryJournal) -> MemoryJournal {
        store.restarted()
    }
}

journal_contract!(Memory);
