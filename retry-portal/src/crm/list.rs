//! Lists: which records are shown, in which order, which page of them.

use serde_json::Value;

use super::Context;
use super::filter::{self, Filter};
use super::records::{Entity, Record};
use super::schema::Kind;
use super::values::{float, text};
use crate::clock::now;
use crate::params::Params;

/// Fixed in Bitrix24.
const PAGE: usize = 50;

/// One field of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct By {
    pub(crate) field: String,
    pub(crate) kind: Kind,
    pub(crate) descending: bool,
}

/// Where the page begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    At(usize),
    /// `start=-1`: the first page, and nothing is counted.
    Uncounted,
}

impl Start {
    /// Reads `start`. What is no number is the first page; an offset is the page it lies in.
    pub(crate) fn of(params: &Params) -> Self {
        let wanted = params.either("start").and_then(text);
        let Some(number) = wanted.as_deref().and_then(float) else { return Self::At(0) };
        if number < 0.0 {
            return Self::Uncounted;
        }
        let offset: usize = format!("{number:.0}").parse().unwrap_or(usize::MAX);
        Self::At(offset / PAGE * PAGE)
    }
}

/// A page of records.
#[derive(Debug)]
pub(crate) struct Page<'a> {
    pub(crate) rows: Vec<&'a Record>,
    pub(crate) total: usize,
    pub(crate) next: Option<usize>,
}

/// Records that lists show: those of a hidden entity and those too young are left out.
pub(crate) fn visible<'a>(context: &Context<'a>, entity: Entity) -> Vec<&'a Record> {
    if context.switches.hidden(entity) {
        return Vec::new();
    }
    let lag = context.clock.real(context.switches.index_lag);
    let now = now();
    let old_enough = |record: &&Record| record.born.is_none_or(|born| now.saturating_duration_since(born) >= lag);
    context.store.table(entity).rows().filter(old_enough).collect()
}

pub(crate) fn page<'a>(context: &Context<'a>, entity: Entity, filter: &Filter, order: &[By], start: Start) -> Page<'a> {
    let mut rows = visible(context, entity);
    if !context.switches.ignore_filters {
        rows.retain(|row| filter.lets_through(row));
    }
    // The sort is stable, so rows that are equal in all fields stay in the order of their ids.
    rows.sort_by(|one, other| {
        order
            .iter()
            .map(|by| {
                let found = filter::compare(one, other, &by.field, by.kind);
                if by.descending { found.reverse() } else { found }
            })
            .find(|found| found.is_ne())
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    let counted = rows.len();
    let (offset, total) = match start {
        Start::At(offset) => (offset, counted),
        Start::Uncounted => (0, 0),
    };
    let rows: Vec<&Record> = rows.into_iter().skip(offset).take(PAGE).collect();
    let end = offset.saturating_add(PAGE);
    let next = (start != Start::Uncounted && end < counted).then_some(end);
    Page { rows, total, next }
}

/// Whether a direction of an order is one, and which.
pub(crate) fn descending(direction: &Value) -> Option<bool> {
    match text(direction)?.to_ascii_uppercase().as_str() {
        "ASC" => Some(false),
        "DESC" => Some(true),
        _ => None,
    }
}
