//! One moment of the world: the row of the intent, the workers, the requests on their way, the records.

use super::settings::Chances;

/// The row of the intent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Row {
    pub(super) status: Status,
    /// Attempts that were begun.
    pub(super) attempts: u8,
    /// A new one for each attempt and each claim. Only whether two are the same makes a difference.
    pub(super) epoch: u8,
    pub(super) lease_runs: bool,
    /// Whether an attempt was closed because a read-back found nothing.
    pub(super) was_absent: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Status {
    /// There is no row.
    None,
    Sending,
    Unknown,
    Ready,
    Applied(How),
    Rejected,
    Manual {
        /// Whether a success came afterwards, and people were told.
        is_raised: bool,
    },
}

/// How it is known that the intent was applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum How {
    Answered,
    /// Answered to an owner that was the owner no more.
    AnsweredLate,
    ReadBack,
    Adopted,
}

/// What a worker does, and the epoch that it does it in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Worker {
    Idle,
    /// It has seen that the intent can be begun.
    Begins {
        epoch: u8,
    },
    /// The intent is recorded; nothing is sent yet.
    Permitted {
        epoch: u8,
        age: u8,
    },
    /// Waits for the answer. What has come is not in the journal yet.
    Waits {
        epoch: u8,
        age: u8,
        answer: Option<Answer>,
    },
    /// Waits until the attempt is settled.
    Settles {
        epoch: u8,
        age: u8,
    },
    /// Has read back. What it saw is not in the journal yet.
    HasRead {
        epoch: u8,
        seen: Seen,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Answer {
    Success,
    /// A code of the safe list, or no connection: this attempt was not applied and will not be.
    NotApplied,
    /// Refused for good, without an effect.
    Rejected,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Seen {
    Nothing,
    One,
    Several,
}

/// Where a request is. Nothing tells a lost one from one that goes no further until its time is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Place {
    /// In our kernel or the gateway's queue.
    Way,
    Server,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Request {
    /// That of the worker which waits for its answer, or [`NOBODY`].
    pub(super) epoch: u8,
    pub(super) place: Place,
    /// Ticks that it may stay there.
    pub(super) left: u8,
}

pub(super) const NOBODY: u8 = 0;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Record {
    /// Made for the intent.
    Own {
        /// Ticks for which lists may not show it.
        hidden: u8,
    },
    /// Made for the intent, and deleted.
    Deleted,
    /// Typed by the person, with the same business key.
    Typed,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct State {
    pub(super) row: Row,
    /// What a power loss leaves of it.
    pub(super) on_disk: Row,
    pub(super) workers: Vec<Worker>,
    pub(super) requests: Vec<Request>,
    pub(super) records: Vec<Record>,
    pub(super) chances: Chances,
    /// Times that a person said "once more".
    pub(super) allowed: u8,
}

impl Status {
    /// Whether an attempt may still have an effect.
    pub(super) const fn is_open(self) -> bool {
        match self {
            Self::Sending | Self::Unknown => true,
            Self::None | Self::Ready | Self::Applied(_) | Self::Rejected | Self::Manual { .. } => false,
        }
    }

    /// Whether nothing was sent, or nothing of it has an effect, now or later.
    pub(super) const fn is_free(self) -> bool {
        match self {
            Self::None | Self::Ready | Self::Rejected => true,
            Self::Sending | Self::Unknown | Self::Applied(_) | Self::Manual { .. } => false,
        }
    }
}

impl Worker {
    pub(super) const fn epoch(self) -> Option<u8> {
        match self {
            Self::Idle => None,
            Self::Begins { epoch }
            | Self::Permitted { epoch, .. }
            | Self::Waits { epoch, .. }
            | Self::Settles { epoch, .. }
            | Self::HasRead { epoch, .. } => Some(epoch),
        }
    }

    const fn epoch_mut(&mut self) -> Option<&mut u8> {
        match self {
            Self::Idle => None,
            Self::Begins { epoch }
            | Self::Permitted { epoch, .. }
            | Self::Waits { epoch, .. }
            | Self::Settles { epoch, .. }
            | Self::HasRead { epoch, .. } => Some(epoch),
        }
    }

    /// Whether it is at work on an open row, as its owner or as one that was.
    pub(super) const fn is_at_work(self) -> bool {
        match self {
            Self::Idle | Self::Begins { .. } => false,
            Self::Permitted { .. } | Self::Waits { .. } | Self::Settles { .. } | Self::HasRead { .. } => true,
        }
    }

    /// It falls only, but for a new attempt, a claim, and what comes from outside: see [`State::measure`].
    const fn rank(self) -> u32 {
        match self {
            Self::Permitted { .. } => 8,
            Self::Waits { .. } => 5,
            Self::Settles { .. } => 3,
            Self::HasRead { .. } => 2,
            Self::Begins { .. } => 1,
            Self::Idle => 0,
        }
    }

    /// Ticks until time makes no difference to it.
    const fn left(self, settle_time: u8) -> u8 {
        match self {
            Self::Permitted { age, .. } | Self::Waits { age, .. } | Self::Settles { age, .. } => settle_time - age,
            Self::Idle | Self::Begins { .. } | Self::HasRead { .. } => 0,
        }
    }
}

impl State {
    /// Whether the owner of the row is at work.
    pub(super) fn is_owned(&self) -> bool {
        self.workers.iter().any(|worker| worker.is_at_work() && worker.epoch() == Some(self.row.epoch))
    }

    /// Whether its owner is gone, or was not heard of for too long.
    pub(super) fn has_no_lease(&self) -> bool {
        !self.row.lease_runs || !self.is_owned()
    }

    pub(super) fn commit(&mut self, row: Row, is_synced: bool) {
        self.row = row;
        if is_synced || self.chances.power_losses == 0 {
            self.on_disk = row;
        }
    }

    /// An epoch that nobody has.
    pub(super) fn new_epoch(&self) -> u8 {
        let workers = self.workers.iter().filter_map(|worker| worker.epoch());
        let requests = self.requests.iter().map(|request| request.epoch);
        workers.chain(requests).chain([self.row.epoch, self.on_disk.epoch]).max().unwrap_or(NOBODY) + 1
    }

    pub(super) fn effects(&self) -> usize {
        self.records.iter().filter(|record| **record != Record::Typed).count()
    }

    /// Whether time makes a difference.
    pub(super) fn time_runs(&self, settle_time: u8) -> bool {
        !self.requests.is_empty() || self.ticks(settle_time) > 0
    }

    fn ticks(&self, settle_time: u8) -> u32 {
        let workers = self.workers.iter().map(|worker| worker.left(settle_time));
        let requests = self.requests.iter().map(|request| request.left);
        let records = self.records.iter().map(|record| match record {
            Record::Own { hidden } => *hidden,
            Record::Deleted | Record::Typed => 0,
        });
        workers.chain(requests).chain(records).map(u32::from).sum()
    }

    /// A number that each step makes less, so that no path goes on for ever: what may still come from outside, attempts that
    /// are left, how far workers and requests are, the time that runs.
    pub(super) fn measure(&self, attempts: u8, settle_time: u8) -> [u32; 4] {
        let all = self.chances;
        let once = [all.submissions, all.crashes, all.stalls, all.drops, all.power_losses, all.person];
        // A decision may bring a submission with it.
        let chances = once.into_iter().map(u32::from).sum::<u32>() + 2 * u32::from(all.decisions);
        let attempts = u32::from((attempts + self.allowed).saturating_sub(self.row.attempts));
        let places = self.requests.iter().map(|request| match request.place {
            Place::Way => 2,
            Place::Server => 1,
        });
        let claim = if self.row.status.is_open() && self.has_no_lease() { 4 } else { 0 };
        let ranks = self.workers.iter().map(|worker| worker.rank()).chain(places).sum::<u32>() + claim;
        [chances, attempts, ranks, self.ticks(settle_time)]
    }

    /// Epochs as small numbers, in their order: only whether two are the same makes a difference.
    pub(super) fn number_epochs(&mut self) {
        let own = [&mut self.row.epoch, &mut self.on_disk.epoch].into_iter();
        let workers = self.workers.iter_mut().filter_map(Worker::epoch_mut);
        let requests = self.requests.iter_mut().map(|request| &mut request.epoch);
        let mut all: Vec<&mut u8> = own.chain(workers).chain(requests).collect();
        let used = all.iter().fold(1_u64 << NOBODY, |used, epoch| used | 1 << **epoch);
        for epoch in &mut all {
            let below = used & ((1 << **epoch) - 1);
            **epoch = below.count_ones().try_into().unwrap_or(u8::MAX);
        }
    }
}
