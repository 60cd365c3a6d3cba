//! The tokens of one user of one portal, and how they are written down.

use std::fmt;
use std::time::{Duration, SystemTime};

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::{Serialize, Serializer};
use serde_json::Value;
use url::Url;

use super::address;
use super::answer::Fields;
use super::error::TokenError;
use crate::api::line;
use crate::id::Id;
use crate::secret::Secrets;

/// How much is shown of what names an account, in bytes.
const SHOWN: usize = 80;

/// The tokens that an application holds for one user of one portal.
///
/// Its `Debug` hides both tokens. Its JSON does not: it is what a store keeps, with the names of the token server's own answer. `expires` is
/// in seconds since 1970; numbers may also be their text; unknown fields are ignored, and what is not known is left out.
///
/// ```
/// use retry_runtime::oauth::Tokens;
///
/// let tokens: Tokens = serde_json::from_str(
///     r#"{
///         "access_token": "a1",
///         "refresh_token": "r1",
///         "client_endpoint": "https://acme.bitrix24.com/rest/",
///         "member_id": "da45a03b265edd8787f8a258d793cc5d",
///         "user_id": 7,
///         "scope": "crm,task",
///         "expires": 1788430740
///     }"#,
/// )?;
/// assert_eq!(tokens.client_endpoint(), "https://acme.bitrix24.com/rest/");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Tokens {
    pub(super) access_token: Box<str>,
    pub(super) refresh_token: Box<str>,
    pub(super) client_endpoint: Url,
    pub(super) member_id: Option<Box<str>>,
    pub(super) user_id: Option<Id>,
    pub(super) scope: Option<Box<str>>,
    pub(super) expires: Option<SystemTime>,
}

impl Tokens {
    /// Tokens for the portal at this REST address, `https://PORTAL/rest/`.
    ///
    /// # Errors
    /// The address is not `https` (nor `http` to a loopback address), or has a user, a query or a fragment.
    pub fn new(
        access_token: impl Into<Box<str>>,
        refresh_token: impl Into<Box<str>>,
        client_endpoint: &str,
    ) -> Result<Self, TokenError> {
        Ok(Self {
            access_token: access_token.into(),
            refresh_token: refresh_token.into(),
            client_endpoint: endpoint(client_endpoint)?,
            member_id: None,
            user_id: None,
            scope: None,
            expires: None,
        })
    }

    /// The same with the portal's identifier, which stays when the portal is renamed.
    #[must_use]
    pub fn with_member_id(mut self, member_id: impl Into<Box<str>>) -> Self {
        self.member_id = Some(member_id.into());
        self
    }

    /// The same with the user in whose name the calls are made.
    #[must_use]
    pub const fn with_user_id(mut self, user_id: Id) -> Self {
        self.user_id = Some(user_id);
        self
    }

    /// The same with the scopes that were granted.
    #[must_use]
    pub fn with_scope(mut self, scope: impl Into<Box<str>>) -> Self {
        self.scope = Some(scope.into());
        self
    }

    /// The same with the time, by the local clock, at which the access token ends.
    #[must_use]
    pub const fn with_expires(mut self, expires: SystemTime) -> Self {
        self.expires = Some(expires);
        self
    }

    /// The access token: a secret that every call carries, good for an hour.
    pub fn access_token(&self) -> &str {
        &self.access_token
    }

    /// The refresh token: a secret that buys new tokens, good for 180 days and replaced with each renewal.
    pub fn refresh_token(&self) -> &str {
        &self.refresh_token
    }

    /// The REST address of the portal, with a slash at its end.
    pub fn client_endpoint(&self) -> &str {
        self.client_endpoint.as_str()
    }

    /// The portal's identifier.
    pub fn member_id(&self) -> Option<&str> {
        self.member_id.as_deref()
    }

    /// The user in whose name the calls are made. Not every answer of the token server tells it.
    pub const fn user_id(&self) -> Option<Id> {
        self.user_id
    }

    /// The scopes that were granted, as the token server lists them.
    pub fn scope(&self) -> Option<&str> {
        self.scope.as_deref()
    }

    /// When the access token ends, by the local clock. For people: tokens are renewed when the portal says so.
    pub const fn expires(&self) -> Option<SystemTime> {
        self.expires
    }

    pub(crate) const fn endpoint(&self) -> &Url {
        &self.client_endpoint
    }

    pub(super) fn secrets(&self) -> [&str; 2] {
        [self.access_token(), self.refresh_token()]
    }

    /// Whether the local clock says that the access token has ended.
    pub(super) fn seem_expired(&self, now: SystemTime) -> bool {
        self.expires.is_some_and(|expires| expires <= now)
    }

    /// These tokens in place of the ones held so far, if both are of the same account. What only the held ones tell of it stays known.
    pub(super) fn following(mut self, held: &Self) -> Result<Self, TokenError> {
        // Both are the server's own texts, whatever it puts there.
        let secrets = Secrets::new(self.secrets().into_iter().chain(held.secrets()));
        let shown = |account: &dyn ToString| line(&account.to_string(), SHOWN, &secrets).into();
        let another = |what, held: &dyn ToString, found: &dyn ToString| TokenError::AnotherAccount {
            what,
            held: shown(held),
            found: shown(found),
        };
        if let (Some(before), Some(now)) = (&held.member_id, &self.member_id)
            && before != now
        {
            return Err(another("member_id", before, now));
        }
        if let (Some(before), Some(now)) = (held.user_id, self.user_id)
            && before != now
        {
            return Err(another("user_id", &before, &now));
        }
        self.member_id = self.member_id.or_else(|| held.member_id.clone());
        self.user_id = self.user_id.or(held.user_id);
        Ok(self)
    }
}

/// The REST address of a portal, with a slash at its end.
pub(super) fn endpoint(text: &str) -> Result<Url, TokenError> {
    let mut url = address::for_secrets("client_endpoint", text)?;
    url.set_path(&format!("{}/", url.path().trim_end_matches('/')));
    Ok(url)
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tokens")
            .field("client_endpoint", &self.client_endpoint())
            .field("member_id", &self.member_id)
            .field("user_id", &self.user_id)
            .field("scope", &self.scope)
            .field("expires", &self.expires)
            .finish_non_exhaustive()
    }
}

#[derive(Serialize)]
struct Written<'a> {
    access_token: &'a str,
    refresh_token: &'a str,
    client_endpoint: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    member_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_id: Option<Id>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expires: Option<u64>,
}

impl Serialize for Tokens {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let since_1970 =
            |time: SystemTime| time.duration_since(SystemTime::UNIX_EPOCH).as_ref().map(Duration::as_secs).ok();
        Written {
            access_token: self.access_token(),
            refresh_token: self.refresh_token(),
            client_endpoint: self.client_endpoint(),
            member_id: self.member_id(),
            user_id: self.user_id,
            scope: self.scope(),
            expires: self.expires.and_then(since_1970),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Tokens {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // By way of a value: serde's own errors about a wrong type quote what they found, which may be a secret.
        let fields =
            Fields::of(Value::deserialize(deserializer)?).ok_or_else(|| D::Error::custom("no object of tokens"))?;
        let needed = |name: &'static str| fields.text(name).ok_or_else(|| D::Error::missing_field(name));
        Ok(Self {
            access_token: needed("access_token")?.into(),
            refresh_token: needed("refresh_token")?.into(),
            client_endpoint: endpoint(needed("client_endpoint")?).map_err(D::Error::custom)?,
            member_id: fields.text("member_id").map(Into::into),
            user_id: fields.number("user_id").map(Id),
            scope: fields.text("scope").map(Into::into),
            expires: fields.time("expires"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens() -> Tokens {
        Tokens::new("acc3ss", "r3fresh", "https://acme.bitrix24.com/rest").unwrap()
    }

    #[test]
    fn tokens_are_read_as_they_were_written() {
        let full = tokens()
            .with_member_id("m1")
            .with_user_id(Id(7))
            .with_scope("crm")
            .with_expires(SystemTime::UNIX_EPOCH + Duration::from_secs(1_788_430_740));
        for tokens in [tokens(), full] {
            let json = serde_json::to_string(&tokens).unwrap();
            assert_eq!(serde_json::from_str::<Tokens>(&json).unwrap(), tokens);
        }
        assert_eq!(
            serde_json::to_string(&tokens()).unwrap(),
            r#"{"access_token":"acc3ss","refresh_token":"r3fresh","client_endpoint":"https://acme.bitrix24.com/rest/"}"#
        );
    }

    #[test]
    fn p7_neither_debug_nor_a_failed_reading_shows_a_token() {
        let shown = format!("{:?}", tokens());
        assert!(
            shown.contains("acme.bitrix24.com") && !shown.contains("acc3ss") && !shown.contains("r3fresh"),
            "{shown}"
        );
        for json in [
            r#""acc3ss""#,
            r#"["acc3ss"]"#,
            r#"{"access_token":["acc3ss"]}"#,
            r#"{"access_token":"acc3ss","refresh_token":{"is":"r3fresh"}}"#,
            r#"{"access_token":"acc3ss","refresh_token":"r3fresh","client_endpoint":"http://a/?auth=acc3ss"}"#,
            r#"{"access_token":"acc3ss","refr"#,
        ] {
            let error = serde_json::from_str::<Tokens>(json).unwrap_err().to_string();
            assert!(!error.contains("acc3ss") && !error.contains("r3fresh"), "{error}");
        }
    }

    #[test]
    fn another_user_or_portal_does_not_follow_and_what_is_known_stays() {
        let held = tokens().with_member_id("m1").with_user_id(Id(7));
        assert_eq!(tokens().following(&held).unwrap(), held);
        assert_eq!(held.clone().following(&tokens()).unwrap(), held);
        let other_user = tokens().with_user_id(Id(8)).following(&held).unwrap_err().to_string();
        assert!(other_user.contains("the user_id was 7 and is 8 now"), "{other_user}");
        let other_portal = tokens().with_member_id("m2").following(&held).unwrap_err();
        assert!(
            !other_portal.is_transient() && other_portal.to_string().contains("member_id was m1"),
            "{other_portal}"
        );
    }
}
