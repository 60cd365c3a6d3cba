//! How bodies are encrypted, each bound to its place.

use std::fmt;

use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use retry_runtime::journal::IntentId;

use super::Bodies;

/// Writes and reads what may be personal.
pub(crate) enum Sealer {
    Clear,
    Sealed(Box<XChaCha20Poly1305>),
}

/// Why a body could not be encrypted.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct NotSealed(String);

/// How a key does not fit to what is in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Misfit {
    #[error("its bodies are encrypted. Open it with its key (Bodies::Encrypted)")]
    NoKey,
    #[error("this is not the key that its bodies are encrypted with")]
    OtherKey,
    #[error(
        "its bodies are in clear, and a key can't change that. Open it without the key, or begin a new journal with it"
    )]
    InClear,
}

const NONCE: usize = 24;

impl Sealer {
    pub(crate) fn of(bodies: &Bodies) -> Self {
        match bodies {
            Bodies::Keep | Bodies::DropAtClose => Self::Clear,
            Bodies::Encrypted(key) => Self::Sealed(Box::new(XChaCha20Poly1305::new(&key.0.into()))),
        }
    }

    /// The bytes as they are stored: `None` is as they are.
    pub(crate) fn sealed(&self, id: &IntentId, what: &str, plain: &[u8]) -> Result<Option<Vec<u8>>, NotSealed> {
        let Self::Sealed(cipher) = self else { return Ok(None) };
        let mut nonce = [0; NONCE];
        getrandom::fill(&mut nonce).map_err(|error| NotSealed(error.to_string()))?;
        let sealed = cipher
            .encrypt(&XNonce::from(nonce), Payload { msg: plain, aad: &bound_to(id, what) })
            .map_err(|error| NotSealed(error.to_string()))?;
        Ok(Some([nonce.as_slice(), &sealed].concat()))
    }

    /// The bytes that were stored; `None` if they do not open.
    pub(crate) fn opened(&self, id: &IntentId, what: &str, stored: &[u8]) -> Option<Vec<u8>> {
        let Self::Sealed(cipher) = self else { return Some(stored.into()) };
        let (nonce, sealed) = stored.split_first_chunk::<NONCE>()?;
        cipher.decrypt(&XNonce::from(*nonce), Payload { msg: sealed, aad: &bound_to(id, what) }).ok()
    }

    /// The value that a sealed store keeps to know its key by; `None` in a clear one.
    pub(crate) fn probe(&self) -> Result<Option<Vec<u8>>, NotSealed> {
        self.sealed(&of_all(), "seal", b"retry-journal")
    }

    /// How this fits to the probe that is in the store.
    pub(crate) fn misfit(&self, probe: Option<&[u8]>) -> Option<Misfit> {
        match (self, probe) {
            (Self::Clear, None) => None,
            (Self::Clear, Some(_)) => Some(Misfit::NoKey),
            (Self::Sealed(_), None) => Some(Misfit::InClear),
            (Self::Sealed(_), Some(probe)) => match self.opened(&of_all(), "seal", probe) {
                Some(_) => None,
                None => Some(Misfit::OtherKey),
            },
        }
    }
}

impl fmt::Debug for Sealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Clear => "Clear",
            Self::Sealed(_) => "Sealed(..)",
        })
    }
}

/// The place of what belongs to the whole store.
fn of_all() -> IntentId {
    IntentId { portal: "".into(), method: "".into(), key: "".into() }
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
    use crate::BodyKey;

    fn sealer(byte: u8) -> Sealer {
        Sealer::of(&Bodies::Encrypted(BodyKey::new([byte; 32])))
    }

    #[test]
    fn a_sealed_body_opens_only_with_its_key_and_in_its_place() {
        let id = |key: &str| IntentId { portal: "p".into(), method: "m".into(), key: key.into() };
        let stored = sealer(1).sealed(&id("a"), "why", b"Anna Muster").unwrap().unwrap();
        assert!(!stored.windows(4).any(|part| part == b"Anna"));
        let opened = |byte, key, what| sealer(byte).opened(&id(key), what, &stored);
        assert_eq!(opened(1, "a", "why").unwrap(), b"Anna Muster");
        for (byte, key, what) in [(2, "a", "why"), (1, "b", "why"), (1, "a", "result")] {
            assert_eq!(opened(byte, key, what), None);
        }
    }

    #[test]
    fn a_store_knows_its_key_by_its_probe() {
        let probe = sealer(1).probe().unwrap().unwrap();
        assert_eq!(sealer(1).misfit(Some(&probe)), None);
        assert_eq!(sealer(2).misfit(Some(&probe)), Some(Misfit::OtherKey));
        assert_eq!(sealer(1).misfit(None), Some(Misfit::InClear));
        let clear = Sealer::of(&Bodies::Keep);
        assert!(clear.probe().unwrap().is_none());
        assert_eq!((clear.misfit(None), clear.misfit(Some(&probe))), (None, Some(Misfit::NoKey)));
    }
}
