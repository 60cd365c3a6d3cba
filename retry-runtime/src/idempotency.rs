//! Keys by which REST 3.0 tells a repeated call from a new one.

use std::fmt;
use std::str::FromStr;

/// The key of one operation, sent as the header `Idempotency-Key` with every attempt of it.
///
/// For 24 hours the portal answers a call that has the key and the body of one that succeeded with that one's stored answer, and runs nothing
/// (documented, for one method, user and application). So it belongs to the *operation* and is made before its first send: an order that
/// is given twice is two operations, an order that is sent twice is one.
///
/// ```
/// use retry_runtime::IdempotencyKey;
///
/// let order = IdempotencyKey::of_business("order", "Заказ 1017")?;
/// let once = IdempotencyKey::random();
/// let uuid: IdempotencyKey = "0191c3a4-8f1e-7cc3-98c4-dc0c0c07398f".parse()?;
/// # let _ = (order, once, uuid);
/// # Ok::<(), retry_runtime::IdempotencyKeyError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct IdempotencyKey(Box<str>);

/// The text is no idempotency key: one has 1 to 255 printable ASCII letters, and no space at either end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an idempotency key has 1 to 255 printable ASCII letters, and no space at either end")]
pub struct IdempotencyKeyError;

impl IdempotencyKey {
    /// A key with this text, for example a UUID.
    ///
    /// # Errors
    /// The text is empty, longer than 255 letters, or has others than printable ASCII.
    pub fn new(text: impl Into<String>) -> Result<Self, IdempotencyKeyError> {
        let text = text.into();
        let printable = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        // A header loses the spaces at its ends on the way.
        if text.is_empty() || text.len() > 255 || !printable || text.trim() != text {
            return Err(IdempotencyKeyError);
        }
        Ok(Self(text.into()))
    }

    /// The key of a business operation: what it is and which one, in any script. The same two make the same key.
    ///
    /// # Errors
    /// Both together, letters beyond ASCII written as `%XX`, are longer than 255 letters.
    pub fn of_business(operation: &str, key: &str) -> Result<Self, IdempotencyKeyError> {
        let spelt = |text| percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string();
        Self::new(format!("{}:{}", spelt(operation), spelt(key)))
    }

    /// A key that no other operation has, 128 random bits.
    ///
    /// It is good for as long as it is kept: after a restart nobody knows it any more.
    pub fn random() -> Self {
        Self(format!("{:032x}", fastrand::u128(..)).into())
    }

    /// The text of the header.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for IdempotencyKey {
    type Err = IdempotencyKeyError;

    fn from_str(text: &str) -> Result<Self, IdempotencyKeyError> {
        Self::new(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_printable_ascii_that_a_header_keeps() {
        for good in ["a", "order 17", "~", &"k".repeat(255)] {
            assert_eq!(IdempotencyKey::new(good).unwrap().as_str(), good);
        }
        for bad in ["", " a", "a ", "a\nb", "ключ", "\u{7f}", &"k".repeat(256)] {
            assert!(IdempotencyKey::new(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_business_key_is_the_same_for_the_same_operation_and_for_no_other() {
        let key = |operation, key| IdempotencyKey::of_business(operation, key).unwrap();
        assert_eq!(key("order", "Заказ 1"), key("order", "Заказ 1"));
        assert_ne!(key("a", "b:c"), key("a:b", "c"));
        assert_ne!(IdempotencyKey::random(), IdempotencyKey::random());
    }
}
