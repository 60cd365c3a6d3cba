//! What stands before every call: limits, addresses, credentials.

use bytes::Bytes;
use http::HeaderMap;
use serde_json::json;

use crate::address::{Address, Login, Target, Version};
use crate::batch::{self, Batch};
use crate::clock::now;
use crate::crm::text;
use crate::limit::Caller;
use crate::oauth;
use crate::operation::{Operation, VibeCall};
use crate::params::Params;
use crate::refusal::Refusal;
use crate::reply::Page;
use crate::rest2;
use crate::rest3;
use crate::shape::Shape;
use crate::state::{Settings, State};
use crate::vibe;

/// A request as it came.
#[derive(Debug)]
pub(crate) struct Incoming<'a> {
    pub(crate) address: &'a Address,
    pub(crate) headers: &'a HeaderMap,
    pub(crate) body: &'a Bytes,
    pub(crate) params: &'a Params,
}

/// A request that was let in, and for whom.
#[derive(Debug)]
pub(crate) struct Admitted {
    /// For a batch: whose words its answer is in.
    pub(crate) operation: Operation,
    pub(crate) batch: Option<Batch>,
    pub(crate) user: u64,
    pub(crate) caller: Caller,
    /// The number of the access token that it came with.
    pub(crate) token: Option<u64>,
}

/// Lets a request in, or gives the page that refuses it.
pub(crate) fn admit(state: &mut State, settings: &Settings, incoming: &Incoming<'_>) -> Result<Admitted, Page> {
    match &incoming.address.target {
        Target::Vibe(route) => admit_vibe(state, settings, incoming, *route),
        Target::TokenServer => Ok(Admitted {
            operation: Operation::Tokens,
            batch: None,
            user: settings.user,
            caller: Caller::Application,
            token: None,
        }),
        // A page for a user's browser, not a call.
        Target::Authorize => Err(oauth::authorize(&mut state.memory.tokens, settings, incoming.params)),
        Target::Rest(version, login) => {
            let refused = |state: &State, refusal: Refusal| match version {
                Version::Two => Page::json(refusal.status, &Shape::Flat.body(&refusal)),
                Version::Three => rest3::page(state.rest3, &refusal),
            };
            rate(state).map_err(|refusal| refused(state, refusal))?;
            admit_rest(state, settings, incoming, *version, login).map_err(|refusal| refused(state, refusal))
        }
        Target::Nowhere => {
            rate(state).map_err(|refusal| Page::json(refusal.status, &Shape::Flat.body(&refusal)))?;
            Err(Page::html(404))
        }
    }
}

/// The leaky bucket of the portal.
fn rate(state: &mut State) -> Result<(), Refusal> {
    if state.bucket.as_mut().is_none_or(|bucket| bucket.admit(now())) {
        Ok(())
    } else {
        Err(Refusal::new(503, "QUERY_LIMIT_EXCEEDED", "Too many requests"))
    }
}

fn admit_rest(
    state: &State,
    settings: &Settings,
    incoming: &Incoming<'_>,
    version: Version,
    login: &Login,
) -> Result<Admitted, Refusal> {
    let method = &incoming.address.method;
    let operation = match version {
        Version::Two => Operation::Rest2(rest2::Method::named(method)),
        Version::Three => {
            let by_token = *login == Login::Token;
            Operation::Rest3(rest3::Request::new(method, incoming.headers, incoming.body, by_token))
        }
    };
    let caller = if *login == Login::Token { Caller::Application } else { Caller::Webhook };
    let is_batch = method == batch::METHOD;
    let admitted = |operation: Operation, user: u64, token: Option<u64>| {
        let batch = match &operation {
            Operation::Rest2(_) if is_batch => Some(batch::read_rest2(incoming.params)),
            Operation::Rest3(request) if is_batch => Some(batch::read_rest3(incoming.body, request.by_token)?),
            Operation::Rest2(_) | Operation::Rest3(_) | Operation::Vibe(_) | Operation::Tokens => None,
        };
        Ok(Admitted { operation, batch, user, caller, token })
    };
    let unknown = || Refusal::new(401, "INVALID_CREDENTIALS", "Invalid request credentials");
    match login {
        Login::Webhook { user, secret } if *secret == settings.secret && *user == settings.user.to_string() => {
            admitted(operation, settings.user, None)
        }
        Login::Webhook { .. } => Err(unknown()),
        Login::Token => {
            let sent = match &operation {
                // The query string has no parameters there.
                Operation::Rest3(request) if !is_batch => {
                    request.body.as_ref().ok().and_then(|body| body.get("auth")).and_then(text)
                }
                Operation::Rest2(_) | Operation::Rest3(_) | Operation::Vibe(_) | Operation::Tokens => {
                    incoming.params.get("auth").and_then(text)
                }
            };
            let none = || Refusal::new(401, "NO_AUTH_FOUND", "Wrong authorization data");
            let sent = sent.filter(|token| !token.is_empty()).ok_or_else(none)?;
            let access = state.memory.tokens.access(&sent).ok_or_else(unknown)?;
            if access.expired {
                return Err(Refusal::new(401, "expired_token", "The access token provided has expired"));
            }
            admitted(operation, access.user, Some(access.number))
        }
    }
}

fn admit_vibe(
    state: &mut State,
    settings: &Settings,
    incoming: &Incoming<'_>,
    route: Result<vibe::Route, vibe::NoRoute>,
) -> Result<Admitted, Page> {
    let gateway = &mut state.gateway;
    let request_id = format!("req-{:08}", gateway.next_request());
    let write = route.is_ok_and(|route| route.is_write());
    let of_a_user = route != Ok(vibe::Route::Me);
    let mut standing = None;
    let checked = gateway.keys.admit(incoming.headers, write, of_a_user).and_then(|key| {
        let (counted, fits) = gateway.count(key, settings.clock, now());
        standing = counted;
        fits?;
        let route = vibe::check(route, incoming.body)?;
        // The calls of a batch are looked at one by one.
        if !matches!(route, vibe::Route::Me | vibe::Route::Batch) {
            gateway.admit(key, &incoming.address.method, settings.clock, now())?;
        }
        Ok((key, route))
    });
    match checked {
        Ok((key, route)) => {
            let call = VibeCall { route, key, request_id, standing };
            let batch = match route {
                vibe::Route::Batch => Some(batch_of(state, incoming, &call)?),
                vibe::Route::Entity(..)
                | vibe::Route::RowsGet(_)
                | vibe::Route::RowsSet(_)
                | vibe::Route::Duplicates
                | vibe::Route::Me => None,
            };
            let (operation, caller) = (Operation::Vibe(call), Caller::Gateway);
            Ok(Admitted { operation, batch, user: settings.user, caller, token: None })
        }
        Err(refusal) => {
            let mut page = vibe::refused(&gateway.switches, &refusal);
            vibe::dress(&mut page, &request_id, standing);
            Err(page)
        }
    }
}

/// The calls of a batch, unless none of them can be made.
fn batch_of(state: &State, incoming: &Incoming<'_>, call: &VibeCall) -> Result<Batch, Page> {
    let switches = &state.gateway.switches;
    let refused = match batch::read_vibe(incoming.params, call) {
        Ok(batch) => match batch::all_invalid(&batch) {
            None => return Ok(batch),
            Some(errors) => {
                let refusal = Refusal::bad("INVALID_REQUEST", "All calls of the batch are invalid");
                vibe::refused_with(switches, &refusal, "data", json!({"errors": errors}))
            }
        },
        Err(refusal) => vibe::refused(switches, &refusal),
    };
    let mut page = refused;
    vibe::dress(&mut page, &call.request_id, call.standing);
    Err(page)
}
