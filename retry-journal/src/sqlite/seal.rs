//! What may be personal, as values of SQLite.

use std::io;

use retry_runtime::journal::IntentId;
use rusqlite::types::{Value, ValueRef};

use super::error::Failure;
use crate::bodies::{NotSealed, Sealer};

/// A text as it is put into the file.
pub(super) fn text(sealer: &Sealer, id: &IntentId, what: &str, text: &str) -> Result<Value, Failure> {
    Ok(sealer.sealed(id, what, text.as_bytes())?.map_or_else(|| Value::Text(text.into()), Value::Blob))
}

/// Bytes as they are put into the file.
pub(super) fn bytes(sealer: &Sealer, id: &IntentId, what: &str, bytes: &[u8]) -> Result<Value, Failure> {
    Ok(sealer.sealed(id, what, bytes)?.map_or_else(|| Value::Blob(bytes.into()), Value::Blob))
}

/// What was put into the file.
pub(super) fn opened(
    sealer: &Sealer,
    id: &IntentId,
    what: &str,
    stored: ValueRef<'_>,
) -> Result<Option<Vec<u8>>, Failure> {
    match (sealer, stored) {
        (_, ValueRef::Null) => Ok(None),
        (Sealer::Clear, ValueRef::Text(bytes) | ValueRef::Blob(bytes)) | (Sealer::Sealed(_), ValueRef::Blob(bytes)) => {
            let opened = sealer.opened(id, what, bytes);
            opened.map(Some).ok_or_else(|| Failure::Damaged(format!("the {what} of {id} can't be decrypted").into()))
        }
        (_, ValueRef::Integer(_) | ValueRef::Real(_) | ValueRef::Text(_)) => {
            Err(Failure::Damaged(format!("the {what} of {id} is of the wrong type").into()))
        }
    }
}

impl From<NotSealed> for Failure {
    fn from(error: NotSealed) -> Self {
        Self::Io("a body could not be encrypted", io::Error::other(error.to_string()))
    }
}
