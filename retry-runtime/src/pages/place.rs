//! How far a walk has come, and what a page says of where it goes on.

use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

use super::By;
use super::answer::{RawPage, name};
use super::asked::{Api, Asked};
use super::rows::{self, Rows};
use crate::api::referring;

/// Pages of an offset walk that are asked for at once where the portal does not say how many there are: our choice.
const UNCOUNTED: u64 = 10;

/// How far it has come.
pub(super) enum Place {
    Id {
        field: &'static str,
        last: Option<u64>,
        /// Where the id of the last row of a full page is in a result, once it is known: `[items][49][id]`.
        path: Option<String>,
    },
    Start {
        next: u64,
        /// From page to page.
        step: u64,
        previous: Option<Box<RawValue>>,
        /// Whether it has named a next page before: the last one then is known by naming none.
        names_next: bool,
    },
}

/// What a page has given.
pub(super) struct Taken<T> {
    pub(super) rows: Vec<T>,
    pub(super) after: After,
}

/// What comes after a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    /// The next one, where it was expected.
    Next,
    /// The next one, but not where it was expected: what came with this one begins elsewhere.
    Elsewhere,
    /// Nothing.
    Over,
}

impl Place {
    pub(super) fn new(asked: &Asked) -> Self {
        match asked.by {
            By::Id(field) => Self::Id { field, last: None, path: None },
            By::Start => Self::Start { next: 0, step: asked.full, previous: None, names_next: false },
        }
    }

    /// Where the next page begins.
    pub(super) fn from(&self) -> Value {
        match self {
            Self::Id { last, .. } => last.map_or(Value::Null, Value::from),
            Self::Start { next, .. } => Value::from(*next),
        }
    }

    /// Whether it is known well enough where the pages after the next one begin.
    pub(super) const fn allows_a_batch(&self) -> bool {
        match self {
            Self::Id { path, .. } => path.is_some(),
            Self::Start { next, .. } => *next > 0,
        }
    }

    /// The next pages, `most` of them, as commands of one batch; `None` if the arguments have no such form.
    pub(super) fn commands(&self, method: &str, asked: &Asked, total: Option<u64>, most: u64) -> Option<Vec<String>> {
        let command = |from: &Value, reference: Option<&str>| {
            let arguments = Value::Object(asked.page(from)).to_string();
            referring(method, arguments.as_bytes(), reference)
        };
        let first = std::iter::once(command(&self.from(), None));
        match self {
            Self::Id { path, .. } => {
                let path = path.as_deref()?;
                let others = (1..most).map(|page| {
                    let reference = format!("$result[{}]{path}", name(page - 1));
                    command(&Value::from(reference.as_str()), Some(&reference))
                });
                first.chain(others).collect()
            }
            Self::Start { next, step, .. } => {
                let counted = total.and_then(|total| total.checked_sub(*next)).filter(|left| *left > 0);
                let pages = counted.map_or(UNCOUNTED, |left| left.div_ceil(*step)).min(most);
                let others = (1..pages).map(|page| command(&Value::from(next + page * step), None));
                first.chain(others).collect()
            }
        }
    }

    /// The rows of the next page. Nothing has changed if it fails.
    pub(super) fn take<T: DeserializeOwned>(&mut self, asked: &Asked, page: RawPage) -> Result<Taken<T>, String> {
        let Rows { under, rows } = rows::open(&page.result)?;
        let count = rows.len() as u64;
        let is_gateway = asked.api == Api::Gateway;
        // The gateway counts what it finds, and past the end it may answer with any rows.
        let counts_no_more =
            |rows: u64| is_gateway && !page.partial && page.total.is_some_and(|total| total > 0 && total <= rows);
        // By offsets, a page that is more than full is taken for the whole list.
        if is_gateway && page.partial && (count < asked.full || (count > asked.full && asked.by == By::Start)) {
            return Err(
                "the gateway says that rows are missing: a window of its search failed, or it cut the list".to_owned()
            );
        }
        match self {
            Self::Id { field, last, path } => {
                let (newest, spelling) = in_order(&rows, field, *last)?;
                let rows = decoded(&rows)?;
                *last = newest;
                *path = path_to_the_last(under.as_deref(), asked.full, spelling.as_deref().unwrap_or(field));
                let after = match count {
                    short if short < asked.full => After::Over,
                    full if full == asked.full => After::Next,
                    // The next page was to begin behind the last row of one that is just full.
                    _ => After::Elsewhere,
                };
                Ok(Taken { rows, after })
            }
            Self::Start { next, step, previous, names_next } => {
                let repeated = count > 0 && previous.as_ref().is_some_and(|before| before.get() == page.result.get());
                let after = match page.next {
                    Some(_) if repeated => {
                        return Err(format!(
                            "the page at {next} is the one before it: the list does not follow `start`"
                        ));
                    }
                    Some(after) if after <= *next => {
                        return Err(format!("the page at {next} says that the next one is at {after}"));
                    }
                    Some(after) if count > 0 => Some(after),
                    None if counts_no_more(next.saturating_add(count)) => None,
                    // A full page need not say that it goes on; what is more than full is the whole list.
                    None if count == asked.full && !repeated && !*names_next => Some(*next + *step),
                    Some(_) | None => None,
                };
                let rows = if repeated { Vec::new() } else { decoded(&rows)? };
                *names_next |= page.next.is_some();
                *previous = Some(page.result);
                let Some(after) = after else { return Ok(Taken { rows, after: After::Over }) };
                let stride = after - std::mem::replace(next, after);
                let expected = std::mem::replace(step, stride) == stride;
                Ok(Taken { rows, after: if expected { After::Next } else { After::Elsewhere } })
            }
        }
    }
}

/// The last of the ids, which have to grow from `last` on, and how the rows spell their field.
fn in_order(rows: &[&RawValue], field: &str, mut last: Option<u64>) -> Result<(Option<u64>, Option<Box<str>>), String> {
    let mut spelled = None;
    for (index, row) in rows.iter().enumerate() {
        let rows::RowId { id, spelling } = rows::id_of(row, field)?;
        if let Some(before) = last.filter(|before| id <= *before) {
            let ignored = if index == 0 { format!("filter `>{field}`") } else { format!("order by `{field}`") };
            return Err(format!(
                "row {id} comes after row {before}: the list does not follow the {ignored}, so it can't be read by its \
                 ids; try `pages = start`"
            ));
        }
        last = Some(id);
        spelled = spelling;
    }
    Ok((last, spelled))
}

fn decoded<T: DeserializeOwned>(rows: &[&RawValue]) -> Result<Vec<T>, String> {
    let read: Result<Vec<T>, _> = rows.iter().map(|row| serde_json::from_str(row.get())).collect();
    read.map_err(|error| format!("a row does not read as the row type of the stub: {error}"))
}

/// `[items][49][id]`; `None` for names that no reference can hold.
fn path_to_the_last(under: Option<&str>, full: u64, field: &str) -> Option<String> {
    let plain = |name: &&str| name.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'_');
    let under = match under {
        Some(under) => format!("[{}]", Some(under).filter(plain)?),
        None => String::new(),
    };
    Some(format!("{under}[{}][{}]", full.checked_sub(1)?, Some(field).filter(plain)?))
}
