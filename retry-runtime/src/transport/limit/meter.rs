//! How many requests may leave, and when: the leaky bucket and the window. Times count from when the line was opened.

use std::collections::VecDeque;
use std::time::Duration;

use super::rate::Rate;
use crate::api::Allowance;

/// A longer time for one request counts as this, so that their sum is a number.
const A_YEAR: Duration = Duration::from_hours(366 * 24);

/// What has left and still counts.
#[derive(Debug)]
pub(super) enum Meter {
    /// Nothing counts.
    Free,
    Bucket(Bucket),
    Window(Window),
}

impl Meter {
    pub(super) fn new(rate: Rate) -> Self {
        match rate {
            Rate::None => Self::Free,
            Rate::Bucket { at_once, each } => Self::Bucket(Bucket::new(at_once.max(1), each)),
            Rate::Window { most, within } => Self::Window(Window::new(most.max(1), within)),
        }
    }

    /// The same requests by another rate.
    pub(super) fn restated(&mut self, rate: Rate, now: Duration) {
        let counted = self.counted(now);
        *self = Self::new(rate);
        match self {
            Self::Free => {}
            Self::Bucket(bucket) => bucket.carry(counted, now),
            Self::Window(window) => window.sent.extend(std::iter::repeat_n(now, counted.min(window.most))),
        }
    }

    /// How many requests still count.
    pub(super) fn counted(&mut self, now: Duration) -> usize {
        match self {
            Self::Free => 0,
            Self::Bucket(bucket) => bucket.counted(now),
            Self::Window(window) => {
                window.settle(now);
                window.sent.len()
            }
        }
    }

    /// How long it takes until a request may leave before which so many others do.
    pub(super) fn wait(&mut self, ahead: usize, now: Duration) -> Duration {
        match self {
            Self::Free => Duration::ZERO,
            Self::Bucket(bucket) => bucket.wait(ahead, now),
            Self::Window(window) => window.wait(ahead, now),
        }
    }

    /// A request leaves.
    pub(super) fn count(&mut self, now: Duration) {
        match self {
            Self::Free => {}
            Self::Bucket(bucket) => bucket.count(now),
            Self::Window(window) => window.sent.push_back(now),
        }
    }

    /// The portal says that it is full.
    pub(super) fn fill(&mut self, now: Duration) {
        match self {
            Self::Bucket(bucket) => bucket.fill(now),
            // The gateway, whose limit a window is, says itself what is left.
            Self::Free | Self::Window(_) => {}
        }
    }

    /// The portal says what is left.
    pub(super) fn allow(&mut self, allowance: Allowance, now: Duration) {
        match self {
            Self::Window(window) => window.allow(allowance, now),
            Self::Free | Self::Bucket(_) => {}
        }
    }
}

/// The leaky bucket. Its level is kept as the time that it takes to run empty.
#[derive(Debug)]
pub(super) struct Bucket {
    each: Duration,
    /// The level up to which we fill it.
    room: Duration,
    /// The level at which the portal refuses.
    full: Duration,
    level: Duration,
    at: Duration,
}

impl Bucket {
    fn new(at_once: u32, each: Duration) -> Self {
        let kept_back = (at_once / 10).max(1);
        let each = each.min(A_YEAR);
        // No two clocks run alike: at the very rate of the portal, its level would rise over the days.
        let each = each.saturating_add(each / 100);
        Self {
            each,
            room: each.saturating_mul(at_once.saturating_sub(kept_back).max(1)),
            full: each.saturating_mul(at_once),
            level: Duration::ZERO,
            at: Duration::ZERO,
        }
    }

    fn settle(&mut self, now: Duration) {
        self.level = self.level.saturating_sub(now.saturating_sub(self.at));
        self.at = now;
    }

    fn wait(&mut self, ahead: usize, now: Duration) -> Duration {
        self.settle(now);
        let more = u32::try_from(ahead).unwrap_or(u32::MAX).saturating_add(1);
        self.level.saturating_add(self.each.saturating_mul(more)).saturating_sub(self.room)
    }

    fn count(&mut self, now: Duration) {
        self.settle(now);
        self.level = self.level.saturating_add(self.each);
    }

    fn fill(&mut self, now: Duration) {
        self.settle(now);
        self.level = self.level.max(self.full);
    }

    fn carry(&mut self, counted: usize, now: Duration) {
        self.settle(now);
        self.level = self.each.saturating_mul(u32::try_from(counted).unwrap_or(u32::MAX)).min(self.full);
    }

    fn counted(&mut self, now: Duration) -> usize {
        self.settle(now);
        usize::try_from(self.level.as_nanos().div_ceil(self.each.as_nanos().max(1))).unwrap_or(usize::MAX)
    }
}

/// The sliding window.
#[derive(Debug)]
pub(super) struct Window {
    most: usize,
    within: Duration,
    /// When those left that still count, in order.
    sent: VecDeque<Duration>,
    /// So many places are taken by others, until then.
    taken: Option<(usize, Duration)>,
}

impl Window {
    fn new(most: u32, within: Duration) -> Self {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        // A request that arrives late still counts at the portal when it no longer does here.
        let within = within.saturating_add(within / 30);
        Self { most, within, sent: VecDeque::new(), taken: None }
    }

    fn settle(&mut self, now: Duration) {
        while self.sent.front().is_some_and(|at| at.saturating_add(self.within) <= now) {
            self.sent.pop_front();
        }
        self.taken = self.taken.filter(|(_, until)| *until > now);
    }

    fn wait(&mut self, ahead: usize, now: Duration) -> Duration {
        self.settle(now);
        let places = self.taken.map_or(0, |(places, _)| places);
        let counted = self.sent.len().saturating_add(places);
        let free = self.most.saturating_sub(counted);
        let Some(behind) = ahead.checked_sub(free) else { return Duration::ZERO };
        // Whoever leaves takes the place of one that left a window before.
        let rounds = u32::try_from(behind / self.most).unwrap_or(u32::MAX);
        let place = self.frees(behind % self.most, now).saturating_add(self.within.saturating_mul(rounds));
        place.saturating_sub(now)
    }

    /// When the place becomes free that does so after so many others.
    fn frees(&self, after: usize, now: Duration) -> Duration {
        let ours = |index: usize| self.sent.get(index).copied().unwrap_or(now).saturating_add(self.within);
        let Some((places, until)) = self.taken else { return ours(after) };
        let sooner = self.sent.partition_point(|at| at.saturating_add(self.within) <= until);
        if after < sooner {
            ours(after)
        } else if after < sooner.saturating_add(places) {
            until
        } else {
            ours(after.saturating_sub(places))
        }
    }

    /// Whatever is missing and was not sent by us was sent by others under the same key.
    fn allow(&mut self, allowance: Allowance, now: Duration) {
        self.settle(now);
        let left = usize::try_from(allowance.remaining).unwrap_or(usize::MAX);
        let places = self.most.saturating_sub(self.sent.len()).saturating_sub(left);
        let until = now.saturating_add(allowance.resets_in.min(self.within));
        // An answer tells of the time when its request came: of two, the one that leaves less counts.
        if places > 0 && self.taken.is_none_or(|(known, _)| places >= known) {
            self.taken = Some((places, until));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn secs(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    const fn millis(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    /// Three in 30 s, which count for 31 s here.
    fn small_window() -> Meter {
        Meter::new(Rate::Window { most: 3, within: secs(30) })
    }

    #[test]
    fn what_has_left_the_window_is_forgotten() {
        let mut meter = small_window();
        meter.count(secs(0));
        meter.count(secs(1));
        assert_eq!([meter.counted(millis(30_999)), meter.counted(secs(31)), meter.counted(secs(32))], [2, 1, 0]);
    }

    #[test]
    fn places_of_others_are_free_at_the_moment_when_they_end() {
        let mut meter = small_window();
        meter.allow(Allowance { remaining: 0, resets_in: secs(10) }, secs(0));
        assert_eq!(meter.wait(0, secs(4)), secs(6));
        // Fewer than before, and they count: those before are gone by now.
        meter.allow(Allowance { remaining: 2, resets_in: secs(10) }, secs(10));
        assert_eq!([meter.wait(1, secs(10)), meter.wait(2, secs(10))], [Duration::ZERO, secs(10)]);
    }

    fn bucket() -> Meter {
        Meter::new(Rate::Bucket { at_once: 50, each: millis(500) })
    }

    fn window() -> Meter {
        Meter::new(Rate::Window { most: 3, within: secs(60) })
    }

    /// How many leave at once.
    fn at_once(meter: &mut Meter, now: Duration) -> usize {
        let mut left = 0;
        while meter.wait(0, now).is_zero() {
            meter.count(now);
            left += 1;
        }
        left
    }

    #[test]
    fn a_bucket_keeps_a_tenth_back_and_runs_a_hundredth_slower() {
        let mut meter = bucket();
        assert_eq!(at_once(&mut meter, secs(0)), 45);
        assert_eq!((meter.wait(0, secs(0)), meter.wait(9, secs(0))), (millis(505), millis(5_050)));
        assert_eq!(meter.wait(0, millis(500)), millis(5));
        assert_eq!(at_once(&mut meter, millis(5_050)), 10);
        assert_eq!(at_once(&mut meter, secs(86_400)), 45);
    }

    #[test]
    fn a_bucket_of_one_lets_one_through() {
        let mut meter = Meter::new(Rate::Bucket { at_once: 0, each: secs(1) });
        assert_eq!(at_once(&mut meter, secs(0)), 1);
        assert_eq!(meter.wait(usize::MAX, secs(0)), millis(1_010) * u32::MAX, "and nothing overflows");
    }

    #[test]
    fn a_time_beyond_all_numbers_is_no_way_around_the_limit() {
        for each in [Duration::MAX, Duration::MAX / 2, secs(u64::MAX / 100)] {
            for rate in [Rate::Bucket { at_once: 50, each }, Rate::Window { most: 50, within: each }] {
                let mut meter = Meter::new(rate);
                (0..50).for_each(|_| meter.count(secs(0)));
                assert!(meter.wait(0, secs(1)) > secs(86_400), "{rate:?}");
            }
        }
    }

    #[test]
    fn a_bucket_that_the_portal_calls_full_is_full() {
        let mut meter = bucket();
        meter.count(secs(0));
        meter.fill(secs(0));
        assert_eq!(meter.wait(0, secs(0)), millis(505) * 6);
    }

    #[test]
    fn what_counts_goes_on_counting_by_another_rate() {
        let mut meter = bucket();
        (0..20).for_each(|_| meter.count(secs(0)));
        meter.restated(Rate::Bucket { at_once: 30, each: secs(1) }, secs(0));
        assert_eq!(at_once(&mut meter, secs(0)), 7);
        meter.restated(Rate::Window { most: 30, within: secs(60) }, secs(0));
        assert_eq!(at_once(&mut meter, secs(0)), 3);
        meter.restated(Rate::None, secs(0));
        assert_eq!((meter.counted(secs(0)), meter.wait(9, secs(0))), (0, secs(0)));
    }

    #[test]
    fn a_window_slides() {
        let mut meter = window();
        for at in [0, 10, 20] {
            meter.count(secs(at));
        }
        let waits = |meter: &mut Meter, now| (0..7).map(|ahead| meter.wait(ahead, secs(now))).collect::<Vec<_>>();
        assert_eq!(waits(&mut meter, 20), [42, 52, 62, 104, 114, 124, 166].map(secs));
        assert_eq!(waits(&mut meter, 62), [0, 10, 20, 62, 72, 82, 124].map(secs));
    }

    #[test]
    fn the_gateway_knows_better_what_is_left() {
        let mut meter = window();
        meter.count(secs(0));
        meter.allow(Allowance { remaining: 2, resets_in: secs(60) }, secs(0));
        assert_eq!(meter.wait(1, secs(0)), secs(0), "as we thought");
        meter.allow(Allowance { remaining: 0, resets_in: secs(30) }, secs(0));
        let waits = |meter: &mut Meter, now| (0..5).map(|ahead| meter.wait(ahead, secs(now))).collect::<Vec<_>>();
        assert_eq!(waits(&mut meter, 0), [30, 30, 62, 92, 92].map(secs));
        meter.allow(Allowance { remaining: 1, resets_in: secs(1) }, secs(5));
        assert_eq!(meter.wait(0, secs(5)), secs(25), "an answer that was on its way for longer");
        assert_eq!(waits(&mut meter, 30), [0, 0, 32, 62, 62].map(secs));
        meter.allow(Allowance { remaining: 0, resets_in: Duration::MAX }, secs(30));
        assert_eq!(meter.wait(0, secs(30)), secs(32), "never for longer than the window");
    }
}
