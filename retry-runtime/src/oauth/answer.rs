//! What the token server answers, in all the shapes it has been seen in.

use std::time::{Duration, SystemTime};

use serde_json::{Map, Value};
use url::Url;

use super::error::TokenError;
use super::tokens::{Tokens, endpoint};
use crate::api::line;
use crate::id::Id;
use crate::secret::Secrets;

/// How much of the server's own texts is shown, in bytes.
const EXCERPT: usize = 160;

/// The codes that are documented. Each is a refusal, whatever status it comes with.
const DOCUMENTED: [&str; 6] =
    ["invalid_request", "invalid_client", "insufficient_scope", "invalid_scope", "invalid_grant", "PAYMENT_REQUIRED"];

/// What an answer says.
#[derive(Debug)]
pub(super) enum Spoken {
    Granted(Granted),
    Refused {
        code: Box<str>,
        text: Box<str>,
    },
    /// Nothing that could be relied on; the same request may be made again.
    Nothing {
        what: Box<str>,
    },
}

/// Tokens as one answer gives them, which need not be complete.
pub(super) struct Granted {
    access_token: Box<str>,
    refresh_token: Option<Box<str>>,
    client_endpoint: Option<Url>,
    member_id: Option<Box<str>>,
    user_id: Option<Id>,
    scope: Option<Box<str>>,
    expires: Option<SystemTime>,
}

impl Granted {
    /// The first tokens of an account.
    pub(super) fn first(self) -> Result<Tokens, TokenError> {
        Ok(Tokens {
            access_token: self.access_token,
            refresh_token: self.refresh_token.ok_or(TokenError::Incomplete { missing: "refresh_token" })?,
            client_endpoint: self.client_endpoint.ok_or(TokenError::Incomplete { missing: "client_endpoint" })?,
            member_id: self.member_id,
            user_id: self.user_id,
            scope: self.scope,
            expires: self.expires,
        })
    }

    /// The tokens in place of the ones they were bought with. What the answer leaves out stays as it was.
    pub(super) fn following(self, old: &Tokens) -> Result<Tokens, TokenError> {
        // A portal may be renamed. Its identifier shows that it is still the same one.
        let same_portal = self.member_id.is_some() && self.member_id == old.member_id;
        let renamed = self.client_endpoint.filter(|_| same_portal);
        let new = Tokens {
            access_token: self.access_token,
            refresh_token: self.refresh_token.unwrap_or_else(|| old.refresh_token.clone()),
            client_endpoint: renamed.unwrap_or_else(|| old.client_endpoint.clone()),
            member_id: self.member_id,
            user_id: self.user_id,
            scope: self.scope.or_else(|| old.scope.clone()),
            expires: self.expires,
        };
        new.following(old)
    }
}

impl std::fmt::Debug for Granted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Granted").field("user_id", &self.user_id).finish_non_exhaustive()
    }
}

/// Reads an answer. What is no token answer is not quoted: a cut one may hold the new tokens.
pub(super) fn read(status: u16, body: &[u8], now: SystemTime, secrets: &Secrets) -> Spoken {
    let Some(fields) = serde_json::from_slice(body).ok().and_then(Fields::of) else {
        let kind = if body.trim_ascii_start().starts_with(b"<") { "a page" } else { "an answer" };
        return Spoken::Nothing {
            what: format!("{kind} of {} bytes without tokens (status {status})", body.len()).into(),
        };
    };
    if let Some(code) = fields.code() {
        let code = shown(&code, secrets);
        if (status >= 500 || status == 429) && !DOCUMENTED.contains(&&*code) {
            return Spoken::Nothing { what: format!("the code {code} (status {status})").into() };
        }
        let text = fields.text("error_description").map(|text| shown(text, secrets)).unwrap_or_default();
        return Spoken::Refused { code, text };
    }
    let Some(access_token) = fields.text("access_token") else {
        return Spoken::Nothing { what: format!("an object without tokens (status {status})").into() };
    };
    let lasts = fields.number("expires_in").map(Duration::from_secs);
    Spoken::Granted(Granted {
        access_token: access_token.into(),
        refresh_token: fields.text("refresh_token").map(Into::into),
        client_endpoint: fields.text("client_endpoint").and_then(|text| endpoint(text).ok()),
        member_id: fields.text("member_id").map(Into::into),
        user_id: fields.number("user_id").map(Id),
        scope: fields.text("scope").map(Into::into),
        // The server's clock and ours may differ, so its span counts more than its time.
        expires: lasts.and_then(|lasts| now.checked_add(lasts)).or_else(|| fields.time("expires")),
    })
}

/// One short line of the server's.
fn shown(text: &str, secrets: &Secrets) -> Box<str> {
    line(text, EXCERPT, secrets).into()
}

/// A JSON object whose fields are read as what they should be, or not at all.
pub(super) struct Fields(Map<String, Value>);

impl Fields {
    pub(super) fn of(value: Value) -> Option<Self> {
        if let Value::Object(fields) = value { Some(Self(fields)) } else { None }
    }

    /// A text that is not empty.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str().filter(|text| !text.is_empty())
    }

    /// A whole number, or its text.
    pub(super) fn number(&self, name: &str) -> Option<u64> {
        let value = self.0.get(name)?;
        value.as_u64().or_else(|| value.as_str()?.trim().parse().ok())
    }

    /// Seconds since 1970.
    pub(super) fn time(&self, name: &str) -> Option<SystemTime> {
        SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(self.number(name)?))
    }

    /// The code of an answer that is an error: as text or, as in the portal's own envelopes, within an object or as a number.
    fn code(&self) -> Option<String> {
        let error = self.0.get("error")?;
        Some(match error.get("code").unwrap_or(error) {
            Value::String(code) => code.clone(),
            other @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
                other.to_string()
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::from_secs(1_700_000_000);

    fn spoken(status: u16, body: &str) -> Spoken {
        read(status, body.as_bytes(), SystemTime::UNIX_EPOCH + NOW, &Secrets::new(["s3cr3t"]))
    }

    fn granted(body: &str) -> Granted {
        match spoken(200, body) {
            Spoken::Granted(granted) => granted,
            other @ (Spoken::Refused { .. } | Spoken::Nothing { .. }) => panic!("{body}: {other:?}"),
        }
    }

    fn old() -> Tokens {
        Tokens::new("a0", "r0", "https://acme.bitrix24.com/rest/").unwrap().with_member_id("m1").with_scope("crm")
    }

    #[test]
    fn case_b65_every_shape_of_token_answer_is_read() {
        let after = |seconds| Some(SystemTime::UNIX_EPOCH + NOW + Duration::from_secs(seconds));
        for (body, expires, user) in [
            (r#"{"access_token":"a","refresh_token":"r","expires_in":3600}"#, after(3600), None),
            (r#"{"access_token":"a","refresh_token":"r","expires_in":"3600"}"#, after(3600), None),
            (
                r#"{"access_token":"a","refresh_token":"r","expires":1788430740,"expires_in":"60","user_id":"7"}"#,
                after(60),
                Some(Id(7)),
            ),
            (
                r#"{"access_token":"a","refresh_token":"r","expires":"1700000009","user_id":7,"status":"L","x":{}}"#,
                after(9),
                Some(Id(7)),
            ),
            (r#"{"access_token":"a","refresh_token":"r","expires_in":null,"user_id":[]}"#, None, None),
        ] {
            let new = granted(body).following(&old()).unwrap();
            assert_eq!((new.access_token(), new.refresh_token()), ("a", "r"), "{body}");
            assert_eq!((new.expires(), new.user_id()), (expires, user), "{body}");
            assert_eq!((new.scope(), new.member_id(), new.endpoint()), (Some("crm"), Some("m1"), old().endpoint()));
        }
    }

    #[test]
    fn case_b65_a_missing_refresh_token_keeps_the_old_one() {
        assert_eq!(granted(r#"{"access_token":"a"}"#).following(&old()).unwrap().refresh_token(), "r0");
        let first = granted(r#"{"access_token":"a","client_endpoint":"https://b.bitrix24.com/rest/"}"#).first();
        assert_eq!(first, Err(TokenError::Incomplete { missing: "refresh_token" }));
    }

    #[test]
    fn a_renamed_portal_is_followed_only_under_its_own_identifier() {
        let renamed = |member: &str| {
            let body = format!(r#"{{"access_token":"a","client_endpoint":"https://new.bitrix24.com/rest/"{member}}}"#);
            granted(&body).following(&old())
        };
        assert_eq!(renamed(r#","member_id":"m1""#).unwrap().client_endpoint(), "https://new.bitrix24.com/rest/");
        assert_eq!(renamed("").unwrap().client_endpoint(), "https://acme.bitrix24.com/rest/");
        assert!(renamed(r#","member_id":"m2""#).is_err());
    }

    #[test]
    fn a_code_is_a_refusal_unless_the_server_itself_is_down() {
        for (status, body, expected) in [
            (400, r#"{"error":"invalid_grant"}"#, Some("invalid_grant")),
            (503, r#"{"error":"invalid_grant","access_token":"a"}"#, Some("invalid_grant")),
            (200, r#"{"error":{"code":"SOMETHING_NEW"}}"#, Some("SOMETHING_NEW")),
            (402, r#"{"error":"PAYMENT_REQUIRED"}"#, Some("PAYMENT_REQUIRED")),
            (400, r#"{"error":0}"#, Some("0")),
            (503, r#"{"error":"SOMETHING_NEW"}"#, None),
            (429, r#"{"error":"QUERY_LIMIT_EXCEEDED"}"#, None),
        ] {
            let code = match spoken(status, body) {
                Spoken::Refused { code, .. } => Some(code),
                Spoken::Nothing { .. } => None,
                Spoken::Granted(granted) => panic!("{body}: {granted:?}"),
            };
            assert_eq!(code.as_deref(), expected, "{status} {body}");
        }
    }

    #[test]
    fn p7_an_answer_is_shown_without_secrets_and_a_cut_one_not_at_all() {
        let echo = r#"{"error":"invalid_client","error_description":"client\n s3cr3t and s3\u0000cr3t are wrong"}"#;
        let Spoken::Refused { text, .. } = spoken(401, echo) else { panic!("a refusal") };
        assert_eq!(&*text, "client [secret] and [secret] are wrong");
        for body in [r#"{"access_token":"n3w","refresh_tok"#, "<html>?client_secret=s3cr3t", "", r#"["n3w"]"#, "{}"] {
            let Spoken::Nothing { what } = spoken(502, body) else { panic!("{body}") };
            assert!(what.contains("502") && !what.contains("n3w") && !what.contains("s3cr3t"), "{what}");
        }
    }
}
