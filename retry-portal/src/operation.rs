//! What a request that was let in is about, whatever API it speaks.

use std::time::Duration;

use crate::fault::Coded;
use crate::oauth;
use crate::params::Params;
use crate::refusal::{Answered, Call, Refusal};
use crate::reply::{Page, Voice};
use crate::rest2;
use crate::rest3;
use crate::shape::Shape;
use crate::state::{Settings, State};
use crate::time::Time;
use crate::vibe;

#[derive(Debug)]
pub(crate) enum Operation {
    /// `None`: there is no such method.
    Rest2(Option<rest2::Method>),
    Rest3(rest3::Request),
    Vibe(VibeCall),
    Tokens,
}

/// A call through the gateway.
#[derive(Debug)]
pub(crate) struct VibeCall {
    pub(crate) route: vibe::Route,
    pub(crate) key: vibe::Key,
    pub(crate) request_id: String,
    pub(crate) standing: Option<vibe::Standing>,
}

impl Operation {
    pub(crate) fn is_write(&self) -> bool {
        match self {
            Self::Rest2(method) => method.is_some_and(rest2::Method::is_write),
            Self::Rest3(request) => request.action.is_some_and(crate::crm::Action::is_write),
            Self::Vibe(call) => call.route.is_write(),
            Self::Tokens => true,
        }
    }

    /// Whether seeded faults may meet it: a method that the portal knows, and not the token server, where a lost answer
    /// can cost the only refresh token.
    pub(crate) fn is_drawn(&self) -> bool {
        match self {
            Self::Rest2(method) => method.is_some(),
            Self::Rest3(request) => request.action.is_some(),
            Self::Vibe(_) => true,
            Self::Tokens => false,
        }
    }

    pub(crate) fn is_vibe(&self) -> bool {
        matches!(self, Self::Vibe(_))
    }

    /// Understands the call.
    pub(crate) fn call(&self, state: &State, settings: &Settings, user: u64, params: &Params) -> Result<Call, Refusal> {
        match self {
            Self::Rest2(Some(method)) => rest2::call(&state.context(settings, user), *method, params),
            Self::Rest2(None) => Err(Refusal::new(404, "ERROR_METHOD_NOT_FOUND", "Method not found!")),
            Self::Rest3(request) => request.call(&state.context(settings, user)),
            Self::Vibe(call) => vibe::call(&state.sight(settings, user), call.route, params),
            Self::Tokens => oauth::call(&state.memory.tokens, settings.clock, settings.host.clone(), params),
        }
    }

    /// Puts the outcome into the envelope of the API.
    pub(crate) fn page(&self, state: &State, outcome: Result<Answered, Refusal>, time: &Time) -> Page {
        match self {
            Self::Rest2(_) => match outcome {
                Ok(answered) => Page::json(200, &rest2::envelope::body(answered, time)),
                Err(refusal) => self.refused(state, refusal),
            },
            Self::Rest3(_) => rest3::answer(state.rest3, outcome, time),
            Self::Vibe(call) => {
                let mut page = vibe::page(&state.gateway.switches, call.route, outcome);
                vibe::dress(&mut page, &call.request_id, call.standing);
                page
            }
            Self::Tokens => oauth::page(outcome),
        }
    }

    /// Puts a refusal into the envelope of the API.
    pub(crate) fn refused(&self, state: &State, refusal: Refusal) -> Page {
        match self {
            Self::Rest2(_) => Page::json(refusal.status, &Shape::Flat.body(&refusal)),
            Self::Rest3(_) => rest3::page(state.rest3, &refusal),
            Self::Vibe(call) => {
                let mut page = vibe::refused(&state.gateway.switches, &refusal);
                vibe::dress(&mut page, &call.request_id, call.standing);
                page
            }
            Self::Tokens => oauth::page(Err(refusal)),
        }
    }

    /// The answer of a fault, in the words of the API.
    pub(crate) fn coded(&self, state: &State, coded: &Coded, now: std::time::SystemTime) -> Page {
        let code = coded.error.as_str().unwrap_or_default();
        let rest = |shape| Voice { shape, gateway: false, status: rest_status(code) };
        match self {
            Self::Rest2(_) | Self::Tokens => Page::coded(coded, rest(Shape::Flat), now),
            Self::Rest3(_) => Page::coded(coded, rest(Shape::Nested), now),
            Self::Vibe(call) => {
                let switches = &state.gateway.switches;
                let voice = Voice { shape: switches.shape, gateway: true, status: switches.statuses.of(code) };
                let mut page = Page::coded(coded, voice, now);
                vibe::dress(&mut page, &call.request_id, call.standing);
                page
            }
        }
    }

    /// How long somebody in between waits for the work, in portal time.
    pub(crate) fn patience(&self, state: &State, limit: Duration) -> Option<Duration> {
        match self {
            Self::Vibe(_) => Some(state.gateway.switches.upstream_timeout.min(limit)),
            Self::Rest2(_) | Self::Rest3(_) | Self::Tokens => None,
        }
    }
}

/// The statuses of the system errors.
fn rest_status(code: &str) -> u16 {
    match code {
        "QUERY_LIMIT_EXCEEDED" | "OVERLOAD_LIMIT" => 503,
        "OPERATION_TIME_LIMIT" => 429,
        "INTERNAL_SERVER_ERROR" | "ERROR_UNEXPECTED_ANSWER" | "PORTAL_DELETED" => 500,
        "NO_AUTH_FOUND" | "expired_token" | "INVALID_CREDENTIALS" => 401,
        "ACCESS_DENIED" | "insufficient_scope" | "user_access_error" | "WRONG_AUTH_TYPE" => 403,
        "ERROR_METHOD_NOT_FOUND" => 404,
        _ => 400,
    }
}
