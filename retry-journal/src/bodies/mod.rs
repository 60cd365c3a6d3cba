//! What becomes of the bodies of intents, which may be personal data. All stores have the same choice.

mod seal;

use std::fmt;

pub(crate) use seal::{Misfit, NotSealed, Sealer};

/// What becomes of the arguments of an intent.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub enum Bodies {
    /// They are kept as long as the intent.
    Keep,
    /// They are dropped once the intent is applied or rejected: nobody needs them then.
    ///
    /// Of an intent that is not applied or manual they are kept, as the next attempt and the person who decides need them. In a file, what was dropped is overwritten
    /// at once, and gone from its `-wal` with the next idle moment. In PostgreSQL it is gone from the table at once and from its files with the next vacuum;
    /// the server's log of changes and its backups keep it for as long as they are kept.
    #[default]
    DropAtClose,
    /// They are kept, and are never in clear in the store; nor are results, reasons and stories. What an intent is found by (portal, method, key, stub) is in clear.
    Encrypted(BodyKey),
}

impl Bodies {
    /// Whether arguments go with the end of their intent.
    pub(crate) const fn are_dropped(&self) -> bool {
        match self {
            Self::DropAtClose => true,
            Self::Keep | Self::Encrypted(_) => false,
        }
    }
}

/// The key that the bodies of a journal are encrypted with (XChaCha20-Poly1305). `Debug` shows nothing of it.
///
/// ```
/// use retry_journal::BodyKey;
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
