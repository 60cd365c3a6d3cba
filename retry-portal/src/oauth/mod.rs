//! OAuth: the token server, and the tokens that it gives.

mod authorize;
mod endpoint;
mod tokens;

use serde_json::Value;

pub(crate) use authorize::authorize;
pub(crate) use endpoint::{call, page, without_secrets};
pub(crate) use tokens::{Issue, TokenSwitches, Tokens};

/// The name of the token server in scripts and in the journal.
pub(crate) const METHOD: &str = "oauth.token";

/// The name of the page where a user lets the application in, in the journal.
pub(crate) const AUTHORIZE: &str = "oauth.authorize";

/// The form in which the token server answers.
///
/// The pages of Bitrix24 show one form for both grants; clients report others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum TokenAnswer {
    /// As documented, with `expires` and `user_id` besides. The default.
    #[default]
    Documented,
    /// `access_token`, `refresh_token` and `expires_in` alone.
    Bare,
    /// As documented, with the numbers as texts.
    Texts,
    /// As documented, but neither `expires` nor `expires_in`.
    NoExpiry,
    /// As documented, but no `refresh_token`: the old one goes on.
    NoRefreshToken,
}

/// The portal's id, made up.
const MEMBER: &str = "9f0c2a6e71d84b35a1e4c7d05b86f312";

/// Parameters whose values the journal does not show.
pub(crate) fn is_secret(name: &str) -> bool {
    matches!(name, "auth" | "client_secret" | "refresh_token" | "code" | "access_token")
}

/// What the journal shows in the place of a secret.
pub(crate) fn hidden() -> Value {
    "***".into()
}
