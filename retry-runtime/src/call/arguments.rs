//! The arguments of a call, written once as one JSON object.

use std::collections::HashSet;
use std::fmt;

use bytes::Bytes;
use serde::Serialize;
use serde::de::{Deserializer as _, MapAccess, Visitor};

/// One argument, borrowed until the request is made.
pub struct Entry<'a> {
    name: &'static str,
    value: &'a dyn Argument,
    flat: bool,
}

impl<'a> Entry<'a> {
    /// An argument under its own name; left out if it serialises to `null`.
    pub const fn new<T: Serialize>(name: &'static str, value: &'a T) -> Self {
        Self { name, value, flat: false }
    }

    /// An object whose keys become keys of the request.
    pub const fn flat<T: Serialize>(name: &'static str, value: &'a T) -> Self {
        Self { name, value, flat: true }
    }
}

impl fmt::Debug for Entry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("name", &self.name).field("flat", &self.flat).finish_non_exhaustive()
    }
}

/// What can be written as JSON, behind a pointer: the loop over entries is compiled once and not for each stub.
trait Argument {
    fn write(&self, out: &mut Vec<u8>) -> Result<(), serde_json::Error>;
}

impl<T: Serialize> Argument for T {
    fn write(&self, out: &mut Vec<u8>) -> Result<(), serde_json::Error> {
        serde_json::to_writer(out, self)
    }
}

/// Writes the entries as one object, or says which one is at fault.
pub(super) fn object(entries: &[Entry<'_>]) -> Result<Bytes, Box<str>> {
    let mut out = Vec::with_capacity(128);
    out.push(b'{');
    for entry in entries {
        let before = out.len();
        if before > 1 {
            out.push(b',');
        }
        if !entry.flat {
            // Names are identifiers or literals that the attribute has checked: nothing in them needs an escape.
            out.push(b'"');
            out.extend_from_slice(entry.name.as_bytes());
            out.extend_from_slice(b"\":");
        }
        let start = out.len();
        entry.value.write(&mut out).map_err(|error| format!("`{}` can't be written as JSON: {error}", entry.name))?;
        let written = &out[start..];
        if entry.flat {
            if written.first() != Some(&b'{') || written.last() != Some(&b'}') {
                return Err(
                    format!("`{}` is to be spliced into the request, so it must be an object", entry.name).into()
                );
            }
            out.pop();
            out.remove(start);
            if out.len() == start {
                out.truncate(before);
            }
        } else if written == b"null" {
            out.truncate(before);
        }
    }
    out.push(b'}');
    if entries.iter().any(|entry| entry.flat) {
        one_of_each(&out)?;
    }
    Ok(out.into())
}

/// Refuses an object that has a key twice, of which the portal would take either.
fn one_of_each(object: &[u8]) -> Result<(), Box<str>> {
    serde_json::Deserializer::from_slice(object).deserialize_map(Keys).map_err(|error| error.to_string().into())
}

struct Keys;

impl<'de> Visitor<'de> for Keys {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut seen = HashSet::new();
        while let Some((key, _)) = map.next_entry::<String, serde::de::IgnoredAny>()? {
            if let Some(twice) = seen.replace(key) {
                return Err(serde::de::Error::custom(format!("the request has the key `{twice}` twice")));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn written(entries: &[Entry<'_>]) -> String {
        String::from_utf8(object(entries).unwrap().to_vec()).unwrap()
    }

    #[test]
    fn arguments_become_keys_and_null_is_left_out() {
        assert_eq!(written(&[]), "{}");
        let (id, none, text) = (7, None::<u8>, "ё\"");
        assert_eq!(
            written(&[Entry::new("id", &id), Entry::new("none", &none), Entry::new("text", &text)]),
            r#"{"id":7,"text":"ё\""}"#
        );
        assert_eq!(written(&[Entry::new("none", &none), Entry::new("id", &id)]), r#"{"id":7}"#);
    }

    #[test]
    fn an_object_is_spliced_and_anything_else_is_refused() {
        let (id, some, empty) = (7, json!({"a": {"b": null}}), json!({}));
        assert_eq!(written(&[Entry::flat("f", &some), Entry::new("id", &id)]), r#"{"a":{"b":null},"id":7}"#);
        assert_eq!(written(&[Entry::flat("f", &empty), Entry::new("id", &id)]), r#"{"id":7}"#);
        assert_eq!(written(&[Entry::new("id", &id), Entry::flat("f", &empty)]), r#"{"id":7}"#);
        for other in [json!([]), json!(null), json!("{}"), json!(1)] {
            assert!(object(&[Entry::flat("f", &other)]).unwrap_err().contains("`f`"));
        }
    }

    #[test]
    fn a_key_given_twice_is_refused() {
        let (id, more) = (7, json!({"id": 8}));
        assert!(object(&[Entry::new("id", &id), Entry::flat("more", &more)]).unwrap_err().contains("`id` twice"));
        let alone: Box<serde_json::value::RawValue> = serde_json::from_str(r#"{"id":7,"id":8}"#).unwrap();
        assert!(object(&[Entry::flat("more", &alone)]).unwrap_err().contains("`id` twice"));
    }

    #[test]
    fn p7_an_argument_is_shown_without_its_value() {
        let title = "Ann Smith, 12 Elm Street";
        assert_eq!(format!("{:?}", Entry::new("title", &title)), r#"Entry { name: "title", flat: false, .. }"#);
    }

    #[test]
    fn what_cannot_be_json_is_refused_by_name() {
        let map = std::collections::HashMap::from([((1, 2), 3)]);
        assert!(object(&[Entry::new("map", &map)]).unwrap_err().contains("`map`"));
    }
}
