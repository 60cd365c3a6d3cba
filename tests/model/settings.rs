//! What is explored: the guards, the scenarios, and how long things take in ticks.

/// What keeps a write from happening twice. Each can be taken out of the model, one at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guard {
    /// An unknown outcome is read back before anything is sent again.
    ReadBackFirst,
    /// A server error does not prove that nothing happened.
    ServerErrorSaysNothing,
    /// A business error does not prove that nothing happened.
    BusinessErrorSaysNothing,
    /// A gateway's error leaves the request behind it alive.
    GatewayErrorEndsNothing,
    /// Absence is believed only after the settle time.
    SettleWait,
    /// The check must have begun after the settle time, not only ended.
    BeganAfter,
    /// The settle time counts our own process and kernel.
    OurPart,
    /// The settle time counts the gateway's queue.
    QueuePart,
    /// The settle time counts the server's limit.
    ServerPart,
    /// The settle time counts the lag of lists.
    LagPart,
    /// The settle time has a margin: exactly is too late.
    Margin,
    /// One attempt is one request.
    OneRequest,
    /// A page that goes on proves no absence.
    WholePage,
    /// Only rows with the exact key are presence.
    ExactKey,
    /// Rows without the key, under a filter on the key, are no absence.
    ObeyedFilter,
    /// A check that failed proves nothing.
    FailedCheck,
    /// A replay waits until the send before it can't be under way any more.
    SingleFlight,
    /// A replay is sent only while the portal knows the key.
    KeyWindow,
    /// That time is counted with a spare for the replay's own way.
    KeyWindowSpare,
    /// After an answer with an error nothing is replayed.
    ErrorsAreNotReplayed,
    /// One open write per key in a client.
    KeyLock,
    /// What a dropped or doubtful call may still do is known to the next one with its key.
    KeyRemembers,
    /// `ensure` believes an absence only when lists show what the call before it did.
    LagAfterSuccess,
    /// Sends are counted.
    BoundedAttempts,
}

impl Guard {
    pub(super) const ALL: [Self; 24] = [
        Self::ReadBackFirst,
        Self::ServerErrorSaysNothing,
        Self::BusinessErrorSaysNothing,
        Self::GatewayErrorEndsNothing,
        Self::SettleWait,
        Self::BeganAfter,
        Self::OurPart,
        Self::QueuePart,
        Self::ServerPart,
        Self::LagPart,
        Self::Margin,
        Self::OneRequest,
        Self::WholePage,
        Self::ExactKey,
        Self::ObeyedFilter,
        Self::FailedCheck,
        Self::SingleFlight,
        Self::KeyWindow,
        Self::KeyWindowSpare,
        Self::ErrorsAreNotReplayed,
        Self::KeyLock,
        Self::KeyRemembers,
        Self::LagAfterSuccess,
        Self::BoundedAttempts,
    ];
}

/// The list above leaves none out.
const _: () = assert!(Guard::ALL.len() == Guard::BoundedAttempts as usize + 1);

/// How an error that had an effect all the same can come about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ErrorEffects {
    /// Not at all.
    None,
    /// Only with an answer that arrives: the assumption behind idempotency keys.
    Heard,
    /// In any way; the answer may be lost.
    Any,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Person {
    Nobody,
    /// Types the same record.
    Types,
    /// Deletes a record that has the key: the assumption is that nobody does while a call is open.
    Deletes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Clients {
    /// All calls go through one, which has one open write per key.
    One,
    /// Each call has its own, and these know nothing of each other.
    Each,
}

/// The longest stay at each place of the way, in ticks. A request is alive in its last tick.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stay {
    /// In our process and kernel.
    pub(super) ours: u8,
    /// In the gateway's queue.
    pub(super) queue: u8,
    /// On the server.
    pub(super) server: u8,
    /// Applied, but not in a list.
    pub(super) lag: u8,
}

impl Stay {
    pub(super) const SHORT: Self = Self { ours: 1, queue: 1, server: 1, lag: 1 };
    pub(super) const LONG: Self = Self { ours: 2, queue: 2, server: 2, lag: 2 };
}

/// The spare tick behind the settle time.
pub(super) const MARGIN: u8 = 1;

/// A key that the portal never forgets.
pub(super) const FOR_GOOD: u8 = u8::MAX;

/// Who takes part.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scenario {
    /// How many calls carry the same business key.
    pub(super) calls: usize,
    pub(super) clients: Clients,
    /// Whether they can be read back.
    pub(super) verify: bool,
    /// Whether they look before their first send.
    pub(super) ensure: bool,
    /// Whether they carry the same idempotency key.
    pub(super) idempotency_key: bool,
    /// What a person does in the portal's interface, once, at any time.
    pub(super) person: Person,
    pub(super) errors: ErrorEffects,
    pub(super) attempts: u8,
    pub(super) stay: Stay,
    /// For how many ticks the portal keeps the success of an idempotency key.
    pub(super) kept: u8,
}

impl Scenario {
    /// One call that can be read back.
    pub(super) const PLAIN: Self = Self {
        calls: 1,
        clients: Clients::One,
        verify: true,
        ensure: false,
        idempotency_key: false,
        person: Person::Nobody,
        errors: ErrorEffects::Any,
        attempts: 3,
        stay: Stay::SHORT,
        kept: FOR_GOOD,
    };

    /// One call that has an idempotency key and nothing to read it back with.
    pub(super) const KEYED: Self =
        Self { verify: false, idempotency_key: true, errors: ErrorEffects::Heard, kept: 16, ..Self::PLAIN };

    /// Two calls with one business key, through one client.
    pub(super) const PAIR: Self = Self { calls: 2, attempts: 2, ..Self::PLAIN };

    /// The same, and both look before their first send.
    pub(super) const ENSURED_PAIR: Self = Self { ensure: true, ..Self::PAIR };

    /// Two calls with one idempotency key, through one client.
    pub(super) const KEYED_PAIR: Self =
        Self { verify: false, idempotency_key: true, errors: ErrorEffects::None, ..Self::PAIR };

    pub(super) const fn is_one_client(&self) -> bool {
        matches!(self.clients, Clients::One)
    }

    /// Whether nobody else makes a record with the key.
    pub(super) const fn is_alone(&self) -> bool {
        self.calls == 1 && matches!(self.person, Person::Nobody)
    }

    /// Whether all the calls together must make at most one record.
    pub(super) fn makes_one_record(&self) -> bool {
        let tells_keys = self.idempotency_key && self.errors == ErrorEffects::None && self.kept == FOR_GOOD;
        self.calls == 1 || (self.is_one_client() && (self.ensure || tells_keys))
    }
}

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

    /// For how long a send may be applied or unseen, as the client counts it.
    pub(super) fn settle_time(&self) -> u8 {
        let stay = self.scenario.stay;
        let part = |guard, ticks| if self.has(guard) { ticks } else { 0 };
        part(Guard::OurPart, stay.ours)
            + part(Guard::QueuePart, stay.queue)
            + part(Guard::ServerPart, stay.server)
            + self.lag_time()
    }

    /// For how long an effect may be unseen, as the client counts it.
    pub(super) fn lag_time(&self) -> u8 {
        let lag = if self.has(Guard::LagPart) { self.scenario.stay.lag } else { 0 };
        if self.has(Guard::Margin) { lag + MARGIN } else { lag }
    }

    /// For how long the client relies on an idempotency key.
    pub(super) fn key_time(&self) -> u8 {
        let stay = self.scenario.stay;
        match self.scenario.kept {
            0 | FOR_GOOD => 0,
            kept if self.has(Guard::KeyWindowSpare) => kept - stay.ours - stay.queue,
            kept => kept,
        }
    }
}
