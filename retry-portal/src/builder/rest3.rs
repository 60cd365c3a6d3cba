//! Switches of REST 3.0.

use super::PortalBuilder;
use crate::shape::Shape;

impl PortalBuilder {
    /// Whether a success is stored under its `Idempotency-Key` in one step with its effect. Default: yes.
    ///
    /// The pages of Bitrix24 do not say. With `false` a success is stored only if its answer is sent whole: a fault
    /// that loses the answer loses the stored success too, the effect stays, and a repeat with the same key runs again.
    pub fn idempotency_atomic(mut self, atomic: bool) -> Self {
        self.rest3.atomic = atomic;
        self
    }

    /// Whether the access token in the body counts when the bodies of two requests with one `Idempotency-Key` are
    /// compared. Default: no. The pages of Bitrix24 do not say.
    pub fn idempotency_compares_auth(mut self, compares: bool) -> Self {
        self.rest3.auth_counts = compares;
        self
    }

    /// The form in which REST 3.0 refuses what does not reach a method: a wrong secret, an expired token, too many
    /// requests, an unknown method. Default: [`Shape::Nested`]. The pages of Bitrix24 do not say.
    pub fn rest3_system_errors(mut self, shape: Shape) -> Self {
        self.rest3.system_errors = shape;
        self
    }
}
