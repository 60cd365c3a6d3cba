//! What a portal says of its limits beside its answers.

use std::fmt;
use std::time::Duration;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

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

/// A `time` block, read as it comes. Each of its fields may be missing, and what is odd says nothing.
#[derive(Debug, Default)]
pub(super) struct Time(pub(super) Option<Usage>);

#[derive(serde::Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum Field {
    Finish,
    Operating,
    OperatingResetAt,
    #[serde(other)]
    Other,
}

impl Usage {
    /// Reads a `time` block.
    pub(crate) fn read(time: &RawValue) -> Option<Self> {
        serde_json::from_str::<Time>(time.get()).ok()?.0
    }

    fn of(finish: &RawValue, operating: &RawValue, resets_at: &RawValue) -> Option<Self> {
        let used = Duration::try_from_secs_f64(seconds(operating)?).ok()?;
        // Both by the clock of the portal, whatever it shows.
        let less_in = Duration::try_from_secs_f64((seconds(resets_at)? - seconds(finish)?).max(0.0)).ok()?;
        Some(Self { used, less_in })
    }
}

/// Seconds, as a number or as its text.
fn seconds(value: &RawValue) -> Option<f64> {
    value.get().trim_matches('"').parse().ok()
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Block)
    }
}

struct Block;

impl<'de> Visitor<'de> for Block {
    type Value = Time;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a block of times")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Time, A::Error> {
        let (mut finish, mut operating, mut resets_at) = (None::<&RawValue>, None::<&RawValue>, None::<&RawValue>);
        while let Some(field) = map.next_key()? {
            match field {
                Field::Finish => finish = Some(map.next_value()?),
                Field::Operating => operating = Some(map.next_value()?),
                Field::OperatingResetAt => resets_at = Some(map.next_value()?),
                Field::Other => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        let told = finish.zip(operating).zip(resets_at);
        Ok(Time(told.and_then(|((finish, operating), resets_at)| Usage::of(finish, operating, resets_at))))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Time, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Time::default())
    }

    fn visit_bool<E>(self, _: bool) -> Result<Time, E> {
        Ok(Time::default())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Time, E> {
        Ok(Time::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<Time, E> {
        Ok(Time::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Time, E> {
        Ok(Time::default())
    }

    fn visit_str<E>(self, _: &str) -> Result<Time, E> {
        Ok(Time::default())
    }

    fn visit_unit<E>(self) -> Result<Time, E> {
        Ok(Time::default())
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
