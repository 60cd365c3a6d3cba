//! What each request goes through before anything of the journal is touched.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Redirect, Response};

use super::problem::Problem;
use super::{Here, Shared};

/// Nothing of others is loaded, nothing runs, nobody frames it and no form goes elsewhere.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
);

pub(super) async fn guard(State(shared): Here, request: Request, next: Next) -> Response {
    let mut response = match refused(&shared, request.uri(), request.headers()) {
        Some(response) => response,
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, POLICY);
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn refused(shared: &Arc<Shared>, uri: &Uri, headers: &HeaderMap) -> Option<Response> {
    let mut hosts = headers.get_all(header::HOST).into_iter();
    let is_us = match (hosts.next().and_then(|host| host.to_str().ok()), hosts.next()) {
        (Some(host), None) => {
            shared.hosts.has(host) && uri.authority().is_none_or(|name| shared.hosts.has(name.as_str()))
        }
        (None, _) | (Some(_), Some(_)) => false,
    };
    if !is_us {
        return Some(Problem::NotUs.into_response());
    }
    let is_open = matches!(uri.path(), "/login" | "/style.css");
    if is_open || shared.secrets.let_in(headers) {
        return None;
    }
    let is_program = uri.path() == "/metrics" || headers.contains_key(header::AUTHORIZATION);
    Some(if is_program { Problem::NotLoggedIn.into_response() } else { Redirect::to("/login").into_response() })
}
