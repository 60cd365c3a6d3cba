//! Keys, sessions, and who may do what with them.

use http::HeaderMap;

use super::codes::refusal;
use crate::refusal::Refusal;
use crate::secret::Secret;

/// Which key a request came with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    Personal,
    ReadOnly,
    /// An application's, with a session.
    App,
}

/// The keys of the portal.
#[derive(Debug)]
pub(crate) struct Keys {
    pub(crate) personal: Secret,
    pub(crate) read_only: Secret,
    pub(crate) app: Secret,
    pub(crate) session: Secret,
}

impl Keys {
    pub(crate) fn new(personal: Option<Secret>) -> Self {
        Self {
            personal: personal.unwrap_or_else(|| Secret::random("vibe_api_", 32)),
            read_only: Secret::random("vibe_api_", 32),
            app: Secret::random("vibe_app_", 32),
            session: Secret::random("vibe_session_", 32),
        }
    }

    /// The key of a request. `of_a_user`: it is about a user's data, to which an application's key alone is not let.
    pub(crate) fn admit(&self, headers: &HeaderMap, write: bool, of_a_user: bool) -> Result<Key, Refusal> {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
        let bearer = text("authorization").and_then(|value| value.strip_prefix("Bearer ")).map(str::trim);
        // A key alone may come as the bearer too.
        let alone = bearer.filter(|bearer| bearer.starts_with("vibe_api_"));
        let given = text("x-api-key").filter(|key| !key.is_empty()).or(alone);
        let Some(given) = given else {
            return Err(refusal("MISSING_API_KEY", "The header X-Api-Key is missing"));
        };
        let key = if given == self.personal.0 {
            Key::Personal
        } else if given == self.read_only.0 {
            Key::ReadOnly
        } else if given == self.app.0 {
            Key::App
        } else {
            return Err(refusal("INVALID_API_KEY", "This API key is unknown"));
        };
        match key {
            Key::ReadOnly if write => {
                Err(refusal("WRITE_BLOCKED_READONLY_KEY", "This key is in the mode READONLY: it cannot write"))
            }
            Key::Personal | Key::ReadOnly => Ok(key),
            Key::App => match bearer {
                None if of_a_user => Err(refusal("TOKEN_MISSING", "This key needs a session: Authorization: Bearer")),
                Some(session) if session != self.session.0 => {
                    Err(refusal("INVALID_SESSION", "This session is unknown or has ended"))
                }
                None | Some(_) => Ok(key),
            },
        }
    }
}
