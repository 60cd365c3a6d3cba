//! One call as a command of a REST 2 batch, `method?query`: the arguments as PHP's `parse_str` reads them.

use std::collections::HashSet;
use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Everything but the letters that a URL never escapes.
const RESERVED: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A longer command goes alone, in bytes (our choice: a call of such a size gains nothing by company).
const LONGEST: usize = 32 * 1024;

/// PHP passes over what a query has beyond so many variables, and what is nested deeper than 64 (its defaults).
const MOST_VARIABLES: usize = 1000;
const DEEPEST: usize = 32;

/// What a portal puts the result of another command in place of.
const REFERENCE: &str = "$result[";

/// So many digits of a number PHP writes out as they are.
const EXACT_DIGITS: usize = 14;

/// The command for a call; `None` if the portal would not read the same arguments from it as from their JSON.
///
/// Those are `null`, `true`, `false`, `[]`, `{}`, an object that would come back as a list, keys and numbers that PHP writes otherwise, a reference
/// to another command, and what is too large. Other numbers arrive as their text.
pub(crate) fn command(method: &str, arguments: &[u8]) -> Option<String> {
    let Members(arguments) = serde_json::from_slice(arguments).ok()?;
    let mut query = Query { text: method.to_owned(), variables: 0 };
    let mut path = String::new();
    for (key, value) in arguments {
        if !is_plain(&key) || key.contains(['.', ' ']) {
            return None;
        }
        path.clear();
        path.extend(utf8_percent_encode(&key, &RESERVED));
        query.put(&mut path, value, 1)?;
    }
    Some(query.text)
}

struct Query {
    text: String,
    variables: usize,
}

impl Query {
    /// Puts a value there, under the encoded path to it.
    fn put(&mut self, path: &mut String, value: &RawValue, depth: usize) -> Option<()> {
        let json = value.get();
        match json.as_bytes().first()? {
            _ if depth > DEEPEST => None,
            b'{' => {
                let Members(members) = serde_json::from_str(json).ok()?;
                if members.iter().enumerate().all(|(place, (key, _))| *key == place.to_string()) {
                    return None;
                }
                members.into_iter().try_for_each(|(key, value)| {
                    if is_plain(&key) { self.put_below(path, &key, value, depth) } else { None }
                })
            }
            b'[' => {
                let items: Vec<&RawValue> = serde_json::from_str(json).ok()?;
                if items.is_empty() {
                    return None;
                }
                items
                    .into_iter()
                    .enumerate()
                    .try_for_each(|(place, item)| self.put_below(path, &place.to_string(), item, depth))
            }
            b'"' => {
                let text: String = serde_json::from_str(json).ok()?;
                if text.contains('\0') || text.contains(REFERENCE) { None } else { self.variable(path, &text) }
            }
            b'-' | b'0'..=b'9' => self.variable(path, &as_php_writes_it(json)?),
            _ => None,
        }
    }

    fn put_below(&mut self, path: &mut String, key: &str, value: &RawValue, depth: usize) -> Option<()> {
        let above = path.len();
        path.push_str("%5B");
        path.extend(utf8_percent_encode(key, &RESERVED));
        path.push_str("%5D");
        self.put(path, value, depth + 1)?;
        path.truncate(above);
        Some(())
    }

    fn variable(&mut self, path: &str, value: &str) -> Option<()> {
        self.text.push(if self.variables == 0 { '?' } else { '&' });
        self.text.push_str(path);
        self.text.push('=');
        self.text.extend(utf8_percent_encode(value, &RESERVED));
        self.variables += 1;
        (self.variables <= MOST_VARIABLES && self.text.len() <= LONGEST).then_some(())
    }
}

/// Whether PHP leaves a key as it is, between brackets too.
fn is_plain(key: &str) -> bool {
    !key.is_empty() && !key.starts_with(|letter: char| letter.is_ascii_whitespace()) && !key.contains(['[', ']', '\0'])
}

/// The text that a number of a JSON body has on the portal, where that is sure.
fn as_php_writes_it(number: &str) -> Option<String> {
    if number.contains(['e', 'E']) {
        return None;
    }
    let Some((whole, fraction)) = number.split_once('.') else {
        return Some(number.parse::<i64>().ok()?.to_string()).filter(|text| text == number);
    };
    let fraction = fraction.trim_end_matches('0');
    let digits = whole.trim_start_matches('-').len() + fraction.len();
    // A smaller one is written with an exponent.
    let tiny = whole.trim_start_matches('-') == "0" && (fraction.is_empty() || fraction.starts_with("0000"));
    match fraction {
        "" if whole == "0" => Some("0".to_owned()),
        _ if tiny || digits > EXACT_DIGITS => None,
        "" => Some(whole.to_owned()),
        _ => Some(format!("{whole}.{fraction}")),
    }
}

/// The members of an object, in order, each key once.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members: Vec<(String, &'de RawValue)> = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        let keys: HashSet<&str> = members.iter().map(|(key, _)| key.as_str()).collect();
        if keys.len() < members.len() {
            return Err(serde::de::Error::custom("a key is there twice"));
        }
        Ok(Members(members))
    }
}

#[cfg(test)]
mod tests;
