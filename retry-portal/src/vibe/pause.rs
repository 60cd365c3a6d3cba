//! Pauses that the gateway remembers: it refuses a method by itself until they are over.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::Instant;

use super::codes::refusal;
use super::seconds_left;
use crate::clock::later;
use crate::refusal::Refusal;

/// By method, in real time.
#[derive(Debug, Default)]
pub(crate) struct Pauses(BTreeMap<String, Pause>);

#[derive(Debug, Clone, Copy)]
struct Pause {
    code: &'static str,
    until: Instant,
}

impl Pauses {
    pub(crate) fn open(&mut self, method: &str, code: &'static str, length: Option<Duration>, now: Instant) {
        if let Some(length) = length {
            self.0.insert(method.to_owned(), Pause { code, until: later(now, length) });
        }
    }

    /// Refuses a method that is paused, and says how long yet.
    pub(crate) fn check(&self, method: &str, now: Instant) -> Result<(), Refusal> {
        match self.0.get(method).filter(|pause| pause.until > now) {
            None => Ok(()),
            Some(pause) => {
                let left = seconds_left(pause.until.saturating_duration_since(now));
                Err(refusal(pause.code, format!("{method} is paused")).with("retryAfter", left))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::now;

    #[test]
    fn a_pause_holds_its_method_until_it_is_over() {
        let start = now();
        let mut pauses = Pauses::default();
        pauses.open("a", "TIMEOUT_QUARANTINE", Some(Duration::from_millis(1500)), start);
        pauses.open("b", "TIMEOUT_QUARANTINE", None, start);
        let refused = pauses.check("a", start).expect_err("a pause");
        assert_eq!((refused.code, refused.more["retryAfter"].as_u64()), ("TIMEOUT_QUARANTINE".into(), Some(2)));
        assert_eq!(pauses.check("a", start + Duration::from_millis(1500)), Ok(()));
        assert_eq!(pauses.check("b", start), Ok(()));
    }
}
