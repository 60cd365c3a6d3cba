//! What kind of call it is, and whether it happened.

use std::fmt;

/// Whether a method reads or writes, by its meaning and not by its HTTP verb.
///
/// A read changes nothing, so that it may be repeated. A write creates, changes, deletes or sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OperationKind {
    /// Changes nothing on the portal.
    Read,
    /// Creates, changes, deletes or sends something.
    Write,
}

impl fmt::Display for OperationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Read => "read",
            Self::Write => "write",
        })
    }
}

/// The answer to "did it happen?", given by every error of this crate.
///
/// It speaks of the effect of *this call* on the portal. The effect of a read is always `Absent`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effect {
    /// It certainly did not happen, and no request of this call can make it happen any more.
    Absent,
    /// It happened.
    Present,
    /// Nobody can tell from here: look at the portal before it is sent again.
    Unknown,
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Absent => "absent",
            Self::Present => "present",
            Self::Unknown => "unknown",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p6_the_answer_is_a_word() {
        let words = [Effect::Absent, Effect::Present, Effect::Unknown].map(|effect| effect.to_string());
        assert_eq!(words, ["absent", "present", "unknown"]);
    }
}
