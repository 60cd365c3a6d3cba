//! Who waits, in which order.
//!
//! Nobody is handed a permit: each looks for itself when its time has come, and goes if it is the first. So one whose runtime stands still holds nobody up for
//! long: when it doesn't look although it should, those behind it no longer count it. It comes back to its place.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;

use super::Lane;

/// The calls of one method, by an application, webhook or key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Who {
    pub(super) account: u64,
    pub(super) method: &'static str,
}

/// How long one that should look may take to do so.
const GRACE: Duration = Duration::from_millis(250);

/// After so long, one that should look now is late.
pub(super) const UNTIL_LATE: Duration = Duration::from_millis(251);

/// So many before one are counted exactly. With more it looks again before its turn.
const COUNTED: usize = 1_000;

/// One that waits.
#[derive(Debug, Clone)]
pub(super) struct Waiter {
    pub(super) who: Option<Who>,
    /// Wakes it.
    pub(super) called: Arc<Notify>,
    /// When it will look.
    pub(super) due: Duration,
}

impl Waiter {
    fn is_late(&self, now: Duration) -> bool {
        self.due.saturating_add(GRACE) < now
    }
}

type Line = BTreeMap<u64, Waiter>;

/// All that wait, by the number that each drew when it came.
#[derive(Debug, Default)]
pub(super) struct Queue {
    read_backs: Line,
    ordinary: Line,
    /// They wait for their method, in no one's way.
    aside: Line,
    drawn: u64,
}

impl Queue {
    pub(super) const fn draw(&mut self) -> u64 {
        self.drawn = self.drawn.saturating_add(1);
        self.drawn
    }

    pub(super) fn len(&self) -> usize {
        self.read_backs.len() + self.ordinary.len() + self.aside.len()
    }

    const fn line(&mut self, lane: Lane) -> &mut Line {
        match lane {
            Lane::ReadBack => &mut self.read_backs,
            Lane::Ordinary => &mut self.ordinary,
        }
    }

    /// How many go before one that comes now.
    pub(super) fn ahead_of_new(&mut self, lane: Lane, now: Duration) -> usize {
        for line in [&mut self.read_backs, &mut self.ordinary] {
            while let Some(first) = line.first_entry()
                && first.get().is_late(now)
            {
                first.remove();
            }
        }
        match lane {
            Lane::ReadBack => self.read_backs.len(),
            Lane::Ordinary => self.read_backs.len() + self.ordinary.len(),
        }
    }

    /// How many go before this one, which waits already. Those that are late are taken out until they look.
    pub(super) fn ahead(&mut self, lane: Lane, number: u64, now: Duration) -> usize {
        match lane {
            Lane::ReadBack => before(&mut self.read_backs, number, now),
            Lane::Ordinary => before(&mut self.read_backs, u64::MAX, now) + before(&mut self.ordinary, number, now),
        }
    }

    /// It waits in the line, in the order of the numbers.
    pub(super) fn stand(&mut self, lane: Lane, number: u64, waiter: Waiter) {
        self.line(lane).insert(number, waiter);
    }

    pub(super) fn step_aside(&mut self, number: u64, waiter: Waiter) {
        self.aside.insert(number, waiter);
    }

    /// It waits no longer. Says whether it stood in the line.
    pub(super) fn leave(&mut self, lane: Option<Lane>, number: u64) -> bool {
        self.aside.remove(&number);
        lane.is_some_and(|lane| self.line(lane).remove(&number).is_some())
    }

    /// Wakes the first one unless it will look by then anyway.
    pub(super) fn call_first(&mut self, by: Duration) {
        let first = self.read_backs.first_entry().or_else(|| self.ordinary.first_entry());
        if let Some(mut first) = first
            && first.get().due > by
        {
            let waiter = first.get_mut();
            waiter.due = by;
            waiter.called.notify_one();
        }
    }

    /// Wakes all that wait for this method, wherever they stand.
    pub(super) fn call_all(&self, who: Who) {
        for line in [&self.read_backs, &self.ordinary, &self.aside] {
            line.values().filter(|waiter| waiter.who == Some(who)).for_each(|waiter| waiter.called.notify_one());
        }
    }
}

fn before(line: &mut Line, number: u64, now: Duration) -> usize {
    let late: Vec<u64> = line
        .range(..number)
        .take(COUNTED)
        .filter(|(_, waiter)| waiter.is_late(now))
        .map(|(number, _)| *number)
        .collect();
    for number in late {
        line.remove(&number);
    }
    line.range(..number).take(COUNTED).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiter(due: u64) -> Waiter {
        Waiter { who: None, called: Arc::default(), due: Duration::from_millis(due) }
    }

    #[test]
    fn one_that_does_not_look_is_not_counted_and_comes_back_to_its_place() {
        let mut queue = Queue::default();
        for due in [0, 500, 1_000] {
            let number = queue.draw();
            queue.stand(Lane::Ordinary, number, waiter(due));
        }
        let ahead = |queue: &mut Queue, at| queue.ahead(Lane::Ordinary, 3, Duration::from_millis(at));
        assert_eq!(ahead(&mut queue, 250), 2);
        assert_eq!(ahead(&mut queue, 251), 1);
        queue.stand(Lane::Ordinary, 1, waiter(251));
        assert_eq!(ahead(&mut queue, 251), 2);
        assert_eq!(queue.ahead(Lane::Ordinary, 1, Duration::ZERO), 0);
    }

    #[test]
    fn read_backs_go_before_all_others() {
        let mut queue = Queue::default();
        queue.stand(Lane::Ordinary, 1, waiter(0));
        queue.stand(Lane::ReadBack, 2, waiter(0));
        assert_eq!(queue.ahead_of_new(Lane::ReadBack, Duration::ZERO), 1);
        assert_eq!(queue.ahead_of_new(Lane::Ordinary, Duration::ZERO), 2);
        assert_eq!(queue.ahead(Lane::Ordinary, 1, Duration::ZERO), 1);
    }

    #[test]
    fn a_waiter_is_small() {
        assert!(size_of::<(u64, Waiter)>() <= 80);
    }
}
