//! The top level of a JSON object, read by other means than the library's own.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

/// The keys of an object, each time they occur, and whether the last `success` is `true`.
#[derive(Debug, Default)]
pub(super) struct Top {
    keys: Vec<String>,
    pub(super) success: bool,
}

impl Top {
    /// `None` for what is no JSON object.
    pub(super) fn of(body: &[u8]) -> Option<Self> {
        let text = body.strip_prefix("\u{feff}".as_bytes()).unwrap_or(body);
        serde_json::from_slice(text.trim_ascii()).ok()
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.keys.iter().any(|known| known == key)
    }

    fn is_plain(&self) -> bool {
        let mut keys = self.keys.clone();
        keys.sort();
        keys.windows(2).all(|pair| pair.first() != pair.last())
    }
}

/// The value of a body that leaves no room for doubt: an object in UTF-8, each key once.
pub(super) fn plain(body: &[u8]) -> Option<Value> {
    Top::of(body).filter(Top::is_plain)?;
    let text = std::str::from_utf8(body).ok()?;
    serde_json::from_str(text.strip_prefix('\u{feff}').unwrap_or(text).trim_ascii()).ok()
}

impl<'de> Deserialize<'de> for Top {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Keys;
        impl<'de> Visitor<'de> for Keys {
            type Value = Top;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Top, A::Error> {
                let mut top = Top::default();
                while let Some(key) = map.next_key::<String>()? {
                    if key == "success" {
                        top.success = map.next_value::<Value>()? == Value::Bool(true);
                    } else {
                        map.next_value::<IgnoredAny>()?;
                    }
                    top.keys.push(key);
                }
                Ok(top)
            }
        }
        deserializer.deserialize_map(Keys)
    }
}
