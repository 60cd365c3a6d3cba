//! A member of a JSON object with its own members in the order in which they were written.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// The members of the last member of `json` whose name is wanted. Empty if there is none, or if it is no object.
pub(crate) fn member(json: &[u8], wanted: fn(&str) -> bool) -> Vec<(String, Value)> {
    let mut reader = serde_json::Deserializer::from_slice(json);
    reader.deserialize_map(Outer(wanted)).unwrap_or_default()
}

struct Outer(fn(&str) -> bool);

impl<'de> Visitor<'de> for Outer {
    type Value = Vec<(String, Value)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            if self.0(&name) {
                found = map.next_value::<Pairs>()?.0;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found)
    }
}

/// The members of an object; none for any other value.
struct Pairs(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        reader.deserialize_any(Inner)
    }
}

struct Inner;

impl<'de> Visitor<'de> for Inner {
    type Value = Pairs;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(Pairs(pairs))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Pairs, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Pairs(Vec::new()))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Pairs, E> {
        Ok(Pairs(Vec::new()))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Pairs, E> {
        Ok(Pairs(Vec::new()))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Pairs, E> {
        Ok(Pairs(Vec::new()))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Pairs, E> {
        Ok(Pairs(Vec::new()))
    }

    fn visit_str<E>(self, _: &str) -> Result<Pairs, E> {
        Ok(Pairs(Vec::new()))
    }

    fn visit_unit<E>(self) -> Result<Pairs, E> {
        Ok(Pairs(Vec::new()))
    }
}
