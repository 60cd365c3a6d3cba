//! The table as text, and how a row is found in it.

use core::cmp::Ordering;

use crate::method::Method;

/// Written by `generate.py`. The first line names the columns; the others are sorted by name, whatever its case.
const TEXT: &str = include_str!("catalogue.tsv");

static ROWS: &str = after_first_line(TEXT);

/// The row of a method, or `None` if the documentation has no method of that name. Case does not matter.
///
/// ```
/// use retry_catalogue::{Kind, lookup};
///
/// let get = lookup("event.offline.get").expect("it is in the table");
/// assert_eq!(get.kind, Kind::Write);
/// assert_eq!(get.reason, Some("deletes what it returns"));
/// assert_eq!(lookup("event.offline.fetch"), None);
/// ```
pub fn lookup(name: &str) -> Option<Method> {
    let mut rows = ROWS;
    while !rows.is_empty() {
        let (before, row, after) = middle(rows);
        rows = match order(name, name_of(row)) {
            Ordering::Less => before,
            Ordering::Equal => return Method::parse(row),
            Ordering::Greater => after,
        };
    }
    None
}

/// All methods, sorted by name.
///
/// ```
/// use retry_catalogue::{Kind, all};
///
/// let writes = all().filter(|method| method.kind == Kind::Write).count();
/// println!("{writes} of {} methods write", all().count());
/// ```
pub fn all() -> impl Iterator<Item = Method> {
    ROWS.lines().filter_map(Method::parse)
}

/// All names, without reading the rest of the rows.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    ROWS.lines().map(name_of)
}

/// The row that lies in the middle of `rows`, and those before and after it.
fn middle(rows: &'static str) -> (&'static str, &'static str, &'static str) {
    let (first, _) = rows.split_at(rows.floor_char_boundary(rows.len() / 2));
    let (before, rest) = rows.split_at(first.rfind('\n').map_or(0, |at| at + 1));
    let (row, after) = rest.split_once('\n').unwrap_or((rest, ""));
    (before, row, after)
}

fn name_of(row: &'static str) -> &'static str {
    row.split_once('\t').map_or(row, |(name, _)| name)
}

/// The order of the table: by bytes, letters in lower case.
fn order(a: &str, b: &str) -> Ordering {
    lower(a).cmp(lower(b))
}

fn lower(text: &str) -> impl Iterator<Item = u8> {
    text.bytes().map(|byte| byte.to_ascii_lowercase())
}

const fn after_first_line(text: &str) -> &str {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        at += 1;
        if bytes[at - 1] == b'\n' {
            break;
        }
    }
    text.split_at(at).1
}
