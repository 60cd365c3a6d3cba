//! What a client is set up with: webhook URLs, the gateway's key, session and address, the address of an OAuth portal, and redirects.

use bytes::Bytes;
use http::header::{HeaderMap, HeaderValue, LOCATION};
use url::{Host, Url};

use super::{Message, request, rest};
use crate::api::{Access, Api, Heard, Outgoing, Rest, Vibe};
use crate::effect::OperationKind;
use crate::oauth::Tokens;
use crate::transport::{Request, Version};

/// Lines: a webhook URL, the gateway's key, session and address, the address of an OAuth portal, a `Location`.
pub fn address(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut lines = text.splitn(6, '\n');
    let [hook, key, session, base, portal, location] = std::array::from_fn(|_| lines.next().unwrap_or_default());
    let get = |version| request("crm.deal.get", OperationKind::Read, version, Bytes::from_static(b"{\"id\":7}"));
    webhook(hook, &[get(Version::Two), get(Version::Three)]);
    for session in [None, Some(session)] {
        for base in [None, Some(base)] {
            gateway(key, session, base, &get(Version::Two));
        }
    }
    if let Ok(tokens) = Tokens::new("a1", "r1", portal) {
        goes_only_where_it_may(tokens.endpoint());
        assert!(tokens.client_endpoint().ends_with('/'));
        let access = Access { portal: tokens.endpoint(), token: "a1" };
        let outgoing = Api::Rest(Rest::oauth(tokens.endpoint())).outgoing(&get(Version::Two), Some(access));
        let Ok(outgoing) = outgoing else { unreachable!("the call has a form") };
        goes_only_where_it_may(&outgoing.url);
        assert_eq!(outgoing.url.path(), "/rest/crm.deal.get");
        assert_eq!(outgoing.url.host(), tokens.endpoint().host());
    }
    redirect(location, &get(Version::Two));
}

fn webhook(text: &str, calls: &[Request; 2]) {
    let Ok(hook) = Rest::webhook(text) else { return };
    let Ok(given) = Url::parse(text.trim()) else { unreachable!("what is no URL was taken for a webhook") };
    let api = Api::Rest(hook);
    let segments: Vec<&str> = given.path().split('/').filter(|part| !part.is_empty() && *part != "api").collect();
    for (call, api_path) in calls.iter().zip(["", "api/"]) {
        let Ok(Outgoing { url, .. }) = api.outgoing(call, None) else { unreachable!("the call has a form") };
        goes_only_where_it_may(&url);
        assert_eq!((url.scheme(), url.host(), url.port()), (given.scheme(), given.host(), given.port()));
        let [_, user, secret] = segments.as_slice() else { return };
        assert_eq!(url.path(), format!("/rest/{api_path}{user}/{secret}/crm.deal.get"));
        unseen(secret, &api, &[url.as_str(), text]);
    }
}

fn gateway(key: &str, session: Option<&str>, base: Option<&str>, call: &Request) {
    let Ok(vibe) = Vibe::new(key, session, base) else { return };
    let api = Api::Vibe(vibe);
    let Ok(Outgoing { url, headers, .. }) = api.outgoing(call, None) else { unreachable!("the call has a form") };
    goes_only_where_it_may(&url);
    assert!(url.path().ends_with("/deals/7"), "{url}");
    if let Some(base) = base.and_then(|base| Url::parse(base.trim()).ok()) {
        assert_eq!((url.host(), url.port()), (base.host(), base.port()));
    }
    assert!(headers.iter().all(|(_, value)| value.is_sensitive()));
    assert_eq!(headers.len(), 1 + usize::from(session.is_some()));
    for (_, value) in &headers {
        let sent = value.to_str().unwrap_or_default();
        unseen(sent.strip_prefix("Bearer ").unwrap_or(sent), &api, &[sent]);
    }
}

/// A secret is shown neither by the settings nor in what repeats it. Short ones may stand in any text by chance.
fn unseen(secret: &str, api: &Api, texts: &[&str]) {
    if secret.len() < 8 || !secret.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return;
    }
    if !api.host().contains(secret) {
        assert!(!format!("{api:?}").contains(secret), "{api:?}");
    }
    for text in texts {
        let struck = api.secrets().strike(text);
        assert!(!struck.contains(secret), "{struck}");
    }
}

/// Under TLS, or to this very machine.
fn goes_only_where_it_may(url: &Url) {
    let here = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(ip)) => ip.octets().first() == Some(&127),
        Some(Host::Ipv6(ip)) => ip.to_string() == "::1",
        None => unreachable!("no host in {url}"),
    };
    assert!(url.scheme() == "https" || (url.scheme() == "http" && here), "{url}");
    assert!(url.username().is_empty() && url.password().is_none() && url.query().is_none() && url.fragment().is_none());
}

fn redirect(location: &str, call: &Request) {
    let headers: HeaderMap = HeaderValue::from_str(location).map(|value| (LOCATION, value)).into_iter().collect();
    let message = Message { status: http::StatusCode::FOUND, headers, body: b"", rest: "" };
    let Some(answer) = rest().map(|api| message.answer(&api, call, b"")) else { return };
    if let Heard::Moved { host } = &answer.heard {
        let target = Url::parse(location);
        let fits = target.is_ok_and(|url| url.scheme() == "https" && url.path() == "/rest/1/s3cr3t/crm.deal.add");
        assert!(fits && !host.contains('/'), "moved to {host}");
    } else {
        assert!(matches!(answer.heard, Heard::NoEnvelope { .. }), "{answer:?}");
    }
}
