//! One open write per method and key in a client.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

use super::standing::Standing;
use crate::clock::Moment;

type Name = (&'static str, Box<str>);
type Place = Arc<AsyncMutex<Standing>>;

/// The keys that are open, or whose last write may still be applied.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    places: Mutex<Places>,
}

#[derive(Debug, Default)]
struct Places {
    by_name: HashMap<Name, Place>,
    sweep_at: usize,
}

/// The right to write under a key. The next one who asks for it waits until it is let go.
#[derive(Debug)]
pub(crate) struct Lease {
    keys: Arc<Keys>,
    name: Name,
    held: Option<OwnedMutexGuard<Standing>>,
    /// Where the write stands if nobody says it: the holder was dropped with its runtime.
    feared: Standing,
    /// What lists may still have to show of the write before: nothing that this one does takes it back.
    unshown: Standing,
}

impl Keys {
    /// Waits for the key. The lease starts with where the last write under it stands.
    pub(crate) async fn acquire(self: &Arc<Self>, method: &'static str, key: &str, now: Moment) -> Lease {
        let name = (method, Box::from(key));
        let place = {
            let mut places = self.lock();
            places.sweep(now);
            Arc::clone(
                places.by_name.entry(name.clone()).or_insert_with(|| Arc::new(AsyncMutex::new(Standing::Settled))),
            )
        };
        let held = place.lock_owned().await;
        let feared = *held;
        let unshown = match feared {
            Standing::Applied(_) => feared,
            Standing::Settled | Standing::Until(_) | Standing::Unbounded => Standing::Settled,
        };
        Lease { keys: Arc::clone(self), name, held: Some(held), feared, unshown }
    }

    fn lock(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Places {
    /// Forgets what nobody holds, waits for or has to fear, whenever the number of keys has doubled.
    fn sweep(&mut self, now: Moment) {
        if self.by_name.len() < self.sweep_at.max(64) {
            return;
        }
        self.by_name.retain(|_, place| {
            Arc::strong_count(place) > 1 || place.try_lock().is_ok_and(|standing| !standing.is_shown(now))
        });
        self.sweep_at = self.by_name.len() * 2;
    }
}

impl Lease {
    /// Where the last write under this key stands.
    pub(crate) const fn standing(&self) -> Standing {
        self.feared
    }

    /// What the next one has to reckon with if this lease is dropped from now on.
    pub(crate) const fn fear(&mut self, standing: Standing) {
        self.feared = standing;
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(mut held) = self.held.take() else {
            return;
        };
        // Locked before the key is let go: the next holder must not come and go, and leave something to fear, in between.
        let mut places = self.keys.lock();
        let left = if self.feared == Standing::Settled { self.unshown } else { self.feared };
        *held = left;
        drop(held);
        let idle = left == Standing::Settled
            && places.by_name.get(&self.name).is_some_and(|place| Arc::strong_count(place) == 1);
        if idle {
            places.by_name.remove(&self.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{Clock, SystemClock};
    use std::time::Duration;

    #[tokio::test]
    async fn the_next_one_learns_where_the_last_write_stands() {
        let keys = Arc::new(Keys::default());
        let now = SystemClock.now();
        let mut first = keys.acquire("crm.deal.add", "A-1", now).await;
        assert_eq!(first.standing(), Standing::Settled);
        assert!(
            tokio::time::timeout(Duration::from_millis(5), keys.acquire("crm.deal.add", "A-1", now)).await.is_err()
        );
        let other_method = keys.acquire("crm.lead.add", "A-1", now).await;
        first.fear(Standing::Unbounded);
        drop((first, other_method));
        assert_eq!(keys.acquire("crm.deal.add", "A-1", now).await.standing(), Standing::Unbounded);
    }

    #[tokio::test]
    async fn keys_that_are_done_with_take_no_memory() {
        let keys = Arc::new(Keys::default());
        let now = SystemClock.now();
        drop(keys.acquire("m", "A-1", now).await);
        assert!(keys.lock().by_name.is_empty());
        // What was to be feared until now is forgotten with the next sweep.
        for number in 0..1_000 {
            keys.acquire("m", &number.to_string(), now).await.fear(Standing::Until(now));
        }
        assert!(keys.lock().by_name.len() <= 64);
    }

    #[tokio::test]
    async fn keys_to_fear_are_swept_only_when_their_number_has_doubled() {
        let keys = Arc::new(Keys::default());
        for number in 0..100 {
            keys.acquire("m", &number.to_string(), SystemClock.now()).await.fear(Standing::Unbounded);
        }
        let places = keys.lock();
        assert_eq!((places.by_name.len(), places.sweep_at), (100, 128));
    }
}
