//! Filters of lists: their operators, and which records they let through.

use std::cmp::Ordering;
use std::ops::Range;

use serde_json::{Map, Value};

use super::records::Record;
use super::schema::Kind;
use super::values::{entries, float, text};
use crate::dates;

/// Finds the old name and the kind of the field that a client names.
pub(crate) type Resolve<'a> = &'a dyn Fn(&str) -> Option<(String, Kind)>;

/// Why a filter is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refused {
    UnknownField(String),
    BadValue(String),
}

/// A filter that has been understood.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Filter {
    All(Vec<Self>),
    Any(Vec<Self>),
    Test { field: String, kind: Kind, op: Op, values: Vec<Key> },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Op {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    /// A part of the text, whatever the case of its letters.
    Contains,
    NotContains,
    /// A pattern with `%` and `_`.
    Like,
    NotLike,
}

/// A value in the form in which its kind compares.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Key {
    Empty,
    Number(f64),
    Text(String),
}

/// Longer signs first, so that `>=` is not taken for `>`.
const SIGNS: [(&str, Op); 16] = [
    ("!=%", Op::NotLike),
    ("!%=", Op::NotLike),
    ("!%", Op::NotContains),
    ("=%", Op::Like),
    ("%=", Op::Like),
    ("!@", Op::NotEqual),
    ("!=", Op::NotEqual),
    (">=", Op::GreaterOrEqual),
    ("<=", Op::LessOrEqual),
    ("@", Op::Equal),
    ("!", Op::NotEqual),
    ("=", Op::Equal),
    ("%", Op::Contains),
    (">", Op::Greater),
    ("<", Op::Less),
    ("", Op::Equal),
];

/// How deep groups may lie in each other.
const DEPTH: usize = 16;

/// Reads a filter. An unknown field is an error; [`parse_known`] leaves it out.
pub(crate) fn parse(filter: &Value, resolve: Resolve<'_>) -> Result<Filter, Refused> {
    group(filter, resolve, true, DEPTH)
}

/// Reads a filter and leaves out the tests of unknown fields.
pub(crate) fn parse_known(filter: &Value, resolve: Resolve<'_>) -> Filter {
    group(filter, resolve, false, DEPTH).unwrap_or(Filter::All(Vec::new()))
}

fn group(filter: &Value, resolve: Resolve<'_>, strict: bool, depth: usize) -> Result<Filter, Refused> {
    let empty = Map::new();
    let map = filter.as_object().unwrap_or(&empty);
    let mut parts = Vec::new();
    let mut any = false;
    for (key, value) in map {
        if key.eq_ignore_ascii_case("logic") {
            any = text(value).is_some_and(|logic| logic.eq_ignore_ascii_case("or"));
        } else if key.bytes().all(|digit| digit.is_ascii_digit()) && (value.is_object() || value.is_array()) {
            if depth == 0 {
                return Err(Refused::BadValue(key.clone()));
            }
            parts.push(group(value, resolve, strict, depth - 1)?);
        } else if let Some(test) = test(key, value, resolve, strict)? {
            parts.push(test);
        }
    }
    // A list of groups: PHP has one kind of array for both.
    for value in filter.as_array().into_iter().flatten() {
        if depth == 0 {
            return Err(Refused::BadValue("0".to_owned()));
        }
        parts.push(group(value, resolve, strict, depth - 1)?);
    }
    Ok(if any { Filter::Any(parts) } else { Filter::All(parts) })
}

fn test(key: &str, value: &Value, resolve: Resolve<'_>, strict: bool) -> Result<Option<Filter>, Refused> {
    let Some((name, op)) = SIGNS.iter().find_map(|(sign, op)| key.strip_prefix(sign).map(|name| (name, *op))) else {
        return Ok(None);
    };
    let Some((field, kind)) = resolve(name) else {
        return if strict { Err(Refused::UnknownField(name.to_owned())) } else { Ok(None) };
    };
    let listed: Vec<&Value> =
        if value.is_array() || value.is_object() { entries(value).collect() } else { vec![value] };
    let pattern = matches!(op, Op::Contains | Op::NotContains | Op::Like | Op::NotLike);
    let mut values = Vec::with_capacity(listed.len());
    for value in listed {
        let wanted = text(value).unwrap_or_default();
        let key = if pattern { Some(Key::Text(wanted.to_lowercase())) } else { key_of(kind, &wanted) };
        // A value that cannot be one of this field's is equal to none of them, not even to an empty one.
        let Some(key) = key.or((!strict).then_some(Key::Number(f64::NAN))) else {
            return Err(Refused::BadValue(name.to_owned()));
        };
        values.push(key);
    }
    Ok(Some(Filter::Test { field, kind, op, values }))
}

/// The value of a text in the form in which its kind compares; `None`: it does not fit the kind.
fn key_of(kind: Kind, text: &str) -> Option<Key> {
    if text.is_empty() {
        return Some(Key::Empty);
    }
    match kind {
        Kind::Int | Kind::Money => float(text).map(Key::Number),
        // Far below the 2^53 up to which a float is exact: a date has four digits of year.
        Kind::Date | Kind::Time => float(&dates::parse(text)?.to_string()).map(Key::Number),
        Kind::Flag => Some(Key::Text(if matches!(text, "Y" | "1" | "true") { "Y" } else { "N" }.to_owned())),
        Kind::Text | Kind::Multi | Kind::Custom => Some(Key::Text(text.to_owned())),
    }
}

/// All values that a record has in a field: one, or those of a list.
fn keys(record: &Record, field: &str, kind: Kind) -> Vec<Key> {
    let Some(value) = record.get(field) else { return vec![Key::Empty] };
    let found: Vec<Key> = match value {
        Value::Array(items) => items
            .iter()
            .filter_map(|item| text(item.get("VALUE").unwrap_or(item)))
            .filter_map(|text| key_of(kind, &text))
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
            text(value).and_then(|text| key_of(kind, &text)).into_iter().collect()
        }
    };
    if found.is_empty() { vec![Key::Empty] } else { found }
}

impl Filter {
    /// Whether it lets all records through.
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self, Self::All(parts) | Self::Any(parts) if parts.is_empty())
    }

    /// Between which ids all that it lets through lies, so that a walk by id need not begin at the first record.
    pub(crate) fn ids(&self) -> Range<u64> {
        let mut ids = 0..u64::MAX;
        let Self::All(parts) = self else { return ids };
        for part in parts {
            let Self::Test { field, op, values, .. } = part else { continue };
            let ("ID", [Key::Number(number)]) = (field.as_str(), values.as_slice()) else { continue };
            // A value that is no number is neither less nor greater than any.
            if number.is_nan() && !matches!(op, Op::NotEqual | Op::NotContains | Op::NotLike) {
                return 0..0;
            }
            let up = whole(number.ceil());
            let above = whole(number.floor() + 1.0);
            match op {
                Op::Greater => ids.start = ids.start.max(above.unwrap_or(0)),
                Op::GreaterOrEqual => ids.start = ids.start.max(up.unwrap_or(0)),
                Op::Less => ids.end = ids.end.min(up.unwrap_or(u64::MAX)),
                Op::LessOrEqual => ids.end = ids.end.min(above.unwrap_or(u64::MAX)),
                Op::Equal => {
                    ids.start = ids.start.max(up.unwrap_or(0));
                    ids.end = ids.end.min(above.unwrap_or(u64::MAX));
                }
                Op::NotEqual | Op::Contains | Op::NotContains | Op::Like | Op::NotLike => {}
            }
        }
        ids
    }

    pub(crate) fn lets_through(&self, record: &Record) -> bool {
        match self {
            Self::All(parts) => parts.iter().all(|part| part.lets_through(record)),
            Self::Any(parts) => parts.is_empty() || parts.iter().any(|part| part.lets_through(record)),
            Self::Test { field, kind, op, values } => {
                let have = keys(record, field, *kind);
                let some = |holds: &dyn Fn(&Key, &Key) -> bool| {
                    have.iter().any(|have| values.iter().any(|wanted| holds(have, wanted)))
                };
                match op {
                    Op::Equal => some(&|have, wanted| have == wanted),
                    Op::NotEqual => !some(&|have, wanted| have == wanted),
                    Op::Less => some(&|have, wanted| order(have, wanted) == Some(Ordering::Less)),
                    Op::LessOrEqual => some(&|have, wanted| order(have, wanted).is_some_and(Ordering::is_le)),
                    Op::Greater => some(&|have, wanted| order(have, wanted) == Some(Ordering::Greater)),
                    Op::GreaterOrEqual => some(&|have, wanted| order(have, wanted).is_some_and(Ordering::is_ge)),
                    Op::Contains => some(&contains),
                    Op::NotContains => !some(&contains),
                    Op::Like => some(&like),
                    Op::NotLike => !some(&like),
                }
            }
        }
    }
}

/// `None`: below zero, or far above any id.
fn whole(number: f64) -> Option<u64> {
    format!("{number:.0}").parse().ok()
}

/// An empty value is neither less nor greater, as in SQL.
fn order(have: &Key, wanted: &Key) -> Option<Ordering> {
    match (have, wanted) {
        (Key::Number(have), Key::Number(wanted)) => have.partial_cmp(wanted),
        (Key::Text(have), Key::Text(wanted)) => Some(have.cmp(wanted)),
        (Key::Empty, _) | (_, Key::Empty) | (Key::Number(_), Key::Text(_)) | (Key::Text(_), Key::Number(_)) => None,
    }
}

/// The order of a list by this field: empty values come first.
pub(crate) fn compare(one: &Record, other: &Record, field: &str, kind: Kind) -> Ordering {
    let first = |record: &Record| keys(record, field, kind).into_iter().next().unwrap_or(Key::Empty);
    let (one, other) = (first(one), first(other));
    order(&one, &other).unwrap_or_else(|| (one != Key::Empty).cmp(&(other != Key::Empty)))
}

fn letters(key: &Key) -> String {
    match key {
        Key::Empty => String::new(),
        Key::Number(number) => number.to_string(),
        Key::Text(text) => text.to_lowercase(),
    }
}

fn contains(have: &Key, wanted: &Key) -> bool {
    letters(have).contains(&letters(wanted))
}

fn like(have: &Key, pattern: &Key) -> bool {
    let text: Vec<char> = letters(have).chars().collect();
    let pattern: Vec<char> = letters(pattern).chars().collect();
    // Which beginnings of the text match the beginning of the pattern read so far.
    let mut matched: Vec<bool> = (0..=text.len()).map(|length| length == 0).collect();
    for wanted in pattern {
        let mut next = vec![false; text.len() + 1];
        let mut seen = false;
        for (length, slot) in next.iter_mut().enumerate() {
            let here = matched.get(length).copied().unwrap_or(false);
            seen |= here;
            let before = length.checked_sub(1).and_then(|last| Some((*matched.get(last)?, *text.get(last)?)));
            *slot = match wanted {
                '%' => seen,
                '_' => before.is_some_and(|(matched, _)| matched),
                letter => before.is_some_and(|(matched, have)| matched && have == letter),
            };
        }
        matched = next;
    }
    matched.last().copied().unwrap_or(false)
}

#[cfg(test)]
#[path = "filter_tests.rs"]
mod tests;
