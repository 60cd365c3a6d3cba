//! What is done after a crash with what was left open.

use std::collections::HashSet;
use std::fmt;

use super::open::Start;
use super::{Journaled, Outcome, Ran, Runs, Settlement};
use crate::client::Client;
use crate::error::CallError;
use crate::journal::{Claim, Intent, IntentId, JournalError};

/// So many intents are settled at a time.
const AT_A_TIME: u32 = 500;

/// What recovery needs of a stub that says `journal`: the attribute makes one beside each, `add_deal::RECOVERY` of a function `add_deal`.
///
/// For a method of an `impl` block it is `RECOVER_ADD_DEAL` beside the method.
#[derive(Clone, Copy)]
pub struct Recovery(pub(crate) &'static dyn Runs);

impl Recovery {
    pub(crate) const fn new<T: Outcome>(stub: &'static Journaled<T>) -> Self {
        Self(stub)
    }
}

impl fmt::Debug for Recovery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recovery").field("method", &self.0.method()).field("stub", &self.0.path()).finish()
    }
}

/// What a [recovery](crate::Client::recover) has settled.
#[derive(Debug, Default)]
pub struct Recovered {
    /// Each intent that was open and that nobody held.
    pub intents: Vec<Settled>,
}

/// One of them.
#[derive(Debug)]
pub struct Settled {
    /// Its number in the journal.
    pub number: u64,
    /// Which intent it is.
    pub id: IntentId,
    /// Where it is now.
    pub settlement: Settlement,
    /// Why it is not applied, with the whole story.
    pub error: Option<CallError>,
}

impl Recovered {
    /// How many are there now.
    pub fn count(&self, settlement: Settlement) -> usize {
        self.intents.iter().filter(|intent| intent.settlement == settlement).count()
    }
}

/// Settles what is open, of these stubs, until nothing is that nobody holds.
pub(crate) async fn recover(client: &Client, stubs: &[Recovery]) -> Result<Recovered, JournalError> {
    let shared = client.shared();
    let Some(journal) = &shared.journal else {
        return Err(JournalError::Unavailable("the client has none: give it one with ClientBuilder::journal".into()));
    };
    if let Some(path) = twice(stubs) {
        let why = format!(
            "two of the stubs are {path}: name each once, and give functions in two impl blocks of a module two names"
        );
        return Err(JournalError::Unavailable(why.into()));
    }
    let claim = Claim::Open {
        portal: shared.portal.clone(),
        stubs: stubs.iter().map(|stub| stub.0.path().into()).collect(),
        limit: AT_A_TIME,
    };
    let (mut recovered, mut seen) = (Recovered::default(), HashSet::new());
    loop {
        let claimed = journal.claim(&claim).await?;
        let is_last = claimed.len() < AT_A_TIME as usize;
        // What could not be settled and was let go of comes back: it is for the next recovery.
        let (new, again): (Vec<Intent>, Vec<Intent>) =
            claimed.into_iter().partition(|intent| seen.insert(intent.number));
        for intent in &again {
            journal.release(intent.held(), intent.state.why().unwrap_or_default());
        }
        let mut tasks = Vec::with_capacity(new.len());
        for intent in new {
            let Some(stub) = stubs.iter().find(|stub| stub.0.made(&intent)) else {
                journal.release(intent.held(), "its stub is of another method now");
                continue;
            };
            let (number, id, held) = (intent.number, intent.id.clone(), intent.held());
            match client.shared().spawn(stub.0.run(client.clone(), Start::Claimed(Box::new(intent)))) {
                Ok(task) => tasks.push((number, id, task)),
                Err(_) => journal.release(held, "the client is shutting down"),
            }
        }
        for (number, id, task) in tasks {
            let (settlement, error) = match task.await {
                Ok(Ran { result, settlement }) => (settlement, result.err()),
                // Its own guard has let go of the intent.
                Err(_) => (Settlement::Open, None),
            };
            tracing::debug!(intent = number, %id, ?settlement, "an open intent was settled");
            recovered.intents.push(Settled { number, id, settlement, error });
        }
        if is_last || !again.is_empty() {
            return Ok(recovered);
        }
    }
}

/// A path that two of them have, as functions in two `impl` blocks of one module can make it.
fn twice(stubs: &[Recovery]) -> Option<&'static str> {
    let mut seen = HashSet::new();
    stubs.iter().map(|stub| stub.0.path()).find(|path| !seen.insert(*path))
}
