//! Texts that are shown nowhere.

use std::fmt;

/// A key, a token, the secret of a webhook; `Debug` shows `***`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Secret(pub(crate) String);

impl Secret {
    /// So many random small letters and digits, after this beginning.
    pub(crate) fn random(beginning: &str, length: usize) -> Self {
        let letters = (0..length).map(|_| fastrand::alphanumeric().to_ascii_lowercase());
        Self(beginning.chars().chain(letters).collect())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}
