//! What waits in one runtime, and who works on it.

use std::collections::VecDeque;
use std::sync::Arc;

use tokio::sync::Notify;
use tokio::time::Instant;

use super::item::{Item, TOO_LATE};
use super::{BatchLimits, Lane};
use crate::api::BatchForm;
use crate::clock::Moment;
use crate::transport::Version;

/// The largest batch, in bytes: with what stands around it, it leaves within the send window as any body of up to 64 KiB.
pub(super) const MOST_BYTES: usize = 60 * 1024;

/// With fewer calls that went away nobody tidies up.
const WORTH_TIDYING: usize = 64;

/// The calls of one runtime that wait for a batch.
#[derive(Default)]
pub(super) struct Queue {
    /// The calls of REST 2 or of the gateway, and those of REST 3.0: one batch holds one kind.
    two: Lanes,
    three: Lanes,
    /// The tasks that work on it, and those among them that have yet to take their batch.
    workers: usize,
    collecting: usize,
    /// How many of the calls went away, at the most.
    gone: usize,
    /// Told when a batch is full, and when a read-back has come.
    signals: Arc<Signals>,
}

#[derive(Default)]
pub(super) struct Signals {
    pub(super) full: Notify,
    pub(super) urgent: Notify,
}

/// Each in order of arrival.
#[derive(Default)]
struct Lanes {
    read_backs: VecDeque<Item>,
    others: VecDeque<Item>,
}

impl Queue {
    pub(super) fn push(&mut self, item: Item, limits: &BatchLimits) {
        if item.request.read_back {
            self.signals.urgent.notify_one();
        }
        let lanes = match item.form.version() {
            Version::Two => &mut self.two,
            Version::Three => &mut self.three,
        };
        lanes.of(lane_of(&item)).push_back(item);
        if self.len() >= limits.most {
            self.signals.full.notify_one();
        }
    }

    /// Takes a further worker on, if there is more than those that collect will take.
    pub(super) fn needs_worker(&mut self, limits: &BatchLimits) -> bool {
        let needed = self.len().div_ceil(limits.most) > self.collecting && self.workers < limits.in_flight;
        if needed {
            self.workers += 1;
            self.collecting += 1;
        }
        needed
    }

    /// A worker takes no batch.
    pub(super) fn takes_nothing(&mut self) {
        self.collecting = self.collecting.saturating_sub(1);
        if !self.all().flatten().any(|item| item.wire.is_waiting()) {
            self.all_mut().for_each(VecDeque::clear);
        }
    }

    /// A worker that has sent its batch goes on with the next one, or leaves.
    pub(super) fn goes_on(&mut self, limits: &BatchLimits) -> bool {
        self.workers = self.workers.saturating_sub(1);
        self.needs_worker(limits)
    }

    /// A worker ends before its time.
    pub(super) fn lose_worker(&mut self, collecting: bool) {
        self.workers = self.workers.saturating_sub(1);
        self.collecting = self.collecting.saturating_sub(usize::from(collecting));
    }

    pub(super) const fn is_abandoned(&self) -> bool {
        self.workers == 0
    }

    /// Until when the first call waits for others; `None` if nobody waits, or a batch is full.
    pub(super) fn open_until(&self, limits: &BatchLimits) -> Option<(Instant, Arc<Signals>)> {
        let firsts = self.all().filter_map(|lane| lane.iter().find(|item| item.wire.is_waiting()));
        let oldest = firsts.map(|item| item.arrived).min_by_key(|arrived| arrived.instant())?;
        (self.len() < limits.most).then(|| (oldest.after(limits.window).instant(), Arc::clone(&self.signals)))
    }

    /// Whose turn is next, and until when it is of use to anyone; `None` if nobody waits.
    pub(super) fn next_turn(&self) -> Option<(Lane, Moment, Arc<Signals>)> {
        let waiting = self.all().flatten().filter(|item| item.wire.is_waiting());
        let send_by = waiting.map(|item| item.request.send_by).max_by_key(|moment| moment.instant())?;
        let read_back = [&self.two, &self.three].into_iter().any(|lanes| !lanes.read_backs.is_empty());
        let lane = if read_back { Lane::ReadBack } else { Lane::Ordinary };
        Some((lane, send_by, Arc::clone(&self.signals)))
    }

    /// Ends the calls for which no turn came in time.
    pub(super) fn too_late(&mut self, turn: Moment, why: &str) {
        for lane in self.all_mut() {
            for item in std::mem::take(lane) {
                if item.request.send_by.instant() <= turn.instant() {
                    item.too_late(why);
                } else {
                    lane.push_back(item);
                }
            }
        }
    }

    /// Hands all calls back.
    pub(super) fn hand_back(&mut self) {
        for lane in self.all_mut() {
            std::mem::take(lane).into_iter().for_each(Item::hand_back);
        }
    }

    /// Takes the next batch: read-backs first, and otherwise the form that waits longer. What must not be sent now is left out.
    pub(super) fn load(
        &mut self,
        limits: &BatchLimits,
        now: Moment,
        may_go: &mut dyn FnMut(&Item) -> bool,
    ) -> Vec<Item> {
        self.collecting = self.collecting.saturating_sub(1);
        let mut load = Load { items: Vec::new(), bytes: 0 };
        while load.items.is_empty()
            && let Some(version) = self.longest_waiting()
        {
            let lanes = match version {
                Version::Two => &mut self.two,
                Version::Three => &mut self.three,
            };
            load.fill(&mut lanes.read_backs, limits.most, now, may_go);
            load.fill(&mut lanes.others, limits.most, now, may_go);
        }
        self.gone = self.gone.min(self.len());
        load.items
    }

    fn longest_waiting(&self) -> Option<Version> {
        let forms = [(Version::Two, &self.two), (Version::Three, &self.three)];
        let first_of = |lane: fn(&Lanes) -> &VecDeque<Item>| {
            let heads =
                forms.iter().filter_map(|(version, lanes)| Some((lane(lanes).front()?.arrived.instant(), *version)));
            heads.min_by_key(|(arrived, _)| *arrived).map(|(_, version)| version)
        };
        first_of(|lanes| &lanes.read_backs).or_else(|| first_of(|lanes| &lanes.others))
    }

    /// A caller has gone away: what nobody waits for must not fill the memory.
    pub(super) fn left(&mut self) {
        self.gone += 1;
        if self.gone >= WORTH_TIDYING && self.gone * 2 > self.len() {
            self.all_mut().for_each(|lane| lane.retain(|item| item.wire.is_waiting()));
            self.gone = 0;
        }
        if self.gone >= self.len() {
            // Nobody waits for the end of a window.
            self.signals.full.notify_one();
        }
    }

    pub(super) fn len(&self) -> usize {
        self.all().map(VecDeque::len).sum()
    }

    fn all(&self) -> impl Iterator<Item = &VecDeque<Item>> {
        [&self.two, &self.three].into_iter().flat_map(|lanes| [&lanes.read_backs, &lanes.others])
    }

    fn all_mut(&mut self) -> impl Iterator<Item = &mut VecDeque<Item>> {
        [&mut self.two, &mut self.three].into_iter().flat_map(|lanes| [&mut lanes.read_backs, &mut lanes.others])
    }
}

impl Lanes {
    const fn of(&mut self, lane: Lane) -> &mut VecDeque<Item> {
        match lane {
            Lane::ReadBack => &mut self.read_backs,
            Lane::Ordinary => &mut self.others,
        }
    }
}

const fn lane_of(item: &Item) -> Lane {
    if item.request.read_back { Lane::ReadBack } else { Lane::Ordinary }
}

/// A batch that is being filled.
struct Load {
    items: Vec<Item>,
    bytes: usize,
}

impl Load {
    fn fill(&mut self, lane: &mut VecDeque<Item>, most: usize, now: Moment, may_go: &mut dyn FnMut(&Item) -> bool) {
        while self.items.len() < most
            && let Some(item) = lane.pop_front()
        {
            if !item.wire.is_waiting() {
                continue;
            }
            if item.request.send_by.instant() < now.instant() {
                item.too_late(TOO_LATE);
                continue;
            }
            if !may_go(&item) {
                item.hand_back();
                continue;
            }
            let bytes = self.bytes + BatchForm::room(&item.piece);
            if bytes > MOST_BYTES {
                lane.push_front(item);
                return;
            }
            self.bytes = bytes;
            self.items.push(item);
        }
    }
}
