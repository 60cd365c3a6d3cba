//! Identifiers, which the portal sends as numbers or as their text.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::{Serialize, Serializer};

/// The number of a record; reads `17` and `"17"`, and is sent as a number.
///
/// ```
/// use retry_runtime::Id;
///
/// let id: Id = serde_json::from_str("\"17\"")?;
/// assert_eq!(id, Id(17));
/// assert_eq!(serde_json::to_string(&id)?, "17");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(pub u64);

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Id {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, ParseIntError> {
        text.parse().map(Self)
    }
}

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberOrText)
    }
}

struct NumberOrText;

impl Visitor<'_> for NumberOrText {
    type Value = Id;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an id, as a number or as its text")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Id, E> {
        Ok(Id(number))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Id, E> {
        u64::try_from(number).map(Id).map_err(|_| E::invalid_value(de::Unexpected::Signed(number), &self))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Id, E> {
        text.parse().map_err(|_| E::invalid_value(de::Unexpected::Str(text), &self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_reads_numbers_and_texts_and_nothing_else() {
        for json in ["17", "\"17\""] {
            assert_eq!(serde_json::from_str::<Id>(json).unwrap(), Id(17));
        }
        for json in ["-1", "1.5", "\"\"", "\"x\"", "null", "true", "[17]"] {
            assert!(serde_json::from_str::<Id>(json).is_err(), "{json}");
        }
    }
}
