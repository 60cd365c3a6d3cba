//! What chance decides: policies, steps, patience.

use std::time::Duration;

use fastrand::Rng;
use retry_runtime::Policy;
use serde_json::json;

use crate::support::{Step, millis, secs};

/// Codes whose request may be applied for the settle time.
const UNCLEAR: [&str; 4] = ["BITRIX_TIMEOUT", "SERVICE_UNAVAILABLE", "NEVER_HEARD_OF", "NEVER_HEARD_OF_EITHER"];
const ENDED: [&str; 3] = ["OPERATION_TIME_LIMIT", "INTERNAL_SERVER_ERROR", "ERROR_UNEXPECTED_ANSWER"];
const HOSTED: [&str; 2] = ["BH_APP_STARTING", "BH_APP_TIMEOUT"];
const SAFE: [&str; 4] = ["QUERY_LIMIT_EXCEEDED", "RATE_LIMITED", "QUEUE_TIMEOUT", "TIMEOUT_QUARANTINE"];
const REFUSED: [&str; 2] = ["ACCESS_DENIED", "TOKEN_REFRESH_FAILED"];
const BUSINESS: [&str; 2] = ["ERROR_CORE", "BITRIX_ERROR"];

fn one_of(rng: &mut Rng, codes: &[&str]) -> Step {
    Step::code(codes[rng.usize(..codes.len())])
}

/// A time up to so many seconds, short ones more often.
pub(super) fn up_to(rng: &mut Rng, seconds: u64) -> Duration {
    let most = seconds * 1_000;
    millis(if rng.bool() { rng.u64(..=most) } else { rng.u64(..=most / 20) })
}

/// The limits of each call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) attempts: u32,
    pub(super) deadline: Duration,
    base: Duration,
    cap: Duration,
}

impl Limits {
    pub(super) fn policy(self) -> Policy {
        Policy::new().attempts(self.attempts).deadline(self.deadline).backoff(self.base, self.cap)
    }
}

pub(super) fn limits(rng: &mut Rng) -> Limits {
    let deadline = [0, 5, 30, 95, 150, 300, 300, 300, 1_000][rng.usize(..9)];
    let (base, cap) = [(0, 0), (500, 30_000), (500, 30_000), (5_000, 5_000)][rng.usize(..4)];
    Limits { attempts: rng.u32(1..=5), deadline: secs(deadline), base: millis(base), cap: millis(cap) }
}

/// What a write meets. Its effect never comes later than its answer lets one fear.
pub(super) fn write_step(rng: &mut Rng) -> Step {
    let takes = up_to(rng, 60);
    let rest = |seconds| secs(seconds).saturating_sub(takes);
    let step = match rng.u8(..22) {
        0..=3 => return dressed(rng, Step::honest().takes(takes)),
        4 | 5 => one_of(rng, &SAFE),
        6 => Step::not_sent(),
        7 => one_of(rng, &REFUSED),
        8 => Step::moved(),
        9 => return Step::result(&[json!({"strange": true}), json!(false)][rng.usize(..2)]).takes(takes),
        10 | 11 => one_of(rng, &BUSINESS).effect(rng, secs(0)),
        12 | 13 => one_of(rng, &ENDED).effect(rng, secs(15)),
        // Longer than any settle time, and not longer than is feared of a send that has not ended (65 s and 85 s).
        14 => one_of(rng, &HOSTED).effect(rng, rest(149)),
        15 | 16 => one_of(rng, &UNCLEAR).effect(rng, rest(90)),
        17 => Step::html().effect(rng, rest(90)),
        18 => Step::silence().effect(rng, rest(90)),
        _ => Step::lost().effect(rng, rest(90)),
    };
    dressed(rng, step.takes(takes))
}

trait Effect {
    /// Applied before, never, or so much later at the most.
    fn effect(self, rng: &mut Rng, at_most: Duration) -> Step;
}

impl Effect for Step {
    fn effect(self, rng: &mut Rng, at_most: Duration) -> Step {
        match rng.u8(..3) {
            0 => self,
            1 => self.applied(),
            // The very last moment is as good as any other.
            _ if rng.u8(..4) == 0 => self.applied_late(at_most),
            _ => self.applied_late(at_most.mul_f64(rng.f64())),
        }
    }
}

/// Some wait for their turn, and some answers ask to wait.
fn dressed(rng: &mut Rng, step: Step) -> Step {
    let step = if rng.u8(..8) == 0 { step.waits(up_to(rng, 20)) } else { step };
    match rng.u8(..12) {
        0 => step.asks_to_wait(up_to(rng, 100)),
        1 => step.asks_to_wait([Duration::ZERO, secs(86_400), Duration::MAX][rng.usize(..3)]),
        _ => step,
    }
}

/// What a list meets. It may fail and say too little, but it does not lie about a row.
pub(super) fn read_step(rng: &mut Rng) -> Step {
    let takes = up_to(rng, 60);
    let step = match rng.u8(..20) {
        0 => Step::lost(),
        1 => Step::html(),
        2 => one_of(rng, &SAFE),
        3 => one_of(rng, &UNCLEAR),
        4 => one_of(rng, &REFUSED),
        5 => Step::silence(),
        6 if rng.bool() => Step::page(&json!([]), Some(50), None),
        7 if rng.bool() => Step::page(&json!([{"ID": "9999", "ORIGIN_ID": "of another"}]), None, None),
        8 => Step::not_sent(),
        9 => Step::honest().takes(takes),
        _ => return Step::honest(),
    };
    dressed(rng, step.takes(takes))
}
