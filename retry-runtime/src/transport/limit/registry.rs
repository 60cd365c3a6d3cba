//! One turnstile for each portal in the process, whoever calls it.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use super::rate::RateLimit;
use super::turnstile::Turnstile;
use crate::clock::SystemClock;

/// Which portal it is: its address, and for the gateway the key, as a number that says nothing.
type Name = (Box<str>, Option<u64>);

#[derive(Default)]
struct Registry {
    hasher: RandomState,
    turnstiles: HashMap<Name, Arc<Turnstile>>,
    /// With how many it is tidied next.
    tidy_at: usize,
}

static REGISTRY: LazyLock<Mutex<Registry>> = LazyLock::new(Mutex::default);

/// With fewer there is nothing to tidy.
const FEW: usize = 64;

/// The turnstile of a portal, and the number of the account that calls it.
///
/// It outlives its clients for as long as their requests count: a client made anew for each call is paced like one that stays.
pub(super) fn shared(
    address: &str,
    account: &str,
    by_account: bool,
    limit: RateLimit,
    stated: bool,
) -> (Arc<Turnstile>, u64) {
    let mut registry = REGISTRY.lock().unwrap_or_else(PoisonError::into_inner);
    let account = registry.hasher.hash_one(account);
    let name: Name = (address.into(), by_account.then_some(account));
    if let Some(known) = registry.known(&name) {
        drop(registry);
        if stated {
            known.restate(limit);
        }
        return (known, account);
    }
    let new = Arc::new(Turnstile::new(Arc::new(SystemClock), limit, stated));
    registry.add(name, Arc::clone(&new));
    (new, account)
}

impl Registry {
    fn known(&self, name: &Name) -> Option<Arc<Turnstile>> {
        self.turnstiles.get(name).filter(|turnstile| !is_forgotten(turnstile)).cloned()
    }

    fn add(&mut self, name: Name, turnstile: Arc<Turnstile>) {
        if self.turnstiles.len() >= self.tidy_at.max(FEW) {
            self.turnstiles.retain(|_, turnstile| !is_forgotten(turnstile));
            self.tidy_at = self.turnstiles.len() * 2;
        }
        self.turnstiles.insert(name, turnstile);
    }
}

/// Whether no client has it and nothing would be lost.
fn is_forgotten(turnstile: &Arc<Turnstile>) -> bool {
    Arc::strong_count(turnstile) == 1 && turnstile.is_idle()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;
    use crate::clock::PausedClock;

    fn turnstile(limit: RateLimit) -> Arc<Turnstile> {
        Arc::new(Turnstile::new(Arc::new(PausedClock::starting_at(SystemTime::UNIX_EPOCH)), limit, true))
    }

    fn send(turnstile: &Turnstile) {
        let (mut state, now) = turnstile.look();
        state.meter.count(now.elapsed);
    }

    fn name(number: usize) -> Name {
        (number.to_string().into(), None)
    }

    #[tokio::test(start_paused = true)]
    async fn a_portal_that_nobody_calls_is_remembered_for_as_long_as_its_requests_count() {
        let mut registry = Registry::default();
        registry.add(name(0), turnstile(RateLimit::cloud()));
        assert!(registry.known(&name(0)).is_none(), "nothing was sent");
        let used = turnstile(RateLimit::cloud());
        send(&used);
        registry.add(name(1), used);
        assert!(registry.known(&name(1)).is_some());
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert!(registry.known(&name(1)).is_none());
        registry.add(name(2), turnstile(RateLimit::none()));
        assert!(registry.known(&name(2)).is_none());
    }

    #[test]
    fn portals_in_use_are_looked_through_only_when_their_number_has_doubled() {
        let mut registry = Registry::default();
        let held: Vec<_> = (0..100).map(|_| turnstile(RateLimit::none())).collect();
        for (number, turnstile) in held.iter().enumerate() {
            registry.add(name(number), Arc::clone(turnstile));
        }
        assert_eq!((registry.turnstiles.len(), registry.tidy_at), (100, 128));
    }

    #[test]
    fn portals_that_are_forgotten_do_not_pile_up() {
        let mut registry = Registry::default();
        let held = turnstile(RateLimit::none());
        registry.add(name(0), Arc::clone(&held));
        for number in 1..10_000 {
            registry.add(name(number), turnstile(RateLimit::none()));
        }
        assert!(registry.turnstiles.len() <= FEW, "{}", registry.turnstiles.len());
        assert!(registry.known(&name(0)).is_some());
    }
}
