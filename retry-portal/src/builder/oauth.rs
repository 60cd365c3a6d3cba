//! Switches of the token server.

use super::PortalBuilder;
use crate::oauth::TokenAnswer;

impl PortalBuilder {
    /// The form in which the token server answers. Default: [`TokenAnswer::Documented`].
    pub fn token_answer(mut self, answer: TokenAnswer) -> Self {
        self.tokens.answer = answer;
        self
    }

    /// Whether a refresh token dies at once when it is used, so that an answer that is lost costs the authorisation.
    /// Default: no, it lives on next to the new one. The pages of Bitrix24 do not say.
    pub fn old_refresh_token_dies(mut self, dies: bool) -> Self {
        self.tokens.rotation_kills = dies;
        self
    }
}
