//! What the answers of a portal say of its limits.

use std::time::Duration;

use super::pauses::NEAR;
use super::queue::Who;
use super::turnstile::Turnstile;
use crate::api::{Answer, Heard, Usage};
use crate::code::Code;

/// What a code says of the limits.
enum Said {
    /// The portal, or the key, is to wait.
    PortalWaits,
    /// The method is to wait.
    MethodWaits,
    /// The method has used up its operating time.
    MethodUsedUp,
    /// The method fails again and again.
    Loop,
    Nothing,
}

fn said(code: &Code) -> Said {
    match code {
        Code::RateLimited | Code::QueryLimitExceeded | Code::QueueOverflow | Code::QueueTimeout => Said::PortalWaits,
        Code::TimeoutQuarantine | Code::LargeBodyBackendBusy => Said::MethodWaits,
        Code::OperationTimeLimit => Said::MethodUsedUp,
        Code::ErrorLoopDetected => Said::Loop,
        Code::InternalServerError
        | Code::ErrorUnexpectedAnswer
        | Code::BitrixTimeout
        | Code::BitrixUnavailable
        | Code::PoolExhausted
        | Code::DbTransient
        | Code::ServiceUnavailable
        | Code::BhAppStarting
        | Code::BhAppTimeout
        | Code::BitrixError
        | Code::TokenRefreshFailed
        | Code::ExpiredToken
        | Code::Refusal(_)
        | Code::Business(_)
        | Code::Other(_) => Said::Nothing,
    }
}

impl Turnstile {
    pub(super) fn hear(&self, who: Who, answer: &Answer) {
        if let Some(allowance) = answer.allowance {
            self.mind();
            let (mut state, now) = self.look();
            state.meter.allow(allowance, now.elapsed);
        }
        let Heard::Code { code, .. } = &answer.heard else { return };
        let said = said(code);
        if !matches!(said, Said::Nothing) {
            self.mind();
        }
        match said {
            Said::Nothing => {}
            Said::PortalWaits => self.portal_waits(code, answer.hint),
            Said::MethodWaits => {
                if let Some(hint) = answer.hint {
                    let (mut state, now) = self.look();
                    state.pauses.pause_method(who, hint, now.elapsed);
                    drop(state);
                    method_waits(who, code, hint);
                }
            }
            Said::MethodUsedUp => {
                let (mut state, now) = self.look();
                let documented = state.slow_from().is_some();
                let time = state.pauses.used_up(who, answer.hint, documented, now.elapsed);
                drop(state);
                if let Some(time) = time {
                    method_waits(who, code, time);
                }
            }
            Said::Loop => self.open(who, answer.hint),
        }
    }

    fn portal_waits(&self, code: &Code, hint: Option<Duration>) {
        let (mut state, now) = self.look();
        if *code == Code::QueryLimitExceeded {
            state.meter.fill(now.elapsed);
        }
        let Some(hint) = hint else { return };
        state.pauses.pause_portal(hint, now.elapsed);
        drop(state);
        tracing::debug!(%code, pause_ms = hint.as_millis(), "the portal asks to wait");
    }

    fn open(&self, who: Who, hint: Option<Duration>) {
        let (mut state, now) = self.look();
        let time = state.breakers.open(who, hint, now.elapsed);
        state.queue.call_all(who);
        drop(state);
        tracing::warn!(method = who.method, open_ms = time.as_millis(), "circuit breaker opened");
    }

    /// A success says what the method has used of its operating time.
    pub(super) fn used(&self, who: Who, usage: Usage) {
        if !self.minds() {
            if usage.used < NEAR {
                return;
            }
            self.mind();
        }
        let (mut state, now) = self.look();
        let slow = state.slow_from().is_some_and(|most| usage.used >= most) && !usage.less_in.is_zero();
        state.pauses.used(who, usage, slow, now.elapsed);
        drop(state);
        if slow {
            let (used_ms, pause_ms) = (usage.used.as_millis(), usage.less_in.as_millis());
            tracing::debug!(method = who.method, used_ms, pause_ms, "slows down before the operating limit");
        }
    }
}

fn method_waits(who: Who, code: &Code, time: Duration) {
    tracing::debug!(method = who.method, %code, pause_ms = time.as_millis(), "the portal asks a method to wait");
}
