//! `/oauth/token/`: what it is asked, and how it answers.

use super::tokens::{Grant, Issue};
use super::{Tokens, is_secret};
use crate::clock::Clock;
use crate::crm::text;
use crate::params::Params;
use crate::refusal::{Answered, Call, Refusal};
use crate::reply::Page;
use crate::secret::Secret;
use crate::shape::Shape;

/// Understands a request for tokens.
pub(crate) fn call(tokens: &Tokens, clock: Clock, host: String, params: &Params) -> Result<Call, Refusal> {
    let given = |name: &str| params.get(name).and_then(text).filter(|text| !text.is_empty());
    let missing = |name: &str| Refusal::bad("invalid_request", format!("The parameter {name} is missing"));
    let kind = given("grant_type").ok_or_else(|| missing("grant_type"))?;
    let client = given("client_id").ok_or_else(|| missing("client_id"))?;
    let secret = given("client_secret").ok_or_else(|| missing("client_secret"))?;
    if client != tokens.client_id || secret != tokens.client_secret.0 {
        return Err(Refusal::new(401, "invalid_client", "Client authentication failed"));
    }
    let grant = match kind.as_str() {
        "authorization_code" => Grant::Code(Secret(given("code").ok_or_else(|| missing("code"))?)),
        "refresh_token" => Grant::Refresh(Secret(given("refresh_token").ok_or_else(|| missing("refresh_token"))?)),
        _ => return Err(Refusal::bad("invalid_request", "This grant_type is not supported")),
    };
    let user = tokens.check(&grant)?;
    Ok(Call::change(Issue::new(grant, user, clock, tokens.switches.answer, host)))
}

/// The token server has no envelope around what it gives.
pub(crate) fn page(outcome: Result<Answered, Refusal>) -> Page {
    match outcome {
        Ok(answered) => Page::json(200, &answered.result),
        Err(refusal) => Page::json(refusal.status, &Shape::Flat.body(&refusal)),
    }
}

/// A query string with `***` in the place of what is secret.
pub(crate) fn without_secrets(query: &str) -> String {
    let shown = query.split('&').map(|pair| match pair.split_once('=') {
        Some((name, _)) if is_secret(&decoded(name)) => format!("{name}=***"),
        Some(_) | None => pair.to_owned(),
    });
    shown.collect::<Vec<String>>().join("&")
}

/// A name may be written with `%`.
fn decoded(name: &str) -> String {
    form_urlencoded::parse(name.as_bytes()).next().map(|(name, _)| name.into_owned()).unwrap_or_default()
}
