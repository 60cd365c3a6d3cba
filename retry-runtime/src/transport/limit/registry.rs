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
    if registry.turnstiles.len() >= registry.tidy_at.max(FEW) {
        registry.turnstiles.retain(|_, turnstile| !is_forgotten(turnstile));
        registry.tidy_at = registry.turnstiles.len() * 2;
    }
    let known = registry.turnstiles.get(&name).filter(|turnstile| !is_forgotten(turnstile));
    let turnstile = if let Some(known) = known {
        let known = Arc::clone(known);
        drop(registry);
        if stated {
            known.restate(limit);
        }
        known
    } else {
        let new = Arc::new(Turnstile::new(Arc::new(SystemClock), limit, stated));
        registry.turnstiles.insert(name, Arc::clone(&new));
        new
    };
    (turnstile, account)
}

/// Whether no client has it and nothing would be lost.
fn is_forgotten(turnstile: &Arc<Turnstile>) -> bool {
    Arc::strong_count(turnstile) == 1 && turnstile.is_idle()
}
