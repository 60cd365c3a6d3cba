//! Whether a request left: one atomic that the sender and a dropped caller race for.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::clock::Moment;

const WAITING: u64 = 0;
const WITHDRAWN: u64 = 1;

/// One attempt's ticket to the wire: waiting, withdrawn, or the time of sending.
///
/// The sender claims it before the first byte, a caller who goes away withdraws it. Whoever wins knows whether anything was sent.
#[derive(Debug)]
pub struct Wire {
    made: Moment,
    /// `WAITING`, `WITHDRAWN`, or nanoseconds from `made` to the claim, plus 2.
    state: AtomicU64,
    /// The number of the credentials it was sent with, plus 1.
    credentials: AtomicU64,
    /// When it was put on record, and for how long after that it may be claimed.
    good_for: OnceLock<(Moment, Duration)>,
}

impl Wire {
    /// A ticket that waits.
    pub const fn new(made: Moment) -> Self {
        Self { made, state: AtomicU64::new(WAITING), credentials: AtomicU64::new(0), good_for: OnceLock::new() }
    }

    /// Takes the right to send, once. `false` means that the request must not leave.
    #[must_use = "a request must not leave unless this says yes"]
    pub fn claim(&self, now: Moment) -> bool {
        // Whoever takes over what was put on record counts on this: a process that was stopped since must not send.
        if self.good_for.get().is_some_and(|(from, window)| now.at_most_since(*from) > *window) {
            self.withdraw();
            return false;
        }
        let waited = now.instant().saturating_duration_since(self.made.instant());
        let mark = u64::try_from(waited.as_nanos()).unwrap_or(u64::MAX).saturating_add(2);
        self.state.compare_exchange(WAITING, mark, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// From now on it can be claimed only so long after that moment; the clock that says more time has passed decides.
    pub(crate) fn good_for(&self, from: Moment, window: Duration) {
        // A ticket is for one send, which is put on record once.
        let _ = self.good_for.set((from, window));
    }

    /// Takes the right to send away; `true` means that nothing was sent and nothing will be.
    pub(crate) fn withdraw(&self) -> bool {
        match self.state.compare_exchange(WAITING, WITHDRAWN, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => true,
            Err(state) => state == WITHDRAWN,
        }
    }

    /// Whether it may still be claimed.
    pub(crate) fn is_waiting(&self) -> bool {
        self.state.load(Ordering::Acquire) == WAITING
    }

    /// Notes with which credentials it is sent, for those that change the bytes of a request.
    pub fn sent_with(&self, credentials: u64) {
        self.credentials.store(credentials.saturating_add(1), Ordering::Release);
    }

    /// The number of the credentials it was sent with, if they matter.
    pub(crate) fn credentials(&self) -> Option<u64> {
        self.credentials.load(Ordering::Acquire).checked_sub(1)
    }

    /// When it was claimed.
    pub fn sent_at(&self) -> Option<Moment> {
        match self.state.load(Ordering::Acquire) {
            WAITING | WITHDRAWN => None,
            mark => Some(self.made.after(Duration::from_nanos(mark - 2))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{Clock, SystemClock};

    #[test]
    fn p3_either_the_sender_or_the_dropped_caller_wins_and_both_know() {
        let now = SystemClock.now();
        let sent = Wire::new(now);
        assert!(sent.claim(now.after(Duration::from_millis(5))));
        assert!(!sent.withdraw());
        assert_eq!(sent.sent_at(), Some(now.after(Duration::from_millis(5))));
        let withdrawn = Wire::new(now);
        assert!(withdrawn.withdraw() && withdrawn.withdraw());
        assert!(!withdrawn.claim(now));
        assert_eq!(withdrawn.sent_at(), None);
    }

    #[test]
    fn p3_what_was_put_on_record_leaves_soon_or_not_at_all() {
        let now = SystemClock.now();
        for (later, leaves) in [(5, true), (6, false)] {
            let wire = Wire::new(now);
            wire.good_for(now, Duration::from_secs(5));
            assert_eq!(wire.claim(now.after(Duration::from_secs(later))), leaves);
            assert_eq!(wire.sent_at().is_some(), leaves);
            assert_eq!(wire.withdraw(), !leaves);
        }
    }

    #[test]
    fn a_ticket_is_good_for_one_send() {
        let now = SystemClock.now();
        let wire = Wire::new(now);
        assert!(wire.claim(now));
        assert!(!wire.claim(now));
    }
}
