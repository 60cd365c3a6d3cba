//! The pause a server asks for: `Retry-After` in both forms, `retryAfter` in a body.

use std::time::{Duration, SystemTime};

use serde_json::value::RawValue;

/// Reads a `Retry-After` header: seconds, or an HTTP date, which counts from the answer's own `Date`.
///
/// A date in the past is no wait. `None` is a value that cannot be read, or a date without a `Date` beside it and no clock given.
pub(crate) fn from_header(value: &str, date: Option<&str>, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if let Some(seconds) = seconds(value) {
        return Some(seconds);
    }
    let until = httpdate::parse_http_date(value).ok()?;
    let from = date.and_then(|date| httpdate::parse_http_date(date.trim()).ok()).unwrap_or(now);
    Some(until.duration_since(from).unwrap_or_default())
}

/// Reads `retryAfter` of a body: seconds as a number or as its text.
pub(crate) fn from_body(value: &RawValue) -> Option<Duration> {
    seconds(value.get().trim_matches('"'))
}

/// Seconds, whole or not, up to whatever fits; negative ones are no wait that could be kept.
fn seconds(text: &str) -> Option<Duration> {
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::MAX)));
    }
    let number: f64 = text.parse().ok()?;
    if number.is_nan() || number < 0.0 {
        return None;
    }
    Some(Duration::try_from_secs_f64(number).unwrap_or(Duration::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATE: &str = "Mon, 30 Nov 2026 10:00:00 GMT";

    fn at(text: &str) -> SystemTime {
        httpdate::parse_http_date(text).unwrap()
    }

    #[test]
    fn case_b71_seconds_and_dates_are_read() {
        assert_eq!(from_header("4", None, at(DATE)), Some(Duration::from_secs(4)));
        assert_eq!(from_header(" 4.5 ", None, at(DATE)), Some(Duration::from_millis(4500)));
        assert_eq!(from_header("0.0", None, at(DATE)), Some(Duration::ZERO));
        let date = "Mon, 30 Nov 2026 10:00:03 GMT";
        assert_eq!(from_header(date, Some(DATE), at(DATE)), Some(Duration::from_secs(3)));
    }

    #[test]
    fn case_b73_a_date_counts_from_the_answer_and_never_backwards() {
        let ahead = "Mon, 30 Nov 2026 10:00:10 GMT";
        let an_hour_off = at("Mon, 30 Nov 2026 11:00:00 GMT");
        assert_eq!(from_header(ahead, Some(DATE), an_hour_off), Some(Duration::from_secs(10)));
        let past = "Mon, 30 Nov 2026 09:00:00 GMT";
        assert_eq!(from_header(past, Some(DATE), at(DATE)), Some(Duration::ZERO));
        for nonsense in ["-5", "soon", "", "NaN", "-inf"] {
            assert_eq!(from_header(nonsense, Some(DATE), at(DATE)), None, "{nonsense}");
        }
    }

    #[test]
    fn case_b74_a_huge_value_does_not_overflow() {
        for huge in ["86400000000000000000000", "1e300", "inf"] {
            assert!(from_header(huge, None, at(DATE)).unwrap() >= Duration::from_secs(u64::MAX), "{huge}");
        }
    }

    #[test]
    fn a_body_may_give_a_number_or_its_text() {
        let read = |text: &str| from_body(&RawValue::from_string(text.into()).unwrap());
        assert_eq!(read("7"), Some(Duration::from_secs(7)));
        assert_eq!(read("\"7\""), Some(Duration::from_secs(7)));
        assert_eq!(read("0.5"), Some(Duration::from_millis(500)));
        assert_eq!(read("null"), None);
        assert_eq!(read("{}"), None);
    }
}
