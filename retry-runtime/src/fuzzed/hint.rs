//! The pauses that a server asks for.

use std::time::{Duration, SystemTime};

use bytes::Bytes;
use http::header::{DATE, HeaderMap, HeaderValue, RETRY_AFTER};
use serde_json::value::RawValue;

use super::{Message, request, vibe};
use crate::api::{Heard, Usage};
use crate::clock::{Clock, SystemClock};
use crate::effect::OperationKind;
use crate::hint::{from_body, from_header};
use crate::report::span;
use crate::transport::Version;

/// Five lines: `Retry-After`, `Date`, `X-RateLimit-Remaining`, `X-RateLimit-Reset`, and JSON for `retryAfter` and `time`.
pub fn hint(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut lines = text.splitn(5, '\n');
    let [after, dated, remaining, reset, json] = std::array::from_fn(|_| lines.next().unwrap_or_default());
    let now = SystemClock.now();
    let read = from_header(after, Some(dated), now.wall());
    if let Some(pause) = read {
        fits(pause);
    }
    let digits = after.trim();
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        assert_eq!(read, Some(Duration::from_secs(digits.parse().unwrap_or(u64::MAX))));
    }
    if digits.strip_prefix('-').is_some_and(|rest| rest.parse::<f64>().is_ok_and(|number| number > 0.0)) {
        assert_eq!(read, None, "a pause of {digits}");
    }
    if httpdate::parse_http_date(dated.trim()).is_ok() {
        for clock in [SystemTime::UNIX_EPOCH, SystemTime::UNIX_EPOCH + Duration::from_hours(24 * 365 * 300)] {
            assert_eq!(read, from_header(after, Some(dated), clock), "our own clock counts");
        }
    }
    answered(after, dated, remaining, reset, json);
}

/// The same through a whole answer: the larger of both hints is the one that counts.
fn answered(after: &str, date: &str, remaining: &str, reset: &str, json: &str) {
    let Ok(value) = serde_json::from_str::<&RawValue>(json) else { return };
    let pause = from_body(value);
    pause.into_iter().for_each(fits);
    if let Some(usage) = Usage::read(value) {
        fits(usage.less_in);
        fits(usage.used);
    }
    let mut headers = HeaderMap::new();
    for (name, text) in [(RETRY_AFTER, after), (DATE, date)] {
        headers.extend(HeaderValue::from_str(text).map(|text| (name, text)));
    }
    for (name, text) in [("x-ratelimit-remaining", remaining), ("x-ratelimit-reset", reset)] {
        headers.extend(HeaderValue::from_str(text).map(|text| (http::HeaderName::from_static(name), text)));
    }
    let body = format!(r#"{{"success":false,"error":{{"code":"RATE_LIMITED","retryAfter":{json}}}}}"#);
    let message = Message { status: http::StatusCode::TOO_MANY_REQUESTS, headers, body: body.as_bytes(), rest: "" };
    let call = request("crm.deal.get", OperationKind::Read, Version::Two, Bytes::from_static(b"{}"));
    let Some(answer) = vibe().map(|api| message.answer(&api, &call, message.body)) else { return };
    assert!(matches!(answer.heard, Heard::Code { .. }), "{answer:?}");
    assert!(answer.hint >= pause, "{:?} beside {pause:?}", answer.hint);
    answer.hint.into_iter().for_each(fits);
    if let Some(allowance) = answer.allowance {
        fits(allowance.resets_in);
        assert_eq!(remaining.trim().parse(), Ok(allowance.remaining));
    }
}

/// A pause can be counted from now on both clocks, is never over before it began, and has a text.
fn fits(pause: Duration) {
    let now = SystemClock.now();
    let until = now.after(pause);
    assert!(pause.is_zero() || !now.is_past(until));
    assert!(now.left_until(until) <= pause);
    assert!(!span(pause).to_string().is_empty());
}
