//! The Vibecode gateway: entity routes under `/v1/`, its keys, limits and errors.

mod breaker;
mod codes;
mod duplicates;
mod entity;
mod filter;
mod gateway;
mod keys;
mod names;
mod page;
mod pause;
mod products;
mod queue;
mod rate;
mod route;
mod search;
mod view;

use serde::de::IgnoredAny;
use serde_json::{Value, json};

use crate::clock::Clock;
use crate::crm::Context;
use crate::params::Params;
use crate::refusal::{Answered, Call, Refusal};

pub(crate) use gateway::{Gateway, GatewaySwitches};
pub(crate) use keys::{Key, Keys};
pub use names::UserFieldNames;
pub(crate) use page::{dress, page, refused, refused_with};
pub(crate) use queue::{Queue, QueueLimits};
pub(crate) use rate::Standing;
pub(crate) use route::{NoRoute, Route};

/// What a route sees of the portal.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sight<'a> {
    pub(crate) context: Context<'a>,
    pub(crate) switches: &'a GatewaySwitches,
}

/// Refuses a path that has no route, and a body that is no JSON.
pub(crate) fn check(route: Result<Route, NoRoute>, body: &[u8]) -> Result<Route, Refusal> {
    match route {
        Err(NoRoute::Unknown) => Err(codes::refusal("ROUTE_NOT_FOUND", "Route not found")),
        Err(NoRoute::BadId) => Err(codes::refusal("INVALID_PARAMS", "The id must be a number")),
        Err(NoRoute::Reserved(type_id)) => {
            let text = format!("entityTypeId {type_id} has an entity of its own: use its routes");
            Err(codes::refusal("RESERVED_ENTITY_TYPE", text))
        }
        Ok(route) => {
            let readable = body.trim_ascii().is_empty() || serde_json::from_slice::<IgnoredAny>(body).is_ok();
            readable.then_some(route).ok_or_else(|| codes::refusal("INVALID_REQUEST", "The body is not valid JSON"))
        }
    }
}

/// Understands a call.
pub(crate) fn call(sight: &Sight<'_>, route: Route, params: &Params) -> Result<Call, Refusal> {
    match route {
        Route::Entity(whose, act) => entity::call(sight, whose, act, params),
        Route::RowsGet(deal) => products::get(sight, deal).map(Call::Answer),
        Route::RowsSet(deal) => products::set(sight, deal, params),
        Route::Duplicates => duplicates::find(sight, params).map(Call::Answer),
        Route::Me => Ok(Call::Answer(me(sight))),
        Route::Batch => Err(codes::refusal("INVALID_REQUEST", "A batch is not one call")),
    }
}

fn me(sight: &Sight<'_>) -> Answered {
    let per_minute = sight.switches.rate.map(|(requests, _)| requests);
    let entities: serde_json::Map<String, Value> =
        route::entities().map(|(name, _)| (name.to_owned(), format!("/v1/{name}").into())).collect();
    Answered::plain(json!({
        "type": "personal",
        "portal": "127.0.0.1",
        "scopes": ["crm", "task"],
        "api": {"entityApi": {"entities": entities}},
        "rateLimit": {"requestsPerSecond": 10, "requestsPerMinute": per_minute},
        "owner": {"id": sight.context.user, "name": "Portal Administrator"},
        "expiresAt": null,
    }))
}

/// Whole seconds of real time that are left, rounded up: who waits as long as this is let in.
fn seconds_left(left: std::time::Duration) -> u64 {
    let whole = left.as_secs();
    (if left.subsec_nanos() > 0 { whole + 1 } else { whole }).max(1)
}

/// Portal time in real time, with zero as "off".
fn real(clock: Clock, portal: std::time::Duration) -> Option<std::time::Duration> {
    (!portal.is_zero()).then(|| clock.real(portal))
}
