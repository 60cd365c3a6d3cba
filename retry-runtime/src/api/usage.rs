//! What a portal says of its limits beside its answers.

use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::json::present;

/// What a method has used of its operating time, by the portal's own account (`time` of an answer).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Usage {
    /// The execution time of the last ten minutes.
    pub(crate) used: Duration,
    /// How long until the oldest of it no longer counts.
    pub(crate) less_in: Duration,
}

/// What the gateway says that a key has left (`X-RateLimit-Remaining`, `X-RateLimit-Reset`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// How many requests more.
    pub remaining: u32,
    /// How long until the window begins anew.
    pub resets_in: Duration,
}

#[derive(Deserialize)]
struct Time<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    finish: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    operating: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    operating_reset_at: Option<&'a RawValue>,
}

impl Usage {
    /// Reads a `time` block. Each of its fields may be missing, and an odd one says nothing.
    pub(crate) fn read(time: &RawValue) -> Option<Self> {
        let time: Time<'_> = serde_json::from_str(time.get()).ok()?;
        let seconds = |value: Option<&RawValue>| value?.get().trim_matches('"').parse::<f64>().ok();
        let used = Duration::try_from_secs_f64(seconds(time.operating)?).ok()?;
        // Both by the clock of the portal, whatever it shows.
        let less_in = seconds(time.operating_reset_at)? - seconds(time.finish)?;
        Some(Self { used, less_in: Duration::try_from_secs_f64(less_in.max(0.0)).ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(time: &str) -> Option<Usage> {
        Usage::read(serde_json::from_str(time).unwrap())
    }

    #[test]
    fn the_operating_time_is_read_by_the_clock_of_the_portal() {
        let time = r#"{"start":1796000000.1,"finish":1796000001,"operating":430.5,"operating_reset_at":1796000061}"#;
        let usage = Usage { used: Duration::from_millis(430_500), less_in: Duration::from_mins(1) };
        assert_eq!(read(time), Some(usage));
        assert_eq!(read(&time.replace("1796000061", "\"1796000000\"")).unwrap().less_in, Duration::ZERO);
    }

    #[test]
    fn what_is_missing_or_odd_says_nothing() {
        for time in ["{}", "[]", "null", r#"{"operating":1}"#, r#"{"operating":-1,"operating_reset_at":2,"finish":1}"#]
        {
            assert_eq!(read(time), None, "{time}");
        }
        assert_eq!(read(r#"{"operating":1e999,"operating_reset_at":2,"finish":1}"#), None);
        assert_eq!(read(r#"{"operating":1,"operating_reset_at":1e300,"finish":1}"#), None);
    }
}
