//! A journal that forgets everything with its process, for tests.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use super::{
    Beginning, Begun, Change, Claim, Entry, Epoch, Event, EventKind, Held, Intent, IntentId, Job, Journal, Recorded,
    State,
};
use crate::clock::{Clock, SystemClock};

type Rows = Vec<(Intent, Vec<Event>)>;

/// A journal in memory: what the other journals do, without their disk. A clone is another handle of it.
///
/// It is for tests: a process that dies takes it along. [`restarted`](Self::restarted) is what a new process would find.
///
/// ```
/// use retry_runtime::journal::MemoryJournal;
///
/// let journal = MemoryJournal::new();
/// assert!(journal.intents().is_empty());
/// ```
#[derive(Clone)]
pub struct MemoryJournal {
    rows: Arc<Mutex<Rows>>,
    /// The process, as far as the journal can tell.
    owner: Box<str>,
    clock: Arc<dyn Clock>,
}

impl MemoryJournal {
    /// An empty one.
    pub fn new() -> Self {
        Self::with_clock(SystemClock)
    }

    /// An empty one that goes by this clock.
    pub fn with_clock(clock: impl Clock) -> Self {
        Self { rows: Arc::default(), owner: "process 1".into(), clock: Arc::new(clock) }
    }

    /// The same intents as a new process finds them: whoever held one is gone.
    ///
    /// It takes what the old handle knew and leaves that handle behind: what is still running with it changes nothing here.
    #[must_use]
    pub fn restarted(&self) -> Self {
        let rows = self.rows().clone();
        let process: u64 = self.owner.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0);
        Self {
            rows: Arc::new(Mutex::new(rows)),
            owner: format!("process {}", process + 1).into(),
            clock: Arc::clone(&self.clock),
        }
    }

    /// The same journal as another process has it that shares it, and that takes whatever this one holds for abandoned: as a fleet would after the
    /// lease of a process that was stopped for long.
    #[must_use]
    pub fn shared(&self) -> Self {
        Self {
            rows: Arc::clone(&self.rows),
            owner: format!("beside {}", self.owner).into(),
            clock: Arc::clone(&self.clock),
        }
    }

    /// Everything on record, in the order in which it began.
    pub fn intents(&self) -> Vec<Intent> {
        self.rows().iter().map(|(intent, _)| intent.clone()).collect()
    }

    /// What is told of the intent with this number.
    pub fn story(&self, number: u64) -> Vec<Event> {
        self.rows()
            .iter()
            .find(|(intent, _)| intent.number == number)
            .map(|(_, story)| story.clone())
            .unwrap_or_default()
    }

    fn rows(&self) -> MutexGuard<'_, Rows> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wall(&self) -> SystemTime {
        self.clock.now().wall()
    }

    fn found(&self, id: &IntentId) -> Option<Intent> {
        self.rows().iter().find(|(intent, _)| intent.id == *id).map(|(intent, _)| intent.clone())
    }

    fn begun(&self, beginning: &Beginning) -> Begun {
        let now = self.wall();
        let mut rows = self.rows();
        let known = rows.iter_mut().find(|(intent, _)| intent.id == beginning.id);
        match (known, beginning.expected) {
            (None, None) => {
                let number = u64::try_from(rows.len()).unwrap_or(u64::MAX).saturating_add(1);
                let intent = Intent {
                    number,
                    id: beginning.id.clone(),
                    stub: beginning.stub.clone(),
                    version: beginning.version,
                    arguments: Some(beginning.arguments.clone()),
                    digest: beginning.digest,
                    idempotency_key: beginning.idempotency_key.clone(),
                    state: State::Sending,
                    attempt: 1,
                    epoch: Epoch(1),
                    owner: Some(self.owner.clone()),
                    began: now,
                    sent: now,
                    closed: None,
                };
                let held = intent.held();
                rows.push((intent, beginning.story.clone()));
                Begun::Yes(held)
            }
            (Some((intent, story)), Some(epoch))
                if intent.epoch == epoch && (intent.state.is_open() || intent.state.is_without_effect()) =>
            {
                story.extend(beginning.story.iter().cloned());
                intent.stub.clone_from(&beginning.stub);
                intent.version = beginning.version;
                intent.arguments = Some(beginning.arguments.clone());
                intent.digest = beginning.digest;
                intent.idempotency_key.clone_from(&beginning.idempotency_key);
                intent.state = State::Sending;
                intent.attempt += 1;
                intent.epoch = Epoch(epoch.0 + 1);
                intent.owner = Some(self.owner.clone());
                intent.sent = now;
                intent.closed = None;
                Begun::Yes(intent.held())
            }
            (Some((intent, _)), _) => Begun::Taken(Some(Box::new(intent.clone()))),
            (None, Some(_)) => Begun::Taken(None),
        }
    }

    fn changed(&self, entry: &Entry) -> Recorded {
        let now = self.wall();
        let mut rows = self.rows();
        let Some((intent, story)) = rows.iter_mut().find(|(intent, _)| intent.number == entry.held.number) else {
            return Recorded::Taken(None);
        };
        let is_held = intent.epoch == entry.held.epoch && intent.state.is_open();
        let is_news = matches!(entry.change, Change::Applied { .. });
        if is_news && !is_held && !intent.state.is_open() {
            story.extend(entry.story.iter().cloned());
            story.push(late_news(now, &entry.change));
            return Recorded::Taken(Some(Box::new(intent.clone())));
        }
        if !is_held && !is_news {
            return Recorded::Taken(Some(Box::new(intent.clone())));
        }
        story.extend(entry.story.iter().cloned());
        (intent.state, intent.closed) = match entry.change.clone() {
            Change::Unknown { why, let_go } => {
                if let_go {
                    intent.owner = None;
                }
                (State::Unknown { why }, None)
            }
            Change::Ready { why } => (State::Ready { why }, Some(now)),
            Change::Applied { how, result } => (State::Applied { how, result }, Some(now)),
            Change::Rejected { why } => (State::Rejected { why }, Some(now)),
            Change::Manual { why } => (State::Manual { why }, Some(now)),
        };
        if !intent.state.is_open() {
            intent.owner = None;
        }
        Recorded::Yes
    }

    fn claimed(&self, claim: &Claim) -> Vec<Intent> {
        let mut rows = self.rows();
        let limit = match claim {
            Claim::One(_) => 1,
            Claim::Open { limit, .. } => usize::try_from(*limit).unwrap_or(usize::MAX),
        };
        let mut claimed = Vec::new();
        for (intent, _) in rows.iter_mut() {
            let is_free = intent.owner.as_ref().is_none_or(|owner| *owner != self.owner);
            if claimed.len() < limit && intent.state.is_open() && is_free && is_wanted(intent, claim) {
                if intent.state == State::Sending {
                    intent.state = State::Unknown { why: "its process ended before its outcome was on record".into() };
                }
                intent.epoch = Epoch(intent.epoch.0 + 1);
                intent.owner = Some(self.owner.clone());
                claimed.push(intent.clone());
            }
        }
        claimed
    }
}

fn is_wanted(intent: &Intent, claim: &Claim) -> bool {
    match claim {
        Claim::One(id) => intent.id == *id,
        Claim::Open { portal, stubs, .. } => intent.id.portal == *portal && stubs.contains(&intent.stub),
    }
}

/// What is told of the news that an intent was applied after all.
fn late_news(now: SystemTime, change: &Change) -> Event {
    Event {
        at: now,
        kind: EventKind::Change,
        text: format!("news from an earlier holder: {change:?}").into(),
        detail: "{}".into(),
    }
}

impl Default for MemoryJournal {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for MemoryJournal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryJournal").field("intents", &self.rows().len()).finish_non_exhaustive()
    }
}

impl Journal for MemoryJournal {
    fn look<'a>(&'a self, id: &'a IntentId) -> Job<'a, Option<Intent>> {
        Box::pin(async move { Ok(self.found(id)) })
    }

    fn begin<'a>(&'a self, beginning: &'a Beginning) -> Job<'a, Begun> {
        Box::pin(async move { Ok(self.begun(beginning)) })
    }

    fn record<'a>(&'a self, entry: &'a Entry) -> Job<'a, Recorded> {
        Box::pin(async move { Ok(self.changed(entry)) })
    }

    fn claim<'a>(&'a self, claim: &'a Claim) -> Job<'a, Vec<Intent>> {
        Box::pin(async move { Ok(self.claimed(claim)) })
    }

    fn release(&self, held: Held, why: &str) {
        let change = Change::Unknown { why: why.into(), let_go: true };
        let _ = self.changed(&Entry { held, change, story: Vec::new() });
    }

    fn flush(&self) -> Job<'_, ()> {
        Box::pin(async { Ok(()) })
    }
}
