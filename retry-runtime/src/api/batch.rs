//! Calls that travel together: how they become one request, and how its answer becomes one for each.

use std::collections::HashMap;

use bytes::Bytes;
use serde_json::value::RawValue;

use super::answer::{Answer, Form, Heard, Success, View};
use super::json::Opened;
use super::usage::Usage;
use super::{rest, vibe};
use crate::code::Code;
use crate::decision::{Decision, Horizon, Route, decide, horizon};
use crate::decode::Beside;
use crate::effect::OperationKind;
use crate::transport::{Request, Version};

/// The method an envelope is sent as.
pub(crate) const BATCH: &str = "batch";

/// A longer piece goes alone, in bytes (our choice).
const LONGEST: usize = 32 * 1024;

/// What each call takes in the envelope besides its own piece, at the most.
const AROUND: usize = 16;

/// A command that the portal does not take inside a batch.
const NOT_IN_A_BATCH: &str = "ERROR_BATCH_METHOD_NOT_ALLOWED";

/// Commands beyond what a batch may hold: as the code of a whole batch it says that those before them ran.
const TOO_MANY: &str = "ERROR_BATCH_LENGTH_EXCEEDED";

/// The form in which calls travel together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BatchForm {
    Rest2,
    /// Reads only: the documentation does not say what becomes of a call that fails.
    Rest3,
    Vibe,
}

/// The answer for one call of a batch.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) answer: Answer,
    /// What its method has used of its operating time.
    pub(crate) usage: Option<Usage>,
}

impl BatchForm {
    /// The form for a call; `None` if it goes alone.
    ///
    /// An OAuth token goes into the JSON object of a body, and the body of a REST 3.0 batch is an array.
    pub(crate) fn of(route: Route, oauth: bool, request: &Request) -> Option<Self> {
        if request.idempotency_key.is_some() || request.credentials.is_some() {
            return None;
        }
        match (route, request.version, request.kind) {
            (Route::Direct, Version::Two, _) => Some(Self::Rest2),
            (Route::Direct, Version::Three, OperationKind::Read) if !oauth => Some(Self::Rest3),
            (Route::Gateway, Version::Two, _) => Some(Self::Vibe),
            (Route::Direct | Route::Gateway, Version::Three, _) => None,
        }
    }

    pub(crate) const fn version(self) -> Version {
        match self {
            Self::Rest2 | Self::Vibe => Version::Two,
            Self::Rest3 => Version::Three,
        }
    }

    /// A call as a piece of the envelope; `None` if it goes alone.
    ///
    /// What reads as a reference to another call's result goes alone in each form: the gateway makes a batch of REST 2 of its own, and the
    /// documentation of REST 3.0 does not say what a reference looks like there.
    pub(crate) fn piece(self, request: &Request) -> Option<String> {
        let piece = match self {
            Self::Rest2 => rest::command::command(request.method, &request.arguments),
            Self::Rest3 | Self::Vibe if rest::command::refers(&request.arguments) => None,
            Self::Rest3 => rest::batch::element(request.method, &request.arguments),
            Self::Vibe => vibe::batch::element(request.method, &request.arguments),
        };
        piece.filter(|piece| piece.len() <= LONGEST)
    }

    /// How many bytes a piece takes in the envelope, at the most.
    pub(crate) const fn room(piece: &str) -> usize {
        piece.len() + AROUND
    }

    /// The arguments of the request that carries these pieces.
    pub(crate) fn envelope<'a>(self, pieces: impl Iterator<Item = &'a str>) -> Bytes {
        let json = match self {
            Self::Rest2 => rest::batch::envelope_2(pieces),
            Self::Rest3 => rest::batch::envelope_3(pieces),
            Self::Vibe => vibe::batch::envelope(pieces),
        };
        json.into()
    }

    /// The answer for each of the calls, in their order, by what was heard of the whole.
    pub(crate) fn split(self, whole: &Answer, calls: &[&Request]) -> Vec<Part> {
        let whole = Answer { allowance: None, replayed: false, ..whole.clone() };
        if let Heard::Success(success) = &whole.heard {
            self.parts(success, &whole, calls)
        } else {
            calls.iter().map(|call| Part { answer: whole.of_the_whole(self, call.kind), usage: None }).collect()
        }
    }

    fn parts(self, success: &Success, whole: &Answer, calls: &[&Request]) -> Vec<Part> {
        let items = match self {
            Self::Rest2 => rest::batch::split_2(&success.json, calls.len()),
            Self::Rest3 => rest::batch::split_3(&success.json, calls.len()),
            Self::Vibe => {
                let methods: Vec<&str> = calls.iter().map(|call| call.method).collect();
                vibe::batch::split(&success.json, &methods)
            }
        };
        let part = |Item { said, usage }| {
            let Opened { heard, hint } = said.unwrap_or_else(|| Opened { heard: nothing_said(), hint: None });
            let not_here = matches!(&heard, Heard::Code { code: Code::Refusal(NOT_IN_A_BATCH), .. });
            let heard = if not_here { Heard::NotInBatch } else { heard.without(&success.secrets) };
            Part { answer: Answer { heard, hint, status: None, ..whole.clone() }, usage }
        };
        items.into_iter().map(part).collect()
    }

    const fn route(self) -> Route {
        match self {
            Self::Rest2 | Self::Rest3 => Route::Direct,
            Self::Vibe => Route::Gateway,
        }
    }
}

impl Answer {
    /// The same with its body read to the end: nothing of a batch is believed before.
    pub(crate) fn opened(self) -> Self {
        let Heard::Success(success) = self.heard else { return self };
        let (heard, hint) = success.opened();
        Self { heard, hint: self.hint.max(hint), ..self }
    }

    /// What an answer that is no success of the whole batch says of one call in it.
    fn of_the_whole(&self, form: BatchForm, kind: OperationKind) -> Self {
        let mut answer = self.clone();
        if let Heard::Code { code, text } = &self.heard
            && !says_it_of_each(code, kind, form.route())
        {
            let what = format!(
                "the batch as a whole was answered with {code} ({text}), which does not say what became of this call"
            );
            answer.heard = Heard::NoEnvelope { what: what.into() };
        }
        answer
    }
}

/// Whether the code of a whole batch may be taken for that of a call in it: it was given before any of them ran, or it leaves the outcome of a write open by itself, or
/// the call is a read.
fn says_it_of_each(code: &Code, kind: OperationKind, route: Route) -> bool {
    let open = decide(code, OperationKind::Write) == Decision::ReadBack;
    kind == OperationKind::Read
        || before_any_ran(code, route)
        || (open && matches!(horizon(code, route), Horizon::SettleTime | Horizon::Unbounded))
}

fn before_any_ran(code: &Code, route: Route) -> bool {
    match code {
        Code::QueueOverflow
        | Code::QueueTimeout
        | Code::LargeBodyBackendBusy
        | Code::TimeoutQuarantine
        | Code::TokenRefreshFailed
        | Code::ExpiredToken => true,
        // The gateway may hear it of Bitrix24 in the middle of a batch.
        Code::QueryLimitExceeded => route == Route::Direct,
        Code::Refusal(code) => !matches!(*code, NOT_IN_A_BATCH | TOO_MANY),
        Code::RateLimited
        | Code::OperationTimeLimit
        | Code::InternalServerError
        | Code::ErrorUnexpectedAnswer
        | Code::BitrixTimeout
        | Code::BitrixUnavailable
        | Code::PoolExhausted
        | Code::DbTransient
        | Code::ServiceUnavailable
        | Code::BhAppStarting
        | Code::BhAppTimeout
        | Code::BitrixError
        | Code::ErrorLoopDetected
        | Code::Business(_)
        | Code::Other(_) => false,
    }
}

fn nothing_said() -> Heard {
    Heard::NoEnvelope { what: "the batch's answer has neither result nor error for it".into() }
}

/// What a batch says of one call; nothing, if it is in no map.
pub(super) struct Item {
    pub(super) said: Option<Opened>,
    pub(super) usage: Option<Usage>,
}

pub(super) fn items(count: usize, item: impl FnMut(usize) -> Item) -> Vec<Item> {
    (0..count).map(item).collect()
}

/// The name of a call within a batch. A map with numeric names would come back as a list.
pub(super) fn name(place: usize) -> String {
    format!("c{place}")
}

/// A result of its own, `null` too.
pub(super) fn present_result(body: &Bytes, value: &RawValue, beside: Beside, views: &'static [View]) -> Opened {
    let success = Success::of(body.slice_ref(value.get().as_bytes()), Form::Result(beside, views));
    Opened { heard: Heard::Success(success), hint: None }
}

/// Both a result that says something and an error, or one that may be its own: nothing tells which of them is true.
pub(super) fn contradiction() -> Opened {
    let what = "the batch's answer has both a result and an error for it";
    Opened { heard: Heard::NoEnvelope { what: what.into() }, hint: None }
}

/// A map by the names of the calls, or a list of all of them in their order.
pub(super) enum Slots<'a> {
    Named(HashMap<String, &'a RawValue>),
    Listed(Vec<&'a RawValue>),
    /// A list of another length: nothing says whose is whose.
    Nobodys,
}

impl<'a> Slots<'a> {
    /// What is neither map nor list has nothing for anyone.
    pub(super) fn read(value: Option<&'a RawValue>, count: usize) -> Self {
        let json = value.map_or("", RawValue::get);
        if json.starts_with('{') {
            Self::Named(serde_json::from_str(json).unwrap_or_default())
        } else {
            let listed: Vec<&RawValue> = serde_json::from_str(json).unwrap_or_default();
            if listed.is_empty() || listed.len() == count { Self::Listed(listed) } else { Self::Nobodys }
        }
    }

    pub(super) fn get(&self, place: usize) -> Option<&'a RawValue> {
        match self {
            Self::Named(named) => named.get(&name(place)).copied(),
            Self::Listed(listed) => listed.get(place).copied(),
            Self::Nobodys => None,
        }
    }

    /// Whether it holds something, and nothing says of which call.
    pub(super) const fn are_nobodys(&self) -> bool {
        matches!(self, Self::Nobodys)
    }
}
