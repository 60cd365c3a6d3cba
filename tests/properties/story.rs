//! A story as plain data, printed as short as it can be read.

use std::fmt;
use std::time::Duration;

use retry_runtime::Proof;

use crate::meets::{Meets, Shows};
use crate::support::millis;

/// Milliseconds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ms(pub(crate) u32);

impl Ms {
    pub(crate) fn time(self) -> Duration {
        millis(u64::from(self.0))
    }
}

impl fmt::Debug for Ms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s", f64::from(self.0) / 1_000.0)
    }
}

/// Which stub a call goes through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stub {
    Read,
    /// With a verifier.
    Verified,
    /// With neither a verifier nor a key.
    Blind,
    /// With a verifier and a business key.
    Keyed,
    /// The same, looked for before the first send.
    Ensured,
    /// With an idempotency key.
    Idempotent,
    /// With an idempotency key and a verifier.
    Sought,
}

impl Stub {
    pub(crate) const fn is_task(self) -> bool {
        matches!(self, Self::Idempotent | Self::Sought)
    }
}

/// The client that a call goes through. They know nothing of each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    A,
    B,
}

/// One call.
#[derive(Clone)]
pub(crate) struct Caller {
    pub(crate) who: Who,
    pub(crate) stub: Stub,
    /// The order that others call for too, or one of its own.
    pub(crate) shared: bool,
    pub(crate) comes: Ms,
    /// When it goes away, counted from its coming.
    pub(crate) patience: Option<Ms>,
}

impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = if self.shared { "the shared order" } else { "an order of its own" };
        write!(f, "{:?} through {:?} at {:?}, {order}", self.stub, self.who, self.comes)?;
        self.patience.map_or(Ok(()), |patience| write!(f, ", goes away after {patience:?}"))
    }
}

/// How both clients are set.
#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) attempts: u32,
    pub(crate) deadline: Ms,
    /// Base and cap of the pauses.
    pub(crate) backoff: (Ms, Ms),
    pub(crate) budget: u32,
    pub(crate) proof: Proof,
    pub(crate) batched: bool,
    /// How many requests at once, and after what time one more.
    pub(crate) pace: Option<(u32, Ms)>,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { attempts, deadline, backoff, budget, proof, batched, pace } = self;
        write!(f, "{attempts} attempts, deadline {deadline:?}, pauses {backoff:?}, budget {budget}, proof {proof:?}")?;
        f.write_str(if *batched { ", batched" } else { "" })?;
        pace.map_or(Ok(()), |(at_once, each)| write!(f, ", {at_once} requests at once and one each {each:?}"))
    }
}

/// What happens meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    ClockForward(Ms),
    ClockBack(Ms),
    /// The machine is suspended: only the wall clock goes on, and so does the portal's.
    Suspended(Ms),
    /// Requests go out with other credentials from now on.
    NewToken,
}

/// All that decides a run.
#[derive(Clone)]
pub(crate) struct Story {
    pub(crate) settings: Settings,
    pub(crate) callers: Vec<Caller>,
    pub(crate) events: Vec<(Ms, Event)>,
    /// What requests meet in the order in which they come; those after them are answered as they should be.
    pub(crate) deals: Vec<Meets>,
    pub(crate) tasks: Vec<Meets>,
    pub(crate) batches: Vec<Meets>,
    pub(crate) lists: Vec<Shows>,
    /// How many seconds the clock of the server is ahead of ours.
    pub(crate) skew: i64,
}

impl Story {
    /// What the wall clock says of moments is worth nothing.
    pub(crate) fn is_turned(&self) -> bool {
        self.events.iter().any(|(_, event)| *event != Event::NewToken)
    }

    pub(crate) fn is_suspended(&self) -> bool {
        self.events.iter().any(|(_, event)| matches!(event, Event::Suspended(_)))
    }

    /// The longest lag of its lists.
    pub(crate) fn lag(&self) -> Duration {
        let lag = |shows: &Shows| if let Shows::Lagging(by) = shows { by.time() } else { Duration::ZERO };
        self.lists.iter().map(lag).max().unwrap_or_default()
    }

    /// The calls for the shared order: those that make deals, or those that make tasks.
    pub(crate) fn sharing(&self, tasks: bool) -> impl Iterator<Item = &Caller> {
        self.callers
            .iter()
            .filter(move |caller| caller.shared && caller.stub.is_task() == tasks && caller.stub != Stub::Read)
    }
}

impl fmt::Debug for Story {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:?}", self.settings)?;
        for (number, caller) in self.callers.iter().enumerate() {
            writeln!(f, "  call {number}: {caller:?}")?;
        }
        for (at, event) in &self.events {
            writeln!(f, "  at {at:?}: {event:?}")?;
        }
        for (what, meets) in [("new deals", &self.deals), ("new tasks", &self.tasks), ("batches", &self.batches)] {
            if !meets.is_empty() {
                writeln!(f, "  {what} meet {meets:?}")?;
            }
        }
        if !self.lists.is_empty() {
            writeln!(f, "  lists meet {:?}", self.lists)?;
        }
        if self.skew != 0 {
            writeln!(f, "  the clock of the server is {} s ahead", self.skew)?;
        }
        Ok(())
    }
}
