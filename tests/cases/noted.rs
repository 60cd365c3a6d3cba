//! A fact that is recorded before the first send, for the verifier only.

use serde::{Serialize, Serializer};

/// What was noted. As an argument it is nothing, and a key that would be `null` is left out of the request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Noted<T>(pub(crate) T);

impl<T> Serialize for Noted<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_none()
    }
}
