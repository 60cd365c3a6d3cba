//! What is explored: the guards, the scenarios, and how long things take in ticks.

/// What keeps an intent from having two effects. Each can be taken out of the model, one at a time. The first thirteen are those
/// of the design of the journal, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guard {
    /// m1: the intent is recorded before anything is sent, not with the outcome only.
    IntentFirst,
    /// m2: absence is believed only after the settle time.
    SettleWait,
    /// m3: the settle time counts the lag of lists.
    LagPart,
    /// m4: the settle time counts the pause before the send.
    PausePart,
    /// m5: the server ends a request after a limit.
    ServerLimit,
    /// m6: whoever has paused for too long before the send does not send.
    SendWindow,
    /// m7: a commit of an owner that is the owner no more is refused.
    EpochCheck,
    /// m8: a record is the intent's own if it has the intent's own marker, not if it has the business key.
    OwnMarker,
    /// m9: a witness of deletions is asked before an absence is believed.
    Witness,
    /// m10: the intent is on disk before anything is sent.
    IntentSynced,
    /// m11: the outcome is on disk before anybody hears of it.
    OutcomeSynced,
    /// m12: a dropped call leaves its intent open.
    DropKeepsIntent,
    /// m13: no answer in time proves nothing.
    TimeoutProvesNothing,
    /// The witness is asked after the list, not before it.
    WitnessLast,
    /// The settle time counts our kernel and the gateway's queue.
    WayPart,
    /// The settle time counts the server's limit.
    ServerPart,
    /// The settle time has a margin: exactly is too late.
    Margin,
    /// Whoever claims a row waits the whole settle time on its own clock.
    ClaimerWaits,
    /// Only what is closed is begun anew: a call that finds its intent open waits for it.
    OpenIsNotBegun,
    /// Recovery claims rows that are still `Sending`, not only those that somebody has marked `Unknown`.
    SendingIsClaimed,
}

/// What happens to the row when a call is dropped together with its task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Drops {
    /// The drop guard marks it `Unknown`.
    Mark,
    /// Nothing does.
    LeaveIt,
}

/// What a person does in the portal's interface, once, at any time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Person {
    Nobody,
    /// Types a record with the same business key.
    Types,
    /// Deletes the record of the intent.
    Deletes,
    /// Deletes it once the journal has it as `Applied`.
    DeletesWhatIsApplied,
}

/// How often each of what may go wrong, or comes from outside, can still happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Chances {
    /// Times that the caller hands the intent in.
    pub(super) submissions: u8,
    /// Workers that die. Each comes up again at once, without any memory.
    pub(super) crashes: u8,
    /// Leases that run out under a living owner.
    pub(super) stalls: u8,
    /// Calls that are dropped together with their task.
    pub(super) drops: u8,
    /// Power losses of the store; the workers may die with it or not.
    pub(super) power_losses: u8,
    /// What the person does.
    pub(super) person: u8,
    /// Decisions of people about what is in the manual queue.
    pub(super) decisions: u8,
}

/// Who takes part.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scenario {
    pub(super) workers: usize,
    pub(super) attempts: u8,
    pub(super) chances: Chances,
    pub(super) drops: Drops,
    pub(super) person: Person,
    /// Whether something tells of deleted records.
    pub(super) has_witness: bool,
    /// Whether recovery leaves a row alone while its lease runs.
    pub(super) keeps_leases: bool,
    pub(super) stay: Stay,
}

/// The longest stay at each place, in ticks. What stays is alive in its last tick.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stay {
    /// In the worker that has recorded the intent, before it sends.
    pub(super) pause: u8,
    /// In our kernel or the gateway's queue.
    pub(super) way: u8,
    /// On the server.
    pub(super) server: u8,
    /// Applied, but not in a list.
    pub(super) lag: u8,
}

impl Stay {
    pub(super) const SHORT: Self = Self { pause: 1, way: 1, server: 1, lag: 1 };
    pub(super) const LONG: Self = Self { pause: 2, way: 2, server: 2, lag: 2 };
}

/// The spare tick behind the settle time.
const MARGIN: u8 = 1;

/// A scenario, and the guard that is taken out of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct World {
    pub(super) scenario: Scenario,
    pub(super) without: Option<Guard>,
}

impl World {
    pub(super) fn has(&self, guard: Guard) -> bool {
        self.without != Some(guard)
    }

    /// Ticks after which nothing that was permitted can be applied or unseen any more. No count of time goes further.
    pub(super) const fn settle_time(&self) -> u8 {
        let Stay { pause, way, server, lag } = self.scenario.stay;
        pause + way + server + lag + MARGIN
    }

    /// Whether a worker takes what was permitted so many ticks ago for settled.
    pub(super) fn is_settled(&self, age: u8) -> bool {
        let Stay { pause, way, server, lag } = self.scenario.stay;
        let part = |guard, ticks| if self.has(guard) { ticks } else { 0 };
        let counted = part(Guard::PausePart, pause)
            + part(Guard::WayPart, way)
            + part(Guard::ServerPart, server)
            + part(Guard::LagPart, lag)
            + part(Guard::Margin, MARGIN);
        age >= counted || !self.has(Guard::SettleWait)
    }

    /// Whether a worker that was permitted to send so many ticks ago still does.
    pub(super) fn may_send(&self, age: u8) -> bool {
        age <= self.scenario.stay.pause || !self.has(Guard::SendWindow)
    }
}
