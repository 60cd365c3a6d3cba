//! What tells the arguments of an intent from others after they are gone.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// The SHA-256 of the arguments, whatever the order of their keys.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// The digest of a JSON object. A map that is written in another order each time has one digest.
    pub fn of(arguments: &[u8]) -> Self {
        let Ok(value) = serde_json::from_slice(arguments) else { return Self(Sha256::digest(arguments).into()) };
        let mut text = String::new();
        sorted(&value, &mut text);
        Self(Sha256::digest(text).into())
    }
}

/// Writes it with its keys in order, which `serde_json` keeps only without its feature `preserve_order`.
fn sorted(value: &Value, out: &mut String) {
    match value {
        Value::Object(object) => {
            out.push('{');
            for (key, value) in object.iter().collect::<BTreeMap<_, _>>() {
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push(':');
                sorted(value, out);
                out.push(',');
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for item in items {
                sorted(item, out);
                out.push(',');
            }
            out.push(']');
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => out.push_str(&value.to_string()),
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    /// Its first bytes, which are enough to tell two apart.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.to_string();
        text.truncate(12);
        f.write_char('#')?;
        f.write_str(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_keys_makes_no_other_arguments_and_everything_else_does() {
        let digest = |text: &str| Digest::of(text.as_bytes());
        let one = digest(r#"{"a":1,"b":{"d":1,"c":2}}"#);
        assert_eq!(one, digest(r#"{ "b": {"c": 2, "d": 1}, "a": 1 }"#));
        for other in
            [r#"{"a":1}"#, r#"{"a":1.0,"b":{"c":2,"d":1}}"#, r#"{"a":"1","b":{"c":2,"d":1}}"#, "[1]", "no json"]
        {
            assert_ne!(one, digest(other), "{other}");
        }
        assert_ne!(digest(r#"{"rows":[1,2]}"#), digest(r#"{"rows":[2,1]}"#));
    }
}
