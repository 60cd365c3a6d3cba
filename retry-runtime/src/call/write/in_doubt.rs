//! A write whose effect is not known of.

use std::borrow::Cow;
use std::time::Duration;

use tokio::time::timeout_at;

use super::State;
use super::ready::Ready;
use super::replay::Replay;
use crate::call::flight::Flight;
use crate::call::standing::Standing;
use crate::clock::Moment;
use crate::effect::Effect;
use crate::error::CallError;
use crate::report::{Check, Ending, Finding, Report};

/// The first wait between two checks is this part of the settle time; each further one is twice as long.
const FIRST_GAP: u32 = 32;

/// What the first wait is a part of where no settle time is known.
const NOMINAL_SETTLE_TIME: Duration = Duration::from_mins(1);

/// It is not known whether the call had its effect.
#[must_use = "an unknown outcome must be read back or reported"]
pub(crate) struct InDoubt {
    flight: Box<Flight>,
    doubt: Doubt,
    due: Moment,
    gap: Duration,
    began: Moment,
}

/// Why there is a doubt, and so what an absence means.
pub(in crate::call) enum Doubt {
    /// The outcome of the last send is unknown. Absence, once proved, allows another send.
    Outcome {
        /// Whether no answer came at all, so that an idempotency key can settle it too.
        answer_lost: bool,
    },
    /// Nothing was sent yet (`ensure`). Absence, once no earlier send with the key can be applied, allows the first send.
    Beforehand,
    /// A business error. The verifier is asked once; absence leaves the effect unknown.
    Business,
    /// A success that does not read as the result. The verifier is asked once.
    Undecodable { why: String, effect: Effect },
}

impl InDoubt {
    pub(in crate::call) fn new(flight: Box<Flight>, doubt: Doubt) -> Self {
        let now = flight.now();
        let gap = flight.shared().settle_time().unwrap_or(NOMINAL_SETTLE_TIME) / FIRST_GAP;
        Self { flight, doubt, due: now, gap: gap.max(Duration::from_millis(1)), began: now }
    }

    /// Waits until the next check is due. The first one is due at once, as presence is believed at any time.
    pub(crate) async fn begin(&mut self) {
        self.flight.sleep_until(self.due).await;
        self.began = self.flight.now();
    }

    /// The check, or why it is given up: a verifier may wait for more than its reads.
    pub(crate) async fn within_the_deadline<T>(&self, check: impl Future<Output = T>) -> Result<T, Finding> {
        let late = |_| Finding::Failed("it was still under way at the deadline of the call".into());
        timeout_at(self.flight.deadline().instant(), check).await.map_err(late)
    }

    /// What is known of the call.
    pub(crate) fn report(&self) -> &Report {
        self.flight.report()
    }

    /// The check has found the effect. Gives back the report of the call.
    pub(crate) fn found(mut self) -> Report {
        self.note(Finding::Found, false);
        // What was there before the first send, or may be the cause of a business error, does not show that a new record is found.
        if let Doubt::Outcome { .. } | Doubt::Undecodable { .. } = self.doubt
            && let Some((stub, _)) = self.flight.verifier()
        {
            self.flight.shared().verifiers.found(stub);
        }
        self.flight.done(Ending::Found)
    }

    /// Decides what a check leads to that has not found the effect.
    pub(crate) fn judge(mut self, finding: Finding) -> State {
        let finding = self.weighed(finding.without(&self.flight.shared().secrets()));
        let proves = finding == Finding::Absent && self.proves();
        self.note(finding.clone(), proves);
        match finding {
            Finding::Multiple(found) => self.duplicated(&found),
            Finding::Unreliable(why) => self.unreliable(&why),
            // `found` is the way out for what was found; a verifier that could not name it has found nothing.
            Finding::Found => self.unreliable("the effect was found, but not what the write would have returned"),
            Finding::Absent if proves => self.absent(),
            Finding::Absent if self.flight.standing() == Standing::Unbounded => self.look_again(NO_SETTLE_TIME),
            Finding::Absent => self.look_again("its absence could not be proved before the deadline"),
            Finding::Failed(why) if self.is_late() => self.unsettled(format!("the read-back failed: {why}")),
            Finding::Failed(_) => self.look_again("no read-back succeeded before the deadline"),
        }
    }

    /// An absence that only a verifier without the trust it takes has stated is none.
    fn weighed(&self, finding: Finding) -> Finding {
        let (Finding::Absent, Some((stub, _))) = (&finding, self.flight.verifier()) else { return finding };
        let verifiers = &self.flight.shared().verifiers;
        if let Some(why) = verifiers.distrusted(stub) {
            return Finding::Unreliable((*why).into());
        }
        // Until it would be proof, to look again may still find it.
        if !matches!(self.doubt, Doubt::Beforehand) && self.proves() && verifiers.lacks_proof(stub) {
            return Finding::Unreliable(UNPROVEN.into());
        }
        finding
    }

    /// There is no verifier, but an idempotency key.
    pub(crate) fn replay(self) -> State {
        self.unsettled("the answer was an error, which the portal does not store under a key")
    }

    /// Reading back has not settled it: its key may, else a person has to look.
    fn unsettled(self, why: impl Into<Cow<'static, str>>) -> State {
        match self.doubt {
            Doubt::Outcome { answer_lost: true } if self.flight.no_replay().is_none() => Replay::of(self.flight),
            Doubt::Outcome { .. } | Doubt::Beforehand | Doubt::Business | Doubt::Undecodable { .. } => {
                State::Ended(self.give_up(why))
            }
        }
    }

    /// There is no verifier: a person has to look.
    pub(crate) fn without_verifier(self, why: &str) -> CallError {
        self.give_up(format!("its outcome is unknown, and it can't be read back: {why}"))
    }

    /// Whether the check began when nothing could be applied any more.
    fn proves(&self) -> bool {
        match self.doubt {
            Doubt::Outcome { .. } | Doubt::Beforehand => self.is_late(),
            Doubt::Business | Doubt::Undecodable { .. } => false,
        }
    }

    fn is_late(&self) -> bool {
        self.flight.standing().is_shown(self.began)
    }

    fn note(&mut self, finding: Finding, proves: bool) {
        let took = self.flight.now().at_least_since(self.began);
        let reads = self.flight.reads_of_the_check();
        self.flight.note_check(Check { began: self.began.wall(), took, finding, proves, reads });
    }

    /// Proof: nothing of this call is there, now or later.
    fn absent(mut self) -> State {
        self.flight.set_standing(Standing::Settled);
        if matches!(self.doubt, Doubt::Beforehand) {
            return State::Ready(Ready::at_once(self.flight));
        }
        if self.flight.repeats_an_unrecognised_code() {
            return State::Ended(self.flight.refused(Effect::Absent));
        }
        Ready::again(self.flight)
    }

    /// Nothing is proved yet: look again later, if there is time.
    fn look_again(mut self, too_late: &'static str) -> State {
        if matches!(self.doubt, Doubt::Business | Doubt::Undecodable { .. }) {
            return State::Ended(self.give_up(too_late));
        }
        let now = self.flight.now();
        let next = now.after(self.gap);
        self.due = match self.flight.standing() {
            Standing::Settled => now,
            Standing::Applied(until) | Standing::Until(until)
                if now.left_until(until) <= self.gap.saturating_mul(2) =>
            {
                until
            }
            Standing::Applied(_) | Standing::Until(_) | Standing::Unbounded => next,
        };
        self.gap = self.gap.saturating_mul(2);
        // With a wall clock that was set back, `due` may be past on the other clock: what is left counts as well.
        if self.due.instant() >= self.flight.deadline().instant() || self.flight.left().is_zero() {
            return State::Ended(self.give_up(too_late));
        }
        State::InDoubt(self)
    }

    fn unreliable(self, why: &str) -> State {
        let why = format!("the read-back proves nothing: {why}");
        match self.doubt {
            Doubt::Beforehand => State::Ended(self.flight.invalid(why)),
            Doubt::Outcome { .. } | Doubt::Business | Doubt::Undecodable { .. } => self.unsettled(why),
        }
    }

    fn duplicated(self, found: &[Box<str>]) -> State {
        // They may all be of others: what was sent last can still be applied beside them.
        let why = format!("{} records match: {}", found.len(), found.join(", "));
        State::Ended(CallError::Duplicated(self.flight.end(Ending::Duplicated, Effect::Present, why)))
    }

    /// It can't be settled here.
    fn give_up(self, why: impl Into<Cow<'static, str>>) -> CallError {
        let flight = self.flight;
        match self.doubt {
            Doubt::Outcome { .. } => CallError::InDoubt(flight.end(Ending::InDoubt, Effect::Unknown, why)),
            Doubt::Beforehand => {
                flight.exhausted(format!("it was to be looked for before the first send, and {}", why.into()))
            }
            Doubt::Business => flight.refused(Effect::Unknown),
            Doubt::Undecodable { why, effect } => CallError::Undecodable(flight.end(Ending::Undecodable, effect, why)),
        }
    }
}

const UNPROVEN: &str = "this verifier has not found a record of its own in this client yet, which Proof::Demanded asks for \
     before its absence counts";

const NO_SETTLE_TIME: &str = "its absence can't be proved on this portal: nothing says how long a request may still be applied. \
     For a self-hosted portal state it with ClientBuilder::settle";
