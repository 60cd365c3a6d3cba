//! What becomes of the bodies of intents, which may be personal data.

use std::fmt;

use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use retry_runtime::journal::IntentId;
use rusqlite::types::{Value, ValueRef};

use super::error::Failure;

/// What becomes of the arguments of an intent.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub enum Bodies {
    /// They are kept as long as the intent.
    Keep,
    /// They are dropped once the intent is applied or rejected: nobody needs them then.
    ///
    /// Of an intent that is not applied or manual they are kept, as the next attempt and the person who decides need them. What was dropped is overwritten in the
    /// file at once, and gone from its `-wal` with the next idle moment.
    #[default]
    DropAtClose,
    /// They are kept, and are never in clear in the file; nor are results, reasons and stories. What an intent is found by (portal, method, key, stub) is in clear.
    Encrypted(BodyKey),
}

/// The key that the bodies of a journal are encrypted with (XChaCha20-Poly1305). `Debug` shows nothing of it.
///
/// ```
/// use retry_journal::sqlite::BodyKey;
///
/// assert_eq!(format!("{:?}", BodyKey::new([7; 32])), "BodyKey(..)");
/// ```
#[derive(Clone)]
pub struct BodyKey([u8; 32]);

impl BodyKey {
    /// A key of 32 random bytes, which the caller keeps in a safe place: without it the journal can't be read.
    pub const fn new(key: [u8; 32]) -> Self {
        Self(key)
    }
}

impl fmt::Debug for BodyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BodyKey(..)")
    }
}

/// Writes and reads what may be personal.
pub(super) enum Sealer {
    Clear,
    Sealed(Box<XChaCha20Poly1305>),
}

const NONCE: usize = 24;

impl Sealer {
    pub(super) fn of(bodies: &Bodies) -> Self {
        match bodies {
            Bodies::Keep | Bodies::DropAtClose => Self::Clear,
            Bodies::Encrypted(key) => Self::Sealed(Box::new(XChaCha20Poly1305::new(&key.0.into()))),
        }
    }

    /// A text as it is put into the file.
    pub(super) fn text(&self, id: &IntentId, what: &str, text: &str) -> Result<Value, Failure> {
        match self {
            Self::Clear => Ok(Value::Text(text.into())),
            Self::Sealed(cipher) => seal(cipher, id, what, text.as_bytes()).map(Value::Blob),
        }
    }

    /// Bytes as they are put into the file.
    pub(super) fn bytes(&self, id: &IntentId, what: &str, bytes: &[u8]) -> Result<Value, Failure> {
        match self {
            Self::Clear => Ok(Value::Blob(bytes.into())),
            Self::Sealed(cipher) => seal(cipher, id, what, bytes).map(Value::Blob),
        }
    }

    /// What was put into the file.
    pub(super) fn opened(&self, id: &IntentId, what: &str, stored: ValueRef<'_>) -> Result<Option<Vec<u8>>, Failure> {
        match (self, stored) {
            (_, ValueRef::Null) => Ok(None),
            (Self::Clear, ValueRef::Text(bytes) | ValueRef::Blob(bytes)) => Ok(Some(bytes.into())),
            (Self::Sealed(cipher), ValueRef::Blob(bytes)) => open(cipher, id, what, bytes)
                .map(Some)
                .ok_or_else(|| Failure::Damaged(format!("the {what} of {id} can't be decrypted").into())),
            (_, ValueRef::Integer(_) | ValueRef::Real(_) | ValueRef::Text(_)) => {
                Err(Failure::Damaged(format!("the {what} of {id} is of the wrong type").into()))
            }
        }
    }
}

fn seal(cipher: &XChaCha20Poly1305, id: &IntentId, what: &str, plain: &[u8]) -> Result<Vec<u8>, Failure> {
    let refused = |why: String| Failure::Io("a body could not be encrypted", std::io::Error::other(why));
    let mut nonce = [0; NONCE];
    getrandom::fill(&mut nonce).map_err(|error| refused(error.to_string()))?;
    let sealed = cipher
        .encrypt(&XNonce::from(nonce), Payload { msg: plain, aad: &bound_to(id, what) })
        .map_err(|error| refused(error.to_string()))?;
    Ok([nonce.as_slice(), &sealed].concat())
}

fn open(cipher: &XChaCha20Poly1305, id: &IntentId, what: &str, stored: &[u8]) -> Option<Vec<u8>> {
    let (nonce, sealed) = stored.split_first_chunk::<NONCE>()?;
    cipher.decrypt(&XNonce::from(*nonce), Payload { msg: sealed, aad: &bound_to(id, what) }).ok()
}

/// What a body belongs to: put elsewhere, it does not open. Each part has its length before it, so that no two lists of parts read alike.
fn bound_to(id: &IntentId, what: &str) -> Vec<u8> {
    let mut all = Vec::new();
    for part in [&*id.portal, &*id.method, &*id.key, what] {
        all.extend_from_slice(&(part.len() as u64).to_le_bytes());
        all.extend_from_slice(part.as_bytes());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_body_opens_only_with_its_key_and_in_its_place() {
        let id = |key: &str| IntentId { portal: "p".into(), method: "m".into(), key: key.into() };
        let sealer = |byte| Sealer::of(&Bodies::Encrypted(BodyKey::new([byte; 32])));
        let stored = sealer(1).text(&id("a"), "why", "Anna Muster").unwrap();
        assert!(matches!(&stored, Value::Blob(bytes) if !bytes.windows(4).any(|part| part == b"Anna")));
        let opened = |byte, key, what| sealer(byte).opened(&id(key), what, ValueRef::from(&stored));
        assert_eq!(opened(1, "a", "why").unwrap().unwrap(), b"Anna Muster");
        for (byte, key, what) in [(2, "a", "why"), (1, "b", "why"), (1, "a", "result")] {
            assert!(opened(byte, key, what).is_err());
        }
    }
}
