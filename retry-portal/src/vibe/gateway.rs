//! What the gateway remembers between requests: rates, pauses and failures.

use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::breaker::Breaker;
use super::codes::{Statuses, of_native, refusal};
use super::keys::{Key, Keys};
use super::names::UserFieldNames;
use super::pause::Pauses;
use super::rate::{Rates, Standing};
use crate::clock::Clock;
use crate::refusal::Refusal;
use crate::shape::Shape;

/// What can be turned on a running portal.
#[derive(Debug, Clone)]
pub(crate) struct GatewaySwitches {
    /// So many requests of a key in so much portal time.
    pub(crate) rate: Option<(u32, Duration)>,
    /// After so many equal failures a method is closed.
    pub(crate) error_loop: Option<u32>,
    /// In portal time, zero for none.
    pub(crate) operation_pause: Duration,
    /// In portal time, zero for none.
    pub(crate) quarantine: Duration,
    /// How long the gateway waits for Bitrix24, in portal time.
    pub(crate) upstream_timeout: Duration,
    /// Whether the keys of another system survive where their survival is not documented.
    pub(crate) keeps_origin: bool,
    pub(crate) user_field_names: UserFieldNames,
    pub(crate) statuses: Statuses,
    pub(crate) shape: Shape,
    /// What lists say of parts they could not read.
    pub(crate) window_errors: u32,
    /// Whether a batch without errors says so with an empty list.
    pub(crate) batch_errors_as_list: bool,
}

impl Default for GatewaySwitches {
    fn default() -> Self {
        Self {
            rate: Some((300, Duration::from_secs(60))),
            error_loop: Some(10),
            operation_pause: Duration::from_secs(60),
            quarantine: Duration::from_secs(30),
            upstream_timeout: Duration::from_secs(60),
            keeps_origin: false,
            user_field_names: UserFieldNames::default(),
            statuses: Statuses::default(),
            shape: Shape::Nested,
            window_errors: 0,
            batch_errors_as_list: false,
        }
    }
}

#[derive(Debug)]
pub(crate) struct Gateway {
    pub(crate) keys: Keys,
    pub(crate) switches: GatewaySwitches,
    rates: Rates,
    pauses: Pauses,
    breaker: Breaker,
    requests: u64,
}

impl Gateway {
    pub(crate) fn new(keys: Keys, switches: GatewaySwitches) -> Self {
        Self {
            keys,
            switches,
            rates: Rates::default(),
            pauses: Pauses::default(),
            breaker: Breaker::default(),
            requests: 0,
        }
    }

    /// A number for `X-Request-Id`.
    pub(crate) fn next_request(&mut self) -> u64 {
        self.requests += 1;
        self.requests
    }

    /// Counts a request of this key. The standing is for the headers; the refusal is for a request too many.
    pub(crate) fn count(&mut self, key: Key, clock: Clock, now: Instant) -> (Option<Standing>, Result<(), Refusal>) {
        let Some((most, window)) = self.switches.rate else { return (None, Ok(())) };
        let (admitted, standing) = self.rates.count(key, most, clock.real(window), now);
        let refused = || {
            refusal("RATE_LIMITED", format!("More than {most} requests in {window:?}"))
                .with("retryAfter", standing.reset_seconds())
        };
        (Some(standing), if admitted { Ok(()) } else { Err(refused()) })
    }

    /// Whether a call of this method may go on to Bitrix24.
    pub(crate) fn admit(&mut self, key: Key, method: &str, clock: Clock, now: Instant) -> Result<(), Refusal> {
        self.pauses.check(method, now)?;
        match self.switches.error_loop {
            Some(threshold) => self.breaker.check(key, method, threshold, clock, now),
            None => Ok(()),
        }
    }

    /// What Bitrix24's refusal of a method that has worked too long becomes; the gateway remembers it.
    pub(crate) fn over_the_limit(
        &mut self,
        key: Key,
        method: &str,
        native: Refusal,
        clock: Clock,
        now: Instant,
    ) -> Refusal {
        let refusal = of_native(native);
        self.heard(key, method, Some(("OPERATION_TIME_LIMIT", &Value::Null)), clock, now);
        match super::real(clock, self.switches.operation_pause) {
            Some(pause) => refusal.with("retryAfter", super::seconds_left(pause)),
            None => refusal,
        }
    }

    /// Takes note of how a call that went to Bitrix24 was answered; `None`: without an error.
    pub(crate) fn heard(&mut self, key: Key, method: &str, error: Option<(&str, &Value)>, clock: Clock, now: Instant) {
        match error {
            Some(("OPERATION_TIME_LIMIT", _)) => {
                self.pauses.open(
                    method,
                    "OPERATION_TIME_LIMIT",
                    super::real(clock, self.switches.operation_pause),
                    now,
                );
            }
            Some(("BITRIX_TIMEOUT", _)) => {
                self.pauses.open(method, "TIMEOUT_QUARANTINE", super::real(clock, self.switches.quarantine), now);
            }
            Some((code @ ("BITRIX_ERROR" | "INVALID_PARAMS"), what)) => {
                self.breaker.failed(key, method, &format!("{code} {what}"), now);
            }
            Some(_) => {}
            None => self.breaker.succeeded(key, method),
        }
    }
}
