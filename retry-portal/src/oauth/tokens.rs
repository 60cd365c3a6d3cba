//! Codes, tokens and how long they live.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::{MEMBER, TokenAnswer};
use crate::clock::{Clock, later, now, unix_seconds, wall};
use crate::refusal::Refusal;
use crate::secret::Secret;

/// How long a code can be turned into tokens, in portal time.
const CODE_LIFE: Duration = Duration::from_secs(30);
/// How long an access token can be used, in portal time.
const ACCESS_LIFE: Duration = Duration::from_secs(3600);
/// How long a refresh token can be used, in portal time.
const REFRESH_LIFE: Duration = Duration::from_secs(180 * 24 * 3600);

/// What can be turned on a running portal.
#[derive(Debug, Clone, Default)]
pub(crate) struct TokenSwitches {
    pub(crate) answer: TokenAnswer,
    /// Whether a refresh token dies when it is used.
    pub(crate) rotation_kills: bool,
    /// Whose tokens are given from now on, if not the webhook's user's.
    pub(crate) user: Option<u64>,
}

#[derive(Debug, Clone)]
struct Known {
    until: Instant,
    user: u64,
    /// Counts the access tokens in the order in which they were given, from 1.
    number: u64,
}

/// An access token that was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Access {
    pub(crate) user: u64,
    pub(crate) number: u64,
    pub(crate) expired: bool,
}

/// The application, and all that it was given.
#[derive(Debug)]
pub(crate) struct Tokens {
    pub(crate) client_id: String,
    pub(crate) client_secret: Secret,
    pub(crate) switches: TokenSwitches,
    codes: BTreeMap<Secret, Known>,
    access: BTreeMap<Secret, Known>,
    refresh: BTreeMap<Secret, Known>,
    given: u64,
}

/// What tokens are asked for with.
#[derive(Debug, Clone)]
pub(crate) enum Grant {
    Code(Secret),
    Refresh(Secret),
}

impl Tokens {
    pub(crate) fn new(switches: TokenSwitches) -> Self {
        Self {
            client_id: Secret::random("local.", 24).0,
            client_secret: Secret::random("", 50),
            switches,
            codes: BTreeMap::new(),
            access: BTreeMap::new(),
            refresh: BTreeMap::new(),
            given: 0,
        }
    }

    /// A code that can be turned into tokens of this user.
    pub(crate) fn code(&mut self, user: u64, clock: Clock) -> Secret {
        let code = Secret::random("", 32);
        self.codes.insert(code.clone(), Known { until: later(now(), clock.real(CODE_LIFE)), user, number: 0 });
        code
    }

    /// A pair of tokens: access and refresh.
    pub(crate) fn pair(&mut self, user: u64, clock: Clock) -> (Secret, Secret) {
        let pair = (Secret::random("", 32), Secret::random("", 32));
        self.admit(&pair, user, clock);
        pair
    }

    fn admit(&mut self, (access, refresh): &(Secret, Secret), user: u64, clock: Clock) {
        self.given += 1;
        let number = self.given;
        let known = |life| Known { until: later(now(), clock.real(life)), user, number };
        self.access.insert(access.clone(), known(ACCESS_LIFE));
        self.refresh.insert(refresh.clone(), known(REFRESH_LIFE));
    }

    pub(crate) fn expire(&mut self) {
        for known in self.access.values_mut() {
            known.until = now();
        }
    }

    /// What is known of an access token. `None`: it was never given.
    pub(crate) fn access(&self, token: &str) -> Option<Access> {
        let known = self.access.get(&Secret(token.to_owned()))?;
        Some(Access { user: known.user, number: known.number, expired: known.until <= now() })
    }

    /// Whose tokens a grant is good for.
    pub(crate) fn check(&self, grant: &Grant) -> Result<u64, Refusal> {
        let known = match grant {
            Grant::Code(code) => self.codes.get(code),
            Grant::Refresh(token) => self.refresh.get(token),
        };
        let known = known.filter(|known| known.until > now()).ok_or_else(invalid_grant)?;
        Ok(self.switches.user.unwrap_or(known.user))
    }
}

fn invalid_grant() -> Refusal {
    Refusal::bad("invalid_grant", "The provided authorization grant is invalid or has expired")
}

/// Tokens that are about to be given.
#[derive(Debug)]
pub(crate) struct Issue {
    pub(crate) grant: Grant,
    pub(crate) user: u64,
    pub(crate) clock: Clock,
    pub(crate) answer: TokenAnswer,
    /// Where the portal listens: `127.0.0.1:PORT`.
    pub(crate) host: String,
    pair: (Secret, Secret),
}

impl Issue {
    pub(crate) fn new(grant: Grant, user: u64, clock: Clock, answer: TokenAnswer, host: String) -> Self {
        let pair = (Secret::random("", 32), Secret::random("", 32));
        Self { grant, user, clock, answer, host, pair }
    }

    pub(crate) fn promise(&self) -> Value {
        self.shown()
    }

    pub(crate) fn commit(&mut self, tokens: &mut Tokens) -> Result<Value, Refusal> {
        tokens.check(&self.grant)?;
        match &self.grant {
            Grant::Code(code) => {
                tokens.codes.remove(code);
            }
            Grant::Refresh(token) if self.answer == TokenAnswer::NoRefreshToken => self.pair.1 = token.clone(),
            Grant::Refresh(token) if tokens.switches.rotation_kills => {
                tokens.refresh.remove(token);
            }
            Grant::Refresh(_) => {}
        }
        tokens.admit(&self.pair, self.user, self.clock);
        Ok(self.shown())
    }

    fn shown(&self) -> Value {
        let (access, refresh) = (&self.pair.0.0, &self.pair.1.0);
        let life = ACCESS_LIFE.as_secs();
        if self.answer == TokenAnswer::Bare {
            return json!({"access_token": access, "refresh_token": refresh, "expires_in": life});
        }
        let expires = unix_seconds(wall()).saturating_add(i64::try_from(life).unwrap_or(i64::MAX));
        let mut body = json!({
            "access_token": access,
            "refresh_token": refresh,
            "expires": expires,
            "expires_in": life,
            "user_id": self.user,
            "scope": "app",
            "domain": "oauth.bitrix.info",
            "server_endpoint": "https://oauth.bitrix.info/rest/",
            "client_endpoint": format!("http://{}/rest/", self.host),
            "member_id": MEMBER,
            "status": "L",
        });
        let Some(map) = body.as_object_mut() else { return body };
        match self.answer {
            TokenAnswer::Documented | TokenAnswer::Bare => {}
            TokenAnswer::Texts => {
                for value in map.values_mut().filter(|value| value.is_number()) {
                    *value = value.to_string().into();
                }
            }
            TokenAnswer::NoExpiry => map.retain(|name, _| !name.starts_with("expires")),
            TokenAnswer::NoRefreshToken => map.retain(|name, _| name != "refresh_token"),
        }
        body
    }
}
