//! Times as people read them.

use std::fmt::Write as _;
use std::time::{Duration, SystemTime};

/// A time to the second, in UTC: `2026-11-30T18:05:09Z`.
pub(crate) fn stamp(at: SystemTime) -> String {
    written(at, humantime::format_rfc3339_seconds)
}

/// A time to the millisecond, in UTC.
pub(crate) fn fine_stamp(at: SystemTime) -> String {
    written(at, humantime::format_rfc3339_millis)
}

/// Times before 1970 and far ahead can't be written; a file may have them all the same.
fn written(at: SystemTime, format: fn(SystemTime) -> humantime::Rfc3339Timestamp) -> String {
    let mut text = String::new();
    if at >= SystemTime::UNIX_EPOCH && write!(text, "{}", format(at)).is_ok() {
        return text;
    }
    "a time that can't be read".to_owned()
}

/// A stamp as people read it: `2026-11-30 18:05:09 UTC`.
pub(crate) fn readable(stamp: &str) -> String {
    match stamp.split_once('T') {
        Some((day, time)) => format!("{day} {} UTC", time.trim_end_matches('Z')),
        None => stamp.to_owned(),
    }
}

/// How long something took or is ago, to its largest unit: `42 s`, `7 min`, `3 h`, `12 d`.
pub(crate) fn rough(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min", seconds / 60),
        3_600..172_800 => format!("{} h", seconds / 3_600),
        172_800.. => format!("{} d", seconds / 86_400),
    }
}

/// How long ago it was; what a clock shows as ahead is now.
pub(crate) fn ago(at: SystemTime, now: SystemTime) -> String {
    format!("{} ago", rough(now.duration_since(at).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_utc_and_one_that_cannot_be_is_no_panic() {
        assert_eq!(stamp(SystemTime::UNIX_EPOCH), "1970-01-01T00:00:00Z");
        assert_eq!(readable(&stamp(SystemTime::UNIX_EPOCH)), "1970-01-01 00:00:00 UTC");
        assert_eq!(fine_stamp(SystemTime::UNIX_EPOCH + Duration::from_millis(1_007)), "1970-01-01T00:00:01.007Z");
        for far in
            [SystemTime::UNIX_EPOCH - Duration::from_secs(1), SystemTime::UNIX_EPOCH + Duration::from_secs(1 << 40)]
        {
            assert_eq!(readable(&stamp(far)), "a time that can't be read");
        }
    }

    #[test]
    fn an_age_is_told_to_its_largest_unit() {
        let ages = [
            (0, "0 s"),
            (59, "59 s"),
            (60, "1 min"),
            (3_599, "59 min"),
            (7_200, "2 h"),
            (172_799, "47 h"),
            (172_800, "2 d"),
        ];
        for (seconds, text) in ages {
            assert_eq!(rough(Duration::from_secs(seconds)), text);
        }
        assert_eq!(ago(SystemTime::UNIX_EPOCH + Duration::from_secs(9), SystemTime::UNIX_EPOCH), "0 s ago");
    }
}
