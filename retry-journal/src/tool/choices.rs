//! What a person can decide about an intent, in words.

use retry_runtime::journal::State;

/// What to know before an open intent is decided.
pub(crate) const STILL_OPEN: &str = "It is open: a running program or its next start settles it by itself, and an attempt may still be under way. Decide only if that will not happen.";

/// A way to decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    Adopt,
    Reject,
    AllowOnce,
    Verify,
}

impl Choice {
    pub(crate) const ALL: [Self; 4] = [Self::Adopt, Self::Reject, Self::AllowOnce, Self::Verify];

    /// The command, and the end of the form's address.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Adopt => "adopt",
            Self::Reject => "reject",
            Self::AllowOnce => "allow-once",
            Self::Verify => "verify",
        }
    }

    pub(crate) fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|choice| choice.name() == name)
    }

    /// When it is the right one, and what comes of it.
    pub(crate) const fn meaning(self) -> &'static str {
        match self {
            Self::Adopt => "The record is on the portal: take it as the result. The next call with this key gets it.",
            Self::Reject => "It is not on the portal, and nobody wants it any more.",
            Self::AllowOnce => "It is not on the portal: the next call with this key may send it once more.",
            Self::Verify => "Let the next recovery of the program read it back with its own verifier.",
        }
    }

    /// What has been done.
    pub(crate) const fn done(self) -> &'static str {
        match self {
            Self::Adopt => "adopted, and so applied",
            Self::Reject => "rejected",
            Self::AllowOnce => "allowed once more: the next call with its key may send it",
            Self::Verify => "back with the program: its next recovery reads it back",
        }
    }

    /// The state it leads to.
    pub(crate) const fn outcome(self) -> &'static str {
        match self {
            Self::Adopt => "applied",
            Self::Reject => "rejected",
            Self::AllowOnce => "not applied",
            Self::Verify => "unknown",
        }
    }

    /// Whether it fits the state, as [`Decision`](crate::Decision) says.
    pub(crate) const fn fits(self, state: &State) -> bool {
        match (self, state) {
            (Self::Adopt, State::Sending | State::Unknown { .. } | State::Manual { .. })
            | (Self::Reject, State::Sending | State::Unknown { .. } | State::Manual { .. } | State::Ready { .. })
            | (Self::AllowOnce, State::Manual { .. } | State::Rejected { .. })
            | (Self::Verify, State::Manual { .. }) => true,
            (Self::Adopt, State::Ready { .. } | State::Rejected { .. } | State::Applied { .. })
            | (Self::Reject, State::Rejected { .. } | State::Applied { .. })
            | (Self::AllowOnce, State::Sending | State::Unknown { .. } | State::Ready { .. } | State::Applied { .. })
            | (
                Self::Verify,
                State::Sending
                | State::Unknown { .. }
                | State::Ready { .. }
                | State::Rejected { .. }
                | State::Applied { .. },
            ) => false,
        }
    }

    /// Those that fit the state.
    pub(crate) fn for_state(state: &State) -> Vec<Self> {
        Self::ALL.into_iter().filter(|choice| choice.fits(state)).collect()
    }
}
