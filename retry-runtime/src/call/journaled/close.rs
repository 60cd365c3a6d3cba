//! How the end of a call without a result goes on record.

use crate::effect::Effect;
use crate::error::CallError;
use crate::journal::Change;
use crate::report::{Finding, MayBeApplied, Report};

/// Where an intent is after somebody has worked on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Settlement {
    /// It has its effect.
    Applied,
    /// It has no effect, now or later: its next call sends it.
    NotApplied,
    /// It was refused, and had no effect.
    Rejected,
    /// A person has to look.
    Manual,
    /// It is not settled yet: time ran out, or another worker has it.
    Open,
}

/// The change that an error stands for.
pub(super) fn change(error: &CallError) -> (Change, Settlement) {
    let why: Box<str> = error.failure().why().into();
    match (error, error.effect()) {
        (CallError::Refused(_), Effect::Absent) => (Change::Rejected { why }, Settlement::Rejected),
        (CallError::Invalid(_) | CallError::Exhausted(_), Effect::Absent) => {
            (Change::Ready { why }, Settlement::NotApplied)
        }
        (CallError::InDoubt(_), _) if time_settles(error.report()) => {
            (Change::Unknown { why, let_go: true }, Settlement::Open)
        }
        (
            CallError::Invalid(_)
            | CallError::Refused(_)
            | CallError::Exhausted(_)
            | CallError::InDoubt(_)
            | CallError::Duplicated(_)
            | CallError::Undecodable(_),
            _,
        ) => (Change::Manual { why: with_its_time(&why, error.report()) }, Settlement::Manual),
    }
}

/// A person must not decide before it can't be applied any more.
fn with_its_time(why: &str, report: &Report) -> Box<str> {
    match report.may_be_applied() {
        MayBeApplied::No => why.into(),
        until @ (MayBeApplied::Until(_) | MayBeApplied::Unbounded) => {
            format!("{why}. It may still be applied {until}: decide nothing else before").into()
        }
    }
}

/// Whether a call in doubt ended for its deadline alone, so that a later look can settle it.
fn time_settles(report: &Report) -> bool {
    let is_bounded = match report.may_be_applied() {
        MayBeApplied::No | MayBeApplied::Until(_) => true,
        MayBeApplied::Unbounded => false,
    };
    let last = report.checks().last();
    is_bounded
        && last.is_some_and(|check| match &check.finding {
            Finding::Absent => !check.proves,
            Finding::Failed(_) => true,
            Finding::Found | Finding::Multiple(_) | Finding::Unreliable(_) => false,
        })
}
