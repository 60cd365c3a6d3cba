//! What all clones of a handle and its tasks share.

use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use retry_runtime::clock::{Clock, Moment, SystemClock};
use retry_runtime::journal::JournalError;

use super::pool::Pool;
use super::rows::get;
use super::sql;
use crate::bodies::{Bodies, Sealer};

#[derive(Debug)]
pub(super) struct Core {
    pub(super) pool: Pool,
    /// The name of this worker.
    pub(super) me: Box<str>,
    pub(super) egress: Box<str>,
    pub(super) lease: Duration,
    pub(super) retention: Duration,
    pub(super) sealer: Sealer,
    pub(super) drops_bodies: bool,
    /// Why the journal may have forgotten intents, as it was last read.
    pub(super) suspicion: Mutex<Option<Arc<str>>>,
    /// How many changes wait for the server to come back.
    pub(super) waiting: AtomicUsize,
    token: AtomicI64,
    /// When this worker was last seen.
    beat: Mutex<Option<Moment>>,
    lost: Mutex<Vec<(i64, Moment)>>,
}

/// For how long a worker counts as alive, and closed intents are kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spans {
    pub(super) lease: Duration,
    pub(super) retention: Duration,
}

/// For how long a statement without an answer may still be carried out: the server ends it within its own limit, and what the network
/// holds is ended by the timeouts of the connection.
const LATE: Duration = Duration::from_secs(300);

impl Core {
    pub(super) fn new(pool: Pool, me: Box<str>, egress: Box<str>, spans: Spans, bodies: &Bodies) -> Self {
        let Spans { lease, retention } = spans;
        Self {
            pool,
            me,
            egress,
            lease,
            retention,
            sealer: Sealer::of(bodies),
            drops_bodies: bodies.are_dropped(),
            suspicion: Mutex::default(),
            waiting: AtomicUsize::new(0),
            token: AtomicI64::new(1),
            beat: Mutex::default(),
            lost: Mutex::default(),
        }
    }

    /// Names a statement that makes this worker the owner. Until it [is answered](Unanswered::answered) it counts as lost.
    pub(super) fn unanswered(&self) -> Unanswered<'_> {
        Unanswered { core: self, token: self.token.fetch_add(1, Ordering::Relaxed), is_answered: false }
    }

    /// Tells the others that this worker is alive.
    pub(super) async fn beat(&self) -> Result<(), JournalError> {
        let began = SystemClock.now();
        let rows = self.pool.session().await?.query(sql::BEAT, &[&&*self.me, &micros(self.lease)]).await?;
        *lock(&self.beat) = Some(began);
        if let Some(row) = rows.first() {
            let gap = Duration::from_micros(u64::try_from(get::<i64>(row, 0)?).unwrap_or(0));
            if gap > self.lease {
                tracing::warn!(
                    worker = &*self.me,
                    "this worker was not seen by the journal for {gap:?}: others may have taken its open intents over"
                );
            }
        }
        Ok(())
    }

    /// Makes sure that others can see that this worker is alive, before it takes anything more.
    pub(super) async fn be_seen(&self) -> Result<(), JournalError> {
        let last = *lock(&self.beat);
        if last.is_some_and(|last| SystemClock.now().at_most_since(last) < self.lease) {
            return Ok(());
        }
        self.beat().await
    }

    /// Lets go of what statements without an answer have left behind.
    pub(super) async fn let_go_of_lost(&self) -> Result<(), JournalError> {
        let tokens: Vec<i64> = lock(&self.lost).iter().map(|(token, _)| *token).collect();
        if tokens.is_empty() {
            return Ok(());
        }
        let asked = SystemClock.now();
        self.pool.session().await?.query(sql::LET_GO, &[&&*self.me, &tokens]).await?;
        lock(&self.lost).retain(|(token, lost)| !tokens.contains(token) || asked.at_least_since(*lost) < LATE);
        Ok(())
    }

    /// Drops what is past its time.
    pub(super) async fn clean(&self) -> Result<(), JournalError> {
        loop {
            let rows = self.pool.session().await?.query(sql::CLEAN, &[&micros(self.retention)]).await?;
            let gone: i64 = rows.first().map_or(Ok(0), |row| get(row, 0))?;
            if gone < 1000 {
                return Ok(());
            }
        }
    }

    /// Tells the others that this worker holds nothing any more.
    pub(super) async fn leave(&self) -> Result<(), JournalError> {
        self.pool.session().await?.query(sql::LEAVE, &[&&*self.me]).await.map(drop)
    }
}

/// A statement that makes this worker the owner of intents, from before it is sent until its answer is here.
pub(super) struct Unanswered<'a> {
    core: &'a Core,
    pub(super) token: i64,
    is_answered: bool,
}

impl Unanswered<'_> {
    pub(super) fn answered(mut self) {
        self.is_answered = true;
    }
}

impl Drop for Unanswered<'_> {
    fn drop(&mut self) {
        if !self.is_answered {
            lock(&self.core.lost).push((self.token, SystemClock.now()));
        }
    }
}

/// A span in microseconds, as the server counts.
pub(super) fn micros(span: Duration) -> i64 {
    i64::try_from(span.as_micros()).unwrap_or(i64::MAX)
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
