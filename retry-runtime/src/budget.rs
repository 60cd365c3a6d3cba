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

    /// Takes a token for one resend; `false` when none is left.
    pub(crate) fn spend(&self, now: Moment) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = state.counted.map_or(Duration::ZERO, |before| now.at_least_since(before));
        let refill = u64::try_from(passed.as_micros()).unwrap_or(u64::MAX);
        state.left = state.left.saturating_add(refill).min(self.most);
        state.counted = Some(now);
        let enough = state.left >= TOKEN;
        if enough {
            state.left -= TOKEN;
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
        assert!(budget.spend(start) && budget.spend(start) && !budget.spend(start));
        assert!(budget.spend(start.after(Duration::from_secs(1))), "one token a second");
        for _ in 0..9 {
            budget.succeeded();
        }
        assert!(!budget.spend(start.after(Duration::from_secs(1))));
        budget.succeeded();
        assert!(budget.spend(start.after(Duration::from_secs(1))), "a tenth of a token a success");
        let later = start.after(Duration::from_hours(1));
        assert!(budget.spend(later) && budget.spend(later) && !budget.spend(later), "never more than it holds");
    }
}
