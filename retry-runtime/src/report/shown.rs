//! The report as a person reads it.

use std::fmt;
use std::time::{Duration, SystemTime};

use super::{Attempt, Check, Finding, MayBeApplied, Outcome, Report};
use crate::decision::Decision;
use crate::effect::OperationKind;

/// A moment of the wall clock as people and logs write it, in UTC.
///
/// A clock that is far off shows the nearest year it can: the formatter knows 1970 to 9999 only.
pub(crate) fn utc(moment: SystemTime) -> impl fmt::Display {
    const LAST: Duration = Duration::from_secs(253_402_300_799);
    humantime::format_rfc3339_millis(moment.clamp(SystemTime::UNIX_EPOCH, SystemTime::UNIX_EPOCH + LAST))
}

/// A time span as people write it, to the millisecond.
pub(crate) fn span(time: Duration) -> impl fmt::Display {
    let whole = Duration::from_millis(u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
    humantime::format_duration(whole)
}

impl fmt::Display for MayBeApplied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::No => f.write_str("no"),
            Self::Until(moment) => write!(f, "until {}", utc(*moment)),
            Self::Unbounded => f.write_str("without a known end"),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Success => f.write_str("success"),
            Self::Code { code, text } if text.is_empty() => write!(f, "code {code}"),
            Self::Code { code, text } => write!(f, "code {code}: {text}"),
            Self::Moved { host } => write!(f, "the portal has moved to {host}"),
            Self::TokenRenewed => f.write_str("the access token had expired and was renewed"),
            Self::NotInBatch => {
                f.write_str("the portal does not take the method inside a batch, so it goes alone from now on")
            }
            Self::NoToken { why } => write!(f, "the access token has expired and can't be renewed: {why}"),
            Self::Unsendable { why } => f.write_str(why),
            Self::NoEnvelope { what } => write!(f, "no answer: {what}"),
            Self::NotSent { why } => write!(f, "not sent: {why}"),
            Self::Lost { why } => write!(f, "answer lost: {why}"),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Found => f.write_str("found"),
            Self::Absent => f.write_str("absent"),
            Self::Multiple(found) => write!(f, "{} matches: {}", found.len(), found.join(", ")),
            Self::Unreliable(why) => write!(f, "unreliable: {why}"),
            Self::Failed(why) => write!(f, "failed: {why}"),
        }
    }
}

/// A wait for one's turn that is told of; shorter ones are the machine's own.
const WORTH_SAYING: Duration = Duration::from_millis(100);

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.sent_at {
            Some(moment) => {
                write!(f, "send {}, {}, after {}: {}", self.number, utc(moment), span(self.took), self.outcome)?;
            }
            None if matches!(self.outcome, Outcome::NotSent { .. } | Outcome::Unsendable { .. }) => {
                write!(f, "send {}, never left: {}", self.number, self.outcome)?;
            }
            None => write!(f, "send {}, at a time not told, after {}: {}", self.number, span(self.took), self.outcome)?,
        }
        if self.waited >= WORTH_SAYING {
            write!(f, "; waited {} for its turn", span(self.waited))?;
        }
        if let Some(status) = self.status {
            write!(f, "; HTTP {status}")?;
        }
        if let Some(id) = &self.request_id {
            write!(f, "; X-Request-Id {id}")?;
        }
        if self.replayed {
            f.write_str("; the stored answer of an earlier send")?;
        }
        if let Some(hint) = self.hint {
            write!(f, "; asked to wait {}", span(hint))?;
        }
        if let Some(decision) = self.decision {
            let word = match decision {
                Decision::Retry => "retry",
                Decision::ReadBack => "read back",
                Decision::Fix => "fix",
            };
            write!(f, "; decided: {word}")?;
        }
        if let Some(pause) = self.pause {
            write!(f, " after {}", span(pause))?;
        }
        Ok(())
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "read-back, {}, after {}: {}", utc(self.began), span(self.took), self.finding)?;
        if self.finding == Finding::Absent {
            f.write_str(if self.proves { " (proof)" } else { " (no proof)" })?;
        }
        for read in &self.reads {
            write!(f, "\n      {read}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "  call: {} ({}), {}", self.method, self.kind, self.ending.as_str())?;
        if let Some(key) = &self.key {
            write!(f, "\n  key: {key}")?;
        }
        if let Some(key) = &self.idempotency_key {
            write!(f, "\n  idempotency key: {key}")?;
        }
        write!(f, "\n  began: {}, took {}", utc(self.started), span(self.elapsed))?;
        if self.kind == OperationKind::Write {
            write!(f, "\n  may still be applied: {}", self.may_be_applied)?;
        }
        let mut checks = self.checks.iter().peekable();
        for attempt in &self.attempts {
            while let Some(check) = checks.next_if(|check| attempt.sent_at.is_some_and(|sent| check.began < sent)) {
                write!(f, "\n    {check}")?;
            }
            write!(f, "\n    {attempt}")?;
        }
        for check in checks {
            write!(f, "\n    {check}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Report {
    /// The same as `Display`: a report is read by people, and its request stays out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
