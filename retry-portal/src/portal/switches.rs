//! What can be turned while the portal runs.

use std::time::Duration;

use super::Portal;
use crate::crm::{Entity, UnknownFilterField};
use crate::oauth::TokenAnswer;
use crate::shape::Shape;

impl Portal {
    /// Lists do not show a record before it is so old (portal time); `get` does.
    pub fn index_lag(&self, lag: Duration) {
        self.shared.state().switches.index_lag = lag;
    }

    /// Whether all lists ignore their filter and show every row.
    pub fn ignore_filters(&self, ignore: bool) {
        self.shared.state().switches.ignore_filters = ignore;
    }

    /// What the old lists and those of the gateway do with a filter field that does not exist.
    pub fn unknown_filter_field(&self, what: UnknownFilterField) {
        self.shared.state().switches.unknown_filter_field = what;
    }

    /// The user may no longer read this entity: its lists are empty, `get`, `update` and `delete` are refused. Creating
    /// works.
    pub fn hide(&self, entity: &str) {
        if let Some(entity) = Entity::named(entity) {
            self.shared.state().switches.hidden.push(entity);
        }
    }

    /// Takes [`Portal::hide`] back.
    pub fn show(&self, entity: &str) {
        let named = Entity::named(entity);
        self.shared.state().switches.hidden.retain(|hidden| Some(*hidden) != named);
    }

    /// See [`PortalBuilder::vibe_status`](crate::PortalBuilder::vibe_status).
    pub fn vibe_status(&self, code: &str, status: u16) {
        self.shared.state().gateway.switches.statuses.set(code, status);
    }

    /// See [`PortalBuilder::vibe_error_shape`](crate::PortalBuilder::vibe_error_shape).
    pub fn vibe_error_shape(&self, shape: Shape) {
        self.shared.state().gateway.switches.shape = shape;
    }

    /// How many windows of a search the gateway could not read: its lists answer with success, `meta.windowErrors` of
    /// this number and none of the rows. Zero: all is well again.
    pub fn vibe_window_errors(&self, windows: u32) {
        self.shared.state().gateway.switches.window_errors = windows;
    }

    /// See [`PortalBuilder::token_answer`](crate::PortalBuilder::token_answer).
    pub fn token_answer(&self, answer: TokenAnswer) {
        self.shared.state().memory.tokens.switches.answer = answer;
    }

    /// From now on the token server gives tokens of this user, whatever user the grant belongs to.
    pub fn token_user(&self, id: u64) {
        self.shared.state().memory.tokens.switches.user = Some(id);
    }

    /// All access tokens so far have expired: calls with them get 401 `expired_token`. Refresh tokens live on.
    pub fn expire_tokens(&self) {
        self.shared.state().memory.tokens.expire();
    }
}
