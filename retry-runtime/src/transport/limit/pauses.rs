//! The pauses that stand against the portal or a method. Times count from when the line was opened.

use std::collections::HashMap;
use std::time::Duration;

use super::queue::Who;
use crate::api::Usage;

/// No pause is remembered for longer: the longest documented limit looks ten minutes back.
pub(super) const LONGEST: Duration = Duration::from_mins(10);

/// How long a method waits after `OPERATION_TIME_LIMIT` if the portal doesn't say: it counts by the minute, as is documented of the cloud.
const ONE_MINUTE: Duration = Duration::from_mins(1);

/// A method that has used less by the last success can't be at its limit soon after: then that success says nothing of when it may go on. Half of the
/// smallest documented limit (our choice).
pub(super) const NEAR: Duration = Duration::from_secs(210);

/// Until when what waits.
#[derive(Debug, Default)]
pub(super) struct Pauses {
    portal: Duration,
    methods: HashMap<Who, Known>,
}

/// What is known of a method.
#[derive(Debug, Default, Clone, Copy)]
struct Known {
    paused: Duration,
    /// What it has used of its operating time, and when the oldest of it will no longer count, by the last success.
    used: Duration,
    resets: Duration,
}

impl Pauses {
    /// What is left of the pause of the portal.
    pub(super) const fn portal(&self, now: Duration) -> Duration {
        self.portal.saturating_sub(now)
    }

    /// What is left of the pause of a method.
    pub(super) fn method(&self, who: Who, now: Duration) -> Duration {
        self.methods.get(&who).map_or(Duration::ZERO, |known| known.paused.saturating_sub(now))
    }

    pub(super) fn pause_portal(&mut self, time: Duration, now: Duration) {
        self.portal = self.portal.max(now.saturating_add(time.min(LONGEST)));
    }

    pub(super) fn pause_method(&mut self, who: Who, time: Duration, now: Duration) {
        let known = self.methods.entry(who).or_default();
        known.paused = known.paused.max(now.saturating_add(time.min(LONGEST)));
    }

    /// A method has used up its operating time. Gives back for how long it waits, if anything says so; `documented` is whether the limit itself is known.
    pub(super) fn used_up(
        &mut self,
        who: Who,
        hint: Option<Duration>,
        documented: bool,
        now: Duration,
    ) -> Option<Duration> {
        let known = self.methods.get(&who).filter(|known| known.used >= NEAR);
        let told = hint.or(known.map(|known| known.resets.saturating_sub(now)).filter(|left| !left.is_zero()));
        let time = told.or(documented.then_some(ONE_MINUTE))?;
        self.pause_method(who, time, now);
        Some(time)
    }

    /// A method has used so much of its operating time; `slow` says that this is too much.
    pub(super) fn used(&mut self, who: Who, usage: Usage, slow: bool, now: Duration) {
        let resets = now.saturating_add(usage.less_in.min(LONGEST));
        let known = self.methods.entry(who).or_default();
        (known.used, known.resets) = (usage.used, resets);
        if slow {
            self.pause_method(who, usage.less_in, now);
        }
    }

    /// Whether nothing is paused.
    pub(super) fn are_over(&self, now: Duration) -> bool {
        self.portal <= now && self.methods.values().all(|known| known.paused <= now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHO: Who = Who { account: 0, method: "crm.deal.list" };
    const OTHER: Who = Who { account: 1, method: "crm.deal.list" };

    const fn secs(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn the_longest_pause_wins_and_none_is_longer_than_ten_minutes() {
        let mut pauses = Pauses::default();
        pauses.pause_portal(secs(9), secs(0));
        pauses.pause_portal(secs(2), secs(1));
        assert_eq!(pauses.portal(secs(1)), secs(8));
        pauses.pause_method(WHO, Duration::MAX, secs(1));
        assert_eq!((pauses.method(WHO, secs(1)), pauses.method(OTHER, secs(1))), (secs(600), secs(0)));
        assert!(!pauses.are_over(secs(9)) && pauses.are_over(secs(601)));
    }

    #[test]
    fn case_b28_a_used_up_method_waits_until_the_time_the_portal_named() {
        let mut pauses = Pauses::default();
        pauses.used(WHO, Usage { used: secs(470), less_in: secs(35) }, false, secs(100));
        assert_eq!(pauses.used_up(WHO, None, false, secs(105)), Some(secs(30)));
        assert_eq!(pauses.method(WHO, secs(105)), secs(30));
        assert_eq!(pauses.used_up(WHO, None, true, secs(140)), Some(secs(60)), "that time is over");
        assert_eq!(pauses.used_up(WHO, None, false, secs(140)), None, "nothing is known");
        pauses.used(OTHER, Usage { used: secs(1), less_in: secs(600) }, false, secs(0));
        assert_eq!(pauses.used_up(OTHER, None, false, secs(0)), None, "it had used next to nothing");
        assert_eq!(pauses.used_up(OTHER, None, true, secs(0)), Some(secs(60)));
        assert_eq!(pauses.used_up(OTHER, Some(secs(5)), true, secs(0)), Some(secs(5)));
        assert_eq!(pauses.method(OTHER, secs(0)), secs(60), "the longest wins");
    }
}
