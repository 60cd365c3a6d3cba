//! The retry budget of a client: when a portal is down, retries must not become the load.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::clock::Moment;

/// A token is so many of these, one for each microsecond of the second in which it comes back.
const TOKEN: u64 = 1_000_000;

/// Tokens shared by all calls of a client: one a resend, back one a second and a tenth with each success.
#[derive(Debug)]
pub(crate) struct RetryBudget {
    most: u64,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    left: u64,
    counted: Option<Moment>,
}

impl RetryBudget {
    pub(crate) fn new(tokens: u32) -> Self {
        let most = u64::from(tokens) * TOKEN;
        Self { most, state: Mutex::new(State { left: most, counted: None }) }
    }

    /// Takes a token for one resend, or its share of the token of a request that carries so many; `false` when there is not enough left.
    pub(crate) fn spend(&self, now: Moment, together: u32) -> bool {
        let cost = TOKEN / u64::from(together.max(1));
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = state.counted.map_or(Duration::ZERO, |before| now.at_least_since(before));
        let refill = u64::try_from(passed.as_micros()).unwrap_or(u64::MAX);
        state.left = state.left.saturating_add(refill).min(self.most);
        state.counted = Some(now);
        let enough = state.left >= cost;
        if enough {
            state.left -= cost;
        }
        enough
    }

    /// Gives a tenth of a token back.
    pub(crate) fn succeeded(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.left = state.left.saturating_add(TOKEN / 10).min(self.most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{Clock, SystemClock};

    #[test]
    fn a_resend_costs_a_token_and_time_and_success_bring_them_back() {
        let budget = RetryBudget::new(2);
        let start = SystemClock.now();
        assert!(budget.spend(start, 1) && budget.spend(start, 1) && !budget.spend(start, 1));
        assert!(budget.spend(start.after(Duration::from_secs(1)), 1), "one token a second");
        for _ in 0..9 {
            budget.succeeded();
        }
        assert!(!budget.spend(start.after(Duration::from_secs(1)), 1));
        budget.succeeded();
        assert!(budget.spend(start.after(Duration::from_secs(1)), 1), "a tenth of a token a success");
        let later = start.after(Duration::from_hours(1));
        assert!(
            budget.spend(later, 1) && budget.spend(later, 1) && !budget.spend(later, 1),
            "never more than it holds"
        );
    }

    #[test]
    fn calls_that_travel_together_share_the_token_of_their_request() {
        let budget = RetryBudget::new(1);
        let start = SystemClock.now();
        assert!((0..50).all(|_| budget.spend(start, 50)), "one token pays for a batch of fifty");
        assert!(!budget.spend(start, 50));
    }
}
