//! One moment of the world: the calls, the requests on their way, the records.

/// A call, as the write loop has it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Call {
    pub(super) phase: Phase,
    pub(super) sends: u8,
    /// Ticks until nothing it has sent can be applied or unseen any more, as its client counts them.
    pub(super) standing: u8,
    /// Ticks for which its idempotency key is relied on; it runs from the first send.
    pub(super) key_good: u8,
    /// Whether a layer below has resent the attempt.
    pub(super) resent: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Phase {
    Ready,
    Awaiting {
        answer: Pending,
        is_replay: bool,
    },
    Doubt(Why, Check),
    Replay,
    Ended(End),
    /// Not begun, or waiting for its key.
    Waiting,
}

/// What the portal has to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Pending {
    Nothing,
    Success,
    /// An error, although it had its effect.
    Error,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Why {
    Outcome { answer_lost: bool },
    Beforehand,
    Business,
}

/// How far a read-back is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Check {
    Due,
    Begun {
        late: bool,
    },
    /// The portal has read; its answer is on its way.
    Read {
        late: bool,
        seen: Seen,
    },
    /// It has proved nothing: the next one waits for a tick at least.
    Vain,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Seen {
    Nothing,
    One,
    Several,
}

/// How a call ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum End {
    /// Success was answered.
    Done,
    /// A record with its key was found.
    Found,
    /// It had no effect and will have none.
    Absent,
    /// Several records carry its key.
    Duplicated,
    /// A person has to look.
    InDoubt,
}

/// Where a request is on its way. Nothing tells a lost one from one that goes no further until its time is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Place {
    Server,
    Queue,
    Ours,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Request {
    pub(super) call: usize,
    /// The how-manieth send of its call.
    pub(super) send: u8,
    pub(super) place: Place,
    /// Ticks that it may stay there.
    pub(super) left: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Record {
    /// The call that made it; `None` is the person.
    pub(super) by: Option<usize>,
    /// Ticks for which lists may not show it.
    pub(super) hidden: u8,
    pub(super) deleted: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct State {
    pub(super) calls: Vec<Call>,
    pub(super) requests: Vec<Request>,
    pub(super) records: Vec<Record>,
    /// Ticks for which the portal knows the idempotency key as that of a success.
    pub(super) key_kept: u8,
    /// Whether the person has still to come.
    pub(super) person: bool,
}

impl Call {
    pub(super) const fn end(&self) -> Option<End> {
        match self.phase {
            Phase::Ended(end) => Some(end),
            Phase::Waiting | Phase::Ready | Phase::Awaiting { .. } | Phase::Doubt(..) | Phase::Replay => None,
        }
    }

    /// Between two sends it falls only: see [`State::measure`].
    const fn rank(&self) -> u32 {
        match self.phase {
            Phase::Waiting | Phase::Awaiting { .. } => 4,
            Phase::Doubt(..) => 3,
            Phase::Ready | Phase::Replay => 2,
            Phase::Ended(_) => 0,
        }
    }

    const fn check_rank(&self) -> u32 {
        match self.phase {
            Phase::Doubt(_, Check::Due) => 3,
            Phase::Doubt(_, Check::Begun { .. }) => 2,
            Phase::Doubt(_, Check::Read { .. }) => 1,
            Phase::Doubt(_, Check::Vain)
            | Phase::Waiting
            | Phase::Ready
            | Phase::Awaiting { .. }
            | Phase::Replay
            | Phase::Ended(_) => 0,
        }
    }
}

impl State {
    pub(super) fn is_over(&self) -> bool {
        self.requests.is_empty() && self.calls.iter().all(|call| call.end().is_some())
    }

    pub(super) fn effects_of(&self, call: usize) -> usize {
        self.records.iter().filter(|record| record.by == Some(call)).count()
    }

    pub(super) fn on_their_way(&self, call: usize) -> usize {
        self.requests.iter().filter(|request| request.call == call).count()
    }

    pub(super) fn effects_of_calls(&self) -> usize {
        self.records.iter().filter(|record| record.by.is_some()).count()
    }

    /// The same world, written one way only.
    pub(super) fn sorted(mut self) -> Self {
        self.requests.sort_unstable();
        self.records.sort_unstable();
        self
    }

    /// The same world with its calls in one order, for calls that are alike.
    pub(super) fn in_order(self) -> Self {
        if self.calls.is_sorted() {
            return self;
        }
        let mut order: Vec<usize> = (0..self.calls.len()).collect();
        order.sort_by_key(|call| &self.calls[*call]);
        let place = |old: usize| order.iter().position(|call| *call == old).unwrap_or(old);
        let calls = order.iter().map(|call| self.calls[*call].clone()).collect();
        let requests = self.requests.iter().map(|request| Request { call: place(request.call), ..*request }).collect();
        let records = self.records.iter().map(|record| Record { by: record.by.map(place), ..*record }).collect();
        Self { calls, requests, records, ..self }.sorted()
    }

    /// All the time that runs.
    fn ticks(&self) -> u32 {
        let calls = self.calls.iter().map(|call| u32::from(call.standing) + u32::from(call.key_good));
        let requests = self.requests.iter().map(|request| u32::from(request.left));
        let records = self.records.iter().map(|record| u32::from(record.hidden));
        let kept = if self.key_kept == super::settings::FOR_GOOD { 0 } else { u32::from(self.key_kept) };
        calls.chain(requests).chain(records).sum::<u32>() + kept
    }

    /// Whether time makes a difference.
    pub(super) fn time_runs(&self) -> bool {
        !self.requests.is_empty() || self.ticks() > 0
    }

    /// A number that each step makes less, so that no path goes on for ever: sends that are left, how far all are on their way,
    /// the time that runs, how far the checks are.
    pub(super) fn measure(&self, attempts: u8) -> [u32; 4] {
        let sends = self.calls.iter().map(|call| u32::from(attempts.saturating_sub(call.sends))).sum();
        let places = self.requests.iter().map(|request| match request.place {
            Place::Ours => 3,
            Place::Queue => 2,
            Place::Server => 1,
        });
        let ways = self.calls.iter().map(Call::rank).chain(places).sum::<u32>() + u32::from(self.person);
        [sends, ways, self.ticks(), self.calls.iter().map(Call::check_rank).sum()]
    }
}
