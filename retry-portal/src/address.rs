//! The path of a request: which API it speaks, whose credentials it carries, which method it names.

use http::Method as Verb;

use crate::oauth;
use crate::secret::Secret;
use crate::vibe::{NoRoute, Route};

/// Where a request goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    /// The path with `***` in the place of a secret.
    pub(crate) shown: String,
    pub(crate) target: Target,
    /// In lower case; empty if the path names none. For the gateway: the native method behind the route.
    pub(crate) method: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    Rest(Version, Login),
    /// Below `/v1/`.
    Vibe(Result<Route, NoRoute>),
    /// `/oauth/token/`.
    TokenServer,
    /// `/oauth/authorize/`, where a user lets the application in.
    Authorize,
    Nowhere,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Version {
    Two,
    Three,
}

/// How a REST call says who it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Login {
    Webhook {
        user: String,
        secret: Secret,
    },
    /// By a token among its parameters.
    Token,
}

impl Address {
    pub(crate) fn of(verb: &Verb, path: &str) -> Self {
        let inner = path.trim_start_matches('/');
        if let Some(rest) = below(inner, "rest") {
            return match below(rest, "api") {
                Some(method) => Self::rest("/rest/api", Version::Three, method),
                None => Self::rest("/rest", Version::Two, rest),
            };
        }
        if let Some(route) = below(inner, "v1") {
            let route = Route::of(verb, route);
            let method = route.as_ref().map(Route::native).unwrap_or_default();
            return Self { shown: path.to_owned(), target: Target::Vibe(route), method };
        }
        let (target, method) = match inner.trim_end_matches('/') {
            "oauth/token" => (Target::TokenServer, oauth::METHOD),
            "oauth/authorize" => (Target::Authorize, oauth::AUTHORIZE),
            _ => (Target::Nowhere, ""),
        };
        Self { shown: path.to_owned(), target, method: method.to_owned() }
    }

    /// What stands behind `/rest/` or `/rest/api/`: a method alone, or a user, a secret and a method.
    fn rest(base: &str, version: Version, rest: &str) -> Self {
        let mut parts = rest.splitn(3, '/');
        let (first, second, third) = (parts.next().unwrap_or(""), parts.next(), parts.next());
        let secret = second.filter(|second| !second.is_empty() || third.is_some());
        let Some(secret) = secret else {
            let target = if first.is_empty() { Target::Nowhere } else { Target::Rest(version, Login::Token) };
            return Self { shown: format!("{base}/{rest}"), target, method: method_of(first) };
        };
        let shown = match third {
            Some(method) => format!("{base}/{first}/***/{method}"),
            None => format!("{base}/{first}/***"),
        };
        let login = Login::Webhook { user: first.to_owned(), secret: Secret(secret.to_owned()) };
        Self { shown, target: Target::Rest(version, login), method: method_of(third.unwrap_or("")) }
    }
}

/// The rest of a path behind its first part, if that is this one.
fn below<'a>(path: &'a str, part: &str) -> Option<&'a str> {
    path.strip_prefix(part)?.strip_prefix('/')
}

fn method_of(path: &str) -> String {
    let name = path.trim_end_matches('/').to_ascii_lowercase();
    name.strip_suffix(".json").unwrap_or(&name).to_owned()
}

#[cfg(test)]
#[path = "address_tests.rs"]
mod tests;
