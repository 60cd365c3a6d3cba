//! A reader of queries that works as PHP's `parse_str` does.

use percent_encoding::percent_decode_str;
use serde_json::{Value, json};

/// A PHP array, with its keys in order.
#[derive(Debug, Default)]
struct PhpArray(Vec<(String, Php)>);

#[derive(Debug)]
enum Php {
    Text(String),
    Array(PhpArray),
}

impl PhpArray {
    /// `None` where a value would take the place of another.
    fn put(&mut self, path: &[String], text: &str) -> Option<()> {
        let (key, below) = path.split_first()?;
        let place = self.0.iter().position(|(known, _)| known == key);
        if below.is_empty() {
            self.0.push((key.clone(), Php::Text(text.to_owned())));
            return place.is_none().then_some(());
        }
        let place = place.unwrap_or_else(|| {
            self.0.push((key.clone(), Php::Array(Self::default())));
            self.0.len() - 1
        });
        match &mut self.0.get_mut(place)?.1 {
            Php::Array(array) => array.put(below, text),
            Php::Text(_) => None,
        }
    }
}

impl Php {
    /// The same as PHP would write it as JSON.
    fn json(&self) -> Value {
        let members = match self {
            Self::Text(text) => return json!(text),
            Self::Array(PhpArray(members)) => members,
        };
        let is_list = members.iter().enumerate().all(|(place, (key, _))| *key == place.to_string());
        let values = members.iter().map(|(key, value)| (key.clone(), value.json()));
        if is_list { values.map(|(_, value)| value).collect() } else { Value::Object(values.collect()) }
    }
}

/// Reads a query: `+` is a space, what follows `[` is a key until `]`, and of the first key `.` and space become `_`. `None` where something would
/// get lost: a variable without a name, one in the place of another, and `[]`, which stands for the next number.
pub(crate) fn parse_str(query: &str) -> Option<Value> {
    let mut array = PhpArray::default();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let decode = |part: &str| Some(percent_decode_str(&part.replace('+', " ")).decode_utf8().ok()?.into_owned());
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let (name, value) = (decode(name)?, decode(value)?);
        let name = Some(name.trim_start_matches(' ')).filter(|name| !name.is_empty())?;
        let (first, mut rest) = name.split_once('[').map_or((name, ""), |(first, rest)| (first, rest));
        let mut path = vec![first.replace(['.', ' '], "_")];
        while !rest.is_empty() {
            let (key, after) = rest.split_once(']')?;
            let key = key.trim_start_matches([' ', '\t', '\n']);
            path.push(Some(key).filter(|key| !key.is_empty())?.to_owned());
            rest = if after.is_empty() { "" } else { after.strip_prefix('[')? };
        }
        array.put(&path, &value)?;
    }
    // The parameters of a call are taken by their names, whatever these are.
    let members = array.0.iter().map(|(key, value)| (key.clone(), value.json()));
    Some(Value::Object(members.collect()))
}

/// The text that PHP makes of a number it read from JSON: whole ones as they are, others with 14 digits (`precision`).
pub(crate) fn number(number: &serde_json::Number) -> String {
    if number.is_i64() || number.is_u64() {
        return number.to_string();
    }
    let Some(float) = number.as_f64() else { return number.to_string() };
    if float == 0.0 {
        return if float.is_sign_negative() { "-0" } else { "0" }.to_owned();
    }
    let scientific = format!("{float:.13e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if !(-4..14).contains(&exponent) {
        return scientific;
    }
    let decimals = usize::try_from(13 - exponent).unwrap_or_default();
    debug_assert!(digits.contains('.'));
    let text = format!("{float:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}
